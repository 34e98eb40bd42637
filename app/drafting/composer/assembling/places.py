"""Where parts are: the places that were told by other parts, as numbers.

Along Z every part stands on, below or beside another one, or at a height that was told; what nothing lifts stands on z = 0.
Along X and Y a part has as many spots as there are of it, around the middle of what it is placed by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from app.drafting.composer.assembling.sizes import STANDING, UPRIGHT, WHEELS, WORDS, Shape, shape_of
from app.drafting.composer.assembling.told import LIKE, UNDER, WHOLE, Look, Ref, Remark, Told
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Degrees, clean, refuse

FLAT: Final = 0.5
"""A part is flat where it is thinner than this share of its lengths on the ground."""


@dataclass
class Spot:
    """Where one of a part's copies is in its row, ring or stack: x and y of its middle, and how far above the first it is."""

    x: float
    y: float
    up: float = 0.0
    turn: float = 0.0
    """Degrees around Z."""


@dataclass(eq=False)
class Part:
    """A part that is being placed: what was told of it, and what is known of it by now."""

    noun: str
    count: int | None
    plural: bool
    remarks: list[Remark]
    said: str
    shape: Shape = field(default_factory=lambda: Shape("box", [None, None, None]))
    bottom: float | None = None
    spots: list[Spot] = field(default_factory=list[Spot])
    notes: list[str] = field(default_factory=list[str])

    def all(self, *whats: str) -> list[Remark]:
        """The remarks of these kinds."""
        return [each for each in self.remarks if each.what in whats]

    def one(self, *whats: str) -> Remark | None:
        """The remark of these kinds. Raises `NotUnderstood` where there are two."""
        found = self.all(*whats)
        if len(found) > 1 and not all(each.what == "stack" for each in found):
            raise refuse(found[1].said, f'and "{found[0].said}"?')
        return found[0] if found else None

    def length(self, axis: int) -> float:
        """The size along an axis. Raises `NotUnderstood` where it is not known."""
        found = self.shape.size[axis]
        if found is None:
            raise refuse(self.said, f"how {('wide', 'deep', 'tall')[axis]} is it?")
        return found

    @property
    def height(self) -> float | None:
        """From the bottom of the lowest to the top of the highest copy."""
        own = self.shape.size[2]
        return own + max(spot.up for spot in self.spots) if own is not None and self.spots else own

    def span(self, axis: int) -> tuple[float, float]:
        """The least and the greatest x or y that any copy reaches."""
        half = self.length(axis) / 2
        middles = [(spot.x, spot.y)[axis] for spot in self.spots]
        return min(middles) - half, max(middles) + half


SIDE_OF: Final = {
    "left": (0, -1), "left hand": (0, -1), "right": (0, 1), "right hand": (0, 1), "front": (1, -1), "in front": (1, -1), "back": (1, 1),
    "rear": (1, 1), "behind": (1, 1),
}  # fmt: skip
"""The axis and direction of a side, for somebody who looks along Y."""


class Layout:
    """The parts of a thing, and the numbers that follow from what was told of them."""

    def __init__(self) -> None:
        self.parts: Final[list[Part]] = []
        self.titles: set[str] = set()
        """What the whole thing was called."""
        self.aliases: Final[dict[str, Part]] = {}
        """Parts that other words mean too: "the seat" that is made from four slats."""
        self.overall: Final[list[Remark]] = []
        """Lengths of the whole, which the parts must come to."""
        self._placing: Final[list[Part]] = []
        self._links: list[tuple[Part, str, Part, float]] = []
        self._wholes: list[tuple[Part, str, float]] = []
        self._lost: list[Part] = []

    # What is meant

    def add(self, told: Told) -> Part:
        """A part as it was told."""
        form = singular(told.noun.rpartition(" ")[2])
        role = next((each for each in told.remarks if each.what == "role"), None)
        remarks = [each for each in told.remarks if each.what != "role"]
        noun = told.noun
        if role is not None:
            noun = role.values["role"]
            remarks += [Remark("form", {"form": form}, role.said)] if form in LIKE else []
        part = Part(noun, told.count, told.plural, remarks, told.said)
        self.parts.append(part)
        return part

    def named(self, ref: Ref, before: Part | None = None) -> Part | None:
        """The part that words mean, None for the whole. Raises `NotUnderstood` where none or several may be meant.

        `before` is the part that is spoken of: "its" is what was told of before it, then.
        """
        if ref.noun == WHOLE or ref.noun in self.titles:
            return None
        if ref.noun == "it":
            index = self.parts.index(before) if before is not None else len(self.parts)
            if index == 0:
                raise refuse(ref.said, "of what?")
            found = self.parts[index - 1]
            carries = before is not None and before.noun.rpartition(" ")[2] in LOW and found.one("on") is not None
            return self.parts[0] if carries else found  # what stands on something has no legs of its own
        if ref.noun in self.aliases:
            return self.aliases[ref.noun]
        others = [each for each in self.parts if each is not before]
        for fits in MATCHES:
            fitting = [each for each in others if fits(each.noun, ref.noun)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                raise refuse(ref.said, "which of them?")
        raise refuse(ref.said, "no part was called so")

    # Numbers

    def solve(self) -> None:
        """Find the size and place of every part. Raises `NotUnderstood` where the request does not tell enough."""
        self._links, self._wholes, self._lost = [], [], []
        for part in self.parts:
            part.spots, part.bottom, part.notes = [], None, []
            part.remarks = self._like_another(part)
            part.shape = shape_of(part.noun, part.remarks, part.said)
            lie(part)
        for part in self.parts:
            self._complete(part)
            self._link(part)
        held = [other for _, _, other, _ in self._links]
        if lost := next((part for part in self._lost if part not in held), None):
            raise refuse(lost.said, "where is it?")
        for part in self.parts:
            self._spread(part)
        self._lift()
        for part in self.parts:
            missing = part.shape.missing
            if missing:
                part.length(missing[0])
        self._check()

    def _like_another(self, part: Part) -> list[Remark]:
        """The remarks, with the size and look of an earlier part of that noun where it is to be the same."""
        if not part.all("same"):
            return part.remarks
        head = part.noun.rpartition(" ")[2]
        like = next(
            (each for each in reversed(self.parts[: self.parts.index(part)]) if each.noun.rpartition(" ")[2] == head),
            None,
        )
        if like is None:
            raise refuse(part.said, "the same as which?")
        whats = {each.what for each in part.remarks}
        kept = [each for each in like.remarks if each.what in LIKENESS and each.what not in whats]
        return [*(each for each in part.remarks if each.what != "same"), *kept]

    def _reference(self, part: Part, remark: Remark) -> Part | None:
        ref: Ref | None = remark.values.get("ref")
        if ref is None:
            return self._unsaid(part, remark)
        if remark.what == "between" and ref.noun == "it":
            pairs = [each for each in self.parts[: self.parts.index(part)] if each.count == 2 and not each.all("on")]
            return pairs[-1] if pairs else self.named(ref, part)
        found = self.named(ref, part)
        if found is not None and ref.number is not None and found.count not in {None, ref.number}:
            raise refuse(ref.said, f"there are {found.count} of them")
        return found

    def _unsaid(self, part: Part, remark: Remark) -> Part:
        """The part that "at the back" speaks of: the one before, unless that only carries or is carried."""
        before = [each for each in self.parts[: self.parts.index(part)] if each.noun.rpartition(" ")[2] not in LOW]
        if not before:
            raise refuse(remark.said, "of which part?")
        if remark.what in BY_SIDES and before[-1].one("on") is not None:
            if not set(part.noun.split()) & (OPENINGS | LOW):
                raise refuse(remark.said, "of which part?")
            return before[0]
        return before[-1]

    def _complete(self, part: Part) -> None:
        """Add what goes without saying: a roof is on top, wheels along both sides are at the corners."""
        head = part.noun.rpartition(" ")[2]
        index = self.parts.index(part)
        if (part.all("overhang") or head in {"roof", "lid"}) and index and not part.all(*BY_OTHERS, "at", *HEIGHTS):
            part.remarks.append(Remark("on", {}, part.said))
        if (
            head in OPENINGS
            and part.shape.form == "box"
            and part.shape.size[1] is None
            and part.all("side")
            and None not in part.shape.size[::2]
        ):
            part.shape.size[1] = THIN
            part.notes.append(f"{THIN:g} m thick, as nothing was said")
        if part.count == 4 and (rims := part.one("rims", "sides")) is not None and head in LOW:
            part.remarks = [*(each for each in part.remarks if each is not rims), replace(rims, what="corners")]
        told = part.all(*BY_OTHERS, "at", "ring", "row", *HEIGHTS)
        if (middle := part.one("in middle")) is not None and not told and part is not self.parts[0]:
            part.remarks.append(Remark("middle of", {}, middle.said))
        inset = part.one("inset")
        if inset is not None and "end" in inset.said and part.count == 2 and not part.all("ends", "corners", "rim"):
            part.remarks.append(Remark("ends", {"way": "under" if part.all("below") else "at"}, inset.said))
        if part.all("stack") and (part.count or 1) == 1 and not part.plural and len(self.parts) > 1:
            self._chain(part)  # "a base, a stem and a shade, one on top of the other"
        if part is self.parts[0]:
            part.remarks = [each for each in part.remarks if each.what != "on" or each.values.get("ref") is not None]

    def _link(self, part: Part) -> None:
        """What is told of a part's height."""
        absolute = part.one(*HEIGHTS)
        at = part.one("at")
        z = at.values["v"].parts[2] if at is not None and len(at.values["v"].parts) == 3 else None
        if absolute is not None and z is not None:
            raise refuse(part.said, "how high is it?")
        place = next(iter([*part.all("on", "above", "below"), *part.all(*BY_OTHERS), *part.all("ring")]), None)
        own = part.shape.size[2]
        if absolute is not None:
            level: float = absolute.values.get("n", 0.0)
            what = absolute.what
            if what in {"heights", "level at"}:
                if own is None or own > THIN_AT * level:
                    raise refuse(absolute.said, "its lower side, its middle or its upper side?")
                what = "middle"
            if what == "height":
                if is_flat(part):
                    what = "upper"
                elif part.shape.form in {"sphere", "torus"} or (place is not None and place.what in {"side", "sides"}):
                    what = "middle"
                else:
                    raise refuse(absolute.said, "its lower side, its middle or its upper side?")
            if what == "upper":
                if own is None and (place is None or place.what in {"corners", "ground"}):
                    part.shape.size[2] = own = level
                part.bottom = clean(level - part.length(2))
            elif what == "middle":
                part.bottom = clean(level - part.length(2) / 2)
            else:
                part.bottom = level
            return
        if z is not None:
            part.bottom = clean(z - part.length(2) / 2)
            return
        if (tops := part.one("tops")) is not None:
            ref: Ref = tops.values["ref"]
            post = replace(ref, noun=ref.noun.removesuffix(" top"))  # "level with the post top"
            other = self.named(post, part)
            if other is None or absolute is not None:
                raise refuse(tops.said, "with which part?")
            self._links.append((part, "tops", other, 0.0))
            return
        if place is None:
            if (
                part is not self.parts[0]
                and at is None
                and not part.all("row", "pitch", "gap", "ring radius", "stack", "spread", "footprint")
            ):
                self._lost.append(part)
            part.bottom = part.bottom if at is None else 0.0
            return
        self._link_by(part, place)

    def _chain(self, last: Part) -> None:
        """Let each part up to the last one stand on the one before, where its place was not told."""
        parts = self.parts[: self.parts.index(last) + 1]
        last.remarks = [each for each in last.remarks if each.what != "stack"]
        for below, part in pairwise(parts):
            if not part.all(*BY_OTHERS):
                if part in self._lost:
                    self._lost.remove(part)
                    self._links.append((part, "on", below, 0.0))
                else:
                    part.remarks.append(
                        Remark("on", {"ref": Ref("it", every=False, number=None, said=last.said)}, last.said)
                    )

    def _check(self) -> None:
        """Raise `NotUnderstood` where something that was told has no effect, or is not so."""
        for part in self.parts:
            if idle := next((each for each in part.remarks if self._is_idle(part, each)), None):
                raise refuse(idle.said, f"how, of {part.said}?")
        self._check_lengths()
        self._check_contacts()

    @staticmethod
    def _is_idle(part: Part, remark: Remark) -> bool:
        """Whether a remark is of something that the part does not have, such as the spacing of a single one."""
        single = len(part.spots) == 1
        lined = not single and not part.all("corners", "sides", "ends", "rims", "footprint", "ring", "ring radius")
        box = part.shape.form in {"box", "prism", "pyramid", "plane"}
        match remark.what:
            case "pitch" | "gap" | "row" | "spread" | "spread up" | "stack" | "heights":
                return not lined
            case "facing":
                return not part.all("ring")
            case "ring radius":
                return single
            case "inset" | "flush":
                return not part.all("corners", "rim", "rims", "ends", "ring", "spread")
            case "overhang":
                return not part.all("on", "above")
            case "along":
                return part.shape.form == "sphere" or (box and not part.all("long", "dims"))
            case "lying":
                sizes = [part.length(axis) for axis in range(3)]
                return box and sizes[2] >= max(sizes[:2])
            case _:
                return False

    def _check_lengths(self) -> None:
        for remark in self.overall:
            if remark.what == "ground":
                continue
            lows = [part.span(0)[0] for part in self.parts], [part.span(1)[0] for part in self.parts]
            highs = [part.span(0)[1] for part in self.parts], [part.span(1)[1] for part in self.parts]
            spans = [max(high) - min(low) for low, high in zip(lows, highs, strict=True)]
            up = max((part.bottom or 0.0) + (part.height or 0.0) for part in self.parts)
            lengths = [up] if remark.what == "high" else spans
            if not any(abs(length - remark.values["n"]) <= ABOUT * length for length in lengths):
                raise refuse(remark.said, f"its parts come to {', '.join(f'{each:g}' for each in lengths)} m")

    def _check_contacts(self) -> None:
        for part in self.parts:
            for remark in part.all("touch"):
                other = self._reference(part, remark) if remark.values.get("ref") is not None else None
                low, high = part.bottom or 0.0, (part.bottom or 0.0) + (part.height or 0.0)
                if remark.values.get("ref") is None:
                    met = abs(low) < TOUCHING
                elif other is None:
                    raise refuse(remark.said, "which part?")
                else:
                    bottom = other.bottom or 0.0
                    met = min(abs(low - bottom - (other.height or 0.0)), abs(high - bottom)) < TOUCHING
                    met = met or any(
                        abs(part.span(axis)[one] - other.span(axis)[1 - one]) < TOUCHING
                        for axis in (0, 1)
                        for one in (0, 1)
                    )
                if not met:
                    raise refuse(remark.said, "as it is told, it does not")

    def _link_by(self, part: Part, place: Remark) -> None:
        if place.what == "from to":
            one, two = self.named(place.values["ref"], part), self.named(place.values["to"], part)
            if one is None or two is None:
                raise refuse(place.said, "which parts?")
            upper, lower = (two, one) if two.all("on") or " up " in place.said else (one, two)
            self._links += [(part, "on", lower, 0.0), (part, "below", upper, 0.0)]
            return
        other = self._reference(part, place) if not (place.what == "ring" and place.values.get("ref") is None) else part
        gap: float = place.values.get("n") or 0.0
        if other is part:
            part.bottom = 0.0
            return
        how = self._how(part, place, other)
        if other is None:
            self._wholes.append((part, how, gap))
        else:
            self._links.append((part, how, other, gap))

    def _how(self, part: Part, place: Remark, other: Part | None) -> str:
        """On top of it, below it, level with it, or at its middle."""
        head = part.noun.rpartition(" ")[2]
        way = place.values.get("way") or ""
        if head in WHEELS and place.what in {"corners", "sides", "side"}:
            return "axle"
        match place.what:
            case "on" | "above":
                return "on"
            case "below":
                return "below"
            case "corners" | "ends":
                if way in {"on", "in"} and head not in LOW:
                    return "on"
                if way not in {"at", "in", "near", "to", "on"} or head in LOW:
                    return "below"
                if head in UPRIGHT and place.what == "corners":
                    return "on"
                if place.what == "ends" and other is not None and not is_flat(other):
                    return "middle"
                raise refuse(place.said, "on it, or below it?")
            case "rim" | "rims":
                return "below" if way in UNDER.split("|") else "on"
            case "middle of":
                return "level" if other is not None and len(other.spots) != 1 else "on"
            case "side":
                if place.values["side"] == "top":
                    return "on"
                flat = other is not None and is_flat(other)
                said_so = "side" in place.said or "face" in place.said
                if set(part.noun.split()) & DOORS:
                    return "level"
                return "on" if flat and not said_so and head in STANDING | UPRIGHT else "middle"
            case "from to":
                return "on"
            case "sides":
                return "level" if head in STANDING | UPRIGHT or part.shape.form in {"box", "cylinder"} else "middle"
            case "between" if (part.count or 1) == 1 and part.shape.size[2] is not None and not part.all(*HEIGHTS):
                raise refuse(place.said, "how high?")
            case _:
                return "level"

    def _spread(self, part: Part) -> None:
        """The spots of a part along X and Y."""
        if part.spots:
            return
        if part in self._placing:
            raise refuse(part.said, "its place is told by parts that are placed by it")
        self._placing.append(part)
        part.spots = self._spots(part)
        self._placing.remove(part)

    def _spots(self, part: Part) -> list[Spot]:
        at = part.one("at")
        places = part.all(*BY_OTHERS)
        rings = part.all("ring")
        ring = max(rings, key=lambda each: len(each.values), default=None)
        beside_it = [each for each in places if each.what in BY_SIDES]
        if len(beside_it) > 1 or len(places) - len(beside_it) > 1:
            raise refuse(places[1].said, f'and "{places[0].said}"?')
        place = next(iter(beside_it or places), None)
        middles = [(0.0, 0.0)]
        other: Part | None = None
        if place is not None:
            other = self._reference(part, place)
            if other is not None:
                self._spread(other)
                middles = [(spot.x, spot.y) for spot in other.spots]
        if at is not None:
            parts: Sequence[float | None] = at.values["v"].parts
            middles = [(parts[0] or 0.0, parts[1] or 0.0)]
            if place is not None:
                raise refuse(at.said, f'and "{place.said}"?')
        footprint = part.one("footprint")
        if footprint is not None:
            whole = footprint.values.get("v")
            lengths = whole.parts if whole is not None else (footprint.values["n"],) * 2
            half = [(each or 0.0) / 2 for each in lengths[:2]]
            spots = [Spot(clean(x * half[0]), clean(y * half[1])) for y in (-1, 1) for x in (-1, 1)]
            return counted(part, spots, footprint)
        if place is not None and place.what in BY_SIDES:
            if other is None:
                raise refuse(place.said, "of which part?")
            if ring is not None:
                raise refuse(part.said, "where exactly?")
            if part.all("heights", "stack") and place.what != "between":
                if place.what not in {"side", "beside", "rim"}:
                    raise refuse(part.said, "stacked, and in several places?")
                count, part.count = part.count or 1, 1
                spots = BY_SIDES[place.what](part, other, place)
                part.count = count
                return stacked(part, (spots[0].x, spots[0].y))
            return counted(part, BY_SIDES[place.what](part, other, place), place)
        if ring is not None or part.one("ring radius") is not None:
            return self._ring(part, ring, middles)
        if (plan := part.one("same plan")) is not None:
            like = self.named(plan.values["ref"], part) if plan.values.get("ref") is not None else other
            if like is None or part.shape.size[:2] != [None, None]:
                raise refuse(plan.said, "as which part?")
            part.shape.size[:2] = [like.length(0), like.length(1)]
        overhang = part.one("overhang")
        if overhang is not None and other is not None:
            if None not in part.shape.size[:2]:
                raise refuse(overhang.said, "its size was told, too")
            for axis in (0, 1):
                if part.shape.size[axis] is None:
                    low, high = other.span(axis)
                    part.shape.size[axis] = clean(high - low + 2 * overhang.values["n"])
        count = part.count or 1
        each = (
            place is not None
            and place.values.get("ref") is not None
            and (place.values["ref"].every or (part.plural and part.count is None))
        )
        if other is not None and len(middles) > 1:
            if each or count == len(middles):
                if count not in {1, len(middles)}:
                    raise refuse(part.said, "so many on each?")
                part.count = len(middles)
                return [Spot(x, y, spot.up) for (x, y), spot in zip(middles, other.spots, strict=True)]
            middles = [middle_of(other)]
        middle = middles[0]
        if count == 1:
            if part.plural and part.count is None and part.noun not in MASSES:
                raise refuse(part.said, "how many?")
            return [Spot(*middle)]
        if (
            count == 2
            and not part.all("pitch", "gap", "row")
            and other is None
            and (room := self._room(part)) is not None
        ):
            far = (room + part.length(0)) / 2
            return [Spot(clean(middle[0] - far), middle[1]), Spot(clean(middle[0] + far), middle[1])]
        if part.all("stack", "heights") or (part.noun.endswith("stack")):
            return stacked(part, middle)
        return row(part, middle, other)

    def _room(self, part: Part) -> float | None:
        """How wide what stands between the two copies of a part is."""
        for each in self.parts:
            for remark in each.all("between"):
                if self._reference(each, remark) is part:
                    return each.shape.size[0]
        return None

    def _ring(self, part: Part, ring: Remark | None, middles: list[tuple[float, float]]) -> list[Spot]:
        told = part.one("ring radius")
        radius = ring.values.get("radius") if ring is not None else None
        radius = told.values["n"] if told is not None else radius
        middle = middles[0]
        if ring is not None and ring.values.get("ref") is not None:
            other = self.named(ring.values["ref"], part)
            if other is not None:
                self._spread(other)
                middle = other.spots[0].x, other.spots[0].y
        inset = part.one("inset", "flush")
        if radius is None and inset is not None and (below := next(iter(part.all("on")), None)) is not None:
            carrier = self._reference(part, below)
            if carrier is not None:
                radius = clean(carrier.length(0) / 2 - inset_of(part) - part.length(0) / 2)
        if radius is None or part.count is None or part.count < 2:
            raise refuse(part.said, "how many, and on how wide a ring?")
        step = 360 / part.count
        return [
            Spot(
                rounded(middle[0] + radius * math.cos(math.radians(number * step))),
                rounded(middle[1] + radius * math.sin(math.radians(number * step))),
                turn=clean((number * step + 90) % 360),  # its width along the ring
            )
            for number in range(part.count)
        ]

    def _lift(self) -> None:
        """The bottom of every part."""
        while True:
            self._follow()
            if self._fill():
                continue
            if all(part.bottom is not None for part in self.parts):
                return
            left = [
                part for part in self.parts if part.bottom is None and not any(each[0] is part for each in self._wholes)
            ]
            if not left:
                self._on_the_whole()
                continue
            before = {id(part) for part in self.parts if part.bottom is not None}
            left[0].bottom = 0.0
            self._follow()
            lifted = [part for part in self.parts if part.bottom is not None and id(part) not in before]
            lowest = min(part.bottom or 0.0 for part in lifted)
            for part in lifted:
                part.bottom = clean((part.bottom or 0.0) - lowest)

    def _follow(self) -> None:
        """Carry heights that are known along what stands on, below or beside what."""
        moved = True
        while moved:
            moved = False
            for part, how, other, gap in self._links:
                known, goal = (part, other) if other.bottom is None else (other, part)
                if (
                    known.bottom is None
                    or goal.bottom is not None
                    or (how == "axle" and goal is part and known.bottom > 0)
                ):
                    continue
                rise = self._rise(part, how, other, gap)
                if rise is None:
                    continue
                goal.bottom = clean(known.bottom + (rise if goal is part else -rise))
                moved = True

    @staticmethod
    def _rise(part: Part, how: str, other: Part, gap: float) -> float | None:
        """How much higher the bottom of a part is than that of the other; None where a size is missing."""
        own, its = part.height, other.height
        match how:
            case "on":
                return None if its is None else its + gap
            case "below":
                return None if own is None else -own - gap
            case "middle":
                return None if own is None or its is None else (its - own) / 2
            case "tops":
                return None if own is None or its is None else its - own
            case "axle":
                return None if own is None else -own / 2
            case _:
                return 0.0

    def _fill(self) -> bool:
        """Let what has no height and is below something reach down to the ground."""
        for part, how, other, gap in self._links:
            if how == "axle" and part.bottom is None and other.bottom:
                part.bottom = 0.0
                return True
            low = next((one for each, on, one, _ in self._links if each is part and on == "on"), None)
            if how == "below" and part.shape.size[2] is None and other.bottom is not None and low is not None:
                if low.bottom is None and low.height is not None and not low.all(*BY_OTHERS):
                    low.bottom = 0.0
                if low.bottom is not None and low.height is not None:
                    part.bottom = clean(low.bottom + low.height)
                    room = clean(other.bottom - gap - part.bottom)
                    if room <= 0:
                        raise refuse(part.said, "how tall is it?")
                    part.shape.size[2] = room
                    return True
                continue
            if how == "below" and part.shape.size[2] is None and other.bottom is not None:
                if other.bottom - gap <= 0:
                    raise refuse(part.said, "how tall is it?")
                part.shape.size[2] = clean(other.bottom - gap)
                part.bottom = 0.0
                return True
            if (
                how in {"level", "middle"}
                and part.shape.size[2] is None
                and other.bottom is not None
                and other.height is not None
            ):
                part.shape.size[2] = other.height
                part.bottom = other.bottom
                part.notes.append(f"as tall as the {other.noun}")
                return True
        return False

    def _on_the_whole(self) -> None:
        """Place the next part that is told by the whole thing."""
        part, how, gap = next(each for each in self._wholes if each[0].bottom is None)
        placed = [each for each in self.parts if each.bottom is not None]
        if not placed or how not in {"on", "below"}:
            raise refuse(part.said, "by which part?")
        if how == "below":
            raise refuse(part.said, "below which part?")
        part.bottom = clean(max((each.bottom or 0.0) + (each.height or 0.0) for each in placed) + gap)


DOORS: Final = frozenset({"door", "gate", "entrance", "doorway", "porch", "step", "stairs", "ramp"})
"""Parts that stand where what they are against stands."""
OPENINGS: Final = frozenset({"door", "window", "gate", "entrance", "doorway", "porch", "knob"})
"""Parts that are at the sides of the walls, whatever was told of between."""
BY_OTHERS: Final = (
    "on",
    "above",
    "below",
    "corners",
    "rim",
    "rims",
    "middle of",
    "side",
    "beside",
    "sides",
    "ends",
    "between",
)
"""Remarks that tell a place by another part."""
ABOUT: Final = 0.1
"""How far the length of the whole may be from what was told, as a share."""
MASSES: Final = frozenset({"wall", "stairs"})
"""Nouns that are one part in plural: "walls 6 m wide"."""
THIN: Final = 0.05
"""How thick a door or window is that nothing was said of, in metres."""
THIN_AT: Final = 0.25
"""A part whose own height is less than this share of the height it is at has its middle there."""
HEIGHTS: Final = ("ground", "upper", "lower", "middle", "height", "heights", "level at")
"""Remarks that tell a height in numbers."""
LONG: Final = 2.0
"""A part that is so many times as long as it is wide is long."""
TOUCHING: Final = 1e-4
"""Metres between what touches."""
LIKENESS: Final = WORDS | {"dims", "form", "look"}
"""Remarks that make a part like another one."""
LOW: Final = frozenset({"leg", "foot", "wheel", "caster", "castor", "stilt"})
"""Parts that carry: at the corners of something, they are below it."""


def same(noun: str, words: str) -> bool:
    """Whether a part is called exactly so."""
    return noun == words


def ending(noun: str, words: str) -> bool:
    """Whether one of the names ends with the other: "table top" and "top"."""
    return noun.split()[-1:] == words.split()[-1:] and (noun.endswith(words) or words.endswith(noun))


def beginning(noun: str, words: str) -> bool:
    """Whether the name begins so: "lamp" for "lamp shade" is none."""
    return singular(noun.split()[-1]) == singular(words.split()[-1]) and len(words.split()) == 1


MATCHES: Final[tuple[Callable[[str, str], bool], ...]] = (same, ending, beginning)


def rounded(number: float) -> float:
    """A length without the noise of sines and sums: to the nanometre."""
    return round(number, 9) + 0.0


def is_flat(part: Part) -> bool:
    """Whether a part lies flat."""
    x, y, z = part.shape.size
    return x is not None and y is not None and z is not None and z <= FLAT * min(x, y)


def gap_of(part: Part) -> float:
    """The room between neighbors."""
    gap = part.one("gap")
    return gap.values["n"] if gap is not None else 0.0


def inset_of(part: Part) -> float:
    """How far from the edges a part is."""
    inset = part.one("inset", "flush")
    return inset.values.get("n", 0.0) if inset is not None else 0.0


def stacked(part: Part, middle: tuple[float, float]) -> list[Spot]:
    """One above the other."""
    heights = part.one("heights")
    if heights is not None:
        first, second = heights.values["n"], heights.values["m"]
        if part.count != 2:
            raise refuse(heights.said, "two heights, and how many parts?")
        return [Spot(*middle), Spot(*middle, up=clean(second - first))]
    pitch = part.one("pitch")
    step = pitch.values["n"] if pitch is not None else part.length(2) + gap_of(part)
    return [Spot(*middle, up=clean(number * step)) for number in range(part.count or 1)]


def lie(part: Part) -> None:
    """Let something round that is told to lie do so along X, where no axis was told."""
    if part.all("lying") and part.shape.form in {"cylinder", "cone"} and not part.all("along"):
        size = part.shape.size
        size[0], size[2] = size[2], size[0]
        part.shape.axis, part.shape.free = 0, False


def lie_across(part: Part, other: Part) -> None:
    """Let a wheel that nothing was said of lie across the length of what it carries."""
    if not part.shape.free:
        return
    axis = 1 if other.length(0) >= other.length(1) else 0
    size = part.shape.size
    size[2], size[axis] = size[axis], size[2]
    part.shape.axis, part.shape.free = axis, False


def middle_of(other: Part) -> tuple[float, float]:
    """The middle of all copies of a part."""
    count = len(other.spots)
    return rounded(sum(spot.x for spot in other.spots) / count), rounded(sum(spot.y for spot in other.spots) / count)


def at_corners(part: Part, other: Part, place: Remark) -> list[Spot]:
    """One at each corner, within the outline."""
    if other.shape.form not in {"box", "plane"} or len(other.spots) != 1:
        raise refuse(place.said, "which corners?")
    lie_across(part, other)
    inset = inset_of(part)
    x, y = other.spots[0].x, other.spots[0].y
    far = [other.length(axis) / 2 - part.length(axis) / 2 - inset for axis in (0, 1)]
    if part.noun.rpartition(" ")[2] in WHEELS:
        far[part.shape.axis] = other.length(part.shape.axis) / 2 + part.length(part.shape.axis) / 2
    if min(far) <= 0:
        raise refuse(place.said, "there is no room for four of them")
    return [Spot(clean(x + a * far[0]), clean(y + b * far[1])) for b in (-1, 1) for a in (-1, 1)]


def at_edge(part: Part, other: Part, place: Remark) -> list[Spot]:
    """Along an edge, within the outline; as long as the edge where nothing was said."""
    axis, sign = SIDE_OF[place.values["side"]]
    along = 1 - axis
    if part.shape.size[along] is None:
        part.shape.size[along] = other.length(along)
        part.notes.append(f"as wide as the {other.noun}")
    x, y = middle_of(other)
    low, high = other.span(axis)
    edge = high if sign > 0 else low
    shift = edge - sign * (part.length(axis) / 2 + inset_of(part))
    middle = (shift, y) if axis == 0 else (x, shift)
    return spread_along(part, other, along, (clean(middle[0]), clean(middle[1])))


def at_edges(part: Part, other: Part, place: Remark) -> list[Spot]:
    """One along each of two edges that are across from each other."""
    said: str = place.values["sides"]
    longer = 0 if other.length(0) >= other.length(1) else 1
    along = longer if said == "long" else 1 - longer if said == "short" else 0 if "front" in said else 1
    sides = ("front", "back") if along == 0 else ("left", "right")
    return [at_edge(part, other, replace(place, values={"side": side}))[0] for side in sides]


def spread_along(part: Part, other: Part, axis: int, middle: tuple[float, float]) -> list[Spot]:
    """One in the middle, or several in a row along an axis."""
    if (part.count or 1) == 1:
        return [Spot(*middle)]
    return row(part, middle, other, axis)


def at_side(part: Part, other: Part, place: Remark) -> list[Spot]:
    """Outside, against a side."""
    if place.values["side"] == "top":
        return spread_along(part, other, 0, middle_of(other))
    head = part.noun.rpartition(" ")[2]
    said_so = "side" in place.said or "face" in place.said
    if is_flat(other) and not said_so and head in STANDING | UPRIGHT:
        return at_edge(part, other, place)
    return beside(part, other, place)


def beside(part: Part, other: Part, place: Remark) -> list[Spot]:
    """Outside, at a distance from a side."""
    axis, sign = SIDE_OF[place.values["side"]]
    along = 1 - axis
    if part.shape.size[along] is None and part.shape.form == "box":
        reach = other.span(along)
        part.shape.size[along] = clean(reach[1] - reach[0])
        part.notes.append(f"as wide as the {other.noun}")
    if part.shape.free:
        size = part.shape.size
        size[2], size[axis] = size[axis], size[2]
        part.shape.axis, part.shape.free = axis, False
    low, high = other.span(axis)
    edge = high if sign > 0 else low
    shift = edge + sign * (part.length(axis) / 2 + (place.values.get("n") or 0.0))
    x, y = middle_of(other)
    middle = (shift, y) if axis == 0 else (x, shift)
    return spread_along(part, other, along, (clean(middle[0]), clean(middle[1])))


def at_sides(part: Part, other: Part, place: Remark) -> list[Spot]:
    """One left and one right, outside."""
    return [
        beside(part, other, Remark("beside", {"side": side, "n": place.values.get("n")}, place.said))[0]
        for side in ("left", "right")
    ]


def at_ends(part: Part, other: Part, place: Remark) -> list[Spot]:
    """One at each end of the longer direction, within the outline."""
    axis = 0 if other.length(0) >= other.length(1) else 1
    lie_across(part, other)
    along = 1 - axis
    if part.shape.size[along] is None:
        part.shape.size[along] = other.length(along)
        part.notes.append(f"as wide as the {other.noun}")
    far = other.length(axis) / 2 - part.length(axis) / 2 - inset_of(part)
    if (
        part.noun.rpartition(" ")[2] not in LOW
        and place.values.get("way") in {"at", "near"}
        and not is_flat(other)
        and not part.all("below", "on")
    ):
        far = other.length(axis) / 2 + part.length(axis) / 2  # against it, from outside
    x, y = middle_of(other)
    if far <= 0:
        raise refuse(place.said, "there is no room for two of them")
    signs = (-1, 0, 1) if place.values.get("too") else (-1, 1)
    return [Spot(clean(x + sign * far), y) if axis == 0 else Spot(x, clean(y + sign * far)) for sign in signs]


def between(part: Part, other: Part, place: Remark) -> list[Spot]:
    """In the room between the two copies of a part; several are spread upwards, as far as the copies reach."""
    if len(other.spots) != 2 or place.values.get("other") is not None:
        raise refuse(place.said, "between which two?")
    one, two = other.spots
    axis = 0 if abs(one.x - two.x) >= abs(one.y - two.y) else 1
    low, high = sorted((one.x, two.x) if axis == 0 else (one.y, two.y))
    room = clean(high - low - other.length(axis))
    if part.shape.size[axis] is None:
        part.shape.size[axis] = room
    along = 1 - axis
    if part.shape.size[along] is None and part.shape.form == "box":
        part.shape.size[along] = other.length(along)
        part.notes.append(f"as deep as the {other.noun}")
    middle = middle_of(other)
    count = part.count or 1
    if count == 1:
        return [Spot(*middle)]
    told = part.one("pitch")
    room_up = other.length(2) - part.length(2)
    step = told.values["n"] if told is not None else room_up / (count - 1)
    if step * (count - 1) > room_up + 1e-6:
        raise refuse(part.said, "there is no room for so many")
    return [Spot(*middle, up=clean(number * step)) for number in range(count)]


BY_SIDES: Final[dict[str, Callable[[Part, Part, Remark], list[Spot]]]] = {
    "corners": at_corners, "rim": at_edge, "rims": at_edges, "side": at_side, "beside": beside, "sides": at_sides, "ends": at_ends, "between": between,
}  # fmt: skip


def counted(part: Part, spots: list[Spot], place: Remark) -> list[Spot]:
    """The spots, where they are as many as there are to be."""
    if (
        part.count is not None
        and part.count != len(spots)
        and not (part.count == 1 and place.values.get("ref") is None)
    ):
        raise refuse(part.said, f"{part.count}, or {len(spots)}?")
    if part.count == 1 and len(spots) > 1 and "each" not in place.said:
        raise refuse(part.said, f"{part.count}, or {len(spots)}?")
    part.count = len(spots)
    return spots


def row(part: Part, middle: tuple[float, float], other: Part | None, axis: int | None = None) -> list[Spot]:
    """Several in a row, around the middle."""
    count = part.count or 1
    told = part.one("row")
    letter: str = (told.values.get("a") or "") if told is not None else ""
    if axis is None:
        axis = "XYZ".index(letter.lstrip("-")) if letter else 0
        if other is not None and not letter and other.length(1) > other.length(0):
            axis = 1
        if other is None and not letter and lies_along_x(part):
            axis = 1  # planks lie side by side
    pitch, gap, spread = part.one("pitch"), part.one("gap"), part.one("spread")
    if axis == 2:
        raise refuse(part.said, "upwards? Say that they are stacked")
    if pitch is not None and gap is None:
        step = pitch.values["n"]
        if step < part.length(axis) - TOUCHING:
            step += part.length(axis)  # a spacing that is less than their width is the room between them
    elif gap is not None and pitch is None:
        step = part.length(axis) + gap.values["n"]
    elif spread is not None and other is not None and pitch is None:
        step = (other.length(axis) - part.length(axis) - 2 * inset_of(part)) / (count - 1)
    else:
        raise refuse(part.said, "how far apart?")
    start = -step * (count - 1) / 2
    spots: list[Spot] = []
    for number in range(count):
        shift = clean(start + number * step)
        spots.append(
            Spot(clean(middle[0] + shift), middle[1]) if axis == 0 else Spot(middle[0], clean(middle[1] + shift))
        )
    return spots


def lies_along_x(part: Part) -> bool:
    """Whether a part is longest along X by far."""
    x, y, z = (part.length(axis) for axis in range(3))
    return x >= LONG * y and x >= z


def looks_of(part: Part) -> Look | None:
    """How a part looks, where that was told."""
    found = part.one("look")
    return found.values["look"] if found is not None else None


def turn_of(part: Part) -> tuple[int, Degrees] | None:
    """How a part is turned, and around which axis."""
    found = part.one("turn")
    if found is None:
        return None
    return "XYZ".index(found.values["a"].lstrip("-")), found.values["angle"]
