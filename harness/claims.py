"""Checks the reports of the processes that ran the snippet, which the snippet may have forged.

An honest process sends its events in one order (see `harness.inside.untrusted.run`). Any other sequence is forged.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any, Final, cast

from harness.launcher import ProcessEnd, printable
from harness.protocol import AFTER, AGAIN, START, EventName, RunPart

ORDERS: Final = {
    RunPart.SETUP: ((EventName.BOOTED, None), (EventName.SAVED, START), (EventName.FINISHED, None)),
    RunPart.FIRST: (
        (EventName.BOOTED, None),
        (EventName.SAVED, START),
        (EventName.SNIPPET_ENDED, None),
        (EventName.SAVED, AFTER),
        (EventName.FINISHED, None),
    ),
    RunPart.SECOND: (
        (EventName.BOOTED, None),
        (EventName.AGAIN_ENDED, None),
        (EventName.SAVED, AGAIN),
        (EventName.FINISHED, None),
    ),
    RunPart.CALLS: ((EventName.BOOTED, None), (EventName.PROVOKED, None), (EventName.FINISHED, None)),
}
"""The events of an honest process, by its part, in the order of sending.

Before `provoked`, any number of `provoking` announce a step. `setup_failed` may follow `booted`, and ends it.
"""

LINE: Final = re.compile(r'File "[^"]*\bsnippet\.py", line (\d{1,9})')
TEXT_LIMIT: Final = 20_000
SEEN_LIMIT: Final = 300
SWALLOWED_TEXT_LIMIT: Final = 4_000
"""Characters of the traceback of an error that Blender swallowed; there may be many."""
NAMES_LIMIT: Final = 200
SWALLOWED_LIMIT: Final = 40


@dataclasses.dataclass(frozen=True)
class ClaimedException:
    """An exception as the process reported it. `line` is the snippet's own line, from 1."""

    type: str
    message: str
    line: int | None
    errno: int | None
    traceback: str
    names_there: list[str] | None = None
    """The names in a collection that lacks a name; null for other exceptions."""


@dataclasses.dataclass(frozen=True)
class ClaimedAnswer:
    """The answer to a part of an acceptance check that no other process can see."""

    met: bool
    seen: str
    met_at_start: bool


@dataclasses.dataclass(frozen=True)
class SwallowedError:
    """An error of a callback that Blender printed before it went on, or a name that a panel asked for in vain.

    `hook` names the function that Blender called, such as `update callback resize`; `phase` the work under
    way: `run`, `second run`, or a step of `harness.inside.untrusted.provoke`. `missed` are members
    without a value in the context.
    """

    hook: str
    phase: str
    type: str
    message: str
    line: int | None
    times: int
    traceback: str
    missed: list[str]


@dataclasses.dataclass(frozen=True)
class ClaimedHook:
    """A class or function of the snippet that Blender calls; `ran` is true if it did."""

    kind: str
    name: str
    line: int | None
    ran: bool


@dataclasses.dataclass(frozen=True)
class ClaimedAddon:
    """The registrations of an add-on, as [kind, name], and those after `unregister`; null if it was not called.

    `line` is that of the definition of one that was left.
    """

    registered: list[list[str]]
    left_behind: list[list[str]] | None
    line: int | None


@dataclasses.dataclass(frozen=True)
class ExecutionClaims:
    """The reports of the process on the first execution and on the second, null if none, and on Blender's calls.

    `answers` are by the number of the check and the path of its value, which is empty for the whole check.
    """

    ended: bool
    exception: ClaimedException | None
    stopped_at: int | None
    """The line it was at when its time ran out, from 1."""
    exit_code: int | None
    registered: list[list[str]]
    again_exception: ClaimedException | None
    unlinked: list[str]
    """New objects of the snippet that no scene has, nor uses."""
    unsound: list[dict[str, str]]
    """Meshes that name missing vertices or corners, as `mesh` and `problem`."""
    largest: list[dict[str, Any]]
    """The largest meshes, as `mesh`, `vertices` and `faces`."""
    swallowed: list[SwallowedError]
    hooks: list[ClaimedHook]
    addon: ClaimedAddon | None
    provoked: bool
    answers: dict[tuple[int, str], ClaimedAnswer] = dataclasses.field(
        default_factory=dict[tuple[int, str], ClaimedAnswer]
    )


def read_claims(
    run: ProcessEnd,
    without_paths: Callable[[str], str],
    second: ProcessEnd | None = None,
    calls: ProcessEnd | None = None,
) -> ExecutionClaims:
    """The claims of the processes that ran the snippet: first, second, and the one for its callbacks.

    Every value has the right type, and every text is printable and without our paths.
    """
    ended = run.event(EventName.SNIPPET_ENDED)
    again = second.event(EventName.AGAIN_ENDED) if second else None
    events = [event for end in (run, second, calls) if end for _, event in end.events]

    def text(value: Any) -> str:
        raw = value if isinstance(value, str) else ""
        return without_paths(printable(raw[:TEXT_LIMIT].encode("utf-8", "backslashreplace")))

    def pairs(value: Any) -> list[list[str]]:
        found = [items(pair)[:2] for pair in items(value)[:NAMES_LIMIT]]
        return [[text(part)[:SEEN_LIMIT] for part in pair] for pair in found if len(pair) == 2]

    left = (mapping(ended.get("left")) if ended else None) or {}
    unsound = [mapping(one) for one in items(left.get("unsound"))[:NAMES_LIMIT]]
    sizes = [items(one) for one in items(left.get("largest"))[:NAMES_LIMIT]]
    provoked = calls.event(EventName.PROVOKED) if calls else None
    told = [error for event in events for error in items(event.get("swallowed"))]
    hooks = [items(hook) for hook in items(provoked.get("hooks"))[:NAMES_LIMIT]] if provoked else []
    addon = mapping(provoked.get("addon")) if provoked else None
    return ExecutionClaims(
        ended=ended is not None,
        exception=exception_of(ended, text),
        stopped_at=line_at_the_end(run.stderr["text"]) if run.stopped_by == "time" else None,
        exit_code=whole(ended.get("exit_code")) if ended else None,
        registered=pairs(ended.get("registered")) if ended else [],
        again_exception=exception_of(again, text),
        unlinked=[text(name)[:SEEN_LIMIT] for name in items(left.get("unlinked"))[:NAMES_LIMIT]],
        unsound=[{key: text(one.get(key))[:SEEN_LIMIT] for key in ("mesh", "problem")} for one in unsound if one],
        largest=[
            {"mesh": text(one[0])[:SEEN_LIMIT], "vertices": whole(one[1]) or 0, "faces": whole(one[2]) or 0}
            for one in sizes
            if len(one) == 3
        ],
        answers=answers_in(events, text),
        swallowed=[swallowed_error(facts, text) for facts in map(mapping, told[:SWALLOWED_LIMIT]) if facts],
        hooks=[
            ClaimedHook(text(h[0])[:SEEN_LIMIT], text(h[1])[:SEEN_LIMIT], whole(h[2]), h[3] is True)
            for h in hooks
            if len(h) == 4
        ],
        addon=addon_of(addon, pairs) if addon else None,
        provoked=provoked is not None,
    )


def exception_of(event: dict[str, Any] | None, text: Callable[[Any], str]) -> ClaimedException | None:
    """The exception in an event."""
    facts = event.get("exception") if event else None
    if not isinstance(facts, dict):
        return None
    told = cast("dict[str, Any]", facts)
    return ClaimedException(
        type=text(told.get("type")) or "Exception",
        message=text(told.get("message")),
        line=whole(told.get("line")),
        errno=whole(told.get("errno")),
        traceback=text(told.get("traceback")),
        names_there=[text(name)[:SEEN_LIMIT] for name in items(told["names_there"])[:NAMES_LIMIT]]
        if isinstance(told.get("names_there"), list)
        else None,
    )


def answers_in(events: list[dict[str, Any]], text: Callable[[Any], str]) -> dict[tuple[int, str], ClaimedAnswer]:
    """The answers to acceptance checks, by check and class."""
    told = [items(one) for event in events for one in items(event.get("answers"))[:NAMES_LIMIT]]
    found: dict[tuple[int, str], ClaimedAnswer] = {}
    for one in told:
        if len(one) == 5 and whole(one[0]) is not None and isinstance(one[1], str):
            answer = ClaimedAnswer(one[2] is True, text(one[3])[:SEEN_LIMIT], one[4] is True)
            # An answer that was met at one time is met: an add-on may be registered after the snippet has ended.
            kept = found.get((one[0], one[1]))
            found[one[0], one[1]] = kept if kept and kept.met else answer
    return found


def swallowed_error(facts: dict[str, Any], text: Callable[[Any], str]) -> SwallowedError:
    """One swallowed error from its facts in an event."""
    return SwallowedError(
        hook=text(facts.get("hook"))[:SEEN_LIMIT],
        phase=text(facts.get("phase")),
        type=text(facts.get("type")) or "Exception",
        message=text(facts.get("message"))[:SWALLOWED_TEXT_LIMIT],
        line=whole(facts.get("line")),
        times=whole(facts.get("times")) or 1,
        traceback=text(facts.get("traceback"))[-SWALLOWED_TEXT_LIMIT:],
        missed=[text(name)[:SEEN_LIMIT] for name in items(facts.get("missed"))[:NAMES_LIMIT]],
    )


def addon_of(facts: dict[str, Any], pairs: Callable[[Any], list[list[str]]]) -> ClaimedAddon:
    """The registrations and leftovers of an add-on, from an event."""
    left = None if facts.get("left") is None else pairs(facts["left"])
    return ClaimedAddon(pairs(facts.get("registered")), left, whole(facts.get("line")))


def mapping(value: Any) -> dict[str, Any] | None:
    """The value if it is a mapping, otherwise None."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def line_at_the_end(stderr: str) -> int | None:
    """The snippet's line in the stack that is written when its time runs out; the main thread's comes last."""
    stack = stderr.rpartition("Timeout (")[2]
    at: list[list[str]] = [re.findall(LINE, thread) for thread in stack.split("(most recent call first)")]
    lines = next((found for found in reversed(at) if found), list[str]())
    return int(lines[0]) if lines else None


def line_of_crash(stderr: str) -> int | None:
    """The snippet's line in the stack that is written when Blender crashes."""
    _, crashed, stack = stderr.rpartition("Fatal Python error: ")
    line = LINE.search(stack) if crashed else None
    return int(line[1]) if line else None


def items(value: Any) -> list[Any]:
    """The value if it is a list, otherwise an empty list."""
    return cast("list[Any]", value) if isinstance(value, list) else []  # type: ignore[redundant-cast]


def whole(value: Any) -> int | None:
    """The value if it is a whole number that fits 64 bits, otherwise None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else None


def may_keep(name: str, events: list[tuple[float, dict[str, Any]]], part: str = RunPart.FIRST) -> bool:
    """True if a file of this name may be taken now: the last event must report it as saved."""
    return is_in_order(events, part) and events[-1][1].get("name") == name


def is_in_order(events: list[tuple[float, dict[str, Any]]], part: str = RunPart.FIRST) -> bool:
    """True if the events are the beginning of the honest order of this part and none follows an exception."""
    if [event["event"] for _, event in events] == [EventName.BOOTED, EventName.SETUP_FAILED]:
        return True
    order = ORDERS[part]
    if part == RunPart.CALLS:
        announced = [index for index, (_, event) in enumerate(events) if event["event"] == EventName.PROVOKING]
        if announced != list(range(1, 1 + len(announced))):
            return False
        events = [pair for pair in events if pair[1]["event"] != EventName.PROVOKING]
    if len(events) > len(order):
        return False
    for position, ((_, event), (kind, name)) in enumerate(zip(events, order, strict=False)):
        if event["event"] != kind or (name is not None and event.get("name") != name):
            return False
        raised = kind == EventName.SNIPPET_ENDED and event.get("exception") is not None
        if raised and position != len(events) - 1:
            return False
    return True


def has_finished(end: ProcessEnd, part: str) -> bool:
    """True if a process sent all events of an honest one of this part, and left by itself with status 0, in time.

    Its leaving is measured by its keeper: a process that dies, leaves in another way or does not leave after it
    reported that it finished is not believed.
    """
    left_well = end.stopped_by is None and end.signal is None and end.exit_code == 0
    said_all = bool(end.events) and end.events[-1][1]["event"] == EventName.FINISHED
    return left_well and said_all and is_in_order(end.events, part)
