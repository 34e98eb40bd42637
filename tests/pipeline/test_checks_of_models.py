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
