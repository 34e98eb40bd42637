"""Moving, turning, scaling, naming, copying, deleting, selecting and relating objects that are there."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Iterator
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many, refuse_bare_text
from app.drafting.composer.grammar import VOCABULARY, step
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import IN_PLACE, STORED, Target, axes, axis, plain_number, quantity, skip, vector
from app.drafting.composer.steps.objects import SIDES, look_along, set_vector
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Degrees, Vec, clean, literal, quoted, refuse

DIRECTIONS: Final = {
    "up": (2, 1.0), "upwards": (2, 1.0), "down": (2, -1.0), "downwards": (2, -1.0), "left": (0, -1.0), "right": (0, 1.0),
    "forward": (1, 1.0), "forwards": (1, 1.0), "back": (1, -1.0), "backwards": (1, -1.0), "upward": (2, 1.0), "downward": (2, -1.0),
}  # fmt: skip


@step(
    "<move> {target:object} (to|at) [position|location|point|coordinates|world] {v:vector}",
    "<set> [location|position] of {target:object} to {v:vector}",
    "<set> {target:object} ['s] (location|position) (to|=) {v:vector}",
    "(location|position) of {target:object} [to|=|:] {v:vector}",
    "{target:object} to {v:vector}",
    "<set> {axis:axis} (location|position|coordinate) of {target:object} (to|=) {n:n}",
    "<set> {target:object} ['s] {axis:axis} (location|position|coordinate) (to|=) {n:n}",
    "<set> {target:object} ['s] (location|position) {axis:axis} (to|=) {n:n}",
)
def move_to(build: Build, target: Target, v: Vec | None, axis: str | None = None, n: float | None = None) -> None:
    """Put objects at a place, or change one coordinate of theirs."""
    if v is None:
        v = Vec(tuple(n if letter == axis else None for letter in "XYZ"))
    if v.unit is not None and v.unit.measures != "length":
        raise refuse(target.said, "a place is no angle")
    with build.each(target) as known:
        if known.var != "obj":
            build.comment("move it there")
        set_vector(build, f"{known.var}.location", v, 0.0, target.said)
    build.note(f"{target.said} -> location")


@slot("shift")
def shift(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[float, float, float]]]:
    """How far something is moved: "2 m up and 1 m left", "by (0, 0, 2)", "0.5 along -Y", "up 2"; "of axes" wants words."""
    total, place = [0.0, 0.0, 0.0], at
    stops: list[tuple[int, tuple[float, float, float]]] = []
    for end, v in vector(reading, skip(reading, at, {"by"}), {}, "") if not of else ():
        parts = [float(each or 0.0) for each in (*v.parts, 0.0)[:3]]
        stops.append((end, (parts[0], parts[1], parts[2])))
    while (found := next(one_shift(reading, skip(reading, place, {"and", "by"})), None)) is not None:
        place, index, far = found
        total[index] += far
        stops.append((place, (total[0], total[1], total[2])))
        place += reading.mark(place) == ","
    yield from sorted(stops, key=lambda each: -each[0])


def one_shift(reading: Reading, at: int) -> Iterator[tuple[int, int, float]]:
    """ "2 m up", "up by 2", "3 along X": the end, the axis and how far."""
    small = {"to", "the", "by", "along", "on", "in", "of", "toward", "towards", "positive", "axis", "direction", "side"}
    if reading.word(at) in DIRECTIONS or reading.word(skip(reading, at, {"to", "the"})) in DIRECTIONS:
        word = skip(reading, at, {"to", "the"})
        for end, far in plain_number(reading, skip(reading, word + 1, {"by", "of"}), {}, ""):
            axis_, sign = DIRECTIONS[reading.word(word)]
            yield end, axis_, sign * far
    for end, far in plain_number(reading, at, {}, ""):
        word = skip(reading, end, small)
        if reading.word(word) in DIRECTIONS:
            axis_, sign = DIRECTIONS[reading.word(word)]
            yield word + 1, axis_, sign * far
        for last, letter in axis(reading, word, {}, "") if word > end else ():
            if {reading.word(each) for each in range(end, last)} & {"local", "own"}:
                continue  # no axis of the world
            yield last, "XYZ".index(letter[-1]), -far if letter.startswith("-") else far


@step(
    "(<move>|snap) {target:object} (to|at|onto) [the] [same] (location|position|place|origin) (of|as) {goal:object of one}",
    "(<move>|snap) {target:object} (to|at|onto) {goal:object of one} ['s] (location|position|place|origin)",
    "(<move>|snap) {target:object} [to] [exactly|right] where {goal:object of one} (is|stands|sits|lies)",
)
def move_onto(build: Build, target: Target, goal: Target) -> None:
    """Put objects where another one is."""
    other = build.one(goal)
    build.line(f"{build.view_layer()}.update()")
    with build.each(target) as known:
        build.line(f"{known.var}.location = {other.var}.matrix_world.translation")
    build.note(f"{target.said} -> where {goal.said} is")


@step(
    "(<move>|shift|translate|offset|nudge) {target:object} [by] {n:n} (along|on|in) (local|own|own local) {axis:axis}",
)
def move_own(build: Build, target: Target, n: float, axis: str) -> None:
    """Move objects along an axis of their own."""
    build.once()
    build.imports("mathutils: Vector")
    far = tuple((-n if axis.startswith("-") else n) if letter == axis[-1] else 0.0 for letter in "XYZ")
    with build.each(target) as known:
        build.line(f"{known.var}.location += {known.var}.rotation_euler.to_matrix() @ Vector({literal(far)})")
    build.note(f"{target.said} -> moved along its own {axis}")


@step(
    "<move> {target:object} {way:shift}",
    "(shift|translate|offset|nudge|push|pull|drag|scoot) {target:object} {way:shift} [« [in] [the] {axis:axis} »]",
    "{verb=raise|lower|lift|sink} {target:object} [up|down] [by] {n:n}",
)
def move_by(
    build: Build, target: Target, way: tuple[float, float, float] | None, n: float | None, verb: str | None,
    axis: str | None = None,
) -> None:  # fmt: skip
    """Move objects by a distance; the axis in brackets is that of the way."""
    if axis and way and {letter for letter, part in zip("XYZ", way, strict=True) if part} != {axis[-1]}:
        raise refuse(axis, "another way?")
    build.not_in_hand(target)
    far = way or (0.0, 0.0, (n or 0.0) * (-1.0 if verb in {"lower", "sink"} else 1.0))
    if not any(far):
        raise refuse(target.said, "how far, and which way?")
    build.once()
    with build.each(target) as known:
        for letter, part in zip("xyz", far, strict=True):
            if part:
                build.line(f"{known.var}.location.{letter} += {literal(clean(part))}")
    build.note(f"{target.said} -> moved by {far}")


HALF_TURN: Final = 180.0


@step(
    "(rotate|turn|tilt|spin) {target:object} ~( [by] {angle:angle} ; (on|about|around|along|in|over) {own=local|its own|its local} {axis:axis} ; [on|about|around|along|in|over] {axis:axis} ; {sense=clockwise|counterclockwise} ; (around|about|through) [its|the] [point|pivot|hinge|pivot point|hinge point|hinges] [at] {pivot:vector} ;"
    " (around|about) [the] {origin=world origin|3d cursor} )",
    "(rotate|turn|tilt|spin) {target:object} [by] {angle:angle} (on|about|around) {axis:axis} and [by] {angle2:angle} (on|about|around) {axis2:axis}",
    "(rotate|turn|spin) {target:object} {round=around} [[by] {angle:angle}]",
)
def rotate_by(
    build: Build,
    target: Target,
    angle: Degrees | None,
    axis: str | None,
    angle2: Degrees | None = None,
    axis2: str | None = None,
    sense: str | None = None,
    pivot: Vec | None = None,
    origin: str | None = None,
    own: str | None = None,
    round: str | None = None,
) -> None:
    """Turn objects around an axis of the world, or their own, by an angle; "turn it around" is half a turn."""
    build.not_in_hand(target)
    if round and (angle is None or angle.value == HALF_TURN):
        angle, axis = Degrees(HALF_TURN), "Z"
    if angle is None or axis is None:
        raise refuse(target.said, "how far, and around which axis?")
    if re.search(
        rf"\b(rotat|turn|spin|twist)\w*\s+{re.escape(target.said)}\s+to\s+[-\d]", build.request, re.IGNORECASE
    ):
        raise refuse(target.said, 'to that angle, or by so much? Say "by", or "set the Z rotation to"')
    build.once()
    build.imports("mathutils: Matrix")
    value = Degrees(-angle.value if axis.startswith("-") != (sense == "clockwise") else angle.value)
    if own:
        with build.each(target) as known:
            build.line(
                f'turned = {known.var}.rotation_euler.to_matrix() @ Matrix.Rotation({build.literal(value)}, 3, "{axis[-1]}")'
            )
            build.line(f"{known.var}.rotation_euler = turned.to_euler({known.var}.rotation_euler.order)")
        build.note(f"{target.said} -> turned by {angle.value:g} degrees around its own {axis}")
        return
    if pivot is not None or origin:
        build.imports("mathutils: Vector")
        place = f"Vector({literal(tuple(float(p or 0.0) for p in pivot.parts) if pivot else (0.0, 0.0, 0.0))})"
        place = f"{build.scene()}.cursor.location.copy()" if origin == "3d cursor" else place
        with build.each(target) as known:
            build.need("current_view_layer")
            build.line(f'pivot = {place}\nturn = Matrix.Rotation({build.literal(value)}, 4, "{axis[-1]}")')
            build.line("current_view_layer().update()")
            build.line(
                f"{known.var}.matrix_world = Matrix.Translation(pivot) @ turn @ Matrix.Translation(-pivot) @ {known.var}.matrix_world"
            )
        build.note(f"{target.said} -> turned by {angle.value:g} degrees around {axis} through a point")
        return
    if angle2 is not None and axis2 is not None:
        rotate_by(build, target, angle2, axis2)
    with build.each(target) as known:
        build.line(
            f'turned = Matrix.Rotation({build.literal(value)}, 3, "{axis[-1]}") @ {known.var}.rotation_euler.to_matrix()'
        )
        build.line(f"{known.var}.rotation_euler = turned.to_euler({known.var}.rotation_euler.order)")
    build.note(f"{target.said} -> turned by {angle.value:g} degrees around {axis}")


@step(
    "(set|change|put) rotation of {target:object} to {v:vector} [degrees|deg]",
    "<set> {target:object} ['s] rotation (to|=) {v:vector} [degrees|deg]",
    "(rotate|turn) {target:object} to {v:vector} [degrees|deg]",
    "(set|change) {axis:axis} rotation of {target:object} to {angle:angle}",
    "(set|change) rotation of {target:object} (around|about|on) {axis:axis} to {angle:angle}",
    "(rotate|turn) {target:object} to {angle:angle} (on|about|around) {axis:axis}",
)
def rotate_to(build: Build, target: Target, v: Vec | None, angle: Degrees | None, axis: str | None) -> None:
    """Set the rotation."""
    if v is None and angle is not None and axis is not None:
        v = Vec(tuple(angle.value if letter == axis[-1] else None for letter in "XYZ"))
    if v is None:
        raise refuse(target.said, "how far?")
    with build.each(target) as known:
        set_vector(build, f"{known.var}.rotation_euler", v, 0.0, target.said, angles=True)
    build.note(f"{target.said} -> rotation")


@step(
    "(scale|stretch|squash) {target:object} ~( (on|along|in) {axis:axis} ; [by|to] [factor|a factor of] {n:n} ; {anchor:anchor} )",
    "scale {target:object} [{way=up|down}] (to|by|of) [factor|factor of|a factor of] {n:n} (on|along|in) {axis:axis} [only]",
    "scale {target:object} (on|along|in) {axis:axis} [only] (to|by) [factor|factor of] {n:n}",
    "scale {target:object} [{way=up|down}] [by|to] [factor|factor of|a factor of] {n:n} [uniformly]",
    "scale {target:object} uniformly by {n:n}",
    "scale {target:object} [by|to] {v:vector}",
    "(set|change) scale of {target:object} to ({v:vector}|{n:n})",
    "(make|scale) {target:object} {n:n} [times] (as big|bigger|larger|as large|as big as it is) [as before]",
    "(make|scale) {target:object} {how=half} (as big|as large|the size|its size)",
    "{how=double|halve} [the] (size|scale) of {target:object} [[only] (in|on|along) {axis:axis} [only]]",
    "{by=shrink|enlarge|grow|scale down|scale up|blow up} {target:object} by {n:n}",
    "(make|scale) {target:object} {how=twice|half|three times} as {side=tall|high|wide|broad|deep|long|thick} [as (before|it is)]",
    "<set> {target:object} ['s] scale (to|=) ({v:vector}|{n:n})",
)
def scale(
    build: Build, target: Target, n: float | None, v: Vec | None, axis: str | None, how: str | None, way: str | None,
    anchor: tuple[str, bool] | None = None, side: str | None = None, by: str | None = None,
) -> None:  # fmt: skip
    """Set the scale of objects that have none; multiply it elsewhere."""
    build.not_in_hand(target)
    factor = {"half": 0.5, "halve": 0.5, "double": 2.0, "twice": 2.0, "three times": 3.0}.get(how or "", n)
    axis = "XYZ"[SIZES[side]] if side else axis
    if by and factor is not None:
        if not re.search(r"[\d.]\s*(%|percent)", build.request) or not 0.0 < factor < 1.0:
            raise refuse(target.said, "by how many percent?")
        factor = clean(1.0 - factor if by in {"shrink", "scale down"} else 1.0 + factor)
    if how is None and re.search(r"%\s*(bigger|larger)\b", build.request) and factor is not None:
        factor += 1.0  # "50 % bigger"
    if way and factor is not None and (factor > 1) != (way == "up"):
        raise refuse(f"{way} by {factor:g}", "larger or smaller?")
    if v is not None:
        if v.unit and v.unit.measures == "length":
            resize(build, target, v.parts)
            return
        parts = [1.0 if part is None else part for part in v.parts]
    elif factor is not None and axis is not None:
        parts = [factor if letter == axis[-1] else 1.0 for letter in "XYZ"]
    elif factor is not None:
        parts = [factor] * 3
    else:
        raise refuse(target.said, "how much?")
    if len(parts) != 3:
        raise refuse(target.said, "three numbers were expected")
    wanted = rf"{re.escape(target.said)}( (on|along|in)( its| the)?( local)? [xyz])? to [\d.]+(?!\s*%)(?![\d.])"
    if axis is not None and re.search(wanted, build.request, re.IGNORECASE):
        with build.each(target) as known, anchored(build, known, anchor):
            build.line(f"{known.var}.scale.{axis[-1].lower()} = {literal(float(factor or 1.0))}")
        build.note(f"{target.said} -> scale {factor} along {axis}")
        return
    build.once()
    with build.each(target) as known, anchored(build, known, anchor):
        if known.var != "obj":
            build.comment("scale it")
        if len(set(parts)) == 1:
            build.line(f"{known.var}.scale *= {literal(float(parts[0]))}")
        else:
            for letter, part in zip("xyz", parts, strict=True):
                if part != 1.0:
                    build.line(f"{known.var}.scale.{letter} *= {literal(float(part))}")
    build.note(f"{target.said} -> scaled by {parts}")


SIZES: Final = {
    "wide": 0, "width": 0, "broad": 0, "deep": 1, "depth": 1, "long": 1, "length": 1, "tall": 2, "high": 2, "height": 2, "thick": 2,
    "thickness": 2,
}  # fmt: skip


@slot("sizes")
def sizes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[float | None, ...]]]:
    """The size of something: "2 x 1 x 0.5 m", "3 m long (X), 1 m wide and 20 cm high", "height 4 m", "2 m in X"."""
    stops: list[tuple[int, tuple[float | None, ...]]] = []
    for end, v in vector(reading, at, {}, ""):
        if len(v.parts) == 3 and v.whole:
            last = skip(reading, end, {"large", "big", "in", "size", "meter"})
            stops.append((last, v.parts))
    parts: list[float | None] = [None, None, None]
    place = at
    while (found := next(one_size(reading, place), None)) is not None and parts[found[1]] is None:
        place, index, value = found
        parts[index] = value
        stops.append((place, tuple(parts)))
        while reading.mark(place) == "," or reading.word(place) in {"and", "with"}:
            place += 1
    yield from sorted(stops, key=lambda each: -each[0])


def one_size(reading: Reading, at: int) -> Iterator[tuple[int, int, float]]:
    """ "3 m long (X)", "height 4 m": the end, the axis, the length."""
    at = skip(reading, at, {"a", "of", "the", "its"})
    found: list[tuple[int, int, float]] = []
    if reading.word(at) in SIZES:
        start = skip(reading, at + 1, {"of", "to", "is"})
        start += reading.mark(start) in {"=", ":"}
        found += [(end, SIZES[reading.word(at)], value) for end, value in plain_number(reading, start, {}, "length")]
    for middle, given in quantity(reading, at, {}, "length"):
        word = skip(reading, middle, {"in", "along", "on"})
        if reading.word(word) in SIZES:
            found.append((word + 1, SIZES[reading.word(word)], given.value))
        if word > middle:
            found += [
                (end, "XYZ".index(letter), given.value)
                for end, letter in axis(reading, word, {}, "")
                if letter in "XYZ"
            ]
    for end, index, value in found:
        opened = reading.mark(end) == "("
        said = next(axis(reading, end + opened + (reading.word(end + opened) in {"in", "along"}), {}, ""), None)
        if said is not None and said[1] in {"X", "Y", "Z"} and (not opened or reading.mark(said[0]) == ")"):
            yield said[0] + opened, "XYZ".index(said[1]), value
        yield end, index, value


ANCHORS: Final = {"foot": "-Z", "feet": "-Z", "base": "-Z", "footing": "-Z"}


@slot("anchor")
def anchor_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, bool]]]:
    """The side that stays where it is: "keep its foot on the ground", "from its base"; whether it is on the ground."""
    for matcher in ANCHORINGS:
        for end, found in matcher(reading, at, {}):
            word = str(found.get("side") or "bottom")
            yield end, (ANCHORS.get(word) or FACE_SIDES[word], "ground" in found)


FACE_SIDES: Final = {
    "bottom": "-Z", "underside": "-Z", "top": "Z", "left": "-X", "right": "X", "front": "-Y", "back": "Y",
}  # fmt: skip
SIDE_WORDS: Final = "|".join([*FACE_SIDES, *ANCHORS])
GROUNDED: Final = "{ground=on ground|on floor|at z = 0|on z = 0|at ground level|at height 0}"
ANCHORINGS: Final = [
    compile_pattern(pattern)
    for pattern in (
        f"[and|while|but|so that] (keep|keeping|leave|leaving|with|hold|holding) {{side={SIDE_WORDS}}} [side|face|edge|end|point] [resting|standing|staying|fixed|anchored] {GROUNDED}",
        f"[and|while|but|so that] (keep|keeping|leave|leaving|with|hold|holding) {{side={SIDE_WORDS}}} [side|face|edge|end|point] [staying] (fixed|in place|where it is|where it was|unchanged|anchored|put|at its place|stationary)",
        f"(so that|so|while|but|and) {{side={SIDE_WORDS}}} [side|face|edge|end] (stays|stay|remains|remain|keeps|is kept) {GROUNDED}",
        f"(so that|so|while|but|and) {{side={SIDE_WORDS}}} [side|face|edge|end] (stays|stay|remains|remain) (where it is|where it was|in place|fixed|put|unchanged)",
        f"[and|while|but] (from|about|around|anchored at|anchored to|growing from|measured from) {{side={SIDE_WORDS}}} [up|upwards]",
        f"{{side={SIDE_WORDS}}} {GROUNDED}",
        f"{{side={SIDE_WORDS}}} [side|face|edge|end] (stays|stay|remains|remain|fixed|kept|is kept) [fixed] (where it is|where it was|in place|put|unchanged)",
        f"[and|while|but] (keep|keeping|leave|leaving) it [standing|sitting|resting] {GROUNDED}",
        f"[and|while|but|so that] [it] (standing|sitting|resting|stands|sits|rests) {GROUNDED}",
    )
]
VOCABULARY.update(
    f"{SIDE_WORDS} keeping leaving holding staying stationary anchored growing measured".replace("|", " ").split()
)


@contextlib.contextmanager
def anchored(build: Build, known: Known, anchor: tuple[str, bool] | None) -> Generator[None, None, None]:
    """Lines that put a side of an object back where it was, or on the ground, after its size was changed."""
    if anchor is None:
        yield
        return
    side, ground = anchor
    build.need("world_corners")
    letter, pick = side[-1].lower(), "min" if side.startswith("-") else "max"
    measure = f"{pick}(corner.{letter} for corner in world_corners({known.var}))"
    if not ground:
        build.line(f"anchor = {measure}")
    yield
    build.line(f"{known.var}.location.{letter} += {'-' if ground else 'anchor - '}{measure}")


EVEN: Final = (
    "{even=proportional|in proportion|keep proportions|keeping proportions|proportionally|uniformly|keep aspect ratio}"
)
HOW_SIZED: Final = (
    f"~( {{anchor:anchor}} ; [and|but] {EVEN} ;"
    " [with|and|so that] scale [is|being|stays|left] [back] {applied=applied|at|to|reset} [{ones:vector}|{one:n}] [after|afterwards] )"
)


@step(
    f"(make|resize|scale|size|stretch|shrink|let|grow) {{target:object}} [to] [be] [exactly|a size of|a total of|so that it is] {{v:sizes}} [in total|overall|in size] {HOW_SIZED}",
    "(scale|resize) {target:object} {even=uniformly|proportionally} ~( [so that it is|to be|until it is|to] [exactly] {v:sizes} ; {anchor:anchor} )",
    f"[{{target:object}} (to|becomes|measures|[should|must|shall|is to|has to] measure)] [be|is] [exactly] {{v:sizes}} {HOW_SIZED}",
    f"<set> (dimensions|size) of {{target:object}} (to|=) {{v:sizes}} {HOW_SIZED}",
    f"<set> {{target:object}} ['s] (dimensions|size) (to|=) {{v:sizes}} {HOW_SIZED}",
    f"<set> {{way=height|width|depth|length|thickness}} of {{target:object}} (to|=) {{n:n}} {HOW_SIZED}",
    f"<set> {{target:object}} ['s] {{way=height|width|depth|length|thickness}} (to|=) {{n:n}} {HOW_SIZED}",
)
def resize(
    build: Build, target: Target | None, v: tuple[float | None, ...] | None, n: float | None = None, way: str | None = None,
    even: str | None = None, anchor: tuple[str, bool] | None = None, applied: str | None = None, ones: Vec | None = None,
    one: float | None = None,
) -> None:  # fmt: skip
    """Set the dimensions of objects, and move the scale that gives them into their data where that was said."""
    if v is None:
        v = tuple(n if place == SIZES[way or "width"] else None for place in range(3))
    if target is None and build.it is None:
        raise refuse("size", "of which object?")
    if len(v) != 3 or any(part is not None and part <= 0 for part in v):
        raise refuse("size", "three numbers above zero were expected")
    if TIMES_AS_LONG.search(build.request):
        raise refuse("size", "how many times what it is, or so many meters?")
    if target is None and "modifiers:SOLIDIFY" in build.used and v[2] is not None:
        raise refuse("size", "the thickness of the modifier, or of the object?")
    left = {1.0 if part is None else part for part in (ones.parts if ones else (one,))}
    if left != {1.0} or (applied in {"at", "to"} and ones is None and one is None):
        raise refuse("scale", "a scale of 1 was expected")
    said = [(letter, part) for letter, part in zip("xyz", v, strict=True) if part is not None]
    if even and len(said) != 1:
        raise refuse(even, "one length was expected")
    build.view_layer()
    with build.each(target) as known, anchored(build, known, anchor):
        build.line("view_layer.update()")
        for letter, part in said:
            scaled = f"{known.var}.scale" if even else f"{known.var}.scale.{letter}"
            build.line(f"{scaled} *= {literal(float(part))} / {known.var}.dimensions.{letter}")
        if applied:
            write_applied(build, known, frozenset({"scale"}))
    build.note("dimensions")


TIMES_AS_LONG: Final = re.compile(
    r"\b(double|twice|triple|half|quarter) (the |its )?(height|width|depth|length|thickness)", re.IGNORECASE
)
"""Words by which a number tells how many times: "double thickness" is no two meters."""
TRANSFORMS: Final = ("location", "rotation", "scale")


@step(
    "apply [the] {parts:transform_parts} (on|of|to|for) {target:object}",
    "apply {target:object} ['s] {parts:transform_parts}",
    "apply [the] {parts:transform_parts}",
    "freeze [the] {parts:transform_parts} (on|of|to|for) {target:object}",
)
def apply_transform(build: Build, parts: frozenset[str], target: Target | None) -> None:
    """Move the transform of objects into their data."""
    with build.each(target) as known:
        if known.type == "CAMERA":
            raise refuse(target.said if target else "", "a camera has no data to take it")
        write_applied(build, known, parts)
    build.note(f"apply {', '.join(sorted(parts))}")


def write_applied(build: Build, known: Known, parts: frozenset[str]) -> None:
    """The lines that move parts of a transform into the data, where the object has some."""
    build.once()
    build.need("apply_transform")
    switches = ", ".join(f"{name}={name in parts}" for name in TRANSFORMS)
    unknown = known.var == "obj" and not known.type
    with (
        build.block('if obj.type in {"MESH", "CURVE", "FONT", "ARMATURE", "LATTICE"}:')
        if unknown
        else contextlib.nullcontext()
    ):
        build.line(f"apply_transform({known.var}, {switches})")


@step(
    "rename {target:object} [to|into|as] {name:name} {data=its data too|and its data|with its data|its data as well|and its mesh too}",
    "rename {target:object} [to|into|as] {name:name}",
    "(call|name) {target:object} {name:name}",
    "rename [the] {it=object|result|mesh|copy} [to|into|as] {name:quoted}",
    "(change|set) name of {target:object} to {name:name}",
    "(give|rename) {target:object} [the] name {name:name}",
    "rename [the] original [to|into|as] {name:name}",
)
def rename(build: Build, target: Target | None, name: str, data: str | None, it: str | None = None) -> None:
    """Give an object another name."""
    if it is not None:
        if build.it is None or any(each.name == name for each in build.known):
            raise refuse(name, "another name for which object?")
        target = Target("it", said="it")
    if target is not None and target.how == "word" and target.name.lower() in STORED:
        raise refuse(target.said, "no object is meant")
    topic: Any = build.topic
    var = str(getattr(topic, "var", ""))
    named = target is not None and target.said.lower() in {"it", "this"}
    if named and var and getattr(topic, "title", "") == "action":
        # "assign the action to the rig, give it a fake user, and rename it": the action has the fake user
        if build.memory.get("_kept") is not topic:
            raise refuse("it", "the action, or the object?")
        build.once()
        build.line(f"{var}.name = {quoted(name)}")
        build.note(f'action renamed to "{name}"')
        return
    known = original(build) if target is None else build.one(target)
    if target is not None and known.made and known.name == "" and target.how == "it":
        build.line(f"{known.var}.name = {quoted(name)}")
    else:
        build.once()
        build.comment("rename it")
        build.line(f"{known.var}.name = {quoted(name)}")
    if data:
        build.need("expect")
        build.line(f"expect({known.var}.data, bpy.types.ID).name = {quoted(name)}")
    known.name = name
    build.note(f'{target.said if target else "the original"} -> renamed to "{name}"')


def original(build: Build) -> Known:
    """What was copied last."""
    found = next((each for each in reversed(build.known) if each.kind.startswith("original ")), None)
    if found is None:
        raise refuse("the original", "nothing was copied")
    found.kind = found.kind.removeprefix("original ")
    return found


@step(
    "(name|rename) [its|the] (data|mesh) [block] [to|too|also] {name:name}", "its (data|mesh|curve) [too|as well|also]"
)
def rename_data(build: Build, name: str | None) -> None:
    """Give the data of an object its name, or another one."""
    known = build.one(None)
    build.need("expect")
    build.line(f"expect({known.var}.data, bpy.types.ID).name = {quoted(name) if name else known.var + '.name'}")


NO_OBJECT: Final = re.compile(
    r"(the |a |my )?(handler|timer|operator|panel|menu|shortcut|hotkey|keymap|class|function|add-?on)\b", re.I
)
"""What is not an object, and has a name too."""


@step(
    "<remove> {target:object} [[,] [and|together|along] [with|as well as] [its|their|the] (mesh|meshes|data|mesh data) [that] [only] [they use|it uses|they used|no one else uses] [too]]",
    "<remove> {target:object} (and|with|including|together with|along with) [all] [of] (its|their|the) {family=children|descendants|child objects|hierarchy|whole hierarchy}",
    "no {target:object}",
    "without {target:object}",
)
def delete(build: Build, target: Target, family: str | None = None) -> None:
    """Delete objects, perhaps with all that hangs below them, and their data that nothing else uses."""
    role = target.how == "word" and target.name.lower() in build.roles
    each_one = build.looping and target.how == "it" and isinstance(build.it, Many)
    if (target.how in {"it", "word"} and not (role or each_one)) or (
        target.how == "them" and not isinstance(build.it, Many)
    ):
        raise refuse(target.said, "say which object is to be deleted")
    if target.how == "named" and NO_OBJECT.match(target.said):
        raise refuse(target.said, "an object, or a part of an add-on?")
    refuse_bare_text(target.said)
    if target.how == "selected" and re.search(
        r"\b(clear|empty) (the |current |my )*selection", build.request, re.IGNORECASE
    ):
        raise refuse(target.said, "the objects, or that they are selected?")
    build.once()
    build.need("remove_object")
    found = build.objects(target)
    build.comment(f"delete {target.said}")
    if isinstance(found, Known):
        cutter, owner = build.memory.get("_needed", (None, None))
        if found is cutter and owner is not None:
            from app.drafting.composer.steps.modifiers import apply_modifier

            kind = build.lexicon.kind("modifiers", "BOOLEAN")
            apply_modifier(build, kind, Target("known", owner.var), None, None)  # it would lose its effect
        if found.made:
            raise refuse(target.said, "the request makes it")
        if family:
            build.line(f"for child in {found.var}.children_recursive:\n    remove_object(child)")
        build.line(f"remove_object({found.var})")
        build.known[:] = [each for each in build.known if each is not found]
    elif family:
        raise refuse(target.said, "with the children of each? Name one object")
    else:
        with build.block(f"for obj in {found.expression}:"):
            build.line("remove_object(obj)")
        build.known[:] = [each for each in build.known if each not in found.members]
    spared = [ref for each in target.where if "not in" in each.test for ref in each.refs]
    build.it = build.one(spared[0]) if len(spared) == 1 and spared[0].how == "named" else None
    build.memory["_deleted"] = True
    build.note(f"{target.said} -> deleted")


@step("(clear|empty|wipe|clean out) [out] [the|this] [whole|entire|current] scene [completely]")
def clear_scene(build: Build) -> None:
    """Delete every object of the scene."""
    delete(build, Target("all", said="all objects"))


COPY: Final = (
    "~( [as|with] [a|an] {linked=linked copy|linked duplicate|linked mesh|linked data|linked|instance|linked instance} ; [with|keeping] [the|its] {shared=same mesh|same data|sharing the mesh|sharing its mesh|mesh shared} ;"
    " (<called>|call it|name it|and call it|and name it|call the copy|name the copy) {name:name} ; (at|to|in|and move it to|and move the copy to|and place it at|placed at) [position|location] {v:vector} ;"
    " (at|in|on) [the] (same|original|its) (place|spot|location|position) ; [moved|offset|shifted|and move it|and move the copy|and shift it|moved over] [by] {way:shift of axes} )"
)


@step(
    f"(duplicate|copy|clone) {{target:object}} {COPY}",
    f"<add> [{{linked=linked}}] (copy|duplicate|clone) of {{target:object}} {COPY}",
    f"<add> {{linked=instance|linked instance}} of {{target:object}} {COPY}",
)
def duplicate(
    build: Build, target: Target, linked: str | None, name: str | None, v: Vec | None, shared: str | None = None,
    way: tuple[float, float, float] | None = None,
) -> None:  # fmt: skip
    """Copy an object, or several beside their originals."""
    build.once()
    build.need("duplicate")
    if isinstance(many := build.objects(target), Many):
        if name or v is not None:
            raise refuse(target.said, "one object is meant here")
        build.line("copies: list[bpy.types.Object] = []")
        several = many.expression if many.expression.startswith("[") else f"list({many.expression})"
        with build.block(f"for obj in {several}:"):
            build.line(f"copy = duplicate(obj, obj.name, linked={bool(linked or shared)})\ncopies.append(copy)")
            for letter, part in zip("xyz", way or (), strict=False):
                if part:
                    build.line(f"copy.location.{letter} += {literal(clean(part))}")
        build.it = Many("copies", many.type)
        build.note(f"{target.said} -> copied")
        return
    source = build.one(target)
    var = build.var(name or "copy")
    build.comment("make the copy")
    build.line(
        f"{var} = duplicate({source.var}, {quoted(name) if name else f'{source.var}.name'}, linked={bool(linked or shared)})"
    )
    if not source.kind.startswith("original "):
        source.kind = f"original {source.kind}"
    copy = build.add_known(Known(var, name or "", source.type, "copy", source.data, made=True))
    if v is not None:
        set_vector(build, f"{var}.location", v, 0.0, target.said)
    for letter, part in zip("xyz", way or (), strict=False):
        if part:
            build.line(f"{var}.location.{letter} += {literal(clean(part))}")
    build.it = copy
    build.note(f"{target.said} -> copied" + (f' as "{name}"' if name else ""))


ROW: Final = "~( [times|time] ; [each] [spaced|spaced by] [with|by] [a] [spacing of|gap of|offset of|distance of] {gap:n} [apart|spacing|between them] ; (along|on|in) {axis:axis} ; [as] {linked=linked|linked copies|linked duplicates|instances} )"


@step(
    f"<add> {{n:int}} [{{linked=linked}}] (copies|duplicates) of {{target:object}} {ROW}",
    f"<add> {{n:int}} {{linked=instances}} of {{target:object}} {ROW}",
    f"(duplicate|copy) {{target:object}} {{n:int}} {ROW}",
)
def copies(build: Build, target: Target, n: int, gap: float | None, axis: str | None, linked: str | None) -> None:
    """Copies in a row beside an object."""
    if gap is None or axis is None:
        raise refuse(target.said, "how far apart, along which axis?")
    if not 1 <= n <= 1000:
        raise refuse(str(n), "how many?")
    source = build.one(target)
    build.once()
    build.need("duplicate")
    sign = -1.0 if axis.startswith("-") else 1.0
    with build.block(f"for number in range(1, {n + 1}):"):
        build.line(f"copy = duplicate({source.var}, {source.var}.name, linked={bool(linked)})")
        build.line(f"copy.location.{axis[-1].lower()} += {literal(sign * gap)} * number")
    build.note(f"{n} copies")


@step(
    "(duplicate|copy) {target:object} {n:int} [times|time] [,] [and] [place|put|move] [the] copies (at|to) {places:places} [,] [and] [<called> (them|the copies)] [name them|call them] {names:names}",
    "(duplicate|copy) {target:object} {n:n} [times|time] [,] [and] [place|put|move] [the] copies (at|to) {places:places} [,] [and] [<called> (them|the copies)] [name them|call them] {names:names}",
)
def duplicate_to(build: Build, target: Target, n: float, places: list[Vec], names: list[str]) -> None:
    """Copy an object to several places under several names."""
    if not (int(n) == len(places) == len(names)):
        raise refuse(target.said, "as many copies as places and names were expected")
    source_target = target
    for place_, name in zip(places, names, strict=True):
        duplicate(build, source_target, None, name, place_)
    copies = build.known[-len(names) :]
    build.it = Many(f"({', '.join(each.var for each in copies)})", members=copies)


@step(
    "(join|merge|combine) {target:object} [together] [into] [one|a single] [object|mesh] [[<called>] {name:name}]",
    "(join|merge|combine) {target:object} into [the (geometry|mesh) of] {into:object of one}",
    "(join|merge|combine) {target:object} (with|to) {into:object of one} [together] [into] [one|a single] [object|mesh]",
)
def join(build: Build, target: Target, name: str | None, into: Target | None) -> None:
    """Join meshes into one object."""
    found = build.objects(target)
    if isinstance(found, Known) and into is None:
        raise refuse(target.said, "several objects are needed to join them")
    build.once()
    build.need("only_selected")
    build.comment("join them")
    if isinstance(found, Known) or into is not None:
        goal = build.one(into) if into else found
        if not isinstance(goal, Known):
            raise refuse(target.said, "into which one?")
        sources = (
            found.var if isinstance(found, Known) else f"*(each for each in {found.expression} if each != {goal.var})"
        )
        build.line(f"only_selected({sources}, {goal.var})")
        build.line("bpy.ops.object.join()")
        build.it = goal
    elif found.members:
        goal = found.members[0]
        build.line(f"only_selected({', '.join(each.var for each in [*found.members[1:], goal])})")
        build.line("bpy.ops.object.join()")
        build.known[:] = [each for each in build.known if each not in found.members[1:]]
        build.it = goal
    else:
        var = build.var("joined")
        build.line(f'{var} = [each for each in {found.expression} if each.type == "MESH"]')
        build.line(f"only_selected(*reversed({var}))")
        build.line("bpy.ops.object.join()")
        goal = build.add_known(Known(f"{var}[0]", type="MESH"))
    if name:
        build.line(f"{goal.var}.name = {quoted(name)}")
        goal.name = name
    build.note(f"{target.said} -> joined")


@step(
    f"parent {{target:object}} (to|under|with|onto) {{parent:object of one}} [and|but] [{IN_PLACE}]",
    f"(make|set) {{parent:object of one}} [be] [the|as the] parent of {{target:object}} [and|but] [{IN_PLACE}]",
    f"(make|set) {{target:object}} [be] [a|the|as] (child|children) of {{parent:object of one}} [and|but] [{IN_PLACE}]",
    "keep {target:object} parented to {parent:object of one}",
)
def parent(build: Build, target: Target, parent: Target) -> None:
    """Parent objects; they keep their place in the world, as Blender's own command does."""
    goal = build.one(parent)
    build.view_layer()
    build.comment("parent it; its place in the world stays")
    with build.each(target) as known:
        lines = (
            f"view_layer.update()\n"
            f"placed = {known.var}.matrix_world.copy()\n"
            f"{known.var}.parent = {goal.var}\n"
            f"{known.var}.matrix_parent_inverse = {goal.var}.matrix_world.inverted()\n"
            f"{known.var}.matrix_world = placed"
        )
        condition = (
            f"if {known.var}.parent != {goal.var}:"
            if known.var != "obj"
            else f"if obj not in ({goal.var}, {goal.var}.parent):"
        )
        with build.block(condition):
            build.line(lines)
    build.note(f"{target.said} -> child of {parent.said}")


@step(
    "(unparent|clear parent of|clear the parent of|remove the parent of|remove parent from|clear parents of) {target:object} [and|but] [{keep:in_place}]",
    "(clear|remove) all (parents|parenting|parent relations) [and|but] ~( {keep:in_place} )",
)
def unparent(build: Build, target: Target | None, keep: str | None) -> None:
    """Clear the parent; the place in the world stays where this was said."""
    target = target or Target("all", said="all objects")
    build.view_layer()
    with build.each(target) as known:
        if keep:
            build.line("view_layer.update()")
            build.line(f"placed = {known.var}.matrix_world.copy()")
        build.line(f"{known.var}.parent = None")
        if keep:
            build.line(f"{known.var}.matrix_world = placed")
    if keep:
        build.once()
    build.note(f"{target.said} -> no parent")


@step(
    "create (the|an) active object if [it is|there is] (missing|none)",
    "(if there is no active object|if no object is active) [,] (add|create) a cube",
    "(create|add) a cube if (there is no active object|no object is active)",
)
def ensure_active(build: Build) -> None:
    """Add a cube and make it active if there is no active object."""
    build.need("active_or_new_cube")
    known = build.add_known(Known(build.var("active"), kind="active"))
    build.line(f"{known.var} = active_or_new_cube()")
    build.it = known
    build.note("the active object, if missing -> a new cube, made active")


@step(
    "select [only|exactly] [those] {target:object} ~( nothing else ; (deselect|unselect) [the|all|everything] (rest|others|else|other objects) )",
)
def select(build: Build, target: Target) -> None:
    """Select objects and no others."""
    build.need("only_selected")
    found = build.objects(target)
    build.line(f"only_selected({found.var if isinstance(found, Known) else '*' + found.expression})")
    build.note(f"{target.said} -> selected")


@step(
    "(deselect|unselect) {target:object}",
    "[take|leave|remove] {target:object} (out of|from) the selection",
    "{invert=invert} [the] [current] selection",
    "select [the] {invert=inverse} [of the (selection|selected)]",
    "{invert=swap|flip} the selection",
    "{all=deselect all|deselect everything|nothing selected|select nothing|clear the selection|empty the selection}",
)
def deselect(build: Build, target: Target | None, all: str | None, invert: str | None = None) -> None:
    """Deselect objects, or select what is not selected instead of what is."""
    if invert:
        build.once()
        build.line(f"for obj in {build.view_layer()}.objects:\n    obj.select_set(not obj.select_get())")
        build.note("selection inverted")
        return
    if all or target is None:
        build.need("only_selected")
        build.line("only_selected()")
    else:
        with build.each(target) as known:
            build.line(f"{known.var}.select_set(False)")
    build.note("deselected")


@step(
    "(make|set) {target:object} [the|as|as the] active [object]",
    "(make|set) {target:object} [the|as|as the] active one",
    "activate {target:object}",
    "[the] active [object] [:|is|=|should be] {target:object}",
    "{target:object} (is|as|becomes|should be|should become|has to be) [the] active (object|one)",
)
def activate(build: Build, target: Target) -> None:
    """Make an object the active one."""
    known = build.one(target)
    if known.type == "CAMERA":
        build.line(f"{build.scene()}.camera = {known.var}")
    else:
        build.line(f"{build.view_layer()}.objects.active = {known.var}\n{known.var}.select_set(True)")
    build.note(f"{target.said} -> active")


@step(
    "hide {target:object} [afterwards|then|again] {where:visibility}",
    "{show=show|unhide} {target:object} {where:visibility}",
    "hide {where:visibility} [:] {target:object}",
    "{show=show|unhide} {where:visibility} [:] {target:object}",
    "hide {target:object}",
    "{show=unhide|show} {target:object}",
    "make {target:object} invisible {where:visibility}",
    "disable {target:object} {where:visibility}",
)
def hide(build: Build, target: Target, where: frozenset[str] | None, show: str | None) -> None:
    """Hide objects in the viewport, in renders, or in both."""
    hidden = not show
    if target.said.lower().startswith("the emitter") and where != frozenset({"hide_viewport"}):
        raise refuse(target.said, "hidden in renders it would emit nothing")
    collections: dict[str, str] = build.memory.get("_collections", {})
    held = build.memory.get("_held")
    if target.said.lower() == "it" and held is not None and held is build.it:
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"bpy.data.collections[{quoted(build.memory['_named'][0])}].{attribute} = {hidden}")
        build.note(f"the collection -> {'hidden' if hidden else 'shown'}")
        return
    if target.how == "named" and target.name in collections:
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"{collections[target.name]}.{attribute} = {hidden}")
        build.note(f"{target.said} -> {'hidden' if hidden else 'shown'}")
        return
    with build.each(target) as known:
        for attribute in sorted(where or {"hide_viewport", "hide_render"}):
            build.line(f"{known.var}.{attribute} = {hidden}")
        if show and not where:  # Alt H
            build.line(f"if {known.var}.name in {build.view_layer()}.objects:\n    {known.var}.hide_set(False)")
    build.note(f"{target.said} -> {'hidden' if hidden else 'shown'}")


GROUND: Final = "(ground|floor|ground plane|floor plane|ground level|grid floor)"
FLOOR: Final = "(ground|floor|ground plane|floor plane|ground level|z = 0|z 0)"
LOWEST: Final = "(lowest point|lowest vertex|bottom|base|foot|feet|underside|lowest part)"
SITS: Final = "(sit|stand|rest|lie|sits|stands|rests|lies|touch|touches)"
LOWERED: Final = f"~( [so|so that|with|until] [its|the|their] {LOWEST} [is|sits|rests|touches|lies] [at|on] {FLOOR} ; (at|on) z = 0 )"


@step(
    f"(snap|drop|place|put|move|align|set|shift|lift|lower|raise|lay) {{target:object}} [straight] [down] (to|on|onto) {GROUND} {LOWERED}",
    f"(stand|sit|rest|drop) {{target:object}} [straight] [down] (on|onto|at) {FLOOR} {LOWERED}",
    f"(let|make|have) {{target:object}} {SITS} [flat] (on|at) {FLOOR} {LOWERED}",
    f"(move|shift|drop|lift|lower|put|place|raise) {{target:object}} [up or down|vertically|up|down] (so|so that|until) (it|its|the) [{LOWEST}] (is|{SITS}) (on|at) {FLOOR}",
    f"(move|shift|drop|lift|lower|put|place|raise) {{target:object}} [up or down|vertically|up|down] [so|so that|until] [its|the] {LOWEST} (is|{SITS}) (on|at) {FLOOR}",
    f"(keep|leave) [{{target:object}}] ['s] [{LOWEST}] [standing|sitting|resting] (on|at) {FLOOR}",
    f"(move|shift|drop|lift|lower|put|place) {{target:object}} [straight] [up or down|vertically|up|down] (so that|until) [its|the|their] {LOWEST} [of (the object|it|each|each object)] (is|are|sits|rests|touches|reaches|lies)"
    " [at|on] [a] [height|z|height of] [given by|=|of] [a|the] [float] [property] {height:n}",
    f"(move|shift|put|set|place|drop|snap|lift) {{target:object}} ['s|with] [its|their|the] {LOWEST} (to|at|on|onto) [z|height] [=|of] {{height:n}}",
)
def to_ground(build: Build, target: Target | None, height: float | None = None) -> None:
    """Move objects vertically so that their lowest point is at a height, zero where none was said."""
    build.need("world_corners")
    with build.each(target) as known:
        goal = f"{literal(float(height))} - " if height else "-"
        build.line(f"{known.var}.location.z += {goal}min(corner.z for corner in world_corners({known.var}))")
    build.note(f"its lowest point at z = {height or 0:g}")


EVERY_ONE: Final = "{every=all|both|all of them|all three|each|all four|both of them|each of them}"


@step(
    "(point|aim|turn|rotate|direct) {target:object} [so that it looks] (at|to|towards|toward) {goal:object of one}",
    "(point|aim|direct) {target:object} (at|to|towards) {place:vector}",
    "(let|make) {target:object} (look|point|looks|face) (at|to|towards) {goal:object of one}",
    "(let|make) {target:object} (look|point|looks|face) (at|to|towards) {place:vector}",
    "{target:object} (looks|look|points|aims|should look) (at|to|towards) {goal:object of one}",
    f"[{EVERY_ONE}] (aimed|pointed|pointing|looking|facing) (at|to|towards) {{goal:object of one}}",
    f"[{EVERY_ONE}] (aimed|pointed|pointing|looking|facing) (at|to|towards) {{place:vector}}",
    "{target:object} (pointed|aimed|pointing|looking) (at|to|towards) {goal:object of one}",
)
def aim(build: Build, target: Target | None, goal: Target | None, place: Vec | None, every: str | None = None) -> None:
    """Turn cameras and lights so that they look somewhere."""
    if every and target is None:  # "a key light ..., a fill light ..., all aimed at the origin"
        made = [each for each in build.known if each.made and each.type in {"LIGHT", "CAMERA"}]
        if len(made) < 2:
            raise refuse(every, "which ones?")
        for each in made:
            aim(build, Target("known", each.var, said=each.var), goal, place)
        return
    build.need("aim")
    found = build.objects(target)
    wanted = build.one(goal) if goal else None
    expression = (
        f"{wanted.var}.matrix_world.translation"
        if wanted
        else f"Vector({literal(tuple(float(p or 0.0) for p in (place.parts if place else ())))})"
    )
    if wanted is None:
        build.imports("mathutils: Vector")
    if isinstance(found, Known):
        build.line(f"aim({found.var}, {expression})")
        build.it = found
    else:
        with build.block(f"for obj in {found.expression}:"):
            build.line(f"aim(obj, {expression})")
        build.it = found
    build.note("aimed")


@step(
    "(point|aim|turn|rotate) {target:object} [straight] {way=down|up|downwards|upwards}",
    "(let|make) {target:object} (look|point) [straight] {way=down|up|downwards|upwards}",
    "(let|make|point|aim|turn) {target:object} [look|point|to look] [along|in|towards] {axis:axis}",
    "[straight] (looking|pointing|facing) [along|in|towards] {axis:axis}",
)
def aim_way(build: Build, target: Target | None, way: str | None, axis: str | None) -> None:
    """Turn a camera or a light straight down, up, or along an axis."""
    axis = axis or ("-Z" if (way or "").startswith("down") else "Z")
    look_along(build, build.object(target), axis)
    build.note(f"looks along {axis}")


@step(
    "(center|centre) {target:object} [at] [the] (origin|world origin)",
    "(move|place|put|shift) {target:object} so that [the|its] origin (sits|is|lies|ends up|comes to lie) (at|on|in) [the] (world origin|world center|center of the world)",
    "(reset|clear|zero|zero out) [the|all] [the] {parts:transform_parts} [(of|on|for) {target:object}]",
)
def reset(build: Build, target: Target | None, parts: frozenset[str] | None) -> None:
    """Set the transform back."""
    with build.each(target) as known:
        for part in sorted(parts or {"location"}):
            if part == "location":
                build.line(f"{known.var}.location = (0.0, 0.0, 0.0)")
            elif part == "rotation":
                build.line(f"{known.var}.rotation_euler = (0.0, 0.0, 0.0)")
            else:
                build.line(f"{known.var}.scale = (1.0, 1.0, 1.0)")
    build.note("transform reset")


@step(
    f"(put|place|move|keep|hold|set|position) {{target:object}} [exactly] {{n:n}} {{side={'|'.join(SIDES)}}} [wherever|the position of] {{goal:object of one}} [is] [at that frame|at the time]",
)
def beside(build: Build, target: Target, n: float, side: str, goal: Target) -> None:
    """Put an object at a distance from another one."""
    axis, sign = SIDES[side]
    known, other = build.one(target), build.one(goal)
    build.need("current_view_layer")
    build.line(f"current_view_layer().update()\n{known.var}.location = {other.var}.matrix_world.translation")
    build.line(f"{known.var}.location.{'xyz'[axis]} += {literal(sign * float(n))}")
    build.note(f"{target.said} -> {n:g} {side} {goal.said}")


@step(
    "{target:object} (stay|stays|remain|remains|keep|keeps) (where they are|where it is|as they are|as it is|their place|its place|unchanged|untouched|in place)",
    "(keep|leave) {target:object} (where they are|where it is|as they are|as it is|unchanged|untouched|alone|active|visible)",
    "keep [the] current scene active",
    "(convert|change|delete|apply) nothing [else]",
    "nothing else [changes|should change|should be changed|is changed|gets changed|is touched|gets renamed|is renamed|moves|is deleted|is to be changed|may change]",
    "no other changes",
    "(existing|old|other|original|present) (strip|strips|object|objects|material|materials|keyframes|keys|modifiers|constraints|nodes|layers|collections|bones|actions|markers) (stay|stays|remain|remains|keep|keeps) [where they are|where it is|as they are|as it is|unchanged|untouched|in place|there]",
    "[the] other [two] (coordinates|axes|channels|components) [stay|stays|remain|are|keep] (untouched|unchanged|as they are|the same|as is)",
    "(do not|don't) apply (anything|it|them|the modifier|the modifiers|any modifier)",
    "do not (change|touch|move|delete) anything else",
    "(all other objects|all others|everything else) [stay|stays] [where they are|where it is|as it is]",
)
def stays(build: Build, target: Target | None) -> None:
    """What is said to stay: nothing is done with it."""
    if target is not None and target.said.lower().removeprefix("the ").removeprefix("its ") in SIDE_WORDS.split("|"):
        raise refuse(target.said, "of what, while what is done?")
    if target is not None:
        build.note(f"{target.said} -> left alone")


@slot("transform_axes")
def transform_axes(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Parts of a transform with their axes: "location z and all rotations", "X and Y scale", "rotation on Z"."""
    found, place = dict[str, str](), at
    while True:
        start = skip(reading, place, {"the", "all", "its", "their", "on", "both"})
        nothing: tuple[int, list[str]] = start, []
        before = next(axes(reading, start, {}, ""), nothing)
        part = singular(reading.word(before[0])) if reading.word(before[0]) else ""
        if part not in TRANSFORMS:
            break
        named = skip(reading, before[0] + 1, {"axis", "channels", "values"})
        behind = next(axes(reading, skip(reading, named, {"on", "in", "along", "around"}), {}, ""), None)
        place = behind[0] if behind and not before[1] else named
        letters = before[1] or (behind[1] if behind else ["X", "Y", "Z"])
        found[part] = "".join(letter[-1] for letter in letters)
        yield place, dict(found)
        place = skip(reading, place + (reading.mark(place) in {",", "&", "+", "/"}), {"and"})


@step(
    "{free=unlock|free} {parts:transform_axes} [<on> {target:object}]",
    "(lock|freeze|block|fix) {parts:transform_axes} [<on> {target:object}]",
    "(lock|freeze|block|fix) {target:object} ['s] [in|:] {parts:transform_axes}",
    "{free=unlock} {target:object} ['s] [in|:] {parts:transform_axes}",
    "{free=unlock} [the|all] transforms [<on> {target:object}]",
    "lock [the|all] (transforms|transform|transformation|transformations) [<on> {target:object}]",
)
def lock(build: Build, parts: dict[str, str] | None, target: Target | None, free: str | None) -> None:
    """Lock parts of a transform, on all axes or on some; others stay as they are."""
    with build.each(target) as known:
        for part, letters in (parts or dict.fromkeys(TRANSFORMS, "XYZ")).items():
            if len(letters) == len("XYZ"):
                build.line(f"{known.var}.lock_{part} = {(not free,) * 3}")
            else:
                build.line("\n".join(f"{known.var}.lock_{part}[{'XYZ'.index(each)}] = {not free}" for each in letters))
    build.note(f"{'unlocked' if free else 'locked'}: {', '.join(parts or TRANSFORMS)}")


@step(
    "(put|place|stack|set|stand|snap|drop|sit|move|rest) {target:object} [directly|exactly|centered] (on top of|onto|on the top of|to the top of|on the top face of|on) {goal:object of one} ~( [with] [a] (gap|distance) [of] {gap:n} ;"
    " [so that|and] (centered|center it|in the middle) )",
)
def on_top(build: Build, target: Target, goal: Target, gap: float | None) -> None:
    """Stand an object on another one, in the middle of its top."""
    known, other = build.one(target), build.one(goal)
    build.need("world_corners")
    build.imports("mathutils: Vector")
    build.comment(f"stand it on {goal.said}")
    build.line(f"below = world_corners({other.var})\nown = world_corners({known.var})")
    build.line("shift = sum(below, Vector()) / 8 - sum(own, Vector()) / 8")
    build.line(
        f"shift.z = max(corner.z for corner in below) - min(corner.z for corner in own){f' + {literal(float(gap))}' if gap else ''}"
    )
    build.line(f"{known.var}.location += shift")
    build.it = known
    build.note(f"{target.said} -> on top of {goal.said}")


@step(
    "(align|line up|center|level) {target:object} (with|to|on|onto) {goal:object of one} ~( (on|along|in) {axes:axes} )",
    "(align|line up|level) {target:object} (on|along|in) {axes:axes} (with|to) {goal:object of one}",
    "(match|copy) [the] {axes:axes} [position|location|coordinate] of {target:object} (to|with) {goal:object of one}",
    "(set|make|move) {axes:axes} [location|position|coordinate] of {target:object} (to that of|the same as|equal to that of|to match) {goal:object of one}",
)
def align(build: Build, target: Target, goal: Target, axes: list[str] | None) -> None:
    """Give objects the place of another one on some axes."""
    if axes is None:
        raise refuse(target.said, "along which axes?")
    other = build.one(goal)
    with build.each(target) as known:
        for letter in axes:
            build.line(f"{known.var}.location.{letter[-1].lower()} = {other.var}.location.{letter[-1].lower()}")
    build.note(f"{target.said} -> aligned with {goal.said}")


@step(
    "align [the] {side=top|bottom|left|right|front|back} [side|edge] of {target:object} ~( (at|to|with|on) {axis:axis} = {n:n} )",
    "align {target:object} (by|at|along|on) [their|its|the] {side=top|bottom|left|right|front|back} [side|edge] ~( (at|to|with|on) {axis:axis} = {n:n} )",
)
def align_sides(build: Build, target: Target, side: str, axis: str | None, n: float | None) -> None:
    """Bring a side of several objects to one level: that of the outermost one unless it was said."""
    letter = FACE_SIDES[side][-1]
    if axis is not None and axis[-1] != letter:
        raise refuse(axis, f"the {side} is along {letter}")
    build.need("world_corners")
    pick, low = ("min" if FACE_SIDES[side].startswith("-") else "max"), letter.lower()
    found = build.objects(target)
    group = found.expression if isinstance(found, Many) else f"({found.var},)"
    if n is None and isinstance(found, Known):
        raise refuse(target.said, "aligned with what?")
    var = build.var("aligned")
    build.line(f"{var} = {group}")
    measure = f"{pick}(corner.{low} for corner in world_corners(obj))"
    build.line(f"level = {literal(float(n))}" if n is not None else f"level = {pick}({measure} for obj in {var})")
    with build.block(f"for obj in {var}:"):
        build.line(f"obj.location.{low} += level - {measure}")
    build.note(f"{target.said} -> aligned at the {side}")


@step(
    "(swap|exchange) [the] (positions|locations|places) of {target:object}",
    "(swap|exchange) {target:object}",
    "(swap|exchange) [the] (locations|positions|places) of {one:object of one} (and|with) {other:object of one}",
    "(swap|exchange) {one:object of one} and {other:object of one}",
)
def swap(build: Build, target: Target | None, one: Target | None, other: Target | None) -> None:
    """Let two objects change places."""
    if target is not None:
        found = build.objects(target)
        if not isinstance(found, Many) or len(found.members) != 2:
            raise refuse(target.said, "two objects are swapped")
        first, second = (each.var for each in found.members)
    else:
        first, second = build.object(one), build.object(other)
    build.once()
    build.line(f"{first}.location, {second}.location = {second}.location.copy(), {first}.location.copy()")
    build.note(f"{' and '.join(each.said for each in (target, one, other) if each)} -> swapped")
