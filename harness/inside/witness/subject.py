"""Tells the subject of a picture from its surroundings. Plain arithmetic; no Blender needed.

    ground           flat, wide, under the rest
    backdrop         an upright sheet behind the rest, or one that is bent under it
    enclosure        around the rest on all sides, and large enough to be looked at from within
    instance source  copied elsewhere in the picture, and apart from the rest itself

Surroundings do not widen the frame. A thing alone is never its own surroundings, and lettering never is any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.inside.witness.framing import Box, Vector3, centre, sizes, union

GROUND, BACKDROP, ENCLOSURE, SOURCE = "ground", "backdrop", "enclosure", "instance source"

FLAT = 0.05
"""The shortest edge of a thing, as a share of its other edges, up to which the thing is flat."""
SHEET = 0.002
"""The same for a thing without thickness."""
SHEET_TIMES, SLAB_TIMES, BENT_TIMES, ENCLOSURE_TIMES = 2.0, 5.0, 5.0, 6.0
"""The factors by which surroundings are larger than the rest. A tray of some thickness is less often ground than a
plane, and within a smaller enclosure there would be no place for a camera."""
WIDER = 1.5
"""The factor by which surroundings are wider than the rest in each direction in which they spread."""
SUNK = 0.15
"""Share of the height of the rest that may be below the ground."""
STANDING = 0.05
"""Share of its width that the rest must have in height: things that all lie flat are no ground for each other."""
SLACK = 0.05
MOST_AT_ONCE = 6
LETTERING = {"FONT", "GPENCIL", "GREASEPENCIL"}

SIDES: tuple[Vector3, ...] = ((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0))
UP: Vector3 = (0.0, 0.0, 1.0)
Hits = Callable[[str, Vector3, Vector3], bool]
"""True if a ray from a point in a direction hits the thing of this name."""


@dataclass(frozen=True)
class RenderedThing:
    """An object that renders: its box, its type in Blender, and true if others are its copies."""

    box: Box
    kind: str
    is_source: bool = False


def surroundings(things: dict[str, RenderedThing], hits: Hits) -> dict[str, str]:
    """The role of each thing that does not belong to the subject, by name. At least one thing remains."""
    remaining = {name: thing for name, thing in things.items() if not thing.is_source} or things
    roles: dict[str, str] = {}
    while more := largest_around(remaining, hits):
        roles |= more
        remaining = {name: thing for name, thing in remaining.items() if name not in more}
    rest = union(thing.box for thing in remaining.values())
    parked = (name for name, thing in things.items() if thing.is_source and apart(thing.box, rest))
    return roles | dict.fromkeys(parked, SOURCE)


def largest_around(things: dict[str, RenderedThing], hits: Hits) -> dict[str, str]:
    """The roles of the largest things, if they are all surroundings of the rest; a field and its sky, for example."""
    by_size = sorted(things, key=lambda name: -max(sizes(things[name].box)))
    for count in range(1, min(MOST_AT_ONCE, len(by_size) - 1) + 1):
        rest = union(things[name].box for name in by_size[count:])
        roles = {name: role(name, things[name], rest, hits) for name in by_size[:count]}
        if all(roles.values()):
            return roles
    return {}


def role(name: str, thing: RenderedThing, rest: Box, hits: Hits) -> str:
    """The role of a thing for the rest; empty if it belongs to it."""
    if thing.kind in LETTERING:
        return ""
    own, others = sizes(thing.box), sizes(rest)
    if others[2] < STANDING * max(others[:2]):
        return ""
    times = max(own) / max(*others, 1e-9)
    thinnest = min(range(3), key=lambda axis: own[axis])
    spread = [axis for axis in range(3) if axis != thinnest]
    thickness = own[thinnest] / max(min(own[axis] for axis in spread), 1e-9)
    if thickness <= FLAT:
        if times < (SHEET_TIMES if thickness <= SHEET else SLAB_TIMES):
            return ""
        if not all(own[axis] >= WIDER * others[axis] and covers(thing.box, rest, axis) for axis in spread):
            return ""
        return GROUND if thinnest == 2 and below(thing.box, rest) else BACKDROP if beside(thing, rest, thinnest) else ""
    if times < min(BENT_TIMES, ENCLOSURE_TIMES) or not all(covers(thing.box, rest, axis) for axis in range(3)):
        return ""
    middle = centre(rest)
    sides, above = sum(hits(name, middle, side) for side in SIDES), hits(name, middle, UP)
    if above and sides >= 3:
        return ENCLOSURE if times >= ENCLOSURE_TIMES else ""
    return BACKDROP if not above and sides in (1, 2) else ""


def covers(box: Box, rest: Box, axis: int) -> bool:
    """True if a box spans all of the rest along an axis."""
    slack = SLACK * max(sizes(rest))
    return box[0][axis] <= rest[0][axis] + slack and box[1][axis] >= rest[1][axis] - slack


def below(box: Box, rest: Box) -> bool:
    return centre(box)[2] <= rest[0][2] + SUNK * sizes(rest)[2]


def beside(thing: RenderedThing, rest: Box, axis: int) -> bool:
    """True if an upright thing stands on one side of the rest, and not in its middle."""
    place, slack = centre(thing.box)[axis], SLACK * max(sizes(rest))
    return axis != 2 and (place <= rest[0][axis] + slack or place >= rest[1][axis] - slack)


def apart(box: Box, rest: Box) -> bool:
    """True if two boxes do not touch."""
    return any(box[1][axis] < rest[0][axis] or box[0][axis] > rest[1][axis] for axis in range(3))
