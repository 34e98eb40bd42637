"""Finds the line of a frame in a file of now: by its number if the printed line stands there, otherwise by that line.

A log often belongs to another release, so the number alone is believed only if nothing was printed.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Sequence
from typing import Final, Literal

from codebase.diagnosis.texts import Texts, squeezed
from codebase.tracebacks.error import Frame
from codebase.units.unit import Unit

Anchor = Literal["exact", "moved", "changed", "function", "number", "file"]
"""exact: the printed line stands at its number. moved: it stands elsewhere. changed: a similar one does. function: only
the function is found. number: nothing was printed, and the number fits. file: only the file is found."""

TRUST: Final[dict[Anchor, float]] = {
    "exact": 1.0,
    "moved": 0.95,
    "number": 0.8,
    "changed": 0.7,
    "function": 0.6,
    "file": 0.2,
}
ALIKE: Final = 0.72
NEAR: Final = 60
"""Lines around the number, or in the function, in which a similar line counts."""
MOST_SIMILAR: Final = 400
NAMELESS: Final = re.compile(r"<.*>|")


@dataclasses.dataclass(frozen=True)
class Anchored:
    """The line of a file that a frame means, from 1, and how it was found."""

    line: int
    how: Anchor


def anchored(texts: Texts, path: str, units: Sequence[Unit], frame: Frame) -> Anchored:
    """The line of a frame in a file with these units."""
    lines = texts.lines(path)
    number = frame.line or 0
    spans = [(unit.first, unit.last) for unit in named(units, frame.function)]
    if frame.code:
        printed = squeezed(frame.code[0])
        if 0 < number <= len(lines) and squeezed(lines[number - 1]) == printed:
            return Anchored(number, "exact")
        equal = texts.numbers(path).get(printed, [])
        if equal:
            return Anchored(nearest(equal, spans, number), "moved")
        similar = most_similar(lines, spans, number, printed)
        if similar:
            return Anchored(similar, "changed")
    elif 0 < number <= len(lines) and (NAMELESS.fullmatch(frame.function) or inside(number, spans)):
        return Anchored(number, "number")
    if spans:
        first = min(spans, key=lambda span: abs(span[0] - number))[0]
        return Anchored(first, "function")
    if not frame.code and 0 < number <= len(lines) and not frame.function:
        return Anchored(number, "number")
    return Anchored(min(max(1, number), max(1, len(lines))), "file")


def named(units: Sequence[Unit], function: str) -> list[Unit]:
    """The units that a frame can mean by the name of its function."""
    name = function.rpartition(".")[2]
    if NAMELESS.fullmatch(function):
        return []
    return [unit for unit in units if unit.kind in ("function", "method") and unit.name.rpartition(".")[2] == name]


def inside(line: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= line <= last for first, last in spans)


def nearest(places: Sequence[int], spans: Sequence[tuple[int, int]], number: int) -> int:
    """Of several lines the one in the function of the frame, then the one nearest to its number."""
    return min(places, key=lambda at: (not inside(at, spans), abs(at - number)))


def most_similar(lines: Sequence[str], spans: Sequence[tuple[int, int]], number: int, printed: str) -> int | None:
    """The line most like the printed one, in the function of the frame or, without one, near its number."""
    if not spans:
        spans = [(max(1, number - NEAR), number + NEAR)]
    places = [at for first, last in spans for at in range(first, min(last, len(lines)) + 1)][:MOST_SIMILAR]
    matcher = difflib.SequenceMatcher(b=printed[:300], autojunk=False)
    best, found = ALIKE, None
    for at in places:
        matcher.set_seq1(squeezed(lines[at - 1])[:300])
        if matcher.quick_ratio() > best and matcher.ratio() > best:
            best, found = matcher.ratio(), at
    return found
