"""Requests that are no commands, through the whole service, a model server and real Blender."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image

from app.cli.client import started
from app.llm.message import tokens_of
from app.llm.script import read_script
from app.settings import Settings
from tests.fixtures import serving
from tests.model_server import KEY, MODEL, Reply, model_server
from tests.pipeline.asking import POEM, SMALL, asking
from tests.service.serving import finished, is_at_work, served, until, wait_until

pytestmark = pytest.mark.blender

TRANSCRIPTS = Path(__file__).parents[2] / "docs" / "transcripts"


def written(transcript: str) -> tuple[str, list[Reply]]:
    """The request of a transcript and its written answers."""
    script = read_script(TRANSCRIPTS / f"{transcript}.toml")
    return script.request, [Reply(one.text, one.when, one.finish, one.times) for one in script.answer]


def stages(attempt: dict[str, Any]) -> dict[str, str]:
    return {stage["name"]: stage["state"] for stage in attempt["verdict"]["stages"]}


async def test_a_snippet_that_fails_is_healed_by_a_diff_and_proven(settings_with_stubs: Settings) -> None:
    request, answers = written("staircase")
    with model_server(*answers) as server:
        async with serving(asking(settings_with_stubs, server.url)) as client:
            run = (await client.post("/generate", json={"request": request, "render": SMALL})).json()
            events = (await client.get(f"/runs/{run['id']}/events")).text
            health = (await client.get("/health")).json()["parts"]["model"]
    assert run["status"] == "proven", run
    first, second = run["attempts"]
    assert (first["author"], stages(first)["execute"], stages(first)["critic"]) == ("model", "failed", "skipped")
    assert (second["author"], stages(second)["accept"], stages(second)["critic"]) == ("model", "passed", "passed")
    assert 'Matrix.Rotation(index * TURN, 4, "Z")' in run["snippet"]
    assert second["verdict"]["measured"]["scores"]["accepted"] == 0.9
    assert (first["base"], second["base"], second["diff"].count("\n+ "), second["diff"].count("\n- ")) == (
        None,
        1,
        1,
        1,
    )
    # What the model could not say as a check is left out; the rest was frozen before the first line of code.
    assert run["accept"]["author"] == "model"
    assert [check["check"] for check in run["accept"]["checks"]] == ["object", "count", "collection"]
    assert run["accept"]["unread"]
    steps = [(call["step"], call["prompt"].split()[0]) for call in run["model_calls"]]
    assert steps[:2] == [("accept", "acceptance"), ("draft", "drafter")]
    assert steps[2:] == [("heal 2", "healer"), ("heal 2, again", "healer"), ("critic", "critic")]
    healing = run["model_calls"][2]["sent"][-1]["content"]
    assert "execute error in line 41" in healing and ">  41 |" in healing and "The end of the traceback" in healing
    assert (
        'the snippet has no line `step = place(f"Step {index}", tread, stair)`'
        in run["model_calls"][3]["sent"][0]["content"]
    )
    assert [call["tokens_in"] for call in run["model_calls"]] == [1000] * 5
    assert run["model_calls"][0]["cost"] == pytest.approx(0.0012)
    kinds = [line.removeprefix("event: ").strip() for line in events.splitlines() if line.startswith("event: ")]
    assert set(kinds) == {"stage", "model", "finding", "attempt", "healed", "ended"}
    assert (kinds[-1], kinds.count("attempt")) == ("ended", 2)
    assert health["state"] == "ok"
    assert json.dumps(run["retrieved"]) != "[]"


BROKEN = "```python\nimport bpy\n\nbpy.data.objects['Cube'].location.x = {}\nraise ValueError('{}')\n```"


async def test_the_same_snippet_twice_ends_the_loop(settings: Settings) -> None:
    answers = [
        Reply(BROKEN.format(1, "one"), when="You write Python"),
        Reply(BROKEN.format(2, "two"), when="You repair Python"),
        # The first one again, in another layout.
        Reply(BROKEN.format("1  # as before", "one"), when="You repair Python"),
    ]
    with model_server(Reply("Nothing to check: []", when="You turn a request"), *answers) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={"request": POEM, "max_attempts": 9, "render": SMALL})).json()
    assert (run["status"], run["accept"]) == ("not_proven", None)
    assert run["ended_because"] == "the model wrote a snippet that had been tried before"
    # The second was no better than the first, so the first is the last again, with the reason.
    assert [attempt["snippet"].count("two") for attempt in run["attempts"]] == [0, 1, 0]
    assert "taken back: attempt 2 was no better than attempt 1" in run["attempts"][-1]["notes"][0]
    again = server.questions[-1]
    assert "Healings of this snippet that made nothing better:\nAttempt 2 changed this" in again
    assert "+raise ValueError('two')" in again and "- execute: ValueError: two" in again
    # The repair before is told by what it changed and met: its question and answer are no part of this talk.
    assert again.count("You repair Python") == 1 and again.count("```python") == 1


async def test_no_more_attempts_are_made_than_the_request_allows(settings: Settings) -> None:
    answers = [Reply(BROKEN.format(number, "x" * number)) for number in range(1, 9)]
    with model_server(Reply('{"checks": []}', when="You turn a request"), *answers) as server:
        async with serving(asking(settings, server.url)) as client:
            body = {"request": POEM, "max_attempts": 2, "render": SMALL}
            run = (await client.post("/generate", json=body)).json()
            none = await client.post("/generate", json={**body, "max_attempts": 0})
    assert run["ended_because"] == "no rule heals it, and models wrote 2 of 2 attempts"
    assert [call["step"] for call in run["model_calls"]] == ["accept", "draft", "heal 2"]
    assert (none.status_code, none.json()["code"]) == (422, "request_not_understood")


async def test_a_scene_that_is_not_accepted_is_healed(settings: Settings) -> None:
    request, answers = written("lamps")
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={"request": request, "render": SMALL})).json()
    first, second = run["attempts"]
    assert (run["status"], stages(first)["execute"], stages(first)["accept"]) == ("proven", "passed", "failed")
    assert stages(second)["accept"] == "passed"
    assert "check 1 is not met: there are 2 LIGHT objects called Lamp *, not at least 3" in server.questions[3]
    assert "Symbols of this build that may help" in server.questions[3]


async def test_what_only_a_critic_sees_is_healed_and_it_sees_the_picture(settings: Settings) -> None:
    request, answers = written("pyramid")
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url, images=True)) as client:
            run = (await client.post("/generate", json={"request": request, "render": SMALL})).json()
    first, second = run["attempts"]
    assert run["status"] == "proven", run
    assert [name for name, state in stages(first).items() if state == "failed"] == ["critic"]
    assert first["verdict"]["measured"]["scores"]["accepted"] == 0.4
    assert second["verdict"]["measured"]["scores"]["accepted"] >= 0.75
    assert "Line 11 hides the object Cube" in server.questions[3]
    assert "weakest: The top block of the pyramid is missing." in server.questions[3]
    assert "Added: Block 0.0.0 to Block 1.1.1 (13)" in server.questions[3]
    # Who is to mend the looks sees them too.
    assert server.asked[3]["messages"][-1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    picture = server.asked[2]["messages"][-1]["content"][1]["image_url"]["url"]
    assert picture.startswith("data:image/png;base64,iVBOR")
    assert run["model_calls"][2]["sent"][-1]["pictures"] == ["sheet.png"]
    assert "in this order: three quarter, front." in server.questions[2]
    with Image.open(io.BytesIO(base64.b64decode(picture.partition(",")[2]))) as sheet:
        assert sheet.width > 2 * SMALL["size"] > sheet.height / 2


async def test_a_finding_that_a_model_holds_to_be_wrong_ends_in_dispute(settings: Settings) -> None:
    request, answers = written("bookends")
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url, images=True)) as client:
            run = (await client.post("/generate", json={"request": request, "max_attempts": 5, "render": SMALL})).json()
            brief = (await client.get(f"/runs/{run['id']}/brief")).json()
            page = (await client.get(f"/page/runs/{run['id']}")).text
            listed = (await client.get("/runs", params={"status": "disputed"})).json()
    assert (run["status"], run["artifact"], len(run["attempts"])) == ("disputed", None, 2)
    assert run["dispute"]["attempt"] == 2 and "a pair of bookends" in run["dispute"]["reason"]
    (found,) = run["dispute"]["found"]
    assert found.startswith("accept: check 1 is not met: there are 2")
    assert (brief["status"], "Nothing has checked that reason" in brief["said"]) == ("disputed", True)
    assert "In dispute" in page and "a pair of bookends" in page and found.split(":")[1].strip() in page
    assert [one["id"] for one in listed["runs"]] == [run["id"]]
    # The scene before, what it left, where the check looked; no picture, for no picture is blamed.
    asked = server.questions[-1]
    assert "active Cube, selected Cube" in asked and "`accept` looked at the saved scene at frame 1" in asked
    assert "The scene that it left:" in asked and "Added: Bookend Left, Bookend Right" in asked
    assert isinstance(server.asked[-1]["messages"][-1]["content"], str)


OWN_SCENE = """
import bpy

for place, name in enumerate(("Oak", "Elm", "Stone")):
    tree = bpy.data.objects.new(name, bpy.data.objects["Cube"].data)
    bpy.context.scene.collection.objects.link(tree)
    tree.location.x = 4 * place
    tree["age"] = 10 * place
for obj in bpy.context.scene.objects:
    obj.select_set(obj.name in ("Oak", "Elm"))
"""


async def test_a_model_is_told_the_scene_of_the_caller(settings: Settings) -> None:
    taller = "```python\nimport bpy\n\nfor obj in bpy.context.selected_objects:\n    obj.scale.z = 3\n```"
    replies = (
        Reply('{"checks": []}', when="You turn a request"),
        Reply(taller, when="You write Python"),
        Reply('{"request": 1, "effects": 1}', when="You judge"),
    )
    body = {"request": "Make the selected trees taller", "setup": {"snippet": OWN_SCENE}, "render": SMALL}
    with model_server(*replies) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={**body, "drafter": "model"})).json()
    assert run["status"] == "proven", run
    for question in server.questions:
        assert "selected Elm, Oak," in question and "Stone: MESH at (8, 0, 0)" in question
        assert "custom properties age=10" in question
    # Whoever writes code sees the code that made it, and the critic is told what became of it.
    *writers, critic = server.questions
    made_by = 'for place, name in enumerate(("Oak"'
    assert all(made_by in question for question in writers) and made_by not in critic
    assert "Changed: Elm (" in critic and "As before, so far as described: " in critic and "- api:" not in critic


async def test_the_critic_knows_the_scene_before_of_what_commands_wrote_and_a_model_mended(settings: Settings) -> None:
    taller = "```python\nimport bpy\n\nbpy.data.objects['Cube'].scale.z = 3\n```"
    answers = Reply(taller, when="You repair"), Reply('{"request": 1, "effects": 1}', when="You judge")
    body = {
        "request": "Move the cube up by 2",
        "accept": [{"check": "object", "name": "Cube", "scale": [1, 1, 3]}],
        "setup": {"snippet": OWN_SCENE},
        "render": SMALL,
    }
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json=body)).json()
    assert [one["author"] for one in run["attempts"]] == ["commands", "model"] and run["status"] == "proven"
    healer, critic = server.questions
    assert "selected Elm, Oak," in healer and "selected Elm, Oak," in critic.partition("Snippet:")[0]


async def test_a_script_of_the_callers_own_is_healed_by_a_model_after_the_rules(settings: Settings) -> None:
    old = "import bpy\n\nbpy.context.scene.objects.active = bpy.data.objects['Cube']\nratio = 1 / 0\n"
    diff = "```diff\n@@ -4 +4 @@\n-ratio = 1 / 0\n+ratio = 1 / 1\n```"
    with model_server(Reply(diff)) as server:
        async with serving(asking(settings, server.url)) as client:
            body = {"snippet": old, "heal": True, "render": SMALL}
            run = (await client.post("/validate", json=body)).json()
            lacking = {"snippet": "import bpy\nbpy.data.objects['Rig'].location.x = 1\n", "heal": True, "render": SMALL}
            needs = (await client.post("/validate", json=lacking)).json()
    assert run["status"] == "proven", run
    assert [attempt["author"] for attempt in run["attempts"]] == ["caller", "caller", "model"]
    assert "view_layer.objects.active" in run["snippet"] and "1 / 1" in run["snippet"]
    assert stages(run["attempts"][-1])["critic"] == "skipped"
    # The model is not asked for what it cannot invent.
    assert needs["ended_because"] == "it needs a scene that nobody can invent"
    assert len(server.asked) == 1


async def test_a_model_starts_from_what_the_commands_understood(settings: Settings) -> None:
    written = "```python\nimport bpy\n\nbpy.context.scene.frame_end = 120\n```"
    replies = (
        Reply('{"checks": []}', when="You turn a request", times=9),
        Reply(written, when="You write Python", times=9),
    )
    with model_server(*replies) as server:
        async with serving(asking(settings, server.url)) as client:
            for request in (f"Set the end frame to 120. {POEM}.", f"{POEM}."):
                body = {"request": request, "max_attempts": 1, "render": SMALL}
                await client.post("/generate", json=body)
    half, nothing = (question for question in server.questions if "You write Python" in question)
    assert f"- done below: Set the end frame to 120\n- not done: {POEM}\n```python\n" in half
    assert "scene.frame_end = 120" in half
    assert "What was read of it already" not in nothing and "(none)" not in nothing


async def test_without_an_answer_the_request_is_refused_with_the_reason(settings: Settings) -> None:
    down = Reply(status=500, raw=b"out of order", headers={"retry-after-ms": "1"}, times=99)
    with model_server(down) as server:
        async with serving(asking(settings, server.url)) as client:
            response = await client.post("/generate", json={"request": POEM})
            covered = await client.post("/generate", json={"request": "Add a cube called Box", "render": SMALL})
            health = (await client.get("/health")).json()
    assert (response.status_code, response.json()["code"]) == (503, "model_not_available")
    assert "it answered 500" in response.json()["message"]
    assert response.json()["details"]["not_understood"]
    assert (health["parts"]["model"]["state"], health["status"]) == ("degraded", "degraded")
    # Commands need no model.
    assert covered.json()["status"] == "proven"
    assert covered.json()["model_calls"] == []


async def test_no_key_is_ever_written_anywhere(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The server repeats the key wherever it can, and the snippet looks for it in its environment."""
    monkeypatch.setenv("BLENDPROOF_MODEL_KEY", KEY)
    look = "import os\nimport bpy\n\nbpy.data.objects['Cube'].scale.z = 2\nprint(dict(os.environ))\nprint('{}')\n"
    answers = [
        Reply(json.dumps({"checks": [{"check": "object", "name": KEY}]}), when="You turn a request"),
        Reply(f"Your key is {KEY}.\n```python\n{look.format(KEY)}```", when="You write Python"),
        Reply(f"```python\n{look.format('again')}```", when="You repair Python"),
        Reply(status=401, raw=json.dumps({"error": {"message": f"wrong key {KEY}"}}).encode(), times=9),
    ]
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={"request": POEM, "render": SMALL})).text
            error = (await client.post("/generate", json={"request": POEM})).text
            told = [run, error, (await client.get("/health")).text, (await client.get("/openapi.json")).text]
            told += [(await client.get(f"/runs/{json.loads(run)['id']}/events")).text]
    assert server.keys[0] == f"Bearer {KEY}"
    assert "wrong key ***" in error and "Your key is ***" in run
    assert [text.count(KEY) for text in told] == [0] * len(told)
    kept = [path for path in settings.data_folder.rglob("*") if path.is_file()]
    assert any(path.name == "runs.sqlite" for path in kept)
    assert [path for path in kept if KEY.encode() in path.read_bytes()] == []
    logged = capfd.readouterr()
    assert KEY not in logged.out + logged.err


def test_a_killed_service_does_not_ask_again_for_what_it_was_answered(settings: Settings, bare_home: Path) -> None:
    settings = settings.model_copy(update={"home": bare_home})
    slow = "import bpy, time\ntime.sleep(1)\nbpy.data.objects['Cube'].scale.z = 2\n"
    answers = [
        Reply('{"checks": []}', when="You turn a request", times=9),
        Reply(f"```python\n{slow}```", when="You write Python", times=9),
        Reply("{}", when="You judge", times=9),
    ]
    with model_server(*answers) as server:
        file = settings.data_folder.parent / "blendproof.toml"
        file.write_text(f'[providers.custom]\nmodel = "{MODEL}"\nurl = "{server.url}"\nkey = "{KEY}"\n')
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("BLENDPROOF_CONFIG", str(file))
            with served(settings) as (process, url):
                body = {"request": POEM, "render": SMALL}
                accepted = httpx2.post(f"{url}/generate", json=body, headers={"Prefer": "respond-async"})
                until(lambda: is_at_work(settings))
                process.kill()
        asked = len(server.asked)
        with started(asking(settings, server.url)) as url:
            run = until(lambda: finished(httpx2.get(url + accepted.headers["Location"]).json()))
    assert run["status"] == "proven", run
    assert asked == 2
    # Only the critic was still to be asked; it gave nothing that can be read, twice, so it is no judge.
    assert [text.count("You judge") for text in server.questions[asked:]] == [1, 1]
    assert stages(run["attempts"][-1])["critic"] == "skipped"


async def test_a_run_is_cancelled_while_a_model_thinks(settings: Settings) -> None:
    with model_server(Reply("```python\nimport bpy\n```", delay_s=3.0)) as server:
        async with serving(asking(settings, server.url)) as client:
            accepted = await client.post("/generate", json={"request": POEM}, headers={"Prefer": "respond-async"})
            address = accepted.headers["Location"]
            await wait_until(client, address, lambda: bool(server.asked))
            cancelled = (await client.delete(address)).json()
            events = (await client.get(f"{address}/events")).text
    assert (cancelled["status"], cancelled["attempts"], cancelled["model_calls"]) == ("cancelled", [], [])
    assert json.loads(events.rstrip().splitlines()[-1].removeprefix("data: "))["status"] == "cancelled"


TOWER = "```python\nimport bpy\n\nbpy.data.objects['Cube'].scale.z = {}\n```"


async def test_a_model_changes_an_earlier_snippet(settings: Settings) -> None:
    answers = [
        Reply('{"checks": []}', when="You turn a request", times=2),
        Reply(TOWER.format(2), when="You write Python"),
        Reply(TOWER.format(3), when="You write Python"),
    ]
    with model_server(*answers) as server:
        more: dict[str, Any] = {"render": SMALL, "drafter": "model"}
        async with serving(asking(settings, server.url).model_copy(update={"model_critic": False})) as client:
            first = (await client.post("/generate", json={"request": "A tower of the cube", **more})).json()
            taller = {"request": "make it taller", "continues": first["id"], **more}
            second = (await client.post("/generate", json=taller)).json()
            artifact = (await client.get(second["artifact"]["metadata"])).json()
    assert (first["status"], second["status"]) == ("proven", "proven"), second
    assert "scale.z = 3" in second["snippet"] and artifact["request"] == "A tower of the cube.\nmake it taller."
    # What is checked and what is written follow from both requests and the snippet.
    for asked in server.questions[2:4]:
        assert "- A tower of the cube\n" in asked and "scale.z = 2" in asked and "make it taller" in asked


OLD = "import bpy\n\ncube = bpy.data.objects['Cube']\nbpy.context.scene.objects.active = cube\ncube.scale.z = {}\n"


async def test_a_weak_model_plans_first_and_what_it_writes_in_odd_forms_is_proven(settings: Settings) -> None:
    answers = [
        Reply("Sure! Here are the checks:\n- the cube is taller", when="You turn a request", times=2),
        Reply("```csharp\nusing UnityEngine;\n```", when="You write Python"),
        # Prose, an indented fence, and the API of Blender 2.7, which rules mend; what it raises, the model does.
        Reply(f"Plan:\n1. Cube\n\n   ```\n   {OLD.format('1 / 0').replace(chr(10), chr(10) + '   ')}```\nDone!"),
        Reply(f"It divides by zero.\n{OLD.format(2).replace('scene', 'view_layer')}", when="You repair Python"),
        Reply('{"api": 1, "context": 1, "repeat": 1, "effects": 1, "request": 1}', when="You judge"),
    ]
    with model_server(*answers) as server:
        async with serving(asking(settings, server.url, small=True, context=8192)) as client:
            body = {"request": "make a high tower of the cube", "drafter": "model", "render": SMALL}
            run = (await client.post("/generate", json=body)).json()
    assert run["status"] == "proven", run
    assert "view_layer.objects.active" in run["snippet"] and "scale.z = 2" in run["snippet"]
    drafting, healing = (next(one for one in server.questions if said in one) for said in ("plan of", "one line: what"))
    assert drafting.count("```python") <= 2 and " small 1 (" in run["model_calls"][2]["prompt"]
    assert "```diff" not in healing
    assert all(call["tokens_in"] for call in run["model_calls"])
    assert max(tokens_of(question) for question in server.questions) + 2048 <= 8192
