"""The sizes of parts: which of the lengths that were told is along which axis, by the shape of the part and by what it is.

A top of 1.6 x 0.8 m, 4 cm thick, lies: (1.6, 0.8, 0.04). A back of 40 x 50 cm, 3 cm thick, stands: (0.4, 0.03, 0.5).
What nobody told is None: places.py may find it by where the part is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.drafting.composer.assembling.told import FORMS, LIKE, Remark
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Vec, clean, refuse
from app.drafting.draft import ValueOutOfRange

LARGEST: Final = 1e5
UPRIGHT: Final = frozenset({
    "leg", "foot", "post", "pole", "column", "pillar", "mast", "stand", "stem", "trunk", "tower", "stile", "support", "chimney", "upright",
    "stud", "candle", "tree", "bollard", "handle", "antenna", "shaft", "obelisk", "stalk", "pedestal", "baluster", "picket",
})  # fmt: skip
"""Parts that are longest upwards."""
STANDING: Final = frozenset({
    "back", "backrest", "wall", "door", "panel", "sign", "screen", "window", "fence", "headboard", "footboard", "gate", "monitor", "partition",
    "mirror", "picture", "frame", "board sign", "billboard", "signboard", "facade", "side wall", "blade", "sail", "flag", "plaque", "poster", "target", "backboard", "backdrop", "pane",
})  # fmt: skip
"""Plates that stand: the last of two lengths is upwards, and the thickness is from front to back."""
RODS: Final = frozenset({
    "pole", "pipe", "rod", "column", "dowel", "log", "drum", "wheel", "disc", "disk", "tube", "mast", "cylinder", "trunk", "barrel", "axle", "bar", "rung", "pillar",
})  # fmt: skip
"""Round parts: where one thickness is told, it is the diameter."""
WHEELS: Final = frozenset({"wheel", "tire", "tyre", "axle"})
"""Round parts that lie across what they carry."""


@dataclass
class Shape:
    """A form with what is known of its size: along X, Y and Z, in metres, as it stands in the scene."""

    form: str
    size: list[float | None]
    axis: int = 2
    """What the axis of a round form is along."""
    upper: float | None = None
    """The upper radius of a cone."""
    minor: float = 0.0
    """The radius of the tube of a torus."""
    free: bool = False
    """Whether nothing says along what it lies, so that what carries it may."""

    @property
    def missing(self) -> list[int]:
        """The axes along which no size was told."""
        return [axis for axis in range(3) if self.size[axis] is None]


@dataclass
class Lengths:
    """The lengths that were told of a part, by their words."""

    by_word: dict[str, float] = field(default_factory=dict[str, float])
    dims: list[float] = field(default_factory=list[float])
    form: str = ""
    along: int | None = None
    said: str = ""

    def take(self, *words: str) -> float | None:
        """The first of these that was told, which is then used up."""
        for word in words:
            if word in self.by_word:
                return self.by_word.pop(word)
        return None


FLATS: Final = frozenset({
    "shelf", "board", "plank", "roof", "slab", "top", "tabletop", "plate", "panel", "wall", "glass", "sheet", "seat", "lid", "back", "deck", "floor", "screen", "slat",
    "tile", "base", "door", "pane", "platform", "tray",
})  # fmt: skip
"""Parts whose one length is their thickness: "a 2 cm shelf"."""


def shape_of(noun: str, remarks: Sequence[Remark], said: str) -> Shape:
    """The shape of a part. Raises `NotUnderstood` where lengths are told twice, or do not fit the form."""
    head = noun.rpartition(" ")[2]
    given = told_lengths(remarks, said, head)
    form = given.form or FORMS.get(head, "")
    round_words = {"radius", "diameter"} & given.by_word.keys()
    if not form and {"upper radius", "lower radius"} & given.by_word.keys():
        form = "cone"
    if not form and round_words:
        form = "cylinder"
    if (
        not form
        and head in RODS
        and len(given.dims) < 2
        and "square" not in given.by_word
        and "wide" not in given.by_word
    ):
        form = "cylinder" if head != "bar" else "box"
    form = form or "box"
    match form:
        case "sphere":
            found = ball(given)
        case "torus":
            found = ring(given)
        case "cylinder" | "cone":
            found = rounded(given, form, head)
        case "prism" | "pyramid":
            found = box(given, head, standing=False)
            found.form = form
        case "plane":
            found = Shape("plane", [*plate(given), 0.0])
        case _:
            against = next((each.values["side"] for each in remarks if each.what == "side"), "top")
            standing = head in STANDING or against != "top"
            turned = against in {"left", "right", "left hand", "right hand"} and bool(given.dims)
            found = box(given, head, standing=standing, upright=any(each.what == "vertical" for each in remarks))
            if turned:  # what is fixed to the left or right side has its thickness along X
                found.size[0], found.size[1] = found.size[1], found.size[0]
            if any(each.what == "squared" for each in remarks):
                other = 2 if standing else 1
                one = found.size[0] if found.size[0] is not None else found.size[other]
                if found.size[0] is None or found.size[other] is None:
                    found.size[0] = found.size[other] = one
    if given.by_word:
        raise refuse(said, f"the {next(iter(given.by_word))} does not fit the rest")
    for length in found.size:
        if length is not None and not 0 <= length <= LARGEST:
            raise ValueOutOfRange([said], f'"{said}": a length above zero was expected')
    return found


def told_lengths(remarks: Sequence[Remark], said: str, head: str) -> Lengths:
    """The lengths among what was told. Raises `NotUnderstood` where one is told twice."""
    found = Lengths(said=said)
    upwards = any(each.what in {"high", "long"} for each in remarks)
    for each in remarks:
        if each.what == "dims":
            value: Vec = each.values["v"]
            if found.dims or (value.unit is not None and value.unit.measures != "length"):
                raise refuse(each.said, "one size in metres was expected")
            found.dims = [positive(part, each.said) for part in value.parts]
        elif each.what == "form":
            form = LIKE[singular(each.values["form"])]
            if found.form not in {"", form}:
                raise refuse(each.said, f"a {found.form}, or a {form}?")
            found.form = form
        elif each.what == "along":
            found.along = "XYZ".index(each.values["a"].lstrip("-"))
        elif each.what == "before":
            word = (
                "thick"
                if head in FLATS or (head in UPRIGHT | RODS and upwards)
                else "high"
                if head in UPRIGHT | RODS
                else "edge"
            )
            found.by_word[word] = positive(each.values["n"], each.said)
        elif each.what in WORDS:
            if each.what in found.by_word:
                raise refuse(each.said, "this length was told before")
            found.by_word[each.what] = positive(each.values["n"], each.said)
    return found


WORDS: Final = frozenset({
    "square", "edge", "wide", "deep", "long", "high", "thick", "radius", "diameter", "major", "minor", "upper radius", "lower radius", "before",
})  # fmt: skip
"""Remarks that tell a length."""


def positive(number: float | None, said: str) -> float:
    """The length. Raises `NotUnderstood` unless it is above zero."""
    if number is None or not 0 < number <= LARGEST:
        raise ValueOutOfRange([said], f'"{said}": a length above zero was expected')
    return clean(number)


def ball(given: Lengths) -> Shape:
    """A sphere: one diameter."""
    across = diameter(given, "edge", "wide", "high")
    if given.dims:
        raise refuse(given.said, "a sphere has one size")
    return Shape("sphere", [across, across, across])


def diameter(given: Lengths, *others: str) -> float | None:
    """The diameter, from the radius where that was told."""
    radius = given.take("radius", "lower radius")
    if radius is not None:
        return clean(2 * radius)
    return given.take("diameter", *others)


def ring(given: Lengths) -> Shape:
    """A torus, lying: its radius and that of its tube."""
    thick = given.take("minor")
    if thick is None:
        whole = given.take("thick")
        thick = whole / 2 if whole is not None else None
    across = diameter(given)
    major = given.take("major") or (across / 2 if across else None)
    if major is None or thick is None or given.dims:
        raise refuse(given.said, "a torus has a radius and a thickness")
    outer = clean(2 * (major + thick))
    size: list[float | None] = [outer, outer, outer]
    axis = 2 if given.along is None else given.along
    size[axis] = clean(2 * thick)
    return Shape("torus", size, axis=axis, minor=thick, free=given.along is None)


def rounded(given: Lengths, form: str, head: str) -> Shape:
    """A cylinder or cone: a diameter, and a length along its axis."""
    upper = given.take("upper radius")
    across = diameter(given)
    if head in WHEELS:
        depth = given.take("wide", "thick", "deep", "long")
    elif across is None and "wide" in given.by_word:
        across, depth = given.take("wide"), given.take("high", "long", "deep", "thick")
    elif across is None:
        depth = given.take("high", "long", "deep")
        across = given.take("thick", "square")
    else:
        depth = given.take("high", "long", "deep", "thick", "wide")
    if given.dims:
        raise refuse(given.said, f"a {form} has a diameter and a length")
    if across is None and form == "cylinder" and "edge" in given.by_word:
        across = given.take("edge")
    axis = 2 if given.along is None else given.along
    size: list[float | None] = [across, across, across]
    size[axis] = depth
    free = given.along is None and head in WHEELS
    return Shape(form, size, axis=axis, upper=upper, free=free)


def plate(given: Lengths) -> list[float | None]:
    """The two lengths of something flat."""
    if len(given.dims) == 2:
        return list(given.dims)
    across = given.take("edge", "square")
    if across is not None:
        return [across, across]
    return [given.take("wide", "long"), given.take("deep", "wide", "long")]


def box(given: Lengths, head: str, *, standing: bool, upright: bool = False) -> Shape:
    """A box: its lengths along the axes, by the words for them; the thickness of one that stands is from front to back."""
    size: list[float | None] = [None, None, None]
    along = given.along
    if len(given.dims) == 3:
        size = list(given.dims)
        if standing and given.dims[2] < min(given.dims[:2]):
            size = [given.dims[0], given.dims[2], given.dims[1]]
        if given.by_word:
            raise refuse(given.said, "three lengths, and another one?")
        return Shape("box", size)
    for word in ("edge", "square"):
        length = given.take(word)
        if length is not None and not given.dims:
            if word == "edge":
                if head not in {"cube", "box", "block", "dice", "die", "seat", "cushion"} and given.by_word:
                    raise refuse(given.said, "along which axis?")
                return Shape("box", [length] * 3 if not given.by_word else squared(given, length))
            given.dims = [length, length]
        elif length is not None:
            raise refuse(given.said, "two lengths, and another one?")
    long = given.take("long")
    upright = (head in UPRIGHT or upright) and along is None
    if len(given.dims) == 2:
        pair = given.dims
        if along is not None or (long is not None and not upright):  # a beam: its section, then its length
            axis = 0 if along is None else along
            others = [each for each in range(3) if each != axis]
            for each, length in zip(others, pair, strict=True):
                size[each] = length
            size[axis] = (
                long if long is not None else given.take("wide" if axis == 0 else "deep" if axis == 1 else "high")
            )
        elif standing and "high" not in given.by_word:
            size = [pair[0], given.take("thick", "deep"), pair[1]]
        else:
            size = [*pair, long if long is not None else given.take("high", "thick")]
        return Shape("box", size)
    wide, size[1], size[2] = given.take("wide"), given.take("deep"), given.take("high")
    if long is None:
        size[0] = wide
    elif upright:
        size[0] = wide
        if size[2] is not None:
            raise refuse(given.said, "its length, or its height?")
        size[2] = long
    else:
        axis, across = (0, 1) if along in {None, 0} else (1, 0) if along == 1 else (2, 0)
        if size[axis] is not None or (wide is not None and size[across] is not None):
            raise refuse(given.said, "along which axis is its length?")
        size[axis] = long
        size[across] = wide if wide is not None else size[across]
    thick = given.take("thick")
    if thick is not None:
        free = [axis for axis in range(3) if size[axis] is None]
        if len(free) == 1:
            size[free[0]] = thick
        elif len(free) == 2 and (
            upright or along is not None or head in {"beam", "bar", "rail", "rung", "pole", "stick", "slat"}
        ):
            size[free[0]] = size[free[1]] = thick
        elif standing and (size[1] is None or size[0] is None):
            size[1 if size[1] is None else 0] = thick
        elif size[2] is None:
            size[2] = thick
        else:
            raise refuse(given.said, "along which axis is it so thick?")
    return Shape("box", size)


def squared(given: Lengths, length: float) -> list[float | None]:
    """A square box of which the height or thickness is told besides."""
    return [length, length, given.take("high", "thick", "deep", "long")]
