"""New objects: meshes, curves, text, empties, lights, cameras, armatures, and everything said of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Kind, Phrases, Place, Setting
from app.drafting.composer.patterns import ARTICLES, Env, Matcher, Reading, compile_pattern, slot
from app.drafting.composer.slots import (
    IN_PLACE,
    Set,
    Target,
    color,
    in_a_row,
    looks_like_name,
    quantity,
    settings,
    skip,
    vector,
    whole_number,
)
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import (
    Color,
    Degrees,
    Quantity,
    Vec,
    clean,
    literal,
    quoted,
    refuse,
    titled,
    with_article,
)
from app.drafting.draft import ValueOutOfRange

Size = tuple[float, ...]


@dataclass(frozen=True)
class Noun:
    """A kind of object: its type, the name Blender gives it, and what can be said of its form.

    `params` has the value Blender takes unless the request says otherwise, `words` what each is called.
    `settings` are the places of settings from the manifest, for objects that have data of their own.
    """

    kind: str
    type: str
    name: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    words: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    data: str = ""


SIZE: Final = ("size", "edge length", "edge", "side length", "side", "with edge", "across", "cube size")
WIDE: Final = ("wide", "width", "in x")
DEEP: Final = ("deep", "depth", "long", "length", "in y")
HIGH: Final = ("high", "tall", "height", "in z", "thick", "thickness", "h")
RADIUS: Final = ("radius", "in radius", "r", "rad")
DIAMETER: Final = ("diameter", "in diameter", "across", "wide", "d", "dia")
VERTICES: Final = ("vertex", "vertices", "side", "sided", "segment", "face", "edge", "point", "seg")

NOUNS: Final = {
    noun.kind: noun
    for noun in (
        Noun("cube", "MESH", "Cube", {"size": 2.0, "x": None, "y": None, "z": None}, {"size": SIZE, "x": WIDE, "y": DEEP, "z": HIGH}),
        Noun("plane", "MESH", "Plane", {"size": 2.0, "x": None, "y": None}, {"size": SIZE, "x": WIDE, "y": DEEP}),
        Noun("grid", "MESH", "Grid", {"size": 2.0, "x": None, "y": None, "cuts": 10, "cuts_x": None, "cuts_y": None},
             {"size": SIZE, "x": WIDE, "y": DEEP, "cuts": ("subdivision", "cut", "division", "face each way", "face per side"), "cuts_x": ("x subdivision", "subdivision in x", "column"), "cuts_y": ("y subdivision", "subdivision in y", "row")}),
        Noun("circle", "MESH", "Circle", {"radius": 1.0, "vertices": 32, "filled": False}, {"radius": RADIUS, "diameter": DIAMETER, "vertices": VERTICES}),
        Noun("uv sphere", "MESH", "Sphere", {"radius": 1.0, "segments": 32, "rings": 16}, {"radius": (*RADIUS, ), "diameter": (*DIAMETER, "size"), "segments": ("segment", "seg"), "rings": ("ring",)}),
        Noun("ico sphere", "MESH", "Icosphere", {"radius": 1.0, "subdivisions": 2}, {"radius": RADIUS, "diameter": (*DIAMETER, "size"), "subdivisions": ("subdivision", "subdivision level")}),
        Noun("cylinder", "MESH", "Cylinder", {"radius": 1.0, "depth": 2.0, "vertices": 32}, {"radius": RADIUS, "diameter": DIAMETER, "depth": ("depth", "deep", "long", "length", *HIGH), "vertices": VERTICES}),
        Noun("cone", "MESH", "Cone", {"radius1": 1.0, "radius2": 0.0, "depth": 2.0, "vertices": 32},
             {"radius1": (*RADIUS, "base radius", "bottom radius", "radius 1", "radius at the bottom", "lower radius"), "radius2": ("top radius", "radius 2", "upper radius", "radius at the top"), "diameter": DIAMETER, "depth": ("depth", "long", "length", *HIGH), "vertices": VERTICES}),
        Noun("torus", "MESH", "Torus", {"major": 1.0, "minor": 0.25, "major_segments": 48, "minor_segments": 12},
             {"major": ("major", "major radius", "main radius", "outer radius", "ring radius"), "minor": ("minor", "minor radius", "section radius", "cross section radius", "inner radius", "tube radius", "thickness"), "major_segments": ("major segment", "major seg"), "minor_segments": ("minor segment", "minor seg")}),
        Noun("monkey", "MESH", "Suzanne", {"size": 2.0}, {"size": SIZE}),
        Noun("bezier circle", "CURVE", "BezierCircle", {"radius": 1.0}, {"radius": RADIUS, "diameter": DIAMETER}, "Curve"),
        Noun("bezier curve", "CURVE", "BezierCurve", {"points": None, "length": None}, {"length": ("long", "length")}, "Curve"),
        Noun("nurbs curve", "CURVE", "NurbsCurve", {"points": None, "length": None}, {"length": ("long", "length")}, "Curve"),
        Noun("poly curve", "CURVE", "PolyCurve", {"points": None, "length": None}, {"length": ("long", "length")}, "Curve"),
        Noun("nurbs circle", "CURVE", "NurbsCircle", {"radius": 1.0}, {"radius": RADIUS, "diameter": DIAMETER}, "Curve"),
        Noun("text", "FONT", "Text", {"body": "Text"}, {}, "TextCurve"),
        Noun("empty", "EMPTY", "Empty"),
        Noun("camera", "CAMERA", "Camera", data="Camera"),
        Noun("point light", "LIGHT", "Point", data="PointLight"),
        Noun("sun light", "LIGHT", "Sun", data="SunLight"),
        Noun("spot light", "LIGHT", "Spot", data="SpotLight"),
        Noun("area light", "LIGHT", "Area", data="AreaLight"),
        Noun("armature", "ARMATURE", "Armature", data="Armature"),
        Noun("lattice", "LATTICE", "Lattice", data="Lattice"),
        Noun("metaball", "META", "Mball", data="MetaBall"),
        Noun("speaker", "SPEAKER", "Speaker", data="Speaker"),
    )
}  # fmt: skip

SPELLED: Final = Phrases[str]([
    *((kind, kind) for kind in NOUNS), ("box", "cube"), ("sphere", "uv sphere"), ("ball", "uv sphere"), ("uvsphere", "uv sphere"),
    ("icosphere", "ico sphere"), ("suzanne", "monkey"), ("monkey head", "monkey"), ("ring torus", "torus"), ("donut", "torus"),
    ("bezier curve circle", "bezier circle"), ("curve circle", "bezier circle"), ("circle curve", "bezier circle"), ("text object", "text"), ("3d text", "text"), ("sun lamp", "sun light"),
    ("sun", "sun light"), ("spotlight", "spot light"), ("spot lamp", "spot light"), ("spot", "spot light"), ("area lamp", "area light"), ("softbox", "area light"), ("area one", "area light"), ("spot one", "spot light"), ("point lamp", "point light"),
    ("light", "point light"), ("empty object", "empty"), ("cuboid", "cube"), ("bezier", "bezier curve"), ("cuboids", "cube"), ("bezier curve object", "bezier curve"), ("curve object", "bezier curve"), ("curve", "bezier curve"), ("tube", "cylinder"),
    ("mesh cube", "cube"), ("mesh plane", "plane"), ("mesh circle", "circle"), ("ground plane", "plane"), ("floor plane", "plane"), ("disc", "circle"), ("disk", "circle"),
    ("camera object", "camera"), ("directional light", "sun light"), ("meta ball", "metaball"), ("bezier path", "bezier curve"), ("nurbs path", "nurbs curve"), ("nurbs", "nurbs curve"), ("path", "nurbs curve"), ("polyline", "poly curve"), ("poly line", "poly curve"), ("poly spline", "poly curve"), ("bezier spline", "bezier curve"), ("spline", "bezier curve"), ("nurbs curve circle", "nurbs circle"), ("primitive cube", "cube"),
])  # fmt: skip


@dataclass(frozen=True)
class Detail:
    """Something said of a new thing: what, and its value."""

    what: str
    value: Any
    said: str


@dataclass(frozen=True)
class Thing:
    """A new thing and everything said of it."""

    noun: str
    count: int
    details: tuple[Detail, ...]
    said: str
    bare: bool = False
    """Whether neither article nor number stood before it."""


COMPASS: Final = {
    **{f"{one}{gap}{two}": turn for gap in ("", "-", " ") for (one, two), turn in {
        ("south", "east"): 45.0, ("north", "east"): 135.0, ("north", "west"): -135.0, ("south", "west"): -45.0,
        ("front", "right"): 45.0, ("back", "right"): 135.0, ("back", "left"): -135.0, ("front", "left"): -45.0,
    }.items()},
    "south": 0.0, "east": 90.0, "north": 180.0, "west": -90.0, "front": 0.0, "right": 90.0, "back": 180.0, "left": -90.0,
}  # fmt: skip
"""How far a light that comes from the front, which is south, is turned around Z so that it comes from there."""
SIDES: Final = {
    "above": (2, 1.0), "below": (2, -1.0), "over": (2, 1.0), "under": (2, -1.0), "behind": (1, 1.0), "in front of": (1, -1.0),
    "to the right of": (0, 1.0), "to the left of": (0, -1.0), "right of": (0, 1.0), "left of": (0, -1.0),
}  # fmt: skip
"""The axis and the sense that go to each side of a thing, as seen from the front."""
DETAILS: Final[list[tuple[str, Matcher]]] = [
    (what, compile_pattern(pattern))
    for what, pattern in (
        ("name", "<called> {v:name}"),
        ("name", "(whose name is|name it|call it|call this|object name|object called|object named) {v:name}"),
        ("name", "{v:known}"),
        ("name", "{v:quoted}"),
        ("location", "(at|to|located at|placed at|positioned at|position|location|at location|at position|in|with location|at point|centered at|centered on|centered) [=] {v:vector}"),
        ("location", "[that|which|it] (sits|sitting|stands|standing|sit|stand|goes) at {v:vector}"),
        ("cursor", "(at|on|to) [the] [3d] cursor"),
        ("rotation", "(rotated|rotation|turned|with rotation|rotate) [by|of|=|to] {v:vector} [degrees|deg]"),
        ("turn", "(rotated|turned|tilted|rotation of|rotate) [by|of|=] {v:angle} [on|about|around|along|in] {axis:axis}"),
        ("scale", "(scaled|scale) [by|to|of|=] {v:vector}"),
        ("scale1", "(scaled|scale) [by|to|of|=] {v:n}"),
        ("smooth", "(shaded smooth|smooth shaded|with smooth shading|smooth shading|smooth)"),
        ("flat", "(shaded flat|flat shaded|with flat shading|flat shading|flat)"),
        ("material", "[in] [with] [a] [new] {v:look} [material|finish|surface]"),
        ("material", "(material|in|with color|with the color|colored|color) [:|=] {v:look}"),
        ("material_name", "[with] [material] <called> {v:name}"),
        ("way", "[that] (pointed|pointing|points|point|aimed|looking|looks|facing|shining|shines) [straight] {v=down|up|downwards|upwards}"),
        ("way", "[that] (looking|looks|pointing|pointed) [straight] {v=down|downwards} with {up:axis} [pointing|facing] (at|to|towards) [the] (top|upper edge) of [the] (picture|image|frame|view)"),
        ("way_axis", "[that] (looking|looks|pointing|points|facing) [along|in|towards] {v:axis}"),
        ("aim_origin", "[that] (pointed|pointing|point|points|aimed|aiming|looking|looks|facing|directed|aim) [at|towards|to] [the] (origin|world origin|scene origin|center of the scene|world center)"),
        ("aim", "[that] (pointed|pointing|point|points|aimed|aiming|looking|looks|facing|directed|aim) [at|towards|to] {v:object of one}"),
        ("aim", "[that] (pointed|pointing|point|points|aimed|aiming|looking|looks|facing) [at|towards|to] {v:vector}"),
        ("grounded", "[that] (standing|stands|stand|sitting|sits|resting|rests) (on|at) (ground|floor|z = 0|ground level|z 0|xy plane) [« z = 0 »]"),
        ("grounded", "with [its] (base|bottom|foot|underside) (at|on) (z = {v:n}|ground|floor)"),
        ("on_it", "([directly] on (its|the) (top|upper side|top side)|on top [of it]|atop it)"),
        ("on_top", "(on top of|on|standing on|resting on) {v:object of one}"),
        ("beside", f"{{n:n}} {{side={'|'.join(SIDES)}}} {{v:object of one}}"),
        ("beside", "{side=above|over} {v:object of one} [,] [at] {n:n} (up|high|higher|above it)"),
        ("under", "[right|directly|just] (under|beneath|underneath|below) {v:object of one}"),
        ("where", "(at|to) [the] [exact|same] (location|position|place|origin|center) (of|as) {v:object of one}"),
        ("where", "at {v:object of one} ['s] (location|position|place|origin|center)"),
        ("where", "[exactly|right] where {v:object of one} (is|stands|sits|lies)"),
        ("location", "(right|straight|directly|high|just) above [the] (scene|world|origin|center|middle) [,] (at|with|in) {v:vector}"),
        ("straight_above", "straight above [the] {v:vector} [,] {n:n} (up|high)"),
        ("collection", "in [the|a] [new] collection [called|named] {v:name}"),
        ("cells", "[with] {v:cells} (faces|cells|quads|divisions|subdivisions|squares)"),
        ("body", "[that] (says|saying|reads|reading|with the text|with text|with the content|with the word|showing) {v:quoted}"),
        ("filled", "(filled [in]|fill type ngon|with a face|as ngon|with an ngon) [(with|by|as) [one|a single] (ngon|n gon|face)]"),
        ("active_camera", "[and] [make it|as|set it as|which is|that is|use it as] [the] (active|scene) camera"),
        ("from_side", f"[at|with] [an] [elevation|altitude] [of] {{up:angle}} [elevation|altitude|above [the] horizon|high|up] [,] [and] [coming|shining|that comes|which comes|that shines] (from|out of) [the] {{v={'|'.join(COMPASS)}}}"),
        ("from_side", f"[coming|shining|that comes|which comes|that shines] (from|out of) [the] {{v={'|'.join(COMPASS)}}} [,] [and] [at|with] [an] [elevation|altitude|height] [of] {{up:angle}} [elevation|altitude|above [the] horizon|high|up]"),
        ("from_side", "[at|with] [an] (elevation|altitude) [of] {up:angle} | [at] {up:angle} (elevation|altitude|above [the] horizon)"),
        ("form", "[of] [shape|shaped] [as] [a] {v=rectangle|square|disk|disc|ellipse|rectangular|round|circular|elliptical} [shape|shaped]"),
        ("tracked", "[that] [always|constantly] (aims|aiming|aimed|points|pointing|pointed|looks|looking|tracks|tracking) [at] {v:object of one} (through|via|with|using|by) [a] track to [constraint]"),
        ("stays", f"{IN_PLACE} [but]"),
        ("kind", "{v=area|spot|point|sun} [light]"),
        ("bare_name", "{v:known}"),
        ("parent", "(parented to|with parent|as child of|as a child of) {v:object of one}"),
        ("hidden", "(hidden in renders|not rendered|hidden in render|hidden)"),
        ("dimensions", "(dimensions|with dimensions|sized|size|measuring|measures|of) [=|of] {v:vector}"),
        ("dimensions", "[of] {v:vector}"),
        ("points", "[that|which] [passes|passing|running|runs|goes|going] (through|with points|with points at|from|over|via|with the points|with the points at) [the] [points] {v:points}"),
        ("points", "{v:points}"),
        ("cyclic", "{v=open|closed|cyclic}"),
        ("handles", "[with] {v=automatic|auto|vector|aligned|free} handles"),
        ("dimension", "{v=2d|3d}"),
        ("display", "[displayed|shown] [as] [a] {v=plain axes|arrows|single arrow|circle|cube|sphere|cone|image}"),
        ("display", "(display type|type|shape|displayed as) {v=plain axes|arrows|single arrow|circle|cube|sphere|cone|image}"),
        ("align", "[horizontally] {v=centered|left aligned|right aligned|aligned left|aligned right|aligned center|center aligned|aligned to center|aligned in center} [horizontally|in x]"),
        ("align_y", "{v=centered vertically|vertically centered|aligned to top|aligned to bottom}"),
        ("align_both", "(centered|aligned center) (horizontally and vertically|both ways|in both directions|vertically and horizontally|in x and y)"),
        ("upright", "(standing|stood) [straight] (upright|up)|upright"),
        ("lying", "lying [flat] [on ground|on the floor|horizontally]"),
        ("open", "(without caps|with no caps|no caps|uncapped|open ended|with open ends|open at both ends)"),
        ("resolution", "[with] [a] [resolution] [of] {v:vector} [points]"),
        ("rigid", "as a {v=passive|active} rigid body"),
        ("modifier", "[with] [a|an] {v:kind of modifiers} modifier [«] [{sets:settings of v}] [»]"),
        ("modifier", "[with] {v:counted} modifier"),
    )
]  # fmt: skip


@slot("cells")
def cells(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """How many faces a grid has each way: "16 by 16"."""
    yield from ((end, (found["a"], found["b"])) for end, found in CELLS(reading, at, {}))


@slot("points")
def points(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[Vec, ...]]]:
    """Several places, joined by "to", "over", "and" or commas."""

    def one(place: int) -> tuple[int, Vec] | None:
        return next(((end, v) for end, v in vector(reading, place, {}, "") if v.whole and len(v.parts) == 3), None)

    between = {"to", "over", "and", "via", "then", "through"}
    for end, found in in_a_row(reading, at, one, 2, {",", ";", ":"}, between):
        yield end, tuple(found)


@slot("look")
def look(
    reading: Reading, at: int, env: Env, of: str
) -> Iterator[tuple[int, tuple[Color | None, tuple[Mapping[str, float], ...], str]]]:
    """How a surface looks: colors and finishes, at least one: "shiny dark red metallic"."""
    while reading.word(at) in ARTICLES or reading.word(at) in {"very"}:
        at += 1
    start, shade, finishes = at, None, list[Mapping[str, float]]()
    stops: list[tuple[int, tuple[Color | None, tuple[Mapping[str, float], ...], str]]] = []
    while True:
        hue = next(color(reading, at, {}, ""), None) if shade is None else None
        finish = reading.lexicon.finishes.first(reading.tokens, at) if hue is None else None
        if (hue or finish) and owns(reading, at, colored=hue is not None):
            break
        finish = None if finish and reading.word(finish[0]) == "'s" else finish  # whose name is that of a finish
        if hue is not None:
            at, shade = hue
        elif finish is not None:
            at = finish[0]
            finishes.append(finish[1])
        elif (reading.mark(at) == "," or reading.word(at) in {"and", "looking"}) and stops and of != "bare":
            at += 1
            continue
        else:
            break
        stops.append((at, (shade, tuple(finishes), reading.said(start, at))))
    yield from reversed(stops)


def owns(reading: Reading, at: int, *, colored: bool) -> bool:
    """Whether a word for a look is the name of what has it: the roughness of Wood", "make Glass transparent"."""
    token, before = reading.tokens[at], reading.word(at - 1) if at else ""
    if not token.word or not looks_like_name(token.text, reading, at) or token.text.isupper():
        return False
    if colored:
        return before in {"of", "in"} and reading.word(at - 2) not in {"color", "tint", "hue", "shade"}
    return before in {"of", "in", "on", "make", "let", "for", "from"} and reading.word(at + 1) not in {
        "material",
        "look",
    }


CREATING: Final = frozenset({"create", "add", "spawn", "insert"})
"""Verbs that are about something new, whichever article follows."""
PLACING: Final = frozenset(
    {"give", "make", "let", "place", "put", "lay", "use", "throw", "stick", "pop", "turn", "drop"}
)
"""Verbs that may be about something that is there."""


@slot("thing")
def thing(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Thing]]:
    """A new thing: what stands before the noun, the noun, and what is said after it."""
    start, count = at, 1
    details: list[Detail] = []
    if reading.word(at - 1) == "drop" and reading.word(at) not in {"a", "an", "another"}:
        return  # "drop the cube": it is there
    if reading.word(at) == "the" and reading.word(at - 1) in CREATING:
        at += 1
    if reading.word(at) in {"the", "its", "their", "this", "that"}:
        return
    bare = reading.word(at) not in {"a", "an", "another", "new", "one"}
    for place, value in whole_number(reading, at, {}, ""):
        if (
            reading.lexicon.units.first(reading.tokens, place) is None
            and reading.word(place) not in {"x", "by", "side", *VERTICES}
            and value <= 1000
        ):
            at, count = place, value
        break
    at = skip(reading, at, {*ARTICLES, "new", "small", "simple", "single", "basic", *FURTHER})
    role = reading.word(at) if reading.word(at) in ROLES else ""
    if (role or reading.word(at) == "soft") and LIGHT_BEHIND.first(reading.tokens, at + 1):
        details += [Detail("name", role.title(), role)] if role else []
        at += 1
    while True:
        if reading.mark(at) == "," and details:
            at += 1
        one = before_noun(reading, at)
        if one is None:
            break
        at, detail = one
        details.append(detail)
        at = skip(reading, at, {"simple"})
    if (
        reading.word(start - 1) in PLACING
        and bare
        and looks_like_name(reading.tokens[at].text if reading.word(at) else "", reading, at)
    ):
        return  # "place Lamp at ..." speaks of one that is there
    if reading.word(at) in {"disc", "disk"}:
        details.append(Detail("filled", True, reading.word(at)))
    for end, kinds in SPELLED.matches(reading.tokens, at):
        after = end
        noun = kinds[0]
        if noun == "bezier curve" and reading.word(end) in {"modifier"}:
            continue
        after = skip(reading, after, {"object", "primitive", "mesh"})
        for last, more in details_after(reading, after, noun):
            if bare and any(each.what == "name" and each.said == each.value for each in more):
                continue  # "cube Crate at ..." may be one that is there
            if bare and count == 1 and reading.mark(last) == ":" and all(each.what == "name" for each in more):
                continue  # 'text "Label": ...' is one that is there
            yield last, Thing(noun, count, (*details, *more), reading.said(start, last), bare and count == 1)
        if after != end and reading.mark(end) != ":":
            yield end, Thing(noun, count, tuple(details), reading.said(start, end), bare and count == 1)


FURTHER: Final = frozenset({"another", "second", "third", "extra", "additional", "further", "more"})
"""Words for one beside those that are there."""
ROLES: Final = frozenset({"key", "fill", "rim", "back", "kicker"})
"""What a light is for, which is what it is called where nothing else is said."""
LIGHT_BEHIND: Final = Phrases[str](
    (f"{kind}{noun}", "") for kind in ("area ", "spot ", "sun ", "point ", "") for noun in ("light", "lamp")
)


LENSES: Final = {
    "orthographic": "ORTHO", "ortho": "ORTHO", "perspective": "PERSP", "panoramic": "PANO", "panorama": "PANO",
}  # fmt: skip
"""Words for how a camera projects."""
FORMS: Final = {
    "rectangular": "RECTANGLE", "rectangle": "RECTANGLE", "square": "SQUARE", "round": "DISK", "circular": "DISK", "disk": "DISK",
    "disc": "DISK", "elliptical": "ELLIPSE", "oval": "ELLIPSE", "ellipse": "ELLIPSE",
}  # fmt: skip
"""Words for the shape of an area light."""
NOUN_BEHIND: Final = Phrases[str]([("area light", ""), ("area lamp", ""), ("area", ""), ("softbox", "")])
"""What the shape of an area light stands before."""
CELLS: Final = compile_pattern("{a:int} (x|by) {b:int}")
EMPTIES: Final = compile_pattern("{v=plain axes|arrows|single arrow|circle|cube|sphere|cone|image}")


def before_noun(reading: Reading, at: int) -> tuple[int, Detail] | None:
    """ "red", "2 m", "12-sided", "smooth", "2 m wide"."""
    seen = next(look(reading, at, {}, ""), None)
    if (
        seen is not None
        and reading.said(at, seen[0]) not in {"smooth", "flat"}
        and SPELLED.first(reading.tokens, at) is None
    ):
        return seen[0], Detail("material", seen[1], reading.said(at, seen[0]))
    for end, env in CELLS(reading, at, {}):
        if reading.word(end) == "grid":
            return end, Detail("cells", (env["a"], env["b"]), reading.said(at, end))
    for end, given in quantity(reading, at, {}, ""):
        word = reading.word(end)
        if word in {"sided", "side", "vertex", "segment"}:
            return end + 1, Detail("param", ("side", given), reading.said(at, end + 1))
        if word in {"wide", "tall", "high", "deep", "long", "thick", "radius", "diameter"}:
            return end + 1, Detail("param", (word, given), reading.said(at, end + 1))
        if given.measured("length"):
            dims = next(vector(reading, at, {}, ""), None)
            if dims is not None and dims[0] > end:
                return dims[0], Detail("dimensions", dims[1], reading.said(at, dims[0]))
            return end, Detail("param", ("size", given), reading.said(at, end))
        if given.measured("power"):
            return end, Detail("energy", given.value, reading.said(at, end))
    if (form := FORMS.get(reading.word(at))) and NOUN_BEHIND.first(
        reading.tokens, skip(reading, at + 1, {"soft", "large"})
    ):
        return skip(reading, at + 1, {"soft", "large"}), Detail("form", form, reading.word(at))
    lens = LENSES.get(reading.word(at))
    if lens and reading.word(skip(reading, at + 1, {"new"})) == "camera":
        kind = Setting(Place("", "Camera"), reading.lexicon.property("Camera", "type"))
        return at + 1, Detail("setting", Set(((kind, lens),), reading.word(at)), reading.word(at))
    if reading.word(at) in {"closed", "cyclic", "open"}:
        noun = SPELLED.first(reading.tokens, at + 1)
        if noun and noun[1] in {"bezier curve", "nurbs curve", "poly curve"}:
            return at + 1, Detail("cyclic", reading.word(at), reading.word(at))
    if reading.word(at) == "smooth":
        return at + 1, Detail("smooth", True, "smooth")
    for end, env in EMPTIES(reading, at, {}):
        if reading.word(end) == "empty":
            return end, Detail("display", env["v"], reading.said(at, end))
    return None


JOINING: Final = frozenset(
    {
        "with",
        "and",
        "having",
        "of",
        "its",
        "the",
        "a",
        "an",
        "at",
        "in",
        "is",
        "that",
        "which",
        "has",
        "set",
        "whose",
        "using",
        "it",
        "by",
    }
)


def details_after(reading: Reading, at: int, noun: str) -> Iterator[tuple[int, list[Detail]]]:
    """Everything said after the noun, most of it first."""
    best: dict[int, list[Detail]] = {at: []}
    frontier: list[tuple[int, list[Detail]]] = [(at, [])]
    seen: set[int] = set()
    while frontier:
        place, found = frontier.pop(0)
        for start in starts(reading, place):
            if start in seen:
                continue
            seen.add(start)
            for end, one in one_detail(reading, start, noun):
                closed = (
                    end + 1
                    if reading.mark(end) == ")" and any(reading.mark(k) == "(" for k in range(at, start))
                    else end
                )
                if closed not in best:
                    best[closed] = [*found, one]
                    frontier.append((closed, best[closed]))
    for end in sorted(best, reverse=True):
        yield end, best[end]


def starts(reading: Reading, at: int) -> Iterator[int]:
    """Where the next detail may begin."""
    yield at
    place = at
    while (reading.mark(place) in {",", "(", ":"} or reading.word(place) in JOINING) and place - at < 5:
        place += 1
        yield place


ONLY: Final = {
    "points": {"bezier curve", "nurbs curve", "poly curve"}, "form": {"area light"}, "kind": {"area light"},
    "display": {"empty"}, "align": {"text"}, "align_y": {"text"}, "align_both": {"text"}, "upright": {"text"}, "resolution": {"lattice"},
    "open": {"cylinder", "cone"}, "cells": {"grid"}, "lying": {"circle", "plane", "grid", "torus", "nurbs circle", "bezier circle", "poly curve"},
}  # fmt: skip
"""Details that are said of some kinds only."""


BEFORE_NAMES: Final = frozenset({"light", "lamp", "spot", "spotlight", "sun", "camera", "softbox"})
"""Nouns that a name may follow bare: "area light Key at (3, -3, 4)"."""


def one_detail(reading: Reading, at: int, noun: str) -> Iterator[tuple[int, Detail]]:
    """One thing said of a new object."""
    known = NOUNS[noun]
    found: list[tuple[int, Detail]] = []
    for what, matcher in DETAILS:
        if (what in ONLY and noun not in ONLY[what]) or (what == "dimensions" and noun == "lattice"):
            continue
        if what == "from_side" and noun != "sun light":
            continue
        if what == "way_axis" and noun not in {"camera", "sun light", "spot light", "area light"}:
            continue
        if what == "bare_name" and (known.type not in {"LIGHT", "CAMERA"} or reading.word(at - 1) not in BEFORE_NAMES):
            continue
        for end, env in matcher(reading, at, {}):
            if what == "way" and env.get("up", "Y") != "Y":
                continue  # as it is where nothing turns it
            if what == "from_side":
                side: tuple[Degrees, float] = env["up"], COMPASS[env.get("v", "south")]
                found.append((end, Detail(what, side, reading.said(at, end))))
                continue
            if what == "bare_name":
                found.append((end, Detail("name", env["v"], reading.said(at, end))))
                continue
            if what == "modifier":
                kind: Any = env["v"]
                with_sets: Any = (kind, env.get("sets") or []) if isinstance(kind, Kind) else kind
                found.append((end, Detail(what, with_sets, reading.said(at, end))))
                continue
            value: Any = (
                (env["v"], env.get("axis") or env.get("n"))
                if what in {"turn", "straight_above"}
                else env.get("v", True)
            )
            if what == "beside":
                index, sign = SIDES[env["side"]]
                value = env["v"], "xyz"[index], sign * float(env["n"])
            if what == "on_it":
                found.append((end, Detail("on_top", Target("it", said="it"), reading.said(at, end))))
                continue
            if what == "material" and known.type == "LIGHT" and (value[0] is None or value[1]):
                continue
            found.append((end, Detail(what, value, reading.said(at, end))))
    for end, param in parameter(reading, at, known):
        found.append((end, Detail("param", param, reading.said(at, end))))
    if known.data:
        for end, sets in settings(reading, at, {}, known.data):
            if len(sets) == 1:
                found.append((end, Detail("setting", sets[0], reading.said(at, end))))
            elif noun == "camera" and len({each.said for each in sets}) == 1:  # "clipping from 0.1 to 50"
                found.append((end, Detail("settings", sets, reading.said(at, end))))
    if noun == "spot light":
        cone = settings_of_cone(reading, at)
        found += [(end, Detail("setting", sets, sets.said)) for end, sets in cone]
    elif noun == "empty":
        for end, sets in settings(reading, at, {}, "object"):
            if len(sets) == 1 and "empty" in str(sets[0].options):
                found.append((end, Detail("setting", sets[0], reading.said(at, end))))
    yield from sorted(found, key=lambda each: -each[0])


def settings_of_cone(reading: Reading, at: int) -> Iterator[tuple[int, Set]]:
    """How wide a spot light shines, where only an angle is said: "spot, 500 W, 25 degrees"."""
    cone = Setting(Place("", "SpotLight"), reading.lexicon.property("SpotLight", "spot_size"))
    for end, given in quantity(reading, at, {}, ""):
        last = skip(reading, end, {"cone", "beam", "wide"})
        alone = (
            last == len(reading.tokens) or reading.mark(last) or reading.word(last) in {"and", "with", "at", "aimed"}
        )
        if given.measured("angle") and alone and reading.word(at - 1) not in {"rotated", "turned", "tilted", "by"}:
            yield last, Set(((cone, Degrees(given.value)),), reading.said(at, last))


def parameter(reading: Reading, at: int, noun: Noun) -> Iterator[tuple[int, tuple[str, Quantity]]]:
    """ "radius 0.5", "0.5 m tall", "12 sides", "of 10 m"."""
    words = Phrases[str]((phrase, phrase) for phrases in noun.words.values() for phrase in phrases)
    for end, phrases in words.matches(reading.tokens, at):
        start = skip(reading, end, {"of", "to", "is", "about"})
        start += reading.mark(start) in {"=", ":"}
        for last, given in quantity(reading, start, {}, ""):
            yield last, (phrases[0], given)
    for end, given in quantity(reading, at, {}, ""):
        for last, phrases in words.matches(reading.tokens, skip(reading, end, {"in"})):
            yield last, (phrases[0], given)
        sized = (
            reading.word(at - 1) in {"of", "with"}
            or reading.mark(at - 1) == ","
            or (noun.kind == "area light" and (reading.mark(at - 1) == ":" or reading.word(at - 1) in BEFORE_NAMES))
        )
        if given.measured("length") and sized:
            yield end, ("size", given)


# --- writing ------------------------------------------------------------------------------------------------


def shape(noun: Noun, details: Sequence[Detail]) -> dict[str, Any]:
    """The parameters of its form. Raises `NotUnderstood` where something is said twice or makes no sense."""
    values = dict(noun.params)
    given: set[str] = set()
    for detail in details:
        if detail.what == "dimensions":
            if noun.kind == "area light":
                continue
            parts = list(detail.value.parts)
            if (noun.kind == "cube" and len(parts) == 3) or (
                noun.kind in {"plane", "grid"} and len(parts) == 2 and None not in parts
            ):
                for key, part in zip("xyz", parts, strict=False):
                    values[key] = positive(part, detail.said) if part is not None else None
                continue
            raise refuse(detail.said, f"a {noun.kind} has no such size")
        if detail.what == "cells":
            values["cuts_x"], values["cuts_y"] = (int(positive(each, detail.said)) for each in detail.value)
        if detail.what == "filled":
            if "filled" not in values:
                raise refuse(detail.said, f"a {noun.kind} cannot be filled")
            values["filled"] = True
        if detail.what != "param":
            continue
        if noun.kind == "area light":
            continue
        word, quantity_ = detail.value
        keys = [name for name, words in noun.words.items() if word in words]
        if not keys:
            raise refuse(detail.said, f"a {noun.kind} has no {word}; it has {', '.join(noun.params)}")
        if quantity_.unit and quantity_.unit.measures not in {"length", "times"}:
            raise refuse(detail.said, "a length was expected")
        key, number = keys[0], positive(quantity_.value, detail.said)
        if key == "diameter":
            key, number = next(name for name in ("radius", "radius1") if name in values), number / 2
        if key in given:
            raise refuse(detail.said, f"the {word} was said before")
        given.add(key)
        whole = isinstance(noun.params.get(key), int) and not isinstance(noun.params.get(key), bool)
        if key in {"cuts_x", "cuts_y"}:
            whole = True
        if whole and (number != int(number) or number < (3 if key in {"vertices", "segments", "rings"} else 1)):
            raise refuse(detail.said, "a whole number, and not so few, was expected")
        if key == "subdivisions" and number > 10:
            raise refuse(detail.said, "Blender takes at most 10")
        values[key] = int(number) if whole else clean(number)
    return values


LARGEST: Final = 1e5
"""Metres, or how many of something: Blender's numbers lose their precision far beyond."""


def positive(number: float | None, said: str) -> float:
    """The number. Raises `NotUnderstood` unless it is above zero."""
    if number is None or not 0 < number <= LARGEST:
        raise ValueOutOfRange([said], f'"{said}": a number above zero, at most {LARGEST:g}, was expected')
    return clean(number)


def data_code(build: Build, noun: Noun, name: str, values: Mapping[str, Any], details: Sequence[Detail]) -> str:
    """The expression of the data of a new object."""
    v, text = values, quoted(name)

    def call(part: str, *arguments: object) -> str:
        build.need(part)
        return f"{part}({', '.join([text, *(literal(each) for each in arguments)])})"

    capped = not any(detail.what == "open" for detail in details)
    match noun.kind:
        case "cube":
            return call("cube_mesh", tuple(v[key] or v["size"] for key in "xyz"))
        case "plane":
            return call("plane_mesh", tuple(v[key] or v["size"] for key in "xy"))
        case "grid":
            return call(
                "plane_mesh",
                tuple(v[key] or v["size"] for key in "xy"),
                tuple(v[key] or v["cuts"] for key in ("cuts_x", "cuts_y")),
            )
        case "circle":
            return call("circle_mesh", v["radius"], v["vertices"], v["filled"])
        case "uv sphere":
            return call("uv_sphere_mesh", v["radius"], v["segments"], v["rings"])
        case "ico sphere":
            return call("ico_sphere_mesh", v["radius"], v["subdivisions"])
        case "cylinder":
            return call("cone_mesh", v["radius"], v["radius"], v["depth"], v["vertices"], capped)
        case "cone":
            return call("cone_mesh", v["radius1"], v["radius2"], v["depth"], v["vertices"], capped)
        case "torus":
            return call("torus_mesh", v["major"], v["minor"], v["major_segments"], v["minor_segments"])
        case "monkey":
            return call("monkey_mesh", v["size"])
        case "bezier circle":
            return call("circle_curve", v["radius"])
        case "nurbs circle":
            return call("nurbs_circle", v["radius"])
        case "bezier curve" | "nurbs curve" | "poly curve":
            given = next((detail.value for detail in details if detail.what == "points"), None)
            if given and v["length"]:
                raise refuse("length", "it follows from its points")
            half = clean((v["length"] or 2.0) / 2)
            places = tuple(each.parts for each in given) if given else ((-half, 0.0, 0.0), (half, 0.0, 0.0))
            said = {detail.what: detail.value for detail in details}
            if said.get("handles", "auto") not in {"auto", "automatic"} or said.get("dimension", "3d") != "3d":
                raise refuse(
                    str(said.get("handles") or said["dimension"]), "curves are made in 3D and with automatic handles"
                )
            closed = said.get("cyclic") in {"closed", "cyclic"}
            if noun.kind == "bezier curve":
                return call("points_curve", places, closed)
            return call("spline_curve", noun.kind.split()[0].upper(), places, closed)
        case "text":
            return f'bpy.data.curves.new({text}, "FONT")'
        case "empty":
            return "None"
        case "camera":
            return f"bpy.data.cameras.new({text})"
        case "armature":
            return f"bpy.data.armatures.new({text})"
        case "lattice":
            return f"bpy.data.lattices.new({text})"
        case "metaball":
            return call("metaball")
        case "speaker":
            return f"bpy.data.speakers.new({text})"
        case _:
            kind = noun.kind.removesuffix(" light").upper()
            return f'bpy.data.lights.new({text}, "{kind}")'


PLURALS: Final = frozenset(
    f"{word[:-1]}ies" if word.endswith("y") else f"{word}s" for noun in (*NOUNS, "object") for word in noun.split()
)
"""Words for several of a kind."""


@step(
    "<add> {what:thing} [<on> scene|here]",
    "drop {what:thing}",
    "(light|illuminate) [the] scene (with|by) {what:thing}",
    "(there should be|i need) {what:thing}",
    "(finish|end|complete it|round it off) (with|by adding) {what:thing}",
    "{mention:thing}",
    "({title:noun_words} <called> {name:name} :) {what:thing}",
)
def add_thing(build: Build, what: Thing | None, mention: Thing | None, title: str | None, name: str | None) -> None:
    """A new object with everything said of it; a heading may say its name: 'hexagon "Tile": a circle with 6 vertices'."""
    if title and what:
        types = {part for name_ in build.lexicon.manifest.types for part in re.findall("[A-Z][a-z]+", name_)}
        known = singular(title.split()[-1].lower()).title() in types | {
            "Function",
            "Handler",
            "Button",
            "File",
            "Folder",
        }
        if (
            known
            or title.lower().startswith("the ")
            or what.count != 1
            or any(detail.what == "name" for detail in what.details)
        ):
            raise refuse(title, "what is called so?")
        what = replace(what, details=(*what.details, Detail("name", name, title)))
    if what is None and mention is not None:
        if mention.bare and not mention.details and mention.noun not in {"text", "camera"}:
            raise refuse(mention.said, "what about it?")
        if mention.bare and mention.noun in {"camera", "cube", "point light", "plane"} and "point" not in mention.said:
            raise refuse(mention.said, 'a new one, or the one that is there? Say "add a ..." or "the ..."')
        if mention.bare and re.search(r"\b(turned|rotated|moved|spread) (by|to)\b", mention.said):
            raise refuse(mention.said, "a new one, or the one that is there?")
        aimed = bool(mention.details) and all(d.what in {"rotation", "turn"} for d in mention.details)
        if (
            mention.bare
            and (aimed or re.match(r"[\w ]+:", mention.said))
            and NOUNS[mention.noun].type in {"LIGHT", "CAMERA"}
        ) and not any(d.what in PLACES | {"name"} for d in mention.details):
            raise refuse(mention.said, "a new one, or the one that is there?")
        if mention.bare and NOUNS[mention.noun].type in {"LIGHT", "CAMERA"} and said_at_once(mention):
            raise refuse(mention.said, "a new one, or the one that is there?")
        if mention.noun == "text" and re.search(r"\b(stamp|metadata|burn)", build.request, re.IGNORECASE):
            raise refuse(mention.said, "a new one, or that of the stamp?")
        if mention.bare and mention.count == 1 and PLURALS & set(re.findall(r"\w+", mention.said.lower())[:2]):
            raise refuse(mention.said, "new ones, or those that are there?")
        what = mention
    if what is None:
        return
    looks = bool(what.details) and all(detail.what == "material" for detail in what.details)
    if what.bare and looks and re.search(rf"\bmake {re.escape(what.noun)} ", build.request, re.IGNORECASE):
        raise refuse(what.said, 'a new one, or the one that is there? Say "add a ..." or "make the ..."')
    if what.count != 1:
        add_several(build, what)
        return
    write_thing(build, what)


def said_at_once(mention: Thing) -> bool:
    """Whether a setting stands right behind the noun, as of one that is there: "sun strength 5, angle 3 degrees"."""
    first = mention.details[0] if mention.details else None
    if first is None or first.what != "setting" or any(d.what in PLACES | {"name"} for d in mention.details):
        return False
    return (
        re.match(rf"[\w ]*\b(light|lamp|sun|spot|spotlight|camera) {re.escape(first.said)}", mention.said) is not None
    )


@step("(swap|replace|exchange|substitute) {target:object} (for|with|by|against) {what:thing}")
def swap_for(build: Build, target: Target, what: Thing) -> None:
    """A new thing where another object was, which is deleted."""
    from app.drafting.composer.steps.transforms import delete

    if what.count != 1:
        raise refuse(what.said, "where each of them?")
    old = build.one(target)
    stays = not any(detail.what in PLACES for detail in what.details)
    if stays:
        build.line(f"{build.view_layer()}.update()\nplace = {old.var}.matrix_world.translation.copy()")
    delete(build, target)
    new = write_thing(build, what)
    if stays:
        build.line(f"{new.var}.location = place")


PLACES: Final = frozenset({
    "location", "cursor", "beside", "under", "where", "on_top", "straight_above", "grounded",
})  # fmt: skip
"""Details that say where a new thing is."""


def write_thing(build: Build, what: Thing) -> Known:
    """The lines of one new object."""
    noun = NOUNS[what.noun]
    details = list(what.details)
    quoted_names = [d for d in details if d.what == "name"]
    if len(quoted_names) > 1 and quoted_names[0].said in ROLES:  # 'a rim light "Edge"'
        details.remove(quoted_names.pop(0))
    if noun.kind == "text":
        # 'a text "OPEN"' is what it says, not what it is called
        bodies = [d for d in details if d.what == "body"] or [
            d for d in quoted_names if d.said.startswith(('"', "'", "“"))
        ]
        if len(bodies) > 1:
            raise refuse(bodies[1].said, "a text says one thing")
        details = [d for d in details if d not in bodies]
        quoted_names = [d for d in quoted_names if d in details]
    else:
        bodies = [d for d in details if d.what == "body"]
        if bodies:
            raise refuse(bodies[0].said, f"a {noun.kind} says nothing")
    if len(quoted_names) > 1:
        if any(d.what == "material" for d in details) and len(quoted_names) == 2:
            details.append(Detail("material_name", quoted_names[1].value, ""))
            details.remove(quoted_names[1])
        else:
            raise refuse(quoted_names[1].said, "it has one name")
    if any(d.what in {"stays", "kind"} for d in details):
        raise refuse(what.said, "a new one of which kind, and where?")
    name = quoted_names[0].value if quoted_names else noun.name
    values = shape(noun, details)
    curve = next((d for d in details if d.what in {"points", "cyclic", "handles", "dimension"}), None)
    if curve is not None and noun.kind not in {"bezier curve", "nurbs curve", "poly curve"}:
        raise refuse(curve.said, "this is said of curves")
    targets = resolve_targets(build, details)
    build.comment(f"add {with_article(noun.kind)}")
    known = build.new_object(
        noun.kind,
        name,
        called=bool(quoted_names),
        type_=noun.type,
        data=noun.data,
        data_code=data_code(build, noun, name, values, details),
    )
    place(build, known, noun, values, details, targets)
    if bodies:
        build.need("expect")
        build.line(f"expect({known.var}.data, bpy.types.TextCurve).body = {quoted(bodies[0].value)}")
    look_of(build, known, details)
    apply_settings(build, known, noun, details)
    for detail in details:
        if detail.what == "modifier":
            from app.drafting.composer.steps.modifiers import modifier

            modifier(build, detail.value[0], Target("known", known.var), detail.value[1], w="modifier")
    build.note(f"{what.said} -> a new {noun.kind}" + (f' "{name}"' if quoted_names else ""))
    build.it = known
    build.topic = None
    return known


def describe(build: Build, known: Known, what: Thing) -> None:
    """What is said of a thing that is there, as it would be said of a new one; it keeps its name."""
    noun = NOUNS[what.noun]
    if any(d.what in {"name", "hidden", "body", "kind"} for d in what.details):
        raise refuse(what.said, "its name stays as it is")
    if {"stays", "location"} <= {d.what for d in what.details}:
        raise refuse(what.said, "does it stay where it is?")
    targets = resolve_targets(build, what.details)
    place(build, known, noun, {}, what.details, targets)
    look_of(build, known, what.details)
    apply_settings(build, known, noun, what.details)


def resolve_targets(build: Build, details: Sequence[Detail]) -> dict[int, Known]:
    """The objects that details speak of, found before the new one is "it"."""
    found: dict[int, Known] = {}
    for index, detail in enumerate(details):
        value: Any = detail.value[0] if detail.what == "beside" else detail.value
        if isinstance(value, Target):
            found[index] = build.one(value)
    return found


def place(
    build: Build,
    known: Known,
    noun: Noun,
    values: Mapping[str, Any],
    details: Sequence[Detail],
    targets: Mapping[int, Known],
) -> None:
    """Where the new object is, how it is turned, what it looks at, in which collection."""
    var = known.var
    location_said = False
    for index, detail in enumerate(details):
        match detail.what:
            case "location":
                if location_said:
                    raise refuse(detail.said, "the place was said before")
                location_said = True
                set_vector(build, f"{var}.location", detail.value, 0.0, detail.said)
            case "cursor":
                build.line(f"{var}.location = {build.scene()}.cursor.location")
                location_said = True
            case "rotation":
                set_vector(
                    build,
                    f"{var}.rotation_euler",
                    Vec(tuple(None if p is None else p for p in detail.value.parts)),
                    0.0,
                    detail.said,
                    angles=True,
                )
            case "from_side":
                up, turned = detail.value
                angles = (Degrees(clean(90.0 - up.value)), Degrees(0.0), Degrees(turned))
                build.line(f"{var}.rotation_euler = {build.literal(angles)}")
            case "upright":
                build.imports("math: radians")
                build.line(f"{var}.rotation_euler.x = radians(90.0)")
            case "turn":
                angle, axis = detail.value
                turn(build, var, angle, axis)
            case "scale":
                set_vector(build, f"{var}.scale", detail.value, 1.0, detail.said)
            case "scale1":
                build.line(f"{var}.scale = {literal((detail.value,) * 3)}")
            case "beside" | "where":
                if location_said:
                    raise refuse(detail.said, "the place was said before")
                build.line(f"{build.view_layer()}.update()")
                build.line(f"{var}.location = {targets[index].var}.matrix_world.translation")
                if detail.what == "beside":
                    build.line(f"{var}.location.{detail.value[1]} += {literal(detail.value[2])}")
                location_said = True
            case "align" | "align_y" | "align_both":
                build.need("expect")
                word = (
                    "CENTER"
                    if "center" in str(detail.value) or detail.what == "align_both"
                    else str(detail.value).replace("aligned", "").replace("to", "", 1).strip().upper()
                )
                for side in {"align": "x", "align_y": "y"}.get(detail.what, "xy"):
                    build.line(f'expect({var}.data, bpy.types.TextCurve).align_{side} = "{word}"')
            case "resolution":
                build.need("expect")
                for letter, count in zip("uvw", detail.value.parts, strict=False):
                    build.line(f"expect({var}.data, bpy.types.Lattice).points_{letter} = {int(count or 2)}")
            case "straight_above":
                centre, up = detail.value
                x, y, z = (float(part or 0.0) for part in centre.parts)
                build.line(f"{var}.location = {literal((x, y, clean(z + up)))}")
                location_said = True
            case "on_top" | "under":
                build.need("world_corners")
                height = lowest(noun, values)
                if height is None or location_said:
                    raise refuse(detail.said, "it is not known how high it stands")
                if "pencil" in detail.said.lower():
                    raise refuse(detail.said, "a stroke of it?")
                other, end = (
                    targets[index].var,
                    ("top", "max", "+") if detail.what == "on_top" else ("bottom", "min", "-"),
                )
                build.line(f"{end[0]} = {end[1]}(corner.z for corner in world_corners({other}))")
                build.line(
                    f"{var}.location = ({other}.location.x, {other}.location.y, {end[0]}{f' {end[2]} {literal(height)}' if height else ''})"
                )
                location_said = True
            case _:
                pass
    for index, detail in enumerate(details):
        match detail.what:
            case "grounded":
                height = lowest(noun, values)
                if height is None:
                    raise refuse(detail.said, "it is not known how high it stands")
                build.line(
                    f"{var}.location.z = {literal(clean(height + (detail.value if isinstance(detail.value, float) else 0.0)))}"
                )
            case "aim":
                build.need("aim")
                if index in targets:
                    build.line(f"aim({var}, {targets[index].var}.matrix_world.translation)")
                else:
                    build.line(f"aim({var}, Vector({literal(tuple(float(p or 0) for p in detail.value.parts))}))")
            case "aim_origin":
                build.need("aim")
                build.line(f"aim({var}, Vector((0.0, 0.0, 0.0)))")
            case "way":
                build.line(
                    f"{var}.rotation_euler = "
                    + (
                        "(0.0, 0.0, 0.0)"
                        if detail.value.startswith("down")
                        else build.literal((Degrees(180.0), 0.0, 0.0))
                    )
                )
            case "way_axis":
                look_along(build, var, detail.value)
            case "collection":
                build.need("collection_named", "move_to_collection")
                build.line(f"move_to_collection({var}, collection_named({quoted(detail.value)}))")
            case "active_camera":
                build.line(f"{build.scene()}.camera = {var}")
            case "tracked":
                track_to(build, known, targets[index])
            case "parent":
                build.line(f"{var}.parent = {targets[index].var}")
            case "hidden":
                build.line(f"{var}.hide_render = {var}.hide_viewport = True")
            case "smooth" | "flat":
                build.need("shade")
                build.line(f"shade({var}, smooth={detail.what == 'smooth'})")
            case "display":
                build.line(f'{var}.empty_display_type = "{detail.value.upper().replace(" ", "_")}"')
            case "rigid":
                build.need("rigid_body")
                build.line(f'rigid_body({var}).type = "{detail.value.upper()}"')
            case _:
                pass


def track_to(build: Build, known: Known, goal: Known) -> None:
    """Let it always look at an object, by a constraint."""
    build.need("expect")
    held = build.var("held")
    build.line(f'{held} = {known.var}.constraints.get("Track To") or {known.var}.constraints.new("TRACK_TO")')
    build.line(f"expect({held}, bpy.types.TrackToConstraint).target = {goal.var}")


def look_along(build: Build, var: str, axis: str) -> None:
    """Turn a camera or a light along an axis of the world, upright."""
    turns = {
        "Y": (90.0, 0.0, 0.0),
        "-Y": (90.0, 0.0, 180.0),
        "X": (90.0, 0.0, -90.0),
        "-X": (90.0, 0.0, 90.0),
        "-Z": (0.0, 0.0, 0.0),
        "Z": (180.0, 0.0, 0.0),
    }
    build.line(f"{var}.rotation_euler = {build.literal(tuple(Degrees(angle) for angle in turns[axis]))}")


def lowest(noun: Noun, values: Mapping[str, Any]) -> float | None:
    """How far below its origin a new object reaches."""
    match noun.kind:
        case "cube":
            return clean((values["z"] or values["size"]) / 2)
        case "uv sphere" | "ico sphere":
            return float(values["radius"])
        case "cylinder" | "cone":
            return clean(values["depth"] / 2)
        case "plane" | "grid" | "circle" | "empty":
            return 0.0
        case "torus":
            return float(values["minor"])
        case _:
            return None


def set_vector(build: Build, owner: str, value: Vec, default: float, said: str, *, angles: bool = False) -> None:
    """A vector attribute; components that were not said keep what they have."""
    if len(value.parts) != 3:
        raise refuse(said, "three numbers were expected")
    parts = [Degrees(part) if angles and part is not None else part for part in value.parts]
    if value.whole:
        build.line(f"{owner} = {build.literal(tuple(parts))}")
    else:
        for letter, part in zip("xyz", parts, strict=True):
            if part is not None:
                build.line(f"{owner}.{letter} = {build.literal(part)}")


def turn(build: Build, var: str, angle: Degrees, axis: str) -> None:
    """Set the rotation around one axis."""
    value = Degrees(-angle.value if axis.startswith("-") else angle.value)
    build.line(f"{var}.rotation_euler.{axis[-1].lower()} = {build.literal(value)}")


def look_of(build: Build, known: Known, details: Sequence[Detail]) -> None:
    """The material of a new object, or the color of a light."""
    from app.drafting.composer.steps.materials import write_look

    looks = [d.value for d in details if d.what == "material"]
    names = [d.value for d in details if d.what == "material_name"]
    if not looks:
        if names:
            raise refuse(names[0], "which material?")
        return
    if known.type == "LIGHT":
        hue, finishes = looks[0][:2]
        if hue is None or finishes:
            raise refuse(details[0].said, "a light has a color only")
        build.need("expect")
        build.line(f"expect({known.var}.data, bpy.types.{known.data}).color = {literal(hue.rgb)}")
        return
    if known.type not in {"MESH", "CURVE", "FONT", "META"}:
        raise refuse(looks[0][2], "it shows no material")
    hues = [each[0] for each in looks if each[0] is not None]
    if len(hues) > 1:
        raise refuse(looks[1][2], "it has one color")
    finishes = {key: value for each in looks for finish in each[1] for key, value in finish.items()}
    said = " ".join(each[2] for each in looks)
    write_look(build, [known], hues[0] if hues else None, finishes, names[0] if names else titled(said), new=True)


def apply_settings(build: Build, known: Known, noun: Noun, details: Sequence[Detail]) -> None:
    """Settings of its data: "focal length 50 mm"."""
    sets: list[Set] = [d.value for d in details if d.what == "setting"]
    sets += [one for d in details if d.what == "settings" for one in d.value]
    energies = [d for d in details if d.what == "energy"]
    if energies:
        build.need("expect")
        build.line(f"expect({known.var}.data, bpy.types.{known.data}).energy = {literal(float(energies[0].value))}")
    params = [d for d in details if d.what == "param"]
    if noun.kind == "area light":
        size_of_light(build, known, details)
    elif params and not noun.params:
        raise refuse(params[0].said, f"a {noun.kind} has no such size")
    if not sets:
        return
    if not noun.data:
        chosen = build.choose(sets, [Place("", "Object")], f"the {noun.kind}")
        build.assign(known.var, chosen)
        return
    places = build.lexicon.places(noun.data)
    chosen = build.choose(sets, places, f"the {noun.kind}")
    build.need("expect")
    data = build.var(f"{known.var}_data")
    build.line(f"{data} = expect({known.var}.data, bpy.types.{noun.data})")
    build.assign(data, chosen)


def size_of_light(build: Build, known: Known, details: Sequence[Detail]) -> None:
    """The shape and the size of an area light: "rectangular, 2 m x 1 m", "a 60 cm disk"."""
    forms = {FORMS.get(d.value, d.value) for d in details if d.what == "form"}
    plain = [d for d in details if d.what == "param"]
    both = [d for d in details if d.what == "dimensions"]
    told = {setting.prop.name for d in details if d.what == "setting" for setting, _ in d.value.options[:1]}
    if len(forms) > 1 or len(plain) + len(both) > 1 or (told & {"size"} and (plain or both)):
        raise refuse((*plain, *both, *details)[-1].said, "one shape and one size were expected")
    form = next(iter(forms), "")
    flat = form in {"", "RECTANGLE", "ELLIPSE"}
    sizes = [value for d in both for value in d.value.parts]
    if (both and (len(sizes) != 2 or None in sizes)) or (both and not flat and sizes[0] != sizes[1]):
        raise refuse(both[0].said, "a width and a height were expected")
    for each in plain:
        word, given = each.value
        if word not in {"size", "wide", "diameter"} or not (given.unit is None or given.measured("length")):
            raise refuse(each.said, "no size of a light")
        sizes = [given.value]
    form = form or ("RECTANGLE" if both else "")
    build.need("expect")
    owner = f"expect({known.var}.data, bpy.types.AreaLight)"
    if form:
        build.line(f'{owner}.shape = "{form}"')
    for name, value in zip(("size", "size_y"), sizes, strict=False):
        if name == "size" or flat:
            build.line(f"{owner}.{name} = {literal(positive(value, str(value)))}")


# --- several at once ----------------------------------------------------------------------------------------


def add_several(build: Build, what: Thing) -> None:
    """ "three cubes": refused unless it is said where they are."""
    raise refuse(what.said, f"say how the {what.count} are arranged: in a row, a circle or a grid")


SPACED: Final = (
    "~( [arranged] in [a] (row|line) ; (along|in|on) {axis:axis} ; [spaced] [with] [by] [a] [gap of|gaps of|spacing of] {gap:n} [m] (apart|spacing|between them|between|distance|gap|gaps|from each other) ;"
    " (with|spaced) [a|by] [spacing|gap|distance|gaps] [of] {gap:n} ; (starting|beginning) at {start:vector} ; {middle=centered [at|on] [the] [origin]|centered} ; <called> {names:pattern} )"
).replace(
    "{middle=centered [at|on] [the] [origin]|centered}",
    "{middle=centered on the origin|centered at the origin|centered}",
)


@step(
    f"[<add>] [a] (row|line) of {{what:thing}} {SPACED}",
    f"[<add>] {{what:thing}} {SPACED}",
)
def row(
    build: Build,
    what: Thing,
    axis: str | None,
    gap: float | None,
    start: Vec | None,
    names: tuple[str, int, int] | None,
    middle: str | None = None,
) -> None:
    """Several things one after another."""
    if what.count < 2 or gap is None:
        raise refuse(what.said, "how many, and how far apart?")
    if re.search(r"\b(gaps?|between them)\b", build.request) and re.search(r"\b(wide|long|deep|tall)\b", what.said):
        raise refuse(what.said, "is that from one to the next, or the space between them?")
    if middle:
        far = -gap * (what.count - 1) / 2
        start = Vec(tuple(far if letter == (axis or "X")[-1] else 0.0 for letter in "XYZ"))
    first = tuple(float(p or 0.0) for p in start.parts) if start else (0.0, 0.0, 0.0)
    index = "XYZ".index((axis or "X").lstrip("-"))
    step_ = -gap if (axis or "").startswith("-") else gap
    parts = [f"{literal(first[k])} + {literal(step_)} * number" if k == index else literal(first[k]) for k in range(3)]
    many_things(build, what, what.count, f"({', '.join(parts)})", names)


CIRCLED: Final = (
    "[with|of] [a] [radius] [of|=] [{radius:n}] [radius] ~( [evenly|equally] (arranged|placed|spaced|distributed) [evenly] ; (around|about|centered at|centered on) [the] [point|center] {centre:vector} ;"
    " [with] [a] radius [of|=] {radius:n} ; [with] [a] diameter [of|=] {diameter:n} ; {way=facing the center|all facing the center|each facing the center|facing inwards|facing outwards|looking at the center|turned to the center|facing outward|facing inward|pointing outwards|pointing to the center|pointing at the center} ;"
    " <called> {names:pattern} )"
)


@step(
    f"[<add>] [a] (circle|ring) of {{what:thing}} {CIRCLED}",
    f"[<add>] {{what:thing}} [evenly|equally] [arranged|placed|spaced|distributed] [evenly] (in|on|around|along) [a|the] (circle|ring) {CIRCLED}",
)
def circle_of(
    build: Build,
    what: Thing,
    radius: float | None,
    centre: Vec | None,
    names: tuple[str, int, int] | None,
    diameter: float | None = None,
    way: str | None = None,
) -> None:
    """Several things on a circle, evenly."""
    radius = radius if radius is not None else diameter and diameter / 2
    if what.count < 2 or radius is None:
        raise refuse(what.said, "how many, and on how wide a circle?")
    build.imports("math: cos", "math: sin", "math: tau")
    x, y, z = (tuple(float(p or 0.0) for p in centre.parts) if centre else (0.0, 0.0, 0.0))[:3]
    angle = f"tau * number / {what.count}"
    shift = [f"{literal(value)} + " if value else "" for value in (x, y)]
    place = f"({shift[0]}{literal(radius)} * cos({angle}), {shift[1]}{literal(radius)} * sin({angle}), {literal(z)})"
    turned = f"({angle} {'+' if way and 'out' in way else '-'} tau / 4)" if way else ""
    many_things(build, what, what.count, place, names, turned=turned.strip("()") if turned else "")


@step(
    "[<add>] {what:thing} ~( [scattered|placed|distributed] (randomly|at random|at random positions|at random places|at random locations|in random positions) [placed|scattered|distributed] ;"
    " (within|in|inside|over|on|across) [a] {area:vector} [m] [area|box|square|volume|region|field|rectangle] ; (within|in|inside) [a] [radius of|distance of] {reach:n} [m] [radius] [of [the] origin] ; [with] [random] seed [of|=] {seed:int} ; <called> {names:pattern} )",
)
def scattered(
    build: Build,
    what: Thing,
    area: Vec | None,
    reach: float | None,
    seed: int | None,
    names: tuple[str, int, int] | None,
) -> None:
    """Several things at random places from a seed."""
    if what.count < 2 or (area is None) == (reach is None):
        raise refuse(what.said, "how many, and within which area?")
    build.imports("random: Random", "math: cos", "math: sin", "math: tau")
    build.line(f"random = Random({seed or 0})")
    if area is not None:
        parts = [float(each or 0.0) / 2 for each in (*area.parts, 0.0)[:3]]
        place = ", ".join(f"random.uniform({literal(-part)}, {literal(part)})" if part else "0.0" for part in parts)
        many_things(build, what, what.count, f"({place})", names)
        return
    build.line(
        f"polar = [(random.random() * tau, {literal(float(reach or 0.0))} * random.random() ** 0.5) for _ in range({what.count})]"
    )
    many_things(
        build,
        what,
        what.count,
        "(polar[number][1] * cos(polar[number][0]), polar[number][1] * sin(polar[number][0]), 0.0)",
        names,
    )


@step(
    "[<add>] [a|an|the] {nx:int} [x|by] {ny:int} [x|by] [{nz:int}] grid of {what:thing} [,] [spaced] [with] [a] [spacing|gap|distance] [of] {gap:n} [m] [apart|spacing|between them|distance] [,] [{details:thing_details of what}] [[,] <called> {names:pattern}]",
    "[<add>] grid of {nx:int} [x|by] {ny:int} {what:thing} [,] [spaced] [with] [a] [spacing|gap|distance] [of] {gap:n} [m] [apart|spacing|between them|distance] [,] [{details:thing_details of what}] [[,] <called> {names:pattern}]",
    "[<add>] {nx:int} (x|by) {ny:int} (x|by) {nz:int} {what:thing} ~( [with] [a] (spacing|pitch) [of] {gap:n} ; (sharing|that share|share|with) (one|the same|a single) mesh ; (centered|center) (at|on|around) [the] [world] origin ; {details:thing_details of what} ; <called> {names:pattern} )",
    "[<add>] {nx:int} (x|by) {ny:int} {what:thing} ~( [with] [a] (spacing|pitch) [of] {gap:n} ; (sharing|that share|share|with) (one|the same|a single) mesh ; (centered|center) (at|on|around) [the] [world] origin ; {details:thing_details of what} ; <called> {names:pattern} )",
    "[<add>] [a|an|the] {nx:int} [x|by] {ny:int} {what:thing} in [a] grid [,] [spaced] [with] [a] [spacing|gap|distance] [of] {gap:n} [m] [apart|spacing|between them|distance] [,] [{details:thing_details of what}] [[,] <called> {names:pattern}]",
)
def grid_of(
    build: Build,
    what: Thing,
    nx: int,
    ny: int,
    nz: int | None,
    gap: float | None,
    details: list[Detail] | None,
    names: tuple[str, int, int] | None,
) -> None:
    """Several things in rows and columns, centered on the origin."""
    if details:
        what = Thing(what.noun, what.count, (*what.details, *details), what.said)
    if what.count != 1 or max(nx, ny, nz or 1) > 100 or gap is None:
        raise refuse(what.said, "how many?")
    if "grid" in what.said.lower().split():
        raise refuse(what.said, "a grid of what?")
    total = nx * ny * (nz or 1)

    def coordinate(expression: str, count: int) -> str:
        return f"{literal(gap)} * ({expression}) - {literal(clean(gap * (count - 1) / 2))}"

    parts = [
        coordinate(f"number % {nx}", nx),
        coordinate(f"number // {nx} % {ny}" if nz else f"number // {nx}", ny),
        coordinate(f"number // {nx * ny}", nz) if nz else "0.0",
    ]
    many_things(build, what, total, f"({', '.join(parts)})", names)


@slot("thing_details")
def thing_details(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[Detail]]]:
    """More said of a thing that was named before."""
    found = env.get(of)
    if isinstance(found, Thing):
        for end, details in details_after(reading, at, found.noun):
            if details:
                yield end, details


@slot("pattern")
def name_pattern(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """Numbered names: "Bead_0 to Bead_9", "Part_01, Part_02, ...", "Chip_01 ... Chip_30": stem, digits, first number."""
    import re

    first = reading.tokens[at].text if at < len(reading.tokens) else ""
    match = re.fullmatch(r"(.*?)(\d+)", first)
    if match is None:
        if reading.tokens[at : at + 1] and reading.tokens[at].kind == "quoted" and "#" in first:
            stem_ = first.rstrip("#")
            yield at + 1, (stem_, len(first) - len(stem_), 1)
        return
    end = at + 1
    while end < len(reading.tokens):
        token = reading.tokens[end]
        numbered = re.fullmatch(r"(.*?)(\d+)", token.text)
        if (
            (token.kind in {"word", "quoted"} and numbered and numbered[1] == match[1])
            or token.word in {"to", "and", "until", "through", "on"}
            or token.text in {",", "...", "..", "…", "-"}
            or (token.word == "so" and reading.word(end + 1) == "on")
        ) or token.word in {"etc"}:
            end += 1
        else:
            break
    while end > at + 1 and (reading.mark(end - 1) == "," or reading.word(end - 1) in {"and", "to", "on", "so"}):
        end -= 1
    if end > at + 1 or of == "single":
        yield end, (match[1], len(match[2]), int(match[2]))


def many_things(
    build: Build,
    what: Thing,
    count: int,
    location: str,
    names: tuple[str, int, int] | None,
    *,
    turned: str = "",
    total: str = "",
    title: str = "",
) -> None:
    """Objects that share one mesh, at the place that an expression of `number` gives.

    `total` and `title` are expressions of how many there are and what each is called, where no numbers say that.
    """
    noun = NOUNS[what.noun]
    if noun.type not in {"MESH", "EMPTY", "LIGHT"} or count > 2000:
        raise refuse(what.said, f"so many {noun.kind}s cannot be arranged")
    called = [d for d in what.details if d.what == "name"]
    allowed = {
        "param",
        "material",
        "name",
        "dimensions",
        "filled",
        "smooth",
        "scale",
        "scale1",
        "rotation",
        "turn",
        "collection",
        "flat",
        "setting",
        "energy",
        "grounded",
    }
    other = next((d for d in what.details if d.what not in allowed), None)
    if other is not None:
        raise refuse(other.said, "this cannot be said of several")
    stem_, digits, first = names or (f"{called[0].value if called else noun.name} ", 1, 1)
    if build.in_body:
        raise refuse(what.said, "how many does the function add each time?")
    values = shape(noun, what.details)
    build.need("find_made", "new_object")
    build.comment(f"add a {noun.kind} for each" if total else f"add {count} {noun.kind}s")
    var = build.var("made")
    key = build.key("", called=False)
    shared = build.var("shared_data")
    build.line(f"{shared}: bpy.types.ID | None = None")
    number = (
        f"{{number + {first}:0{digits}}}" if digits > 1 else ("{number + " + str(first) + "}" if first else "{number}")
    )
    build.line(f"{var}: list[bpy.types.Object] = []")
    with build.block(f"for number in range({total or count}):"):
        build.line(f'key = f"{key}-{{number}}"')
        build.line("obj = find_made(key)")
        with build.block("if obj is None:"):
            build.line(f"{shared} = {shared} or {data_code(build, noun, noun.name, values, what.details)}")
            called_ = title or f'f"{stem_}{number}"'
            build.line(f"obj = new_object({called_}, {shared}, key)")
        build.line(f"obj.location = {location}")
        if turned:
            build.line(f"obj.rotation_euler.z = {turned}")
        simple = [
            d
            for d in what.details
            if d.what in {"scale", "scale1", "rotation", "turn", "collection", "smooth", "flat", "grounded"}
        ]
        place(build, Known("obj", type=noun.type, kind=noun.kind), noun, values, simple, {})
        build.line(f"{var}.append(obj)")
    known = Known(var, type=noun.type, kind=noun.kind, made=True)
    build.it = Many(var, noun.type, [])
    del known
    if any(d.what == "material" for d in what.details):
        from app.drafting.composer.steps.materials import write_look

        looks = [d.value for d in what.details if d.what == "material"]
        finishes = {k: v for each in looks for finish in each[1] for k, v in finish.items()}
        hues = [each[0] for each in looks if each[0] is not None]
        first_known = Known(f"{var}[0]", type=noun.type)
        write_look(build, [first_known], hues[0] if hues else None, finishes, titled(looks[0][2]), new=True)
    leftover = [d for d in what.details if d.what in {"setting", "energy"}]
    if leftover:
        raise refuse(leftover[0].said, "this cannot be said of several")
    build.note(f"{what.said} -> {'as many' if total else count} new objects that share one mesh")


@step(
    "bevel {target:object} (with|by|at|to) [a|the] depth [of] {depth:n} [[and|,|with] [a] resolution [of] {resolution:int}]"
)
def bevel_curve(build: Build, target: Target, depth: float, resolution: int | None) -> None:
    """Make a curve a tube."""
    known = build.one(target)
    if known.type != "CURVE":
        raise refuse(target.said, "a curve, or a mesh with a Bevel modifier?")
    build.need("expect")
    build.line(f"expect({known.var}.data, bpy.types.Curve).bevel_depth = {literal(positive(float(depth), str(depth)))}")
    if resolution is not None:
        build.line(f"expect({known.var}.data, bpy.types.Curve).bevel_resolution = {resolution}")
    build.note(f"{target.said} -> a tube")
