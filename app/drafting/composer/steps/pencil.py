"""Grease pencil: objects, layers in their order, strokes on frames, materials."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from app.drafting.composer.build import WIDTH, Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Place
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, color
from app.drafting.composer.steps.modifiers import Topic
from app.drafting.composer.values import Color, Vec, clean, literal, quoted, refuse

GP: Final = "(grease pencil|gp|greasepencil|gpencil)"
TYPE: Final = "GREASEPENCIL"


@dataclass(frozen=True)
class Shape:
    """A stroke as it is described; places in its plane are (right, up)."""

    said: str
    places: tuple[tuple[float, float], ...] = ()
    points: tuple[Vec, ...] = ()
    circle: tuple[float, int] | None = None
    closed: bool = True
    filled: bool = False
    count: int | None = None
    """How many points a straight stroke has."""

    @property
    def unsized(self) -> bool:
        """Whether it is a square of which nobody said how large it is."""
        return not (self.places or self.points or self.circle)


SHAPES: Final = [
    (compile_pattern(text), kind)
    for text, kind in (
        ("[one|a|an|single] [{open=open}] [{closed=closed|cyclic}] [{line=straight}] (stroke|line|curve) [that] [goes|runs] [from|through|over|along|with the points|with points] {points:points} [(with|of|made of|and) {n:int} points]", "points"),
        ("[one|a|an] [closed] [{filled=filled}] square [stroke] (of|with|with side|with sides of|side|,|:) {w:n} [side|sides|edge|wide]", "square"),
        ("[one|a|an] [closed] [{filled=filled}] [{w:n}] square [stroke]", "square"),
        ("[one|a|an] [closed] [{filled=filled}] rectangle [stroke] [of|with|,|:] {w:n} (x|by) {h:n}", "square"),
        ("[one|a|an] [closed] [{filled=filled}] {w:n} (x|by) {h:n} rectangle [stroke]", "square"),
        ("[one|a|an] [closed] [{filled=filled}] (circle|ring) [stroke] ~( [with|of] [a] (radius|r) [of|=|:] {r:n} ; [with] [a] diameter [of|=|:] {d:n} ; [made] [of|from|with] {n:int} points )", "circle"),
        ("[one|a|an] [closed] [{filled=filled}] (triangle|hexagon|pentagon|octagon) [stroke] [of|with|,|:] (radius|r) [of|=|:] {r:n}", "polygon"),
    )
]  # fmt: skip


def oblong(width: float, height: float) -> tuple[tuple[float, float], ...]:
    """The corners of a rectangle around the middle."""
    w, h = width / 2, height / 2
    return (-w, -h), (w, -h), (w, h), (-w, h)


CORNERS: Final = {"triangle": 3, "pentagon": 5, "hexagon": 6, "octagon": 8}
ROUND: Final = 64
"""Points of a circle where nothing was said."""


@slot("shape")
def shape(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Shape]]:
    """ "a square of 2 m", "a circle of radius 1", "a stroke from (0, 0, 0) to (1, 0, 1)"."""
    for matcher, kind in SHAPES:
        for end, found in matcher(reading, at, {}):
            said, filled = reading.said(at, end), bool(found.get("filled"))
            if kind == "points":
                yield end, Shape(said, points=found["points"], closed=bool(found.get("closed")), count=found.get("n"))
            elif kind == "circle":
                if (found.get("r") is None) == (found.get("d") is None):
                    continue
                radius = found["r"] if found.get("r") is not None else found["d"] / 2
                yield end, Shape(said, circle=(radius, found.get("n") or ROUND), filled=filled)
            elif kind == "square":
                w = found.get("w")
                yield end, Shape(said, oblong(w, found.get("h") or w) if w else (), filled=filled)
            else:
                count = next(number for word, number in CORNERS.items() if word in said.lower())
                turns = [math.tau * index / count for index in range(count)]
                yield end, Shape(said, tuple((clean(round(found["r"] * math.sin(t), 6)), clean(round(found["r"] * math.cos(t), 6))) for t in turns), filled=filled)  # fmt: skip


@slot("hue")
def hue_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Color]]:
    """A color that is no row of numbers, which may be a place."""
    if reading.mark(at) not in {"(", "["}:
        yield from color(reading, at, {}, "bare")


PLANES: Final = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def pencil_store(build: Build) -> str:
    """Where this Blender keeps grease pencils. Raises `NotUnderstood` before 4.3."""
    kept = build.lexicon.manifest.types["BlendData"].properties
    if "grease_pencils_v3" in kept and build.lexicon.manifest.series < "5.0":
        return "grease_pencils_v3"
    if "GreasePencilDrawing" not in build.lexicon.manifest.types:
        raise refuse("grease pencil", "this Blender keeps it in another way")
    return "grease_pencils"


def pencil_of(build: Build, target: Target | None, layer: str = "") -> Known:
    """A grease pencil object: the one that is meant, the last one, or the only one there is."""
    pencil_store(build)
    if target is not None:
        return build.one(target)
    made = [each for each in build.known if each.type == TYPE]
    if made:
        return made[-1]
    if isinstance(build.it, Known) and build.it.kind != "active" and not build.it.type:
        return build.it
    build.need("pencil_with" if layer else "object_of_type")
    var = build.var("drawing")
    build.line(f"{var} = pencil_with({quoted(layer)})" if layer else f'{var} = object_of_type("{TYPE}")')
    return build.add_known(Known(var, "", TYPE, "the grease pencil"))


def data_of(build: Build, known: Known) -> str:
    """The variable of the grease pencil of an object."""
    made: dict[str, str] = build.memory.setdefault("_pencils", {})
    if known.var not in made:
        build.imports("typing: Any")
        made[known.var] = build.var("pencil_data")
        build.line(f"{made[known.var]}: Any = {known.var}.data")
    return made[known.var]


def layer_of(build: Build, known: Known, name: str | None) -> str:
    """The variable of a layer, a new one the first time; of the last one if none is named."""
    layers: dict[tuple[str, str], str] = build.memory.setdefault("_layers", {})
    if name is None:
        last = next((var for (owner, _), var in reversed(layers.items()) if owner == known.var), None)
        if last is not None:
            return last
        name = "Lines"
    if (known.var, name) not in layers:
        data, text = data_of(build, known), quoted(name)
        var = layers[known.var, name] = build.var(f"{name} layer")
        build.line(f"{var} = {data}.layers.get({text}) or {data}.layers.new({text})")
    return layers[known.var, name]


STACKED: Final = compile_pattern(
    "[,|and] [the] {name:name} [is|lies|sits] [at|on|in] [the] {where=top|above|bottom|below|underneath|under|middle} [of it|it]"
)
HEIGHTS: Final = {"top": 2, "above": 2, "middle": 1}


@slot("stacked")
def stacked(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Layers with their places, the lowest first: "Lines on top and Fill below"."""
    found: list[tuple[int, str]] = []
    while (read := next(STACKED(reading, at, {}), None)) is not None:
        at = read[0]
        found.append((HEIGHTS.get(read[1]["where"], 0), read[1]["name"]))
        if len(found) == len({height for height, _ in found}) > 1:
            yield at, tuple(name for _, name in sorted(found))


STROKE: Final = (
    "[on|at] frame {frame:int} ; [in|on|onto] [the] layer [<called>] {layer:name} ; {side:n} (edges|edge length|sides) ; (edges|edge length|side length) [of] {side:n} ; (in|on) [the] {plane=xy|xz|yz} plane ; (at|around|centered at|centered on|centered around|with center) [the] {center:vector} ;"
    " [with|using|in] material [<called>] {material:name} ; {thick:n} [px|pixels] (thick|wide) ; (thickness|line width|width) [of] {thick:n} ; (point radius|stroke radius|brush radius|line radius) [of] {radius:n} ;"
    " at least (2|two) points ; {closed=closed|cyclic} ; radius [of|:|=] {radius:n} ; (opacity|strength) [of] {opacity:n} ; in {hue:hue} ; {hue:hue} [ink|line|lines|stroke] ; filled with {fill:hue} ; {fill:hue} fill ; with {fill:hue} fill ; {hue:hue} {shape:shape}"
)


THERE: Final = "(existing )?grease[ -]pencil( object| drawing)?"
"""Words before the name of a grease pencil that is there."""
DRAWN: Final = re.compile(r"\b(grease ?pencil|gp|gpencil|stroke|draw|ink|sketch)\b", re.IGNORECASE)
"""Words without which "a circle of radius 1 on the table" is no stroke."""
USING: Final = re.compile(r"\b(using|with|in) (the )?[^ ]+ material\b", re.IGNORECASE)


@step(
    f"[<add>|draw] [a|an] [new] [empty|blank] {GP} [object|drawing] [<called>] {{name:name}} ~( (with|and) [a] layer [<called>] {{layer:name}} ; [with] [the] [{{many:int}}] layers [:|,] ({{layers:row_of_names}} [above it|on top] [in this order|in that order|from bottom to top]|{{layers:stacked}}) ; [and|with] [[a|one] [single] stroke :] {{shape:shape}} ; {STROKE} )",
    f"[<add>|draw] [a|an] {GP} (stroke|drawing|object) [on [a] new object {{name:name}}] ~( {{shape:shape}} ; (from|through) {{points:points}} ; {STROKE} )",
    f"(draw|ink|sketch|add) [me] [a|an] [{{hue:hue}}] {{shape:shape}} (with|in|using|as) [a] {GP} [:|,] ~( [[in|on] [a] [new] object] [<called>] {{name:name}} ; {STROKE} )",
    f"[{GP} [:]] [draw|add|put|ink|sketch] [a|an] [{{hue:hue}}] {{shape:shape}} ~( [drawn] (on|in|to|for|onto) [the] {GP} [object|drawing] {{target:object of one}} ; [drawn] (on|in|to) [the] {{target:object of one}} ; « {GP} » ; {STROKE} )",
)
def draw(
    build: Build, name: str | None, target: Target | None, layer: str | None, layers: tuple[str, ...] | None, shape: Shape | None, points: tuple[Vec, ...] | None,
    frame: int | None, plane: str | None, center: Vec | None, material: str | None, thick: float | None, radius: float | None,
    opacity: float | None, hue: Color | None, fill: Color | None, side: float | None, many: int | None,
    closed: str | None,
) -> None:  # fmt: skip
    """A grease pencil object with layers and a stroke, or another stroke on one."""
    if many is not None and many != len(layers or ()):
        raise refuse("layers", f"{many} of them?")
    if target is not None and not DRAWN.search(build.request):
        raise refuse(target.said, "a stroke of a grease pencil, or an object?")
    drawn = shape or (Shape("stroke", points=points, closed=False) if points else None)
    if drawn is None and any((frame, plane, material, thick, radius, opacity, hue, fill, side, closed)):
        raise refuse(name or "", "which stroke?")
    if drawn is not None and material is None and USING.search(build.request):
        raise refuse(drawn.said, "with which material?")
    if drawn is not None and drawn.unsized == (side is None):
        raise refuse(drawn.said, "how large is it?")
    if drawn is not None and closed:
        drawn = replace(drawn, closed=True)
    if drawn is not None and side is not None:
        drawn = replace(drawn, places=oblong(side, side))
    if (
        drawn is None
        and not (layer or layers)
        and not {"a", "an", "new", "blank", "empty", "add", "create", "make", "draw"}
        & set(build.request.lower().split())
    ):
        raise refuse(name or "", "a new one?")
    if (
        target is None
        and name
        and re.search(rf"\b(on|in|into|onto) (the )?{THERE} [\"'“]?{re.escape(name)}", build.request, re.IGNORECASE)
    ):
        target = Target("named", name, said=name)
    build.comment("grease pencil")
    if target is None and name:
        store = pencil_store(build)
        known = build.new_object(
            "drawing", name, called=True, type_=TYPE, data_code=f"bpy.data.{store}.new({quoted(name)})"
        )
    elif target is None and not any(each.type == TYPE for each in build.known):
        store = pencil_store(build)
        known = build.new_object(
            "drawing", "Grease Pencil", called=False, type_=TYPE, data_code=f'bpy.data.{store}.new("Grease Pencil")'
        )
    else:
        known = pencil_of(build, target)
    if drawn is None and center is not None:
        build.line(f"{known.var}.location = {literal(tuple(float(part or 0.0) for part in center.parts))}")
    for each in layers or ():
        layer_of(build, known, each)
    if layer is not None:
        layer_of(build, known, layer)
    if drawn is not None:
        var = layer_of(build, known, layer)
        index = "0"
        if material or hue or fill or drawn.filled:
            write_material(build, known, material or "Ink", hue, fill, only_fill=drawn.filled and not hue)
            index = f"{data_of(build, known)}.materials.find({quoted(material or 'Ink')})"
        how = (frame or 1, plane or "xz", center, radius or radius_of(build, thick or 0.04), opacity, index)
        write_stroke(build, known, var, drawn, how)
    build.it = known
    build.note(f"grease pencil: {drawn.said if drawn else name}")


PIXELS: Final = 2000
"""How many pixels of the thickness of old are a metre of the radius, as Blender converts them."""


def radius_of(build: Build, thick: float) -> float:
    """The radius of a stroke of this thickness; a number that could be no thickness in metres counts pixels."""
    pixels = re.search(
        rf"\b{thick:g} ?(px|pixels?)\b|(thick\w*|width) (of )?{thick:g}(?! ?(m|meters?|metres?)\b)", build.request
    )
    return clean(round(thick / PIXELS, 6)) if pixels and thick >= 1 else thick / 2


def write_stroke(
    build: Build, known: Known, layer: str, drawn: Shape, how: tuple[int, str, Vec | None, float, float | None, str]
) -> None:
    """A stroke on a frame of a layer."""
    frame, plane, center, radius, opacity, index = how
    across, up = PLANES[plane]
    middle = [part or 0.0 for part in (center.parts if center else (0.0, 0.0, 0.0))]
    count: dict[tuple[str, int], int] = build.memory.setdefault("_strokes", {})
    number = count[layer, frame] = count.get((layer, frame), 0) + 1
    if not known.made:
        build.once()
        number = 0
    build.need("add_stroke")
    if drawn.circle is not None:
        size, points = drawn.circle
        build.imports("math: cos", "math: sin", "math: tau")
        parts = ["0.0", "0.0", "0.0"]
        parts[across], parts[up] = (
            f"{literal(size)} * cos(tau * i / {points})",
            f"{literal(size)} * sin(tau * i / {points})",
        )
        shown = [
            literal(m) if p == "0.0" else f"{literal(m)} + {p}" if m else p for m, p in zip(middle, parts, strict=True)
        ]
        build.line(f"places = [({', '.join(shown)}) for i in range({points})]")
    else:
        places = spread(drawn)
        for right, high in drawn.places:
            spot = list(middle)
            spot[across] += right
            spot[up] += high
            places.append(tuple(map(clean, spot)))
        inner = [literal(tuple(map(float, place))) for place in places]
        row = ", ".join(inner)
        build.line(f"places = [{row}]" if len(row) < WIDTH else "places = [\n    " + ",\n    ".join(inner) + ",\n]")
    build.line(
        f"add_stroke({layer}, {frame}, {number}, places, {drawn.closed}, {literal(float(radius))}, {literal(float(opacity or 1.0))}, {index})"
    )


def spread(drawn: Shape) -> list[tuple[float, ...]]:
    """The points of a stroke; of a straight one as many as were asked for, evenly between its ends."""
    places = [tuple(part or 0.0 for part in point.parts) for point in drawn.points]
    if drawn.count is None or drawn.count == len(places):
        return places
    if len(places) != 2 or not 2 <= drawn.count <= MOST:
        raise refuse(drawn.said, "how are the points spread?")
    ends = list(zip(*places, strict=True))
    steps = [index / (drawn.count - 1) for index in range(drawn.count)]
    return [tuple(clean(round(a + (b - a) * step, 6)) for a, b in ends) for step in steps]


MOST: Final = 100
"""How many points of a stroke are written out."""


def write_material(
    build: Build, known: Known, name: str, hue: Color | None, fill: Color | None, *, only_fill: bool = False
) -> None:
    """A material of the object; its stroke and its fill as they were said."""
    build.need("pencil_material")
    var = build.var(name)
    build.line(f"{var} = pencil_material({known.var}, {quoted(name)})")
    for attribute, tone in (("color", hue), ("fill_color", fill)):
        if tone is not None:
            build.line(f"{var}.grease_pencil.{attribute} = {literal((*tone.rgb, 1.0))}")
    if fill is not None or only_fill:
        build.line(f"{var}.grease_pencil.show_fill = True")


@step(
    f"[<add>] [a|an] [new] [{GP}] material [[<called>] {{name:known}}] ~( (called|named) {{name:name}} ; (with|and) [a] {{hue:hue}} (stroke|line|outline) ; {{hue:hue}} (stroke|line|outline) ; (stroke|line) [color] {{hue:hue}} ;"
    " [and|with] [a] {fill:hue} fill ; fill [color] {fill:hue} ; {nofill=no fill|without fill|stroke only|without a fill} ; {nostroke=no stroke|without stroke|fill only} ; (on|to|for) [the] [object] {target:object of one} )"
)
def pencil_material(
    build: Build, name: str | None, hue: Color | None, fill: Color | None, nofill: str | None, nostroke: str | None, target: Target | None
) -> None:  # fmt: skip
    """A material of a grease pencil: how its strokes and fills look."""
    said = [word.lower() for word in build.request.split()]
    if not (nofill or nostroke or (hue and fill)) and not {"gp", "grease", "stroke", "fill"} & {
        word.strip(":,.") for word in said
    }:
        raise refuse("material", "of a grease pencil?")
    if (hue is None) == (fill is None) and hue is None:
        raise refuse(name or "material", "which color?")
    known = pencil_of(build, target)
    build.comment("a grease pencil material")
    write_material(build, known, name or "Ink", hue, fill)
    var = build.var("look")
    build.line(f"{var} = pencil_material({known.var}, {quoted(name or 'Ink')}).grease_pencil")
    if hue is not None or nostroke:
        build.line(f"{var}.show_stroke = {not nostroke}")
    if nofill:
        build.line(f"{var}.show_fill = False")
    build.note(f"grease pencil material {name or 'Ink'}")


ORDER: Final = "{order=above the others|above the other layers|above all others|above all the others|on top|on top of the others|at the top|to the top|on top of all others|below the others|below the other layers|below all others|at the bottom|to the bottom|underneath the others|under the others|underneath|underneath it|below it|under it|beneath it|behind it|above it|over it}"
LAYER_STATES: Final = "locked|hidden|lock|hide|unlocked|visible|shown"


@step(
    f"[<set>] [the] {GP} [object] {{target:object of one}} ['s|,|:] layer [<called>] {{layer:name}} [:|,] ~( {{s:settings of GreasePencilLayer}} ; [and] {{off={LAYER_STATES}}} )",
    f"[{GP} [:]] [<add>|<set>] [a] [new|second|third|further] [{GP}] layer [<called>] {{layer:name}} ~( (on|to|in|of) [the] [{GP}] [object] {{target:object of one}} ; {{s:settings of GreasePencilLayer}} ; [and] {{off={LAYER_STATES}}} ; {ORDER} )",
    f"[{GP} [:]] [the] layer [<called>] {{layer:name}} (gets|has|have|is|should be|should have|goes|belongs|comes|should go|uses) ~( {{s:settings of GreasePencilLayer}} ; [and] {{off={LAYER_STATES}}} ; {ORDER} )",
    f"(move|put|bring|send) [the] [{GP}] layer {{layer:name}} ~( {ORDER} ; (of|on|in) [the] [{GP}] [object] {{target:object of one}} )",
    f"[{GP} [:]] [<add>] [the] [{GP}] layers [{{layers:row_of_names}}] (on|to|in|of|for) [the] {GP} [object] {{target:object of one}} [:|,] [{{layers:row_of_names}}]",
    f"{{off=hide|lock|unlock|delete|remove}} [the] [{GP}] layer {{layer:name}} [(on|of|in|from) [the] [{GP}] [object] {{target:object of one}}]",
    "<set> [the] {m:prop of GreasePencilLayer} of [the] layer {layer:name} [(on|of|in) {target:object of one}] (to|=) {v:value of m}",
)
def pencil_layer(
    build: Build, layer: str | None, target: Target | None, s: list[Set] | None, v: Set | None, off: str | None,
    layers: tuple[str, ...] | None, order: str | None,
) -> None:  # fmt: skip
    """A layer of a grease pencil, a new one where it has none of that name, and its settings."""
    if layers is not None:
        known = pencil_of(build, target)
        for each in layers:
            layer_of(build, known, each)
        build.note(f"layers {', '.join(layers)}")
        return
    if layer is None:
        raise refuse("layers", "which ones?")
    known = pencil_of(build, target, layer)
    var = layer_of(build, known, layer)
    if off in {"delete", "remove"}:
        build.once()
        build.line(f"{data_of(build, known)}.layers.remove({var})")
        return
    if off:
        build.line(
            f"{var}.{'lock' if 'lock' in off else 'hide'} = {off not in {'unlock', 'unlocked', 'visible', 'shown'}}"
        )
    if order and "other" not in order and order.endswith(("it", "underneath")) and not known.made:
        raise refuse(order, "above or below all of the others?")
    if order:
        top = "top" in order or order.startswith(("above", "over"))
        build.line(f"{data_of(build, known)}.layers.move_{'top' if top else 'bottom'}({var})")
    places = tuple(build.lexicon.places("GreasePencilLayer"))
    build.assign(var, build.choose([*(s or []), *([v] if v else [])], places, "the layer"))
    build.topic = Topic(var, (Place("", "GreasePencilLayer"),), "layer")
    build.note(f'layer "{layer}"')
