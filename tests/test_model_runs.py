"""Requests that the composer does not cover, through the whole service, a model server and real Blender."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import HttpUrl, SecretStr

from app.llm.providers import ProviderSettings
from app.settings import Settings
from tests.conftest import serving
from tests.model_server import KEY, MODEL, Reply, model_server

pytestmark = pytest.mark.blender

TRANSCRIPTS = Path(__file__).with_name("transcripts")
STAIRCASE = "Build a spiral staircase of twelve steps around a column, all of it in a collection called Stair"
SMALL = {"size": 64, "samples": 4}


def replies(transcript: str) -> list[Reply]:
    """The written answers of a transcript."""
    written = tomllib.loads((TRANSCRIPTS / f"{transcript}.toml").read_text())["answer"]
    return [Reply(**one) for one in written]


def asking(settings: Settings, url: str, **more: Any) -> Settings:
    """The settings with the test's server as the only provider."""
    table = ProviderSettings(model=MODEL, url=HttpUrl(url), key=SecretStr(KEY), price_in=1.0, price_out=2.0, **more)
    return settings.model_copy(update={"model_provider": "custom", "providers": {"custom": table}})


def stages(attempt: dict[str, Any]) -> dict[str, str]:
    return {stage["name"]: stage["state"] for stage in attempt["verdict"]["stages"]}


async def test_a_snippet_that_fails_is_healed_by_a_diff_and_proven(settings: Settings) -> None:
    with model_server(*replies("staircase")) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={"request": STAIRCASE, "render": SMALL})).json()
            events = (await client.get(f"/runs/{run['id']}/events")).text
            health = (await client.get("/health")).json()["parts"]["model"]
    assert run["status"] == "proven", run
    first, second = run["attempts"]
    assert (first["author"], stages(first)["execute"], stages(first)["critic"]) == ("model", "failed", "skipped")
    assert (second["author"], stages(second)["accept"], stages(second)["critic"]) == ("model", "passed", "passed")
    assert "Matrix.Rotation(index * TURN, 4, \"Z\")" in run["snippet"]
    assert second["verdict"]["measured"]["scores"]["accepted"] == 0.9
    # What the model could not say as a check is left out; the rest was frozen before the first line of code.
    assert run["accept"]["author"] == "model"
    assert [check["check"] for check in run["accept"]["checks"]] == ["object", "count", "collection"]
    steps = [(call["step"], call["prompt"].split()[0]) for call in run["model_calls"]]
    assert steps == [
        ("accept", "acceptance"), ("draft", "drafter"), ("heal 2", "healer"), ("heal 2, again", "healer"), ("critic", "critic"),
    ]  # fmt: skip
    healing = run["model_calls"][2]["sent"][-1]["content"]
    assert "execute error in line 41" in healing and ">  41 |" in healing and "The end of the traceback" in healing
    assert "the snippet has no line `step = place(f\"Step {index}\", tread, stair)`" in run["model_calls"][3]["sent"][0]["content"]
    assert [call["tokens_in"] for call in run["model_calls"]] == [1000] * 5
    assert run["model_calls"][0]["cost"] == pytest.approx(0.0012)
    kinds = [line.removeprefix("event: ").strip() for line in events.splitlines() if line.startswith("event: ")]
    assert set(kinds) == {"stage", "model", "finding", "attempt", "healed", "ended"}
    assert (kinds[-1], kinds.count("attempt")) == ("ended", 2)
    assert health["state"] == "ok"
    assert json.dumps(run["retrieved"]) != "[]"


BROKEN = "```python\nimport bpy\n\nbpy.data.objects['Cube'].location.x = {}\nraise ValueError('{}')\n```"
POEM = "Arrange the three objects of the scene like the stars of a belt"


async def test_the_same_snippet_twice_ends_the_loop(settings: Settings) -> None:
    answers = [
        Reply(BROKEN.format(1, "one"), when="You write Python"),
        Reply(BROKEN.format(2, "two"), when="You repair Python"),
        # The first one again, in another layout.
        Reply(BROKEN.format("1  # as before", "one"), when="You repair Python"),
    ]
    with model_server(Reply('{"checks": []}', when="You turn a request"), *answers) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={"request": POEM, "max_attempts": 9, "render": SMALL})).json()
    assert (run["status"], run["accept"]) == ("not_proven", None)
    assert run["ended_because"] == "the model wrote a snippet that had been tried before"
    # The second was no better than the first, so the first is the last again, with the reason.
    assert [attempt["snippet"].count("two") for attempt in run["attempts"]] == [0, 1, 0]
    assert "taken back: attempt 2 was no better than attempt 1" in run["attempts"][-1]["notes"][0]
    assert "The last repair was no better and was taken back" in server.questions[-1]


async def test_no_more_attempts_are_made_than_the_request_allows(settings: Settings) -> None:
    answers = [Reply(BROKEN.format(number, f"number {number}"), when="headless") for number in range(9)]
    with model_server(Reply('{"checks": []}', when="You turn a request")) as server:
        server.add(*[Reply(BROKEN.format(number, "x" * number)) for number in range(1, 9)])
        async with serving(asking(settings, server.url)) as client:
            body = {"request": POEM, "max_attempts": 2, "render": SMALL}
            run = (await client.post("/generate", json=body)).json()
            none = await client.post("/generate", json={**body, "max_attempts": 0})
    assert len(answers) == 9
    assert run["ended_because"] == "no rule has a repair, and models wrote 2 of 2 attempts"
    assert [call["step"] for call in run["model_calls"]] == ["accept", "draft", "heal 2"]
    assert (none.status_code, none.json()["code"]) == (422, "request_not_understood")
