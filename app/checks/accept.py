"""The stage `accept` of a verdict: checks that were met, checks that say nothing, and checks that rest on a claim.

    checks, answers ──> counted ── not met ──> findings that fail the stage
                          │
                          ├── derived and broken, met by the scene before, or about a frame that only a handler of the
                          │   snippet shows: dropped, with a note
                          └── met by the word of the snippet's own process: claimed, with a note

The caller's own checks are never dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, Literal

from app.accept.kinds import Check, PythonCheck
from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding, Severity, Stage, judged, skipped

ChecksBy = Literal["request", "commands", "model"]
MET_AT_START: Final = "met-at-start"
BY_A_HANDLER: Final = "shown-by-a-handler"
BROKEN: Final = "broken"
ASIDE: Final = "set-aside"
NONE_ASIDE: Final[Mapping[int, str]] = MappingProxyType({})
WHY_DROPPED: Final = {
    MET_AT_START: "is not counted: the scene before meets it already",
    BY_A_HANDLER: "is not counted: a handler of the snippet changes the scene at each frame, in no other process",
    BROKEN: "is not counted: it cannot be made",
    ASIDE: "is not met, and set aside: a second reading, which nothing has checked, holds the request against it",
}
CLAIMED: Final = "is met by the word of the process that ran the snippet; no other process can see it"
NOT_READ: Final = "a check that the model derived is not made, because it cannot be read or made: "
NONE_READ: Final = "no check that the model derived can be read and made"
UNASKED: Final = "Nothing of the request was checked: it carries no acceptance checks."
ALL_DROPPED: Final = "Nothing of the request was checked: {}."
ALL_CLAIMED: Final = (
    "Nothing of the request was checked from outside: {} by the word of the process that ran the snippet alone."
)


@dataclass(frozen=True)
class _CheckAnswer:
    """One check with its answer; `number` is its place in the request, from 1."""

    number: int
    check: Check
    met: bool
    seen: str
    claimed: bool
    dropped: str
    """The reason not to count it, as in WHY_DROPPED; empty if it counts."""


def _answers(
    checks: Sequence[Check], report: dict[str, Any] | None, by: ChecksBy, aside: Mapping[int, str] = NONE_ASIDE
) -> list[_CheckAnswer]:
    """The checks that could be made, with the reasons to drop derived ones that say nothing."""
    seen: list[dict[str, Any]] = (report["evidence"]["accept"] if report else None) or []
    handled = report is not None and any(
        kind.startswith("handler frame_change") for kind, _ in report["claims"]["registered"]
    )
    made = [
        _CheckAnswer(
            number,
            check,
            answer["met"],
            answer["seen"],
            claimed=bool(answer.get("claimed")),
            dropped="" if by == "request" else _why_dropped(check, answer, handled, number in aside),
        )
        for number, (check, answer) in enumerate(zip(checks, seen, strict=False), 1)
    ]
    if not any(answer.met and not answer.dropped and not answer.claimed for answer in made):
        # Nothing else is met, so what was set aside for another result counts for this one.
        made = [replace(one, dropped="") if one.dropped == ASIDE else one for one in made]
    if not any(answer.met and not answer.dropped for answer in made):
        return made
    # The rest was changed as asked, so that what should stay and did says something.
    return [replace(one, dropped="") if one.dropped == MET_AT_START and one.check.stays() else one for one in made]


def _why_dropped(check: Check, answer: dict[str, Any], handled: bool, aside: bool) -> str:
    """The reason to drop a derived check: it cannot be made, the start meets it too, the end cannot be seen, or it is
    not met and set aside.
    """
    if answer.get("broken"):
        return BROKEN
    if answer["met"]:
        return MET_AT_START if answer.get("met_at_start") else ""
    if handled and getattr(check, "frame", None) is not None:
        return BY_A_HANDLER
    return ASIDE if aside else ""


def unmet_and_met(checks: Sequence[Check], report: dict[str, Any]) -> tuple[dict[int, str], int]:
    """The answers to each check of a model that counts and is not met, by number from 1, and how many are met."""
    counted = [answer for answer in _answers(checks, report, "model") if not answer.dropped]
    met = sum(answer.met and not answer.claimed for answer in counted)
    return {answer.number: answer.seen for answer in counted if not answer.met}, met


def judge_accept(
    checks: Sequence[Check],
    report: dict[str, Any] | None,
    author: Author,
    rules: Rules,
    by: ChecksBy = "request",
    unread: Sequence[str] = (),
    aside: Mapping[int, str] = NONE_ASIDE,
) -> Stage:
    """The stage on the acceptance checks. The report has the answer to each, in their order; `by` is who wrote them,
    `unread` are texts of a model that are no checks, and `aside` why a second reading does not hold to some.
    """
    stage = _judged(checks, _answers(checks, report, by, aside), report, author, rules, bool(unread), aside)
    notes = [
        Finding(check="accept", code="not-read", severity=Severity.INFO, message=NOT_READ + text) for text in unread
    ]
    return stage.model_copy(update={"findings": [*stage.findings, *notes]})


def _judged(
    checks: Sequence[Check],
    answers: Sequence[_CheckAnswer],
    report: dict[str, Any] | None,
    author: Author,
    rules: Rules,
    some_unread: bool,
    aside: Mapping[int, str],
) -> Stage:
    if not checks:
        return skipped("accept", NONE_READ if some_unread else "the request carries no acceptance checks")
    if report is None or report["evidence"]["accept"] is None:
        return skipped("accept", "the execution left no scene to look at")
    findings: list[Finding] = []
    for answer in answers:
        if not answer.met and not answer.dropped:
            said = f"{answer.check.says}: {answer.seen}" if isinstance(answer.check, PythonCheck) else answer.seen
            findings += weighed_findings(
                rules, author, "accept", "not-met", f"check {answer.number} is not met: {said}"
            )
    findings += [_note(answer, aside) for answer in answers if answer.dropped or (answer.claimed and answer.met)]
    counted = [answer for answer in answers if not answer.dropped]
    if not counted:
        stage = skipped("accept", _why_none(answers))
        return stage.model_copy(update={"findings": findings})
    return judged("accept", findings, note=_note_on_all(answers, counted))


def _why_none(answers: Sequence[_CheckAnswer]) -> str:
    """The reason that none of the checks is counted."""
    if all(answer.dropped == MET_AT_START for answer in answers):
        return f"the scene before meets {_all_of(len(answers))} already"
    if any(answer.dropped == BROKEN for answer in answers):
        return f"what cannot be made, or the scene before meets already, is {_all_of(len(answers))}"
    return f"what a handler of the snippet shows, or the scene before meets already, is {_all_of(len(answers))}"


def _note(answer: _CheckAnswer, aside: Mapping[int, str]) -> Finding:
    severity, code = Severity.INFO, answer.dropped or "claimed"
    said = WHY_DROPPED.get(answer.dropped, CLAIMED)
    if answer.dropped == BROKEN:
        severity, said = Severity.WARNING, f"{said}: {answer.seen}"
    elif answer.dropped == ASIDE:
        severity, said = Severity.WARNING, f"{said}: {aside[answer.number]} It was seen that {answer.seen}"
    return Finding(check="accept", code=code, severity=severity, message=f"check {answer.number} {said}")


def _note_on_all(answers: Sequence[_CheckAnswer], counted: Sequence[_CheckAnswer]) -> str:
    claimed = sum(answer.claimed for answer in counted)
    dropped = sum(answer.dropped == MET_AT_START for answer in answers)
    unseen = sum(answer.dropped == BY_A_HANDLER for answer in answers)
    broken = sum(answer.dropped == BROKEN for answer in answers)
    aside = sum(answer.dropped == ASIDE for answer in answers)
    parts = [f"all {len(counted)} acceptance checks are met"]
    parts += [f"{claimed} by the word of the process that ran the snippet"] if claimed else []
    parts += [f"{dropped} more not counted, because the scene before meets them already"] if dropped else []
    parts += [f"{unseen} more not counted, because only a handler of the snippet shows them"] if unseen else []
    parts += [f"{broken} more not counted, because they cannot be made"] if broken else []
    parts += [f"{aside} more set aside by a second reading of the request"] if aside else []
    return "; ".join(parts)


def acceptance_measures(
    checks: Sequence[Check],
    report: dict[str, Any] | None,
    by: ChecksBy = "request",
    unread: Sequence[str] = (),
    aside: Mapping[int, str] = NONE_ASIDE,
) -> dict[str, dict[str, Any]]:
    """The numbers of checks that were asked for, made, met, dropped, met by a claim, broken, set aside, and not read.
    `unchecked` is a sentence if nothing of the request was checked, and null otherwise.
    """
    answers = _answers(checks, report, by, aside)
    counted = [answer for answer in answers if not answer.dropped]
    met = sum(answer.met for answer in counted)
    claimed = sum(answer.met and answer.claimed for answer in counted)
    unchecked = None
    if not checks:
        unchecked = ALL_DROPPED.format(NONE_READ) if unread else UNASKED
    elif answers and not counted:
        unchecked = ALL_DROPPED.format(_why_none(answers))
    elif counted and claimed == met == len(counted):
        unchecked = ALL_CLAIMED.format(f"{_all_of(claimed)} {'is' if claimed == 1 else 'are'} met")
    return {
        "acceptance": {
            "asked": len(checks),
            "made": len(counted),
            "met": met,
            "dropped": len(answers) - len(counted),
            "claimed": claimed,
            "broken": sum(answer.dropped == BROKEN for answer in answers),
            "aside": sum(answer.dropped == ASIDE for answer in answers),
            "unread": len(unread),
            "unchecked": unchecked,
        }
    }


def _all_of(count: int) -> str:
    return "its one check" if count == 1 else f"all {count} checks"
