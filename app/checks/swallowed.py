"""Calls by Blender into a snippet: errors that it swallowed, add-ons that cannot be registered, code that never ran.

    claims of the process that ran the snippet ── findings of the stage `execute`, each with its line

A claim is believed here because it speaks against the snippet. That something ran is only ever counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.verdict.callbacks import HINTS
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Finding, Severity
from harness.endings import last_error_line

Report = dict[str, Any]

MOST_NAMED: Final = 10
REGISTERING: Final = ("register", "unregister")
WHEN: Final = {
    "run": "",
    "second run": " in a second run",
    "saving": " when the file was saved",
    "timers": " when it was due",
    "frames": " when frames were stepped",
    "drawing": " when it was drawn",
    "loading": " when a file was saved and loaded",
}
GROUPS: Final = {"Operator": "operators", "Panel": "panels", "Menu": "menus", "Header": "menus", "timer": "timers"}


def judge_swallowed(report: Report, author: Author, rules: Rules) -> list[Finding]:
    """The findings on code that Blender called, and on code that it never called."""
    claims = report["claims"]
    findings: dict[tuple[str, int | None, str], Finding] = {}
    for error in claims.get("swallowed", []):
        code, message = code_and_message(error)
        if error["needs"]:
            finding = remark(f"{error['hook']} could not be tried: it needs {error['needs']}", error["line"])
            findings.setdefault((error["hook"], error["line"], "needs"), finding)
        elif (severity := rules.severity("execute", code, author)) is not None:
            finding = Finding(
                check="execute",
                code=code,
                severity=severity,
                message=message,
                line=error["line"],
                hint=HINTS[code],
            )
            findings.setdefault((error["hook"], error["line"], error["type"]), finding)
    return [
        *findings.values(),
        *left_behind(claims, author, rules),
        *cut_short(claims, author, rules),
        *never_ran(claims),
    ]


def code_and_message(error: dict[str, Any]) -> tuple[str, str]:
    """The code of a swallowed error and its message."""
    hook, kind, said = error["hook"], error["type"], last_error_line(error["message"])
    when = WHEN.get(error["phase"], "")
    raised = f"{kind}: {said}" if said else kind
    if hook == "driver":
        return ("driver-needs-python" if kind == "trusted" else "invalid-driver"), said
    if kind == "incomplete":
        return "incomplete-addon", said
    nothing_there = error["phase"] == "drawing" and ("'NoneType' object" in said or "None assignment" in said)
    if nothing_there or error["phase"] == "other scene":
        what = said if kind == "unknown name" else f"it raised {raised}"
        return "state-of-the-scene", f"{hook}, in the scene that the snippet left: {what}"
    if kind == "unknown name":
        return "unknown-name-drawn", f"{hook}: {said}"
    if kind == "DidNotEnd":
        return "never-ends", f"{hook} does not end: {said}"
    if hook in REGISTERING:
        twice = " the second time" if error["phase"] == "second registration" else ""
        code = "unregistration-raises" if hook == "unregister" else "registration-raises"
        return code, f"{hook} raised{twice} {raised}"
    code = "swallowed-in-second-run" if error["phase"] == "second run" else "swallowed-error"
    return code, f"{hook} raised{when} {raised}"


def left_behind(claims: Report, author: Author, rules: Rules) -> Iterator[Finding]:
    """One finding on what `unregister` left, if it left anything."""
    addon: Report = claims.get("addon") or {"left": None}
    remains: list[list[str]] | None = addon["left"]
    severity = rules.severity("execute", "left-behind", author)
    if remains and severity is not None:
        names = ", ".join(f"{kind} {name}" for kind, name in remains[:MOST_NAMED])
        message = f"`unregister` leaves behind: {names}"
        hint = HINTS["left-behind"]
        yield Finding(
            check="execute", code="left-behind", severity=severity, message=message, line=addon["line"], hint=hint
        )


def cut_short(claims: Report, author: Author, rules: Rules) -> Iterator[Finding]:
    """A finding if Blender did not survive a provocation. There is none if the snippet left too little time."""
    cut = claims.get("cut_short")
    severity = rules.severity("execute", "ended-while-provoked", author)
    if cut and cut["lasting"] and severity is not None:
        message = f"after the snippet had ended well, Blender did not survive this: {cut['step']} ({cut['why']})"
        yield Finding(check="execute", code="ended-while-provoked", severity=severity, message=message)


def never_ran(claims: Report) -> Iterator[Finding]:
    """Remarks on the classes and callbacks that never ran: nothing is proven of them."""
    idle = [hook for hook in claims.get("hooks", []) if not hook["ran"]]
    for hook in idle[:MOST_NAMED]:
        yield remark(f"{hook['kind']} {hook['name']} never ran, so nothing is proven of it", hook["line"], "never-ran")
    if len(idle) > MOST_NAMED:
        yield remark(f"{len(idle) - MOST_NAMED} more classes and callbacks never ran", None, "never-ran")


def remark(message: str, line: int | None, code: str = "not-exercised") -> Finding:
    return Finding(check="execute", code=code, severity=Severity.INFO, message=message, line=line)


def exercise_counts(report: Report) -> dict[str, dict[str, int]]:
    """The numbers of operators, panels, menus, timers, handlers and other callbacks, and of those that ran."""
    counts: dict[str, dict[str, int]] = {}
    for hook in report["claims"].get("hooks", []):
        kind = hook["kind"]
        group = GROUPS.get(kind) or ("handlers" if kind.endswith(" handler") else "callbacks")
        count = counts.setdefault(group, {"registered": 0, "ran": 0})
        count["registered"] += 1
        count["ran"] += hook["ran"]
    return counts
