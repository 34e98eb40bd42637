"""The relations of a symbol as a picture: the symbol in the middle, who uses it on the left, and what it uses right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

SHOWN: Final = 14
WIDE, HIGH, GAP, BETWEEN = 230, 40, 12, 110


class Placed(Protocol):
    """A unit with its place."""

    @property
    def citation(self) -> str: ...
    @property
    def name(self) -> str: ...


class Reached(Protocol):
    """A unit that was reached by an edge."""

    @property
    def place(self) -> Placed: ...
    @property
    def certainty(self) -> str: ...


@dataclass(frozen=True)
class EdgeBox:
    """A unit in the picture: its place in pixels, and the line of its edge, if it is not the middle."""

    name: str
    citation: str
    x: int
    y: int
    line: str
    sure: bool


@dataclass(frozen=True)
class EdgePicture:
    """The boxes of a picture, and its size in pixels; `left_out` units are not in it."""

    boxes: list[EdgeBox]
    width: int
    height: int
    left_out: int


def edge_picture(symbol: Placed, using: Sequence[Reached], used: Sequence[Reached]) -> EdgePicture:
    """A symbol between the units that use it, also through others, and those that it uses."""
    every = [others(symbol, using), others(symbol, used)]
    used_by, uses = (column[:SHOWN] for column in every)
    rows = max(1, len(used_by), len(uses))
    height = rows * (HIGH + GAP) - GAP
    # Without anything on one side, the middle moves there.
    middle_x = WIDE + BETWEEN if used_by else 0
    middle = EdgeBox(symbol.name, symbol.citation, middle_x, (height - HIGH) // 2, "", True)
    boxes = [middle]
    for column, x in ((used_by, 0), (uses, middle_x + WIDE + BETWEEN)):
        top = (height - (len(column) * (HIGH + GAP) - GAP)) // 2
        for place, one in enumerate(column):
            y = top + place * (HIGH + GAP)
            boxes.append(
                EdgeBox(one.place.name, one.place.citation, x, y, line_of(x, y, middle), one.certainty == "exact")
            )
    width = middle_x + WIDE + (BETWEEN + WIDE if uses else 0)
    return EdgePicture(boxes, width, height, sum(map(len, every)) - len(used_by) - len(uses))


def others(symbol: Placed, relations: Sequence[Reached]) -> list[Reached]:
    """The units other than the symbol, each once, in their order."""
    return list({one.place.citation: one for one in relations if one.place.citation != symbol.citation}.values())


def line_of(x: int, y: int, middle: EdgeBox) -> str:
    """The path of an edge, which leads from what uses to what is used."""
    if x < middle.x:
        (a, b), (c, d) = (x + WIDE, y + HIGH // 2), (middle.x, middle.y + HIGH // 2)
    else:
        (a, b), (c, d) = (middle.x + WIDE, middle.y + HIGH // 2), (x, y + HIGH // 2)
    half = (a + c) // 2
    return f"M{a} {b} C{half} {b} {half} {d} {c - 6} {d}"
