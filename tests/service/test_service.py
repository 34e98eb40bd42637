"""Requests through the whole service and real Blender, to the PNG; and what survives when the service is killed."""

from __future__ import annotations

import base64
import hashlib
import importlib
import io
import os
import re
import signal
import time
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from PIL import Image

from app.cli.client import started
from app.jobs.request import ValidateRequest
from app.jobs.sqlite import SqliteJobs
from app.service.work import MAX_RESUMES
from app.settings import Settings
from harness.blenders import Blender
from tests.fixtures import read_bytes, serving
from tests.service.serving import SENTENCE, finished, is_at_work, served, until, wait_until

pytestmark = pytest.mark.blender
on_one_service = pytest.mark.asyncio(loop_scope="module")
"""Most tests send to one service; those that end theirs, or have it without something, start their own."""

ENDLESS = "while len(str(1)) > 0:\n    if not True:\n        break\n"


@pytest.fixture(scope="module")
def shared(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of the one service."""
    return Settings(home=home, data=tmp_path_factory.mktemp("shared") / "data", sandbox="unsafe", warm_workers=1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(shared: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    """A client of the one service."""
    async with serving(shared) as client:
        yield client


def stages(run: dict[str, Any]) -> dict[str, str]:
    return {stage["name"]: stage["state"] for stage in run["attempts"][-1]["verdict"]["stages"]}


@on_one_service
@pytest.mark.usefixtures("usual_pictures")
async def test_one_sentence_in_one_proven_snippet_out(client: httpx2.AsyncClient, blender: Blender) -> None:
    response = await client.post("/generate", json={"request": SENTENCE, "render": {"views": ["front", "top"]}})
    run = response.json()
    assert (response.status_code, run["status"]) == (200, "proven"), run
    assert "failed" not in stages(run).values()
    assert {name for name, state in stages(run).items() if state == "passed"} >= {
        "parse", "policy", "lint", "types", "api", "execute", "repeat", "scene", "render",
    }  # fmt: skip
    assert "bpy.types.ObjectModifiers.new" in run["attempts"][0]["symbols"]
    report = run["attempts"][0]["report"]
    cube = report["evidence"]["scene"]["objects"]["Cube"]
    assert [(modifier["type"], modifier["settings"]["levels"]) for modifier in cube["modifiers"]] == [("SUBSURF", 2)]
    assert (cube["vertices"], cube["faces"], cube["smooth_faces"]) == (98, 96, 96)
    assert report["evidence"]["repeat"] == {
        "outcome": "passed",
        "reason": "it ran to its end",
        "made": [],
        "added": [],
        "changed": [],
        "unread": 0,
    }
    assert report["blender"] == {
        "version": blender.version, "build_hash": blender.build_hash, "kind": "module", "python": blender.python,
        "packages": {}, "window": False,
    }  # fmt: skip

    artifact = (await client.get(run["artifact"]["metadata"])).json()
    picture = (await client.get(run["artifact"]["picture"])).content
    top = (await client.get(artifact["views"]["top"])).content
    snippet = (await client.get(run["artifact"]["snippet"])).text
    stored = (await client.get(run["artifact"]["report"])).json()
    assert Image.open(io.BytesIO(picture)).size == Image.open(io.BytesIO(top)).size == (512, 512)
    assert picture != top
    assert hashlib.sha256(picture).hexdigest() == artifact["sha256"]["picture.png"]
    assert snippet == run["snippet"]
    assert stored["execution"] == report
    assert stored["verdict"] == run["attempts"][0]["verdict"]


@on_one_service
async def test_the_active_object_is_made_where_it_is_missing(client: httpx2.AsyncClient) -> None:
    setup = {"snippet": "import bpy\nbpy.ops.wm.read_factory_settings(use_empty=True)\n"}
    run = (await client.post("/generate", json={"request": SENTENCE, "setup": setup})).json()
    assert run["status"] == "proven", run
    assert run["attempts"][0]["report"]["evidence"]["changes"]["added"]["objects"] == ["Cube"]


@on_one_service
async def test_a_run_has_the_symbols_that_were_found_for_it(client: httpx2.AsyncClient) -> None:
    if (await client.get("/health")).json()["parts"]["index"]["state"] != "ok":
        pytest.skip("Blender is not indexed; run `make setup`")
    run = (await client.post("/generate", json={"request": SENTENCE, "render": {"size": 64}})).json()
    found = {one["address"]: one["why"] for one in run["retrieved"]}
    assert 40 <= len(found) <= 100
    assert any(address.startswith("bpy.types.SubsurfModifier") for address in found)
    assert all(found.values())
    for address in [*list(found)[:12], *run["attempts"][0]["symbols"]]:
        assert (await client.get(f"/symbols/{address}")).json()["address"] == address
    validated = (await client.post("/validate", json={"snippet": "import bpy\n"})).json()
    assert validated["retrieved"] == []


async def test_without_an_index_requests_are_answered_all_the_same(home: Path, tmp_path: Path) -> None:
    for part in ("blenders", "manifests", "models"):
        if (home / part).exists():
            (tmp_path / part).symlink_to(home / part)
    async with serving(Settings(home=tmp_path)) as client:
        health = (await client.get("/health")).json()["parts"]
        run = (await client.post("/generate", json={"request": SENTENCE, "render": {"size": 64}})).json()
        refused = await client.post("/generate", json={"request": "knit a sweater"})
    assert (health["index"]["state"], health["blender"]["state"]) == ("degraded", "ok")
    assert (run["status"], run["retrieved"]) == ("proven", [])
    assert refused.status_code == 422


VALIDATED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("an ordinary script", "import bpy\nbpy.ops.mesh.primitive_monkey_add()\n", "proven", {"repeat": "warned"}),
    ("a crooked one", "import bpy\nbpy.ops.mesh.primitive_monkey_ad()\n", "not_proven",
     {"api": "failed", "execute": "failed"}),
    ("no Python", "import bpy\nif True\n", "not_proven", {"parse": "failed", "execute": "skipped"}),
    ("a process", "import os, bpy\nos.system('true')\nbpy.ops.mesh.primitive_cube_ad()\n", "not_proven",
     {"policy": "failed", "api": "failed", "execute": "skipped"}),
    ("one that tidies up and quits", "import bpy, os\nopen('a.txt', 'w').close()\nos.remove('a.txt')\n"
     "bpy.data.objects['Cube'].scale.x = 2\nbpy.ops.wm.quit_blender()\n", "proven", {"policy": "passed"}),
    ("a coordinate that is none", "import bpy\nbpy.data.objects['Cube'].data.vertices[0].co.x = float('nan')\n",
     "not_proven", {"execute": "passed", "scene": "failed"}),
    ("a camera that looks away", "import bpy\nbpy.context.scene.camera.rotation_euler = (3.0, 0, 0)\n"
     "bpy.data.objects['Cube'].scale.x = 2\n", "not_proven", {"execute": "passed", "render": "failed"}),
    ("a camera that looks on", "import bpy\nbpy.context.scene.camera.location.x += 0.1\n"
     "bpy.data.objects['Cube'].scale.x = 2\n", "proven", {"render": "passed", "repeat": "warned"}),
    ("nothing at all", "print('hello')\n", "proven", {"execute": "passed", "scene": "warned"}),
    ("only a class", "import bpy\nclass Hello(bpy.types.Operator):\n    bl_idname = 'object.hello'\n"
     "    bl_label = 'Hello'\nbpy.utils.register_class(Hello)\n", "proven", {"execute": "passed", "scene": "passed"}),
    ("an empty scene", "import bpy\nfor o in list(bpy.data.objects):\n    bpy.data.objects.remove(o)\n",
     "proven", {"render": "skipped"}),
]  # fmt: skip


@on_one_service
@pytest.mark.parametrize(
    ("snippet", "status", "expected"), [case[1:] for case in VALIDATED], ids=[c[0] for c in VALIDATED]
)
async def test_a_snippet_of_ones_own(
    snippet: str, status: str, expected: dict[str, str], client: httpx2.AsyncClient
) -> None:
    run = (await client.post("/validate", json={"snippet": snippet})).json()
    assert run["status"] == status, run
    assert {name: state for name, state in stages(run).items() if name in expected} == expected
    assert run["snippet"] == snippet


@on_one_service
async def test_a_snippet_gets_its_files_arguments_and_setup(client: httpx2.AsyncClient) -> None:
    body = {
        "snippet": "import sys, helper\nprint(open('words.txt').read(), sys.argv[-1], helper.NAME)\n"
        "import bpy\nbpy.data.objects['Rig'].location.z = 3\n",
        "files": [
            {"name": "words.txt", "content": "aGVsbG8="},
            {"name": "helper.py", "content": "TkFNRSA9ICdoZWxwZWQnCg=="},
        ],
        "arguments": ["world"],
        "setup": {"snippet": "import bpy\nbpy.data.objects['Cube'].name = 'Rig'\n"},
    }
    run = (await client.post("/validate", json=body)).json()
    claims = run["attempts"][0]["report"]["claims"]
    assert run["status"] == "proven", run
    assert claims["stdout"]["text"] == "hello world helped\n"


@on_one_service
async def test_files_lie_in_their_folders(client: httpx2.AsyncClient) -> None:
    one = base64.b64encode(b"SIZE = 3\n").decode()
    body = {
        "snippet": "import bpy\nfrom parts.wheel import SIZE\nprint(SIZE, open('data/notes/a.txt').read())\n"
        "open('data/new.txt', 'w').close()\nbpy.data.objects['Cube'].scale.x = SIZE\n",
        "files": [
            {"name": "parts/__init__.py", "content": ""},
            {"name": "parts/wheel.py", "content": one},
            {"name": "data/notes/a.txt", "content": "aGVsbG8="},
        ],
        "render": {"size": 64},
    }
    run = (await client.post("/validate", json=body)).json()
    report = run["attempts"][0]["report"]
    assert run["status"] == "proven", run
    assert report["claims"]["stdout"]["text"] == "3 hello\n"
    assert [file["name"] for file in report["evidence"]["files"]] == ["data/new.txt"]
    replayed = await client.post(f"/artifacts/{run['artifact']['id']}/replay")
    assert replayed.json()["same"] is True


@on_one_service
async def test_a_long_snippet_is_judged_without_what_would_take_long(client: httpx2.AsyncClient) -> None:
    points = ",\n".join(f"    ({n}.25, {n % 7}.5, 0.125)" for n in range(20_000))
    rest = "import bpy\nmesh = bpy.data.meshes.new('Cloud')\nmesh.from_pydata(POINTS, [], [])\n"
    link = "bpy.context.collection.objects.link(bpy.data.objects.new('Cloud', mesh))\n"
    body: dict[str, Any] = {"snippet": f"POINTS = [\n{points}\n]\n{rest}{link}", "heal": True, "render": {"size": 64}}
    run = (await client.post("/validate", json=body)).json()
    found = {stage["name"]: stage for stage in run["attempts"][0]["verdict"]["stages"]}
    assert len(body["snippet"]) > 512 << 10
    assert found["execute"]["state"] == "passed"
    assert found["types"]["reason"].startswith("too large: ") and found["api"]["reason"].startswith("too large: ")


@on_one_service
async def test_the_setup_is_held_to_the_policy_too(client: httpx2.AsyncClient) -> None:
    body = {"snippet": "import bpy\n", "setup": {"snippet": "import bpy\nimport os\nos.system('true')\n"}}
    run = (await client.post("/validate", json=body)).json()
    assert (run["status"], stages(run)["policy"]) == ("not_proven", "failed")
    assert "line 3 of the setup" in run["attempts"][0]["verdict"]["stages"][1]["reason"]


@on_one_service
async def test_acceptance_checks_are_a_stage_and_their_code_is_held_to_the_policy(client: httpx2.AsyncClient) -> None:
    named = {"check": "object", "name": "Cube", "scale": [1, 1, 2]}
    stretched = "import bpy\nbpy.data.objects['Cube'].scale.z = 2\n"
    body: dict[str, Any] = {"snippet": stretched, "accept": [named], "render": {"size": 64}}
    met = (await client.post("/validate", json=body)).json()
    body["accept"] = [named, {"check": "count", "type": "LIGHT", "at_least": 2}]
    unmet = (await client.post("/validate", json=body)).json()
    body["accept"] = [{"check": "python", "says": "x", "code": "import os\nos.system('true')"}]
    forbidden = (await client.post("/validate", json=body)).json()
    assert (met["status"], stages(met)["accept"]) == ("proven", "passed")
    assert met["accept"]["author"] == "request"
    assert [{**check, **named} for check in met["accept"]["checks"]] == met["accept"]["checks"]
    assert (unmet["status"], stages(unmet)["accept"]) == ("not_proven", "failed")
    said = unmet["attempts"][0]["verdict"]["stages"][9]["reason"]
    assert said == "check 2 is not met: there is 1 LIGHT object, not at least 2"
    assert stages(forbidden)["policy"] == "failed"
    assert "line 2 of check 1" in forbidden["attempts"][0]["verdict"]["stages"][1]["reason"]


@on_one_service
async def test_healing_adds_a_missing_import(client: httpx2.AsyncClient) -> None:
    body = {"snippet": "bpy.data.objects['Cube'].location = Vector((0, 0, 1))\n", "heal": True}
    healed = (await client.post("/validate", json=body)).json()
    left = (await client.post("/validate", json={**body, "heal": False})).json()
    assert (healed["status"], left["status"]) == ("proven", "not_proven")
    assert [len(healed["attempts"]), len(left["attempts"])] == [2, 1]
    assert healed["snippet"].startswith("import bpy\nfrom mathutils import Vector\n")
    assert len(healed["attempts"][1]["notes"]) == 2


@on_one_service
async def test_a_run_can_be_polled_and_cancelled(client: httpx2.AsyncClient, shared: Settings) -> None:
    response = await client.post("/validate", json={"snippet": ENDLESS}, headers={"Prefer": "respond-async"})
    address = response.headers["Location"]
    assert (response.status_code, response.json()["status"]) == (202, "queued")
    run = await wait_until(client, address, lambda: is_at_work(shared))
    assert run["status"] == "running"
    started = time.monotonic()
    cancelled = await client.delete(address)
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
    assert time.monotonic() - started < 20
    assert not is_at_work(shared)
    again = await client.delete(address)
    assert (again.status_code, again.json()["code"]) == (409, "run_finished")
    for name in ("work", "executions"):
        assert list((shared.data_folder / name).iterdir()) == []


async def test_a_fault_of_ours_is_never_blamed_on_the_snippet(settings: Settings, tmp_path: Path) -> None:
    broken = tmp_path / "blender"
    broken.write_text(f"#!/bin/sh\ncase \"$*\" in *python-expr*) echo '{FAKE_PROBE}';; *) exit 3;; esac\n")
    broken.chmod(0o755)
    async with serving(settings.model_copy(update={"blender": broken})) as client:
        response = await client.post("/validate", json={"snippet": "import bpy\n"})
        run = (await client.get(f"/runs/{response.json()['details']['run']}")).json()
    assert (response.status_code, response.json()["code"]) == (500, "run_failed")
    assert (run["status"], run["attempts"]) == ("failed", [])


FAKE_PROBE = '@{"version": "5.0.1", "build_hash": "0", "python": "3.11.2"}'


def test_killing_the_service_in_the_middle_of_a_run_loses_nothing(settings: Settings, bare_home: Path) -> None:
    settings = settings.model_copy(update={"home": bare_home})
    slow = {
        "snippet": "import bpy, time\ntime.sleep(1)\nbpy.data.objects['Cube'].scale.z = 2\n",
        "render": {"size": 64},
    }
    words = {"request": SENTENCE, "render": {"size": 64, "views": ["camera"]}}
    with served(settings) as (process, url):
        accepted = httpx2.post(f"{url}/validate", json=slow, headers={"Prefer": "respond-async"})
        waiting = httpx2.post(f"{url}/generate", json=words, headers={"Prefer": "respond-async"})
        until(lambda: is_at_work(settings))
        process.send_signal(signal.SIGKILL)
        process.wait()
        until(lambda: blenders_of(settings) == [])
    with started(settings) as url:
        for response in (accepted, waiting):
            address = url + response.headers["Location"]
            run = until(lambda address=address: finished(httpx2.get(address).json()))
            assert run["status"] == "proven", run
            assert [attempt["number"] for attempt in run["attempts"]] == [1]
            assert httpx2.get(url + run["artifact"]["picture"]).content.startswith(b"\x89PNG")
    for name in ("work", "executions"):
        assert list((settings.data_folder / name).iterdir()) == []


async def test_what_the_service_was_killed_at_is_taken_up_alone(settings: Settings, blender: Blender) -> None:
    settings.data_folder.mkdir()
    runs = await SqliteJobs.open(settings.data_folder / "runs.sqlite")
    request = ValidateRequest(snippet="import bpy\n").model_dump(mode="json")
    ids = [await runs.add("validate", "import bpy", blender.name, request) for _ in range(4)]
    # The last two were worked on, the others waited.
    for run_id in ids[2:]:
        await runs.start(run_id)
    await runs.close()
    async with serving(settings) as client:
        for run_id in ids:
            await client.get(f"/runs/{run_id}/events")
        ended = [(await client.get(f"/runs/{run_id}")).json() for run_id in ids]
        events = [await told(client, run_id) for run_id in ids]
    assert [run["status"] for run in ended] == ["proven"] * 4 and all(len(one) > 2 for one in events)
    for suspect in events[2:]:
        # Nothing else was worked on between its first event and its last.
        others = [moment for one in events if one is not suspect for moment in one]
        assert not [moment for moment in others if suspect[0] < moment < suspect[-1]], events


async def told(client: httpx2.AsyncClient, run_id: str) -> list[str]:
    """The moments of the events of a run."""
    text = (await client.get(f"/runs/{run_id}/events")).text
    return re.findall(r'"at": ?"([^"]+)"', text)


async def test_a_run_that_was_taken_up_too_often_ends_as_interrupted(settings: Settings, blender: Blender) -> None:
    settings.data_folder.mkdir()
    runs = await SqliteJobs.open(settings.data_folder / "runs.sqlite")
    ids: list[str] = []
    # What services leave that were killed while they worked on them.
    for taken_up in (MAX_RESUMES, MAX_RESUMES - 1):
        request = ValidateRequest(snippet="import bpy\n").model_dump(mode="json")
        ids.append(await runs.add("validate", "import bpy", blender.name, request))
        await runs.start(ids[-1])
        for _ in range(taken_up):
            await runs.count_resume(ids[-1])
    await runs.close()
    async with serving(settings) as client:
        for id in ids:
            # The events end with the run.
            await client.get(f"/runs/{id}/events")
        given_up, taken = [(await client.get(f"/runs/{id}")).json() for id in ids]
    assert (given_up["status"], given_up["error"]["code"]) == ("interrupted", "job_interrupted")
    assert taken["status"] == "proven", taken


def test_stopping_the_service_tells_who_waits_and_leaves_its_runs_to_the_next(
    settings: Settings, bare_home: Path
) -> None:
    settings = settings.model_copy(update={"home": bare_home})
    with served(settings) as (process, url), ThreadPoolExecutor(1) as pool:
        body = {"snippet": "import time\ntime.sleep(1.5)\n"}
        waiting = pool.submit(httpx2.post, f"{url}/validate", json=body, timeout=120)
        until(lambda: is_at_work(settings))
        process.send_signal(signal.SIGTERM)
        response = waiting.result()
        process.wait(timeout=60)
    assert (response.status_code, response.json()["code"]) == (503, "service_stopping")
    assert int(response.headers["Retry-After"]) > 0
    assert blenders_of(settings) == []
    run = response.json()["details"]["run"]
    with started(settings) as url:
        assert until(lambda: finished(httpx2.get(f"{url}/runs/{run}").json()))["status"] == "proven"


def blenders_of(settings: Settings) -> list[str]:
    """Processes whose command line names the folder of this service's warm Blenders."""
    mark = os.fsencode(settings.data_folder / "warm")
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/cmdline") if mark in read_bytes(path)]


@on_one_service
async def test_the_service_multiplies_in_one_thread(client: httpx2.AsyncClient) -> None:
    library: Any = importlib.import_module("threadpoolctl")
    assert (await client.get("/health")).status_code == 200
    assert {one["num_threads"] for one in library.threadpool_info() if one["user_api"] == "blas"} == {1}
