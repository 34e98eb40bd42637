"""Acceptance checks that a model derives: through the whole service, a model server and real Blender."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.settings import Settings
from tests.fixtures import serving
from tests.model_server import Reply, model_server
from tests.pipeline.asking import SMALL, asking

pytestmark = pytest.mark.blender

CHECKS, DRAFT, JUDGE = "You turn a request", "You write Python", "You judge"
RIGHT = {"check": "object", "name": "Light", "values": {"data.energy": 50}}
WRONG = {"check": "object", "name": "Light", "values": {"data.enrgy": 50}}
DIM = "```python\nimport bpy\n\nbpy.data.objects['Light'].data.energy = 50\n```"
ACCEPTED = Reply('{"request": 1, "effects": 1}', when=JUDGE, times=2)
BODY: dict[str, Any] = {"request": "Let the lamp be dim, at 50 W", "drafter": "model", "render": SMALL}


def checks(*said: dict[str, Any]) -> str:
    return json.dumps({"checks": said})


async def generated(settings: Settings, *replies: Reply, **more: Any) -> tuple[dict[str, Any], list[str]]:
    """The run of a request, and the questions."""
    with model_server(*replies) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json={**BODY, **more})).json()
    return run, server.questions


async def test_a_check_that_leads_nowhere_is_sent_back_once_with_what_is_there(settings: Settings) -> None:
    mended = Reply(checks(RIGHT), when="That answer cannot be used")
    run, questions = await generated(
        settings, mended, Reply(checks(WRONG, RIGHT), when=CHECKS), Reply(DIM, when=DRAFT), ACCEPTED
    )
    assert run["status"] == "proven", run
    assert [call["step"] for call in run["model_calls"]] == ["accept", "accept, again", "draft", "critic"]
    assert "ID has no enrgy" in questions[1] and "correct or leave out each" in questions[1]
    assert [check["values"] for check in run["accept"]["checks"]] == [RIGHT["values"]] and not run["accept"]["unread"]
    measured = run["attempts"][0]["verdict"]["measured"]["acceptance"]
    assert (measured["asked"], measured["met"], measured["broken"]) == (1, 1, 0)


async def test_a_check_that_stays_broken_is_left_out_with_a_note_and_refuses_nothing(settings: Settings) -> None:
    stays = Reply(checks(WRONG, RIGHT), when=CHECKS, times=2)
    run, _ = await generated(settings, stays, Reply(DIM, when=DRAFT), ACCEPTED)
    assert run["status"] == "proven", run
    assert "enrgy" in run["accept"]["unread"][0] and len(run["accept"]["checks"]) == 1
    (accept,) = (stage for stage in run["attempts"][0]["verdict"]["stages"] if stage["name"] == "accept")
    assert "cannot be read or made" in accept["findings"][0]["message"]
    assert run["attempts"][0]["verdict"]["measured"]["acceptance"]["unread"] == 1


ARBITER = "You read a request for a Blender scene once more"
BRIGHT = {"check": "object", "name": "Light", "values": {"data.energy": {"at_least": 1000}}}
CONTRADICTS = json.dumps({"contradict": [{"check": 1, "why": "It says `dim, at 50 W`."}]})


def accept_of(run: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The stage on the checks of the last attempt, and their figures."""
    verdict = run["attempts"][-1]["verdict"]
    return next(one for one in verdict["stages"] if one["name"] == "accept"), verdict["measured"]["acceptance"]


async def test_a_check_that_asks_the_opposite_is_set_aside_on_record(settings: Settings) -> None:
    replies = (Reply(checks(BRIGHT, RIGHT), when=CHECKS), Reply(DIM, when=DRAFT), Reply(CONTRADICTS, when=ARBITER))
    with model_server(*replies, ACCEPTED) as server:
        async with serving(asking(settings, server.url)) as client:
            run = (await client.post("/generate", json=BODY)).json()
            brief = (await client.get(f"/runs/{run['id']}/brief")).json()
            page = (await client.get(f"/page/runs/{run['id']}")).text
    assert run["status"] == "proven", run
    accept, measured = accept_of(run)
    assert (accept["state"], measured["made"], measured["met"], measured["aside"]) == ("warned", 1, 1, 1)
    assert (
        "dim, at 50 W" in accept["findings"][0]["message"] and "data.energy is 50" in accept["findings"][0]["message"]
    )
    assert run["attempts"][0]["verdict"]["measured"]["scores"]["measured"]["request"] == 0.75
    assert run["second_reading"]["aside"] == {"1": "It says `dim, at 50 W`."}
    assert "set aside 1 of its checks" in brief["said"] and "accept/set-aside" in page
    # Its reader is told what was measured, and nothing of the snippet.
    question = server.questions[2]
    assert "seen: object" in question and "data.energy is 50, not at least 1000" in question
    assert "Changed: Light" in question and "import bpy" not in question


async def test_a_check_that_the_request_asks_for_stands_and_the_snippet_is_healed(settings: Settings) -> None:
    bright = Reply(DIM.replace("50", "500"), when=DRAFT)
    seen_too = {"check": "object", "name": "Light", "values": {"data.energy": {"at_most": 600}}}
    replies = (Reply(checks(RIGHT, seen_too), when=CHECKS), bright, Reply('{"contradict": []}', when=ARBITER))
    run, questions = await generated(settings, *replies, Reply(DIM, when="You repair"), ACCEPTED)
    assert run["status"] == "proven" and len(run["attempts"]) == 2, run
    assert run["second_reading"]["aside"] == {} and accept_of(run)[1]["aside"] == 0
    assert sum(ARBITER in question for question in questions) == 1


async def test_what_nothing_else_measures_is_not_set_aside(settings: Settings) -> None:
    replies = (Reply(checks(BRIGHT), when=CHECKS), Reply(DIM, when=DRAFT), Reply(CONTRADICTS, when=ARBITER))
    run, _ = await generated(settings, *replies, Reply("DISPUTED: it says dim", when="You repair"))
    assert run["status"] == "disputed", run
    assert run["second_reading"]["contradict"] and run["second_reading"]["aside"] == {}
