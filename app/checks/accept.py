"""The stage `accept` of a verdict: which checks were met, which say nothing, and which rest on a claim.

    checks, answers ──> counted ── not met ──> findings that fail the stage
                          │
                          ├── derived and met by the scene before, or about a frame that only a handler of the snippet
                          │   shows: dropped, with a note
                          └── met by the word of the snippet's own process: claimed, with a note

The caller's own checks are never dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.accept.kinds import Check, PythonCheck
from app.verdict.rules import Rules, weighed
from app.verdict.verdict import Author, Finding, Severity, Stage, judged, skipped

ChecksBy = Literal["request", "commands", "model"]
MET_AT_START: Final = "met-at-start"
BY_A_HANDLER: Final = "shown-by-a-handler"
WHY_DROPPED: Final = {
    MET_AT_START: "is not counted: the scene before meets it already",
    BY_A_HANDLER: "is not counted: a handler of the snippet changes the scene at each frame, in no other process",
}
NOT_READ: Final = "a check that the model derived is not made, because it cannot be read: "
NONE_READ: Final = "no check that the model derived can be read"
UNASKED: Final = "Nothing of the request was checked: it carries no acceptance checks."
ALL_DROPPED: Final = "Nothing of the request was checked: {}."
ALL_CLAIMED: Final = (
    "Nothing of the request was checked from outside: {} by the word of the process that ran the snippet alone."
)


@dataclass(frozen=True)
class _Answer:
    """One check with what was seen; `number` is its place in the request, from 1."""

    number: int
    check: Check
    met: bool
    seen: str
    claimed: bool
    dropped: str
    """Why it is not counted, as in WHY_DROPPED; empty if it is."""


def _answers(checks: Sequence[Check], report: dict[str, Any] | None, by: ChecksBy) -> list[_Answer]:
    """The checks that could be made, and for derived ones that say nothing, why."""
    seen: list[dict[str, Any]] = (report["evidence"]["accept"] if report else None) or []
    handled = report is not None and any(
        kind.startswith("handler frame_change") for kind, _ in report["claims"]["registered"]
    )
    return [
        _Answer(
            number,
            check,
            found["met"],
            found["seen"],
            claimed=bool(found.get("claimed")),
            dropped="" if by == "request" else _why_dropped(check, found, handled),
        )
        for number, (check, found) in enumerate(zip(checks, seen, strict=False), 1)
    ]


def _why_dropped(check: Check, found: dict[str, Any], handled: bool) -> str:
    """Why a derived check says nothing: the start meets it as well as the end, or the end of it cannot be seen."""
    if found["met"]:
        return MET_AT_START if found.get("met_at_start") else ""
    return BY_A_HANDLER if handled and getattr(check, "frame", None) is not None else ""


def judge_accept(
    checks: Sequence[Check],
    report: dict[str, Any] | None,
    author: Author,
    rules: Rules,
    by: ChecksBy = "request",
    unread: Sequence[str] = (),
) -> Stage:
    """Whether the scene meets the checks. The report has the answer to each, in their order; `by` is who wrote them,
    and `unread` is what a model wrote that is no check.
    """
    stage = _judged(checks, report, author, rules, by, bool(unread))
    notes = [Finding(check="accept", code="not-read", severity=Severity.INFO, message=NOT_READ + one) for one in unread]
    return stage.model_copy(update={"findings": [*stage.findings, *notes]})


def _judged(
    checks: Sequence[Check],
    report: dict[str, Any] | None,
    author: Author,
    rules: Rules,
    by: ChecksBy,
    some_unread: bool,
) -> Stage:
    if not checks:
        return skipped("accept", NONE_READ if some_unread else "the request carries no acceptance checks")
    if report is None or report["evidence"]["accept"] is None:
        return skipped("accept", "the execution left no scene to look at")
    told = _answers(checks, report, by)
    findings: list[Finding] = []
    for one in told:
        if not one.met and not one.dropped:
            said = f"{one.check.says}: {one.seen}" if isinstance(one.check, PythonCheck) else one.seen
            findings += weighed(rules, author, "accept", "not-met", f"check {one.number} is not met: {said}")
    findings += [_note(one) for one in told if one.dropped or (one.claimed and one.met)]
    counted = [one for one in told if not one.dropped]
    if not counted:
        stage = skipped("accept", _why_none(told))
        return stage.model_copy(update={"findings": findings})
    return judged("accept", findings, note=_note_on_all(told, counted))


def _why_none(told: Sequence[_Answer]) -> str:
    """Why none of the checks is counted."""
    if all(one.dropped == MET_AT_START for one in told):
        return f"the scene before meets {_all_of(len(told))} already"
    return f"what a handler of the snippet shows, or the scene before meets already, is {_all_of(len(told))}"


def _note(answer: _Answer) -> Finding:
    if answer.dropped:
        code, said = answer.dropped, WHY_DROPPED[answer.dropped]
    else:
        code, said = "claimed", "is met by the word of the process that ran the snippet; no other process can see it"
    return Finding(check="accept", code=code, severity=Severity.INFO, message=f"check {answer.number} {said}")


def _note_on_all(told: Sequence[_Answer], counted: Sequence[_Answer]) -> str:
    claimed, dropped = sum(one.claimed for one in counted), sum(one.dropped == MET_AT_START for one in told)
    unseen = sum(one.dropped == BY_A_HANDLER for one in told)
    parts = [f"all {len(counted)} acceptance checks are met"]
    parts += [f"{claimed} by the word of the process that ran the snippet"] if claimed else []
    parts += [f"{dropped} more not counted, because the scene before meets them already"] if dropped else []
    parts += [f"{unseen} more not counted, because only a handler of the snippet shows them"] if unseen else []
    return "; ".join(parts)


def accept_measured(
    checks: Sequence[Check], report: dict[str, Any] | None, by: ChecksBy = "request", unread: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """How many checks were asked for, made, met, dropped, met by a claim, and not read. `unchecked` says it in a
    sentence if nothing of the request was checked, and is null otherwise.
    """
    told = _answers(checks, report, by)
    counted = [one for one in told if not one.dropped]
    met = sum(one.met for one in counted)
    claimed = sum(one.met and one.claimed for one in counted)
    unchecked = None
    if not checks:
        unchecked = ALL_DROPPED.format(NONE_READ) if unread else UNASKED
    elif told and not counted:
        unchecked = ALL_DROPPED.format(_why_none(told))
    elif counted and claimed == met == len(counted):
        unchecked = ALL_CLAIMED.format(f"{_all_of(claimed)} {'is' if claimed == 1 else 'are'} met")
    return {
        "acceptance": {
            "asked": len(checks),
            "made": len(counted),
            "met": met,
            "dropped": len(told) - len(counted),
            "claimed": claimed,
            "unread": len(unread),
            "unchecked": unchecked,
        }
    }


def _all_of(count: int) -> str:
    return "its one check" if count == 1 else f"all {count} checks"
