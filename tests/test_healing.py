"""The rules that repair a snippet: each repairs one and leaves its twin alone."""

from __future__ import annotations

import pytest

from app.checks.verdict import STAGES, Finding, Severity, judged, make_verdict
from app.healing.heal import heal_by_rules


def healed(snippet: str, *messages: str) -> tuple[str, int] | None:
    findings = [Finding(check="ruff", code="F821", severity=Severity.ERROR, message=message) for message in messages]
    stages = [judged(name, findings if name == "lint" else []) for name in STAGES]
    repair = heal_by_rules(snippet, make_verdict(stages, {}))
    return (repair.snippet, len(repair.reasons)) if repair else None


@pytest.mark.parametrize(
    ("snippet", "messages", "repaired"),
    [
        ("bpy.data\n", ["Undefined name `bpy`"], "import bpy\nbpy.data\n"),
        ("bpy.data\n", ["NameError on line 1: name 'bpy' is not defined"], "import bpy\nbpy.data\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\nx = Vector()\n',
            ["Undefined name `Vector`", "name 'Vector' is not defined"],
            '"""Doc."""\nfrom __future__ import annotations\nfrom mathutils import Vector\nx = Vector()\n',
        ),
    ],
)
def test_a_missing_import_is_added_once(snippet: str, messages: list[str], repaired: str) -> None:
    assert healed(snippet, *messages) == (repaired, 1)


@pytest.mark.parametrize("message", ["Undefined name `wheel`", "`bpy` imported but unused", "it raised"])
def test_what_no_rule_knows_is_left_alone(message: str) -> None:
    assert healed("wheel.turn()\n", message) is None
