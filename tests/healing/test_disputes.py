"""What a healer answers when nothing is wrong, and what is not asked of it again."""

from __future__ import annotations

from typing import Any

import pytest

from app.healing.feedback import blames_looks, feedback, in_brief
from app.healing.model import BY_MODEL, healing_answer
from app.healing.tried import HealingRecord
from app.jobs.request import GenerateRequest
from app.jobs.run import Attempt
from app.pipeline.healing import met_again, obstacle_to_healing
from app.verdict.verdict import STAGES, Finding, Severity, Stage, StageName, judged, make_verdict

SNIPPET = "import bpy\n\nx = 1\n"


@pytest.mark.parametrize(
    "answer",
    [
        "DISPUTED: check 1 asks for one mesh, and a pair is two.",
        "<think>Hm.</think>\n**DISPUTED:** check 1 asks for one mesh,\nand a pair is two.",
        "```\nDISPUTED: check 1 asks for one mesh, and a pair is two.\n```",
    ],
)
def test_a_dispute_is_read(answer: str) -> None:
    said = healing_answer(answer, "stop", SNIPPET)
    assert said.disputed.startswith("check 1 asks for one mesh, and a pair is two.") and not said.code


@pytest.mark.parametrize(
    "answer",
    [
        "DISPUTED: nothing is wrong, but take this:\n```diff\n@@\n-x = 1\n+x = 2\n```",
        "DISPUTED: \n```python\nimport bpy\n```",
    ],
)
def test_an_answer_with_code_is_a_repair(answer: str) -> None:
    said = healing_answer(answer, "stop", SNIPPET)
    assert said.code and not said.disputed


def test_a_dispute_needs_its_word_and_a_reason() -> None:
    assert healing_answer("DISPUTED:", "stop", SNIPPET).problem
    assert healing_answer("This is not disputed: it is right.", "stop", SNIPPET).problem


def attempt(number: int, stage: StageName, message: str, **more: Any) -> Attempt:
    def stages() -> list[Stage]:
        found = Finding(check=stage, code="x", severity=Severity.ERROR, message=message)
        return [judged(name, [found] if name == stage else []) for name in STAGES]

    verdict = make_verdict(stages(), {})
    return Attempt(
        number=number, author="model", notes=[], snippet=SNIPPET, symbols=[], verdict=verdict, report=None, **more
    )


def by_model(number: int, base: int = 1) -> HealingRecord:
    return HealingRecord(attempt=number, base=base, rules=[BY_MODEL])


def test_what_two_repairs_did_not_change_is_not_asked_a_third_time() -> None:
    same = [attempt(number, "accept", "check 1 is not met: there are 2") for number in (1, 2, 3)]
    assert "met the same as before: accept: check 1" in (met_again([by_model(2), by_model(3)], same) or "")
    assert met_again([by_model(2)], same[:2]) is None
    moved = [*same[:2], attempt(3, "accept", "check 1 is not met: there are 3")]
    assert met_again([by_model(2), by_model(3)], moved) is None
    rules = HealingRecord(attempt=3, base=1, rules=["rgba"])
    assert met_again([by_model(2), rules], same) is None


def test_a_check_that_failed_by_itself_is_no_work_for_a_healer() -> None:
    request = GenerateRequest(request="x")
    ours = attempt(1, "accept", "check 1 is not met: the check failed: AttributeError: 'Curve' has no 'vertices'")
    assert "no snippet can heal" in (obstacle_to_healing(ours, request) or "")
    assert obstacle_to_healing(attempt(1, "accept", "check 1 is not met: there are 2 LIGHT objects"), request) is None


def test_a_healer_is_told_where_a_check_looked_and_what_was_tried() -> None:
    def none(_address: str) -> list[str]:
        return []

    told = feedback(attempt(1, "accept", "check 1 is not met"), none)
    assert "`accept` looked at the saved scene as a render has it" in told and "second run" not in told
    assert "second run" in feedback(attempt(1, "repeat", "it adds meshes"), none)
    earlier = in_brief(
        attempt(2, "execute", "ValueError: two", base=1, diff="--- a\n+++ b\n@@ -1 +1 @@\n-x = 1\n+x = 2\n")
    )
    assert earlier.split("\n")[1:] == ["-x = 1", "+x = 2", "- execute: ValueError: two"]
    assert blames_looks(attempt(1, "critic", "0.4")) and not blames_looks(attempt(1, "accept", "not met"))
