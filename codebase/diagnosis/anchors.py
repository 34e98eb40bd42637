"""Finds the line of a frame in a file as it is now: by its number if the printed line is there, otherwise by that line.

A log often belongs to another release, so the number alone is trusted only if no line was printed.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Sequence
from typing import Final, Literal

from codebase.diagnosis.texts import Texts, squeeze
from codebase.tracebacks.error import Frame
from codebase.units.unit import Unit

Anchor = Literal["exact", "moved", "changed", "function", "number", "file"]
"""exact: the printed line stands at its number. moved: it stands elsewhere. changed: a similar one does. function: only
the function is there. number: no line was printed, and the number fits. file: only the file is there."""

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
class LineAnchor:
    """The line of a file that a frame names, from 1, and the kind of match."""

    line: int
    how: Anchor


def anchor_of(texts: Texts, path: str, units: Sequence[Unit], frame: Frame) -> LineAnchor:
    """The line of a frame in a file with these units."""
    lines = texts.lines(path)
    number = frame.line or 0
    spans = [(unit.first, unit.last) for unit in units_named(units, frame.function)]
    if frame.code:
        printed = squeeze(frame.code[0])
        if 0 < number <= len(lines) and squeeze(lines[number - 1]) == printed:
            return LineAnchor(number, "exact")
        equal = texts.numbers(path).get(printed, [])
        if equal:
            return LineAnchor(nearest(equal, spans, number), "moved")
        similar = most_similar(lines, spans, number, printed)
        if similar:
            return LineAnchor(similar, "changed")
    elif 0 < number <= len(lines) and (NAMELESS.fullmatch(frame.function) or inside(number, spans)):
        return LineAnchor(number, "number")
    if spans:
        first = min(spans, key=lambda span: abs(span[0] - number))[0]
        return LineAnchor(first, "function")
    if not frame.code and 0 < number <= len(lines) and not frame.function:
        return LineAnchor(number, "number")
    return LineAnchor(min(max(1, number), max(1, len(lines))), "file")


def units_named(units: Sequence[Unit], function: str) -> list[Unit]:
    """The units that a frame can mean by the name of its function."""
    name = function.rpartition(".")[2]
    if NAMELESS.fullmatch(function):
        return []
    return [unit for unit in units if unit.kind in ("function", "method") and unit.name.rpartition(".")[2] == name]


def inside(line: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(first <= line <= last for first, last in spans)


def nearest(places: Sequence[int], spans: Sequence[tuple[int, int]], number: int) -> int:
    """The line in the function of the frame, or of several such lines the one nearest to its number."""
    return min(places, key=lambda at: (not inside(at, spans), abs(at - number)))


def most_similar(lines: Sequence[str], spans: Sequence[tuple[int, int]], number: int, printed: str) -> int | None:
    """The line most like the printed one, in the function of the frame or, without a function, near its number."""
    if not spans:
        spans = [(max(1, number - NEAR), number + NEAR)]
    places = [at for first, last in spans for at in range(first, min(last, len(lines)) + 1)][:MOST_SIMILAR]
    matcher = difflib.SequenceMatcher(b=printed[:300], autojunk=False)
    best, most = ALIKE, None
    for at in places:
        matcher.set_seq1(squeeze(lines[at - 1])[:300])
        if matcher.quick_ratio() > best and matcher.ratio() > best:
            best, most = matcher.ratio(), at
    return most
