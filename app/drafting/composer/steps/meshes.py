"""Meshes, curves and text that are there: shading, subdividing, origins, groups, UV maps, conversion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Set, Target
from app.drafting.composer.values import Degrees, Vec, literal, quoted, refuse


@slot("transform_parts")
def transform_parts(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, frozenset[str]]]:
    """ "rotation and scale", "all transforms"."""
    if reading.word(at) in {"all", "its", "their", "transform", "transforms", "transformation", "transformations"}:
        end = at
        while reading.word(end) in {
            "all",
            "its",
            "their",
            "the",
            "transform",
            "transforms",
            "transformation",
            "transformations",
        }:
            end += 1
        if reading.word(end - 1).startswith("transform"):
            yield end, frozenset({"location", "rotation", "scale"})
    found: set[str] = set()
    place = at
    while reading.word(place) in {"location", "rotation", "scale", "and", "the", "its", "their"} or reading.mark(
        place
    ) in {",", "&"}:
        if reading.word(place) in {"location", "rotation", "scale"}:
            found.add(reading.word(place))
            yield place + 1, frozenset(found)
        place += 1


@slot("visibility")
def visibility(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, frozenset[str]]]:
    """ "in the viewport and in renders"."""
    found: set[str] = set()
    place = at
    words = {
        "viewport": "hide_viewport",
        "viewports": "hide_viewport",
        "render": "hide_render",
        "renders": "hide_render",
        "rendering": "hide_render",
    }
    stops: list[tuple[int, frozenset[str]]] = []
    while reading.word(place) in {"in", "from", "for", "the", "and", "both", "final", *words} or (
        reading.mark(place) == "," and found
    ):
        if reading.word(place) in words:
            found.add(words[reading.word(place)])
            stops.append((place + 1, frozenset(found)))
        place += 1
    yield from reversed(stops)


@step(
    "shade [{target:object}] {how=smooth|flat|smoothly}",
    "shade {how=smooth|flat} {target:object}",
    "[<set>] {how=smooth|flat} shading [on|to|for] [{target:object}]",
    "(make|set) {target:object} {how=smooth|flat} [shaded]",
    "smooth shade {target:object}",
    "{target:object} [is] shaded {how=smooth|flat}",
    "shaded {how=smooth|flat}",
    "set shading of {target:object} to {how=smooth|flat}",
    "(shade|shading) {how=smooth|flat} (on|for) {target:object}",
)
def shade(build: Build, target: Target | None, how: str | None) -> None:
    """Shade faces smooth or flat."""
    build.need("shade")
    with build.each(target, type_="MESH") as known:
        if known.type not in {"", "MESH"}:
            raise refuse(target.said if target else "shade", "only a mesh is shaded")
        build.line(f"shade({known.var}, smooth={how != 'flat'})")
    build.note(f"shade {how or 'smooth'}")


@step("really subdivide it", "(subdivide it|do it) for real", "(actually|really) subdivide (it|the mesh)")
def subdivide_remark(build: Build) -> None:
    """A remark: the mesh itself is meant, as it was read."""
    if "subdivide" not in build.used:
        raise refuse("subdivide it", "how often?")


@step(
    "separate {target:object} by {how=loose parts|material|materials}",
    "separate [the] {how=loose parts} of {target:object}",
)
def separate(build: Build, target: Target, how: str) -> None:
    """Split a mesh into objects."""
    build.once()
    build.need("only_selected")
    known = build.one(target)
    build.line(
        f'only_selected({known.var})\nbpy.ops.mesh.separate(type="{"LOOSE" if how == "loose parts" else "MATERIAL"}")'
    )
    build.note(f"{target.said} -> separated")


FACES: Final = {
    "top": (2, 1),
    "bottom": (2, -1),
    "front": (1, -1),
    "back": (1, 1),
    "right": (0, 1),
    "left": (0, -1),
    "upper": (2, 1),
    "lower": (2, -1),
}


@step(
    "(set|move|put) {target:object} 's origin (to|at) [its|the] {where=bottom|base|top|center|geometry|lowest point}",
    "(set|move|put) [the] origin to [its|the|their] {where=bottom|geometry|center|center of mass} (for|of|on) {target:object}",
    "(set|move|put) [the] origin of {target:object} (to|at) [its|the] {where=bottom|base|lowest point|top|center|center of mass|geometry|center of geometry|geometric center|middle|bounding box center}",
    "(set|move|put) [the] origin of {target:object} (to|at) [the] [center of the|center of its] {where=bottom|bottom face|base|bounding box}",
    "(set|move) [the] origin of {target:object} to [its] {where=geometry}",
    "origin to {where=geometry|bottom|center of mass} (on|for|of) {target:object}",
    "(set|move|put) [the] origin of {target:object} (to|at) [the] {place:vector}",
    "(set|move|put) [the] origin of {target:object} (to|at) [the] {where=world origin|3d cursor}",
)
def origin(build: Build, target: Target, where: str | None, place: Vec | None) -> None:
    """Move the origin; the mesh stays where it is."""
    build.need("mesh_of")
    build.imports("mathutils: Matrix", "mathutils: Vector")
    build.once()
    with build.each(target, type_="MESH") as known:
        var = known.var
        build.line(f"points = [vertex.co for vertex in mesh_of({var}).vertices]")
        build.line("low = Vector([min(point[k] for point in points) for k in range(3)])")
        build.line("high = Vector([max(point[k] for point in points) for k in range(3)])")
        if place is not None or where == "world origin":
            goal = tuple(float(p or 0.0) for p in place.parts) if place else (0.0, 0.0, 0.0)
            build.need("current_view_layer")
            build.line("current_view_layer().update()")
            build.line(f"centre = {var}.matrix_world.inverted() @ Vector({literal(goal)})")
        elif where in {"bottom", "base", "lowest point", "bottom face"}:
            build.line("centre = Vector(((low.x + high.x) / 2, (low.y + high.y) / 2, low.z))")
        elif where == "top":
            build.line("centre = Vector(((low.x + high.x) / 2, (low.y + high.y) / 2, high.z))")
        elif where in {
            "center",
            "geometry",
            "center of geometry",
            "geometric center",
            "middle",
            "bounding box",
            "bounding box center",
        }:
            build.line("centre = (low + high) / 2")
        else:
            raise refuse(target.said, "this place is not known")
        build.line(f"mesh_of({var}).transform(Matrix.Translation(-centre))")
        build.line(f"{var}.matrix_basis = {var}.matrix_basis @ Matrix.Translation(centre)")
    build.note(f"{target.said} -> origin")


@step(
    "(make|create|add) [a] [new] vertex group [<called>] {name:name} (with|containing|of) (every|all) (vertex|vertices) (to|on|of) {target:object} [with weight {weight:n}]",
    "(make|create|add) [a] [new] vertex group [<called>] {name:name} (on|for|to) {target:object} [that contains|containing|with|of] [all] [the] [{side=upper|top|lower|bottom|left|right|front|back}] [{n:n}] [vertices|vertex|points] [with weight {weight:n}]",
    "(make|create|add) [a] [second|third|another] [vertex] group {name:name} [that contains|containing|with|of] [all] [the] {side=upper|top|lower|bottom|left|right|front|back} [{n:n}] [vertices|vertex|points] [with weight {weight:n}]",
    "[add] [a] [vertex] group {name:name} (on|for|to) {target:object} [that contains|containing|with|of] [all] [the] {side=upper|top|lower|bottom|left|right|front|back} [{n:n}] [vertices|vertex|points] [with weight {weight:n}]",
    "[a] [second] [vertex] group {name:name} with [all] [the] {side=upper|top|lower|bottom|left|right|front|back} [{n:n}] [vertices|vertex]",
)
def vertex_group(
    build: Build, name: str, target: Target | None, side: str | None, n: float | None, weight: float | None
) -> None:
    """A vertex group with the vertices on one side, or all."""
    known = build.one(target)
    build.need("mesh_of")
    build.comment(f"fill the vertex group {name}")
    var = build.var("group")
    build.line(
        f"{var} = {known.var}.vertex_groups.get({quoted(name)}) or {known.var}.vertex_groups.new(name={quoted(name)})"
    )
    if side:
        axis, sign = FACES[side]
        letter = "xyz"[axis]
        line = build.var("level")
        build.line(
            f"{line} = sum(vertex.co.{letter} for vertex in mesh_of({known.var}).vertices) / len(mesh_of({known.var}).vertices)"
        )
        chosen = f"[vertex.index for vertex in mesh_of({known.var}).vertices if vertex.co.{letter} {'>' if sign > 0 else '<'} {line}]"
        if n is not None and n not in {4.0}:
            raise refuse(f"{n:g}", "how many there are is not known")
    else:
        chosen = f"[vertex.index for vertex in mesh_of({known.var}).vertices]"
    build.line(f'{var}.add({chosen}, {literal(float(weight if weight is not None else 1.0))}, "REPLACE")')
    build.note(f'vertex group "{name}"')


@step(
    "scale [the] uv [map] [coordinates] of {target:object} [existing map|map] (by|to) [factor] {n:n}",
    "scale [the] uv [map] of [its|the] [existing] [map] (by|to) {n:n}",
    "scale {target:object} ['s] uv [map] by {n:n}",
)
def scale_uv(build: Build, target: Target | None, n: float) -> None:
    """Scale the coordinates of the active UV map."""
    known = build.one(target)
    build.once()
    build.need("mesh_of", "expect")
    build.comment("scale the UV map")
    build.line(f"layer = expect(mesh_of({known.var}).uv_layers.active, bpy.types.MeshUVLoopLayer)")
    with build.block("for corner in layer.uv:"):
        build.line(f"corner.vector = (corner.vector[0] * {literal(float(n))}, corner.vector[1] * {literal(float(n))})")
    build.note(f"UV map scaled by {n:g}")


@step(
    "(add|create) [a] [new] uv (map|layer) [<called>] {name:name} (to|on|for) {target:object}",
    "(add|create) [a] [new] uv (map|layer) (to|on|for) {target:object} [<called>] {name:name}",
    "(add|create) [a] [new] {kind=color attribute|vertex color|vertex color layer|vertex colors} [<called>] {name:name} (to|on|for) {target:object}",
    "(add|create) [a] [new] {kind=color attribute|vertex color|vertex color layer} (to|on|for) {target:object} [<called>] {name:name}",
)
def mesh_layer(build: Build, name: str, target: Target, kind: str | None) -> None:
    """A UV map or a color attribute."""
    known = build.one(target)
    build.need("mesh_of")
    text = quoted(name)
    if kind:
        build.line(
            f'colors = mesh_of({known.var}).color_attributes\nif {text} not in colors:\n    colors.new({text}, "BYTE_COLOR", "CORNER")'
        )
    else:
        build.line(f"layers = mesh_of({known.var}).uv_layers\nif {text} not in layers:\n    layers.new(name={text})")
    build.note(f'{kind or "UV map"} "{name}"')


@step(
    "convert {target:object} (to|into) [a] {kind=mesh|curve}",
    "(turn|make) {target:object} into [a] {kind=mesh|curve}",
)
def convert(build: Build, target: Target, kind: str) -> None:
    """Convert curves, text and others to a mesh, with their modifiers."""
    build.once()
    build.need("only_selected")
    with build.each(target) as known:
        build.line(f'only_selected({known.var})\nbpy.ops.object.convert(target="{kind.upper()}")')
        known.type, known.data = kind.upper(), ""
    build.note(f"{target.said} -> {kind}")


@step(
    "(give|make) {target:object} [its] [a] [own|single user|single-user] (copy|mesh copy|mesh|data|mesh data|copy of the mesh|copy of its mesh|copy of the data) [,] [<called>] [{name:name}]",
    "(give|make) {target:object} its own copy [,] [<called>] [{name:name}]",
    "make [the] (data|mesh|mesh data) of {target:object} (single user|single-user|unique|its own|local) [<called> {name:name}]",
    "(make|set) {target:object} (single user|unique) [<called> {name:name}]",
    "(unlink|separate) [the] mesh [data] of {target:object} [from the others]",
)
def own_data(build: Build, target: Target, name: str | None) -> None:
    """Give objects data of their own."""
    with build.each(target) as known:
        var = build.var("shared")
        build.line(f"{var} = {known.var}.data")
        with build.block(f"if {var} is not None and {var}.users > 1:"):
            build.line(f"{known.var}.data = {var}.copy()")
        if name:
            build.need("expect")
            build.line(f"expect({known.var}.data, bpy.types.ID).name = {quoted(name)}")
    build.note(f"{target.said} -> data of its own")


@step(
    "{target:object} [still] (shares|share|uses|is sharing) (its mesh|the mesh|its data|the same mesh|a mesh|mesh data|the mesh data) with {other:object}",
)
def shares(build: Build, target: Target, other: Target) -> None:
    """A remark on how things are: nothing to do."""
    known = build.one(target)
    build.note(f"{target.said} shares its data with {other.said}: a remark")
    build.it = known


@step(
    "rename [the] (mesh|data|curve|light data|camera data) of {target:object} [to|into|as] {name:name}",
    "(link|assign|share) [the] (mesh|data) of {source:object of one} (to|with) {target:object}",
    "(let|make) {target:object} (share|use) the mesh of {source:object of one}",
)
def data_of(build: Build, target: Target, name: str | None, source: Target | None) -> None:
    """The name of an object's data, or the data of another object."""
    if name is not None:
        known = build.one(target)
        build.need("expect")
        build.line(f"expect({known.var}.data, bpy.types.ID).name = {quoted(name)}")
    elif source is not None:
        origin = build.one(source)
        with build.each(target) as known:
            build.line(f"{known.var}.data = {origin.var}.data")
    build.note("data")


@step(
    "(bend|tilt) {target:object} {angle:angle}",
)
def bend(build: Build, target: Target, angle: Degrees) -> None:
    """Too vague: which way is not said."""
    raise refuse(
        target.said, f"bend it with what? A simple deform modifier bends by {angle.value:g} degrees around an axis"
    )


@step(
    "{target:object} (be|is|should be|becomes) [a] [round] (tube|pipe|cable) [of|with] {n:n} [in] radius [[,] [with] {s:settings of object}]",
    "(make|turn|give) {target:object} [into|be] [a] [round] (tube|pipe|cable|thickness) [of|with] {n:n} [in] radius [[,] [with] {s:settings of object}]",
)
def tube(build: Build, target: Target, n: float, s: list[Set] | None) -> None:
    """A curve as a round tube."""
    known = build.one(target)
    if known.type not in {"CURVE", ""}:
        raise refuse(target.said, "only a curve becomes a tube so")
    build.need("expect")
    build.line(f"expect({known.var}.data, bpy.types.Curve).bevel_depth = {literal(float(n))}")
    if s:
        from app.drafting.composer.steps.properties import assign_object, object_places

        assign_object(build, known, build.choose(s, object_places(build, known), target.said))
    build.note(f"{target.said} -> a tube")


@step("extrude {target:object} [by] {n:n}", "(give|set) {target:object} [an] extrusion of {n:n}")
def extrude_curve(build: Build, target: Target, n: float) -> None:
    """Extrude a text or a curve."""
    known = build.one(target)
    if known.type not in {"FONT", "CURVE"}:
        raise refuse(target.said, "which face? Only a text or a curve is extruded as a whole")
    build.need("expect")
    build.line(f"expect({known.var}.data, bpy.types.Curve).extrude = {literal(float(n))}")
    build.note(f"{target.said} -> extruded by {n:g}")


@step(
    "(center|align center) {target:object} [horizontally]",
    "(align|center) {target:object} [text] [horizontally] [to the|to] {how=left|center|right}",
)
def align_text(build: Build, target: Target, how: str | None) -> None:
    """The alignment of a text."""
    known = build.one(target)
    if known.type != "FONT":
        raise refuse(target.said, "only a text is aligned so")
    build.need("expect")
    build.line(f'expect({known.var}.data, bpy.types.TextCurve).align_x = "{(how or "center").upper()}"')
    build.note(f"{target.said} -> aligned")
