"""What is read of a process that provoked what a snippet left to be called, and what such things are."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from app.checks.execution import judge_execution
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, StageState, make_verdict, skipped
from harness.claims import is_in_order, read_claims
from harness.inside.untrusted.hooks import Hooks
from harness.launcher import ProcessEnd, ProcessLimits
from harness.protocol import AFTER, START, EventName, RunPart
from harness.report import cut_short

RULES = load_rules()
LIMITS = ProcessLimits()
NOTHING = {"text": "", "bytes": 0, "cut_bytes": 0}
BOOTED = {"event": EventName.BOOTED}
RUN = [
    BOOTED,
    {"event": EventName.SAVED, "name": START},
    {"event": EventName.SNIPPET_ENDED},
    {"event": EventName.SAVED, "name": AFTER},
]
FRAMES = {"event": EventName.PROVOKING, "step": "frames"}
PROVOKED = {"event": EventName.PROVOKED}


def ended(*events: dict[str, Any], **facts: Any) -> ProcessEnd:
    end = ProcessEnd(0, None, 10.0, 1.0, 1, None, 0, events=[], stdout=NOTHING, stderr=NOTHING, log="")
    return dataclasses.replace(end, events=[(float(moment), event) for moment, event in enumerate(events)], **facts)


def test_provocation_is_announced_in_a_process_of_its_own() -> None:
    assert is_in_order(ended(BOOTED, FRAMES, FRAMES, PROVOKED, {"event": EventName.FINISHED}).events, RunPart.CALLS)
    assert is_in_order(ended(BOOTED, PROVOKED).events, RunPart.CALLS)
    assert not is_in_order(ended(*RUN, FRAMES).events, RunPart.FIRST)
    assert not is_in_order(ended(BOOTED, PROVOKED, FRAMES).events, RunPart.CALLS)


@pytest.mark.parametrize(
    ("facts", "why", "blamed"),
    [
        ({"signal": 11}, "Blender was ended by the signal SIGSEGV", True),
        ({}, "it ended its process (exit code 0)", True),
        ({"signal": 9, "stopped_by": "memory"}, "it used more than 3072 MiB of memory", True),
        ({"signal": 9, "stopped_by": "output"}, "it printed more than 8 MiB", True),
        ({"wall_s": 25.0, "stopped_by": "time"}, "Blender had not come back after 24 s", True),
        # The snippet itself took nearly all of its time.
        ({"wall_s": 6.5, "stopped_by": "time"}, "Blender had not come back after 6 s", False),
    ],
)
def test_an_end_within_the_provocation_is_told_as_such(facts: dict[str, Any], why: str, blamed: bool) -> None:
    calls = ended(BOOTED, FRAMES, **facts)
    cut = cut_short(calls, read_claims(ended(*RUN), str, calls=calls), LIMITS)
    assert cut == {"step": "frames", "why": why, "lasting": blamed}
    whole = ended(BOOTED, FRAMES, PROVOKED)
    assert cut_short(whole, read_claims(ended(*RUN), str, calls=whole), LIMITS) is None


def test_an_end_before_the_provocation_is_told_too() -> None:
    early, late = ended(BOOTED, exit_code=3), ended(BOOTED, wall_s=5.0, stopped_by="time")
    cut = cut_short(early, read_claims(ended(*RUN), str, calls=early), LIMITS)
    assert cut == {"step": "the snippet, run once more", "why": "it ended its process (exit code 3)", "lasting": True}
    cut = cut_short(late, read_claims(ended(*RUN), str, calls=late), LIMITS)
    assert cut and not cut["lasting"]
    forged = ended(BOOTED, PROVOKED, PROVOKED)
    cut = cut_short(forged, read_claims(ended(*RUN), str, calls=forged), LIMITS)
    assert cut and cut["lasting"] and "posed" in cut["why"]


def test_claims_of_the_wrong_kind_are_read_as_nothing() -> None:
    swallowed: list[Any] = [{"hook": 3, "line": "x", "missed": 4}, "nonsense"]
    told = {"event": EventName.PROVOKED, "swallowed": swallowed, "hooks": [["Panel"], 3], "addon": [1]}
    claims = read_claims(ended(*RUN), str, calls=ended(BOOTED, told))
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
    assert [hook.kind for hook in Hooks(source, "x.py").all] == kinds


def test_marks_change_neither_lines_nor_docstrings_nor_results() -> None:
    source = 'def register():\n    "says"\n    return 1 / 0\nitems = None or (lambda self, context: [self])\n'
    source += "x = EnumProperty(items=lambda self, context: [self])\n"
    hooks = Hooks(source, "x.py")

    def enum(items: object) -> object:
        return items

    names: dict[str, Any] = {"EnumProperty": enum}
    exec(hooks.code(source, "x.py"), names)
    assert names["register"].__doc__ == "says" and names["x"](3, None) == [3]
    assert hooks.has_run(hooks.all[0]) and not hooks.has_registered()
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
