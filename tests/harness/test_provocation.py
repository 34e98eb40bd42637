"""What is read of a process that provoked what a snippet left to be called, and what such things are."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from app.checks.execution import judge_execution
from app.checks.rules import load_rules
from app.checks.verdict import STAGES, StageState, make_verdict, skipped
from harness.claims import is_in_order, read_claims
from harness.inside.hooks import Hooks
from harness.launcher import ProcessEnd
from harness.protocol import AFTER, AGAIN, START, Event
from harness.report import cut_short

RULES = load_rules()
NOTHING = {"text": "", "bytes": 0, "cut_bytes": 0}
SAVED = [{"event": Event.SAVED, "name": name} for name in (START, AFTER, AGAIN)]
BEFORE = [{"event": Event.BOOTED}, SAVED[0], {"event": Event.SNIPPET_ENDED}, SAVED[1], {"event": Event.AGAIN_ENDED}]
FRAMES = {"event": Event.PROVOKING, "step": "frames"}
PROVOKED = {"event": Event.PROVOKED}


def ended(*events: dict[str, Any], **facts: Any) -> ProcessEnd:
    end = ProcessEnd(0, None, 10.0, 1.0, 1, None, 0, events=[], stdout=NOTHING, stderr=NOTHING, log="")
    return dataclasses.replace(end, events=[(float(moment), event) for moment, event in enumerate(events)], **facts)


def test_provocation_is_announced_only_after_all_is_saved() -> None:
    assert is_in_order(ended(*BEFORE, SAVED[2], FRAMES, FRAMES, PROVOKED, {"event": Event.FINISHED}).events)
    assert is_in_order(ended(*BEFORE, SAVED[2], PROVOKED).events)
    assert not is_in_order(ended(*BEFORE, FRAMES, SAVED[2]).events)
    assert not is_in_order(ended(*BEFORE, SAVED[2], PROVOKED, FRAMES).events)


@pytest.mark.parametrize(
    ("facts", "blamed"),
    [
        ({"signal": 11}, True),
        ({"wall_s": 25.0, "stopped_by": "time"}, True),
        # The snippet itself took nearly all of its time.
        ({"wall_s": 6.5, "stopped_by": "time"}, False),
    ],
)
def test_an_end_within_the_provocation_is_told_as_such(facts: dict[str, Any], blamed: bool) -> None:
    run = ended(*BEFORE, SAVED[2], FRAMES, **facts)
    cut = cut_short(run, read_claims(run, str))
    assert cut and cut["step"] == "frames" and cut["lasting"] is blamed
    whole = ended(*BEFORE, SAVED[2], FRAMES, PROVOKED)
    assert cut_short(whole, read_claims(whole, str)) is None


def test_claims_of_the_wrong_kind_are_read_as_nothing() -> None:
    swallowed: list[Any] = [{"hook": 3, "line": "x", "missed": 4}, "nonsense"]
    told = {"event": Event.PROVOKED, "swallowed": swallowed, "hooks": [["Panel"], 3], "addon": [1]}
    claims = read_claims(ended(*BEFORE, SAVED[2], told), str)
    assert [(error.hook, error.line, error.times) for error in claims.swallowed] == [("", None, 1)]
    assert (claims.hooks, claims.addon) == ([], None)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("def f(s): pass\nbpy.app.handlers.load_post.append(f)", ["load_post handler"]),
        ("def f(s): pass\nh = bpy.app.handlers.render_pre\nh.append(persistent(f))", ["render_pre handler"]),
        ("class A(bpy.types.Operator): pass\nclass B(A):\n def execute(self, c): pass\n# register_class", ["Operator"]),
        ("def f(): pass\nnames.append(f)\n# handlers", []),
        ("class A:\n def draw(self, c): pass\n# register_class", []),
    ],
)
def test_hooks_are_what_blender_calls(source: str, kinds: list[str]) -> None:
    assert [hook.kind for hook in Hooks(source, "x.py").found] == kinds


def test_marks_change_neither_lines_nor_docstrings_nor_results() -> None:
    source = 'def register():\n    "says"\n    return 1 / 0\nitems = None or (lambda self, context: [self])\n'
    source += "x = EnumProperty(items=lambda self, context: [self])\n"
    hooks = Hooks(source, "x.py")

    def enum(items: object) -> object:
        return items

    names: dict[str, Any] = {"EnumProperty": enum}
    exec(hooks.code(source, "x.py"), names)
    assert names["register"].__doc__ == "says" and names["x"](3, None) == [3]
    assert hooks.has_run(hooks.found[0]) and not hooks.has_registered()
    with pytest.raises(ZeroDivisionError) as raised:
        names["register"]()
    assert raised.traceback[-1].lineno == 2
    assert hooks.has_registered()


def test_a_warning_of_the_execution_does_not_keep_a_snippet_from_being_proven() -> None:
    error = {"hook": "driver", "phase": "drivers", "type": "trusted", "message": "m", "line": 1, "needs": None}
    claims: dict[str, Any] = {"exception": None, "swallowed": [error], "hooks": [], "addon": None, "cut_short": None}
    report: dict[str, Any] = {"outcome": "passed", "claims": claims, "blender": {"version": "5.0.1"}}
    report["evidence"] = {"timings": {"total_s": 1.0}}
    stage = judge_execution(report, "model", RULES)
    assert stage.state is StageState.WARNED
    others = [skipped(name, "") for name in STAGES if name != "execute"]
    assert make_verdict([stage, *others], {}).passed
    claims["swallowed"] = [{**error, "type": "invalid"}]
    assert not make_verdict([judge_execution(report, "model", RULES), *others], {}).passed
