"""Meshes, curves and text that are there: shading, subdividing, origins, groups, UV maps, conversion."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Final, cast

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Set, Target, skip
from app.drafting.composer.tokens import singular
from app.drafting.composer.values import Color, Degrees, Vec, literal, quoted, refuse


@step(
    "<remove> [the] vertex group [<called>] {name:name} [(from|of|on) {target:object}]",
    "<remove> all [the] vertex groups [(from|of|on) {target:object}]",
    "<remove> {target:object} ['s] [all] vertex groups",
    "rename [the] vertex group [<called>] {name:name} [(from|of|on) {target:object}] [<to>] {new:name}",
    "{lock=lock|unlock} [the] vertex group [<called>] {name:name} [(from|of|on) {target:object}]",
    "{lock=lock|unlock} all [the] vertex groups [(from|of|on) {target:object}]",
    "{lock=lock|unlock} (it|that group|the vertex group|the group|group) [«] [against (changes|edits|painting)] [»]",
)
def old_groups(build: Build, name: str | None, target: Target | None, new: str | None, lock: str | None = None) -> None:
    """Remove, rename or lock vertex groups, or lock the one that was just made."""
    if lock and name is None and target is None and not re.search(r"\ball\b", build.request, re.IGNORECASE):
        name = build.memory.get("_group")
        if name is None:
            raise refuse("lock", "which vertex group?")
    with build.each(target) as known:
        groups = f"{known.var}.vertex_groups"
        if lock:
            done = f"lock_weight = {lock == 'lock'}"
            build.line(f"{groups}[{quoted(name)}].{done}" if name else f"for group in {groups}:\n    group.{done}")
        elif name is None:
            build.line(f"{groups}.clear()")
        else:
            done = f"group.name = {quoted(new)}" if new else f"{groups}.remove(group)"
            build.line(f"group = {groups}.get({quoted(name)})\nif group is not None:\n    {done}")
    build.note("vertex groups")


@step(
    "(make|set) [the] vertex group [<called>] {name:name} [(of|on) {target:object}] [the|as|as the] (active|active one|active vertex group|active group) [(of|on) {target:object}]",
    "activate [the] vertex group [<called>] {name:name} [(of|on) {target:object}]",
)
def active_group(build: Build, name: str, target: Target | None) -> None:
    """Make a vertex group the active one."""
    with build.each(target, type_="MESH") as known:
        build.line(f"{known.var}.vertex_groups.active = {known.var}.vertex_groups[{quoted(name)}]")
    build.note(f'vertex group "{name}" -> active')


PARTS: Final = frozenset({"location", "rotation", "scale"})
ALL_PARTS: Final = frozenset(
    {"all", "its", "their", "the", "transform", "transforms", "transformation", "transformations"}
)
SHOWN: Final = {
    "viewport": "hide_viewport", "viewports": "hide_viewport", "render": "hide_render", "renders": "hide_render", "rendering": "hide_render",
}  # fmt: skip


@slot("transform_parts")
def transform_parts(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, frozenset[str]]]:
    """ "rotation and scale", "all transforms"."""
    end = skip(reading, at, ALL_PARTS)
    if end > at and reading.word(at) != "the" and reading.word(end - 1).startswith("transform"):
        yield end, PARTS
    place = at
    while reading.word(place) in PARTS | {"and", "the", "its", "their"} or reading.mark(place) in {",", "&"}:
        place += 1
        if reading.word(place - 1) in PARTS:
            yield place, PARTS & {reading.word(each) for each in range(at, place)}


@slot("visibility")
def visibility(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, frozenset[str]]]:
    """ "in the viewport and in renders"."""
    place, stops = at, list[int]()
    while reading.word(place) in {"in", "from", "for", "the", "and", "both", "final", *SHOWN} or (
        reading.mark(place) == "," and stops
    ):
        place += 1
        stops += [place] if reading.word(place - 1) in SHOWN else []
    for end in reversed(stops):
        yield end, frozenset(SHOWN[word] for word in (reading.word(each) for each in range(at, end)) if word in SHOWN)


SHADED: Final = re.compile(r"shad(e|ed|ing)\b", re.IGNORECASE)
OTHERWISE: Final = re.compile(
    r"material|rough|paint|colou?r|surface|finish|key|curve|interpol|motion|animat|\beas|brush|group", re.IGNORECASE
)
"""Words with which "smooth" is no shading of faces."""


@step(
    "shade [{target:object}] {how=smooth|flat|smoothly}",
    "shade {how=smooth|flat} {target:object}",
    "[<set>] {how=smooth|flat} shading [on|to|for] [{target:object}]",
    "(make|set) {target:object} {how=smooth|flat} [shaded]",
    "smooth shade {target:object}",
    "{target:object} [is] shaded {how=smooth|flat}",
    "shaded {how=smooth|flat}",
    "{target:object} [:|looks|should look|is|should be] {how=smooth|flat}",
    "[shading] {how=smooth|flat}",
    "set shading of {target:object} to {how=smooth|flat}",
)
def shade(build: Build, target: Target | None, how: str | None) -> None:
    """Shade faces smooth or flat."""
    if target is None and not SHADED.search(build.request) and (build.it is None or OTHERWISE.search(build.request)):
        raise refuse(how or "smooth", "what is to be so?")
    if target is not None and not SHADED.search(build.request) and OTHERWISE.search(build.request):
        raise refuse(how or "smooth", "its faces?")
    build.need("shade")
    with build.each(target, type_="MESH") as known:
        if known.type not in {"", "MESH"}:
            raise refuse(target.said if target else "shade", "only a mesh is shaded")
        build.line(f"shade({known.var}, smooth={how != 'flat'})")
    build.note(f"shade {how or 'smooth'}")


HARD: Final = (
    "[but] [so that] [keep|keeping|leave|with|where] (anything|everything|edges|all edges|every edge|each edge|corners) (sharper than|over|above|steeper than|greater than|beyond)"
    " {angle:angle} [has to|have to|must|should|shall] [be|is|are|stay|stays|remain|remains|keep|kept|marked] [as] [a] [hard|sharp|crisp] [edge|edges]"
)


@step(
    f"(shade|set|make) [auto] smooth [by angle] ~( [on|to|for] {{target:object}} ; [by|with|at|up to|below|under] [an|auto smooth] [angle] [of|:] {{angle:angle}} ; {HARD} )",
    f"(shade|make) {{target:object}} [auto] smooth [by angle] ~( (by|with|at|up to|below|under) [an] [angle] [of|:] {{angle:angle}} ; {HARD} )",
    "[<add>] auto smooth [shading] ~( <on> {target:object} ; [by|with|at|of] [an] [angle] [of|:] {angle:angle} )",
    "[<set>] [the] (auto smooth|autosmooth|smooth shading|smoothing) angle (of|on|for) {target:object} [<to>] {angle:angle}",
    "[<set>] {target:object} ['s] (auto smooth|autosmooth|smoothing) angle [<to>] {angle:angle}",
    "(give|let) {target:object} [have|has] smooth shading (with|by|at) [an] [auto smooth|smoothing] angle [of|:] {angle:angle}",
    "smooth shading (on|for) {target:object} [,|with|and] [edges] sharp [edges] (above|over|from) {angle:angle}",
    "(mark|make) edges (sharper than|over|above) {angle:angle} (of|on) {target:object} [as] sharp and shade [it|the rest] smooth",
)
def shade_by_angle(build: Build, target: Target | None, angle: Degrees | None) -> None:
    """Shade smooth, with edges above an angle sharp."""
    if angle is None:
        raise refuse("smooth", "above which angle are edges sharp?")
    build.need("shade", "mesh_of")
    old = "use_auto_smooth" in build.lexicon.manifest.types["Mesh"].properties
    with build.each(target, type_="MESH") as known:
        mesh = f"mesh_of({known.var})"
        build.line(f"shade({known.var}, smooth=True)")
        if old:
            build.line(f"{mesh}.use_auto_smooth = True\n{mesh}.auto_smooth_angle = {build.literal(angle)}")
        else:
            build.line(f"{mesh}.set_sharp_from_angle(angle={build.literal(angle)})")
    build.note(f"shade smooth, edges above {angle.value:g} degrees sharp")


@step(
    "(normalize|normalise) [all] [the] [vertex] (weights|groups) ~( (of|on|in) {target:object} ; (so|so that) (each|every|all) (vertex|vertices) (sums|sum|add up|adds up) to 1 )",
    "(normalize|normalise) {target:object} ['s] [all] [vertex] (weights|groups)",
)
def normalize_weights(build: Build, target: Target | None) -> None:
    """Scale the weights of each vertex to a sum of one."""
    build.need("mesh_of")
    with build.each(target, type_="MESH") as known, build.block(f"for vert in mesh_of({known.var}).vertices:"):
        build.line("total = sum(each.weight for each in vert.groups)")
        with build.block("if total > 0.0:"):
            build.line("for each in vert.groups:\n    each.weight /= total")
    build.note("vertex groups normalized")


@step(
    "limit [all] [the] [vertex] (weights|groups|influences|bone influences) (of|on) {target:object} to [at most] {n:int} [influences|groups|bones|weights] [per|for each|for every|a] [vertex]",
    "limit (them|the weights|the vertex groups|the influences|to) [to] [at most] {n:int} [influences|groups|bones|weights|vertex groups] (per|for each|for every|a) vertex",
    "limit {target:object} to [at most] {n:int} (influences|groups|bones|weights|vertex groups) (per|for each|for every|a) vertex",
    "(remove|clean|delete|drop) [all] [the] [vertex] weights (below|under|smaller than|less than) {least:n} [(from|of|on) {target:object}]",
)
def limit_weights(build: Build, target: Target | None, n: int | None, least: float | None) -> None:
    """Take vertices out of groups: beyond so many for each, the weakest first, or where the weight is less than that."""
    if n is not None and n < 1:
        raise refuse(str(n), "at least one")
    build.need("mesh_of")
    with build.each(target, type_="MESH") as known, build.block(f"for vert in mesh_of({known.var}).vertices:"):
        if n is not None:
            build.line("weights = sorted(((each.weight, each.group) for each in vert.groups), reverse=True)")
            found = f"weights[{n}:]"
        else:
            found = f"[(each.weight, each.group) for each in vert.groups if each.weight < {literal(float(least or 0))}]"
        with build.block(f"for _, group in {found}:"):
            build.line(f"{known.var}.vertex_groups[group].remove([vert.index])")
    build.note(f"at most {n} groups per vertex" if n is not None else f"weights from {least:g} on")


UNWRAPS: Final = {
    "smart": "smart_project(angle_limit={angle}, island_margin={margin})", "cube": "cube_project(cube_size={size})",
    "cylinder": "cylinder_project()", "sphere": "sphere_project()", "box": "cube_project(cube_size={size})",
    "conformal": 'unwrap(method="CONFORMAL", margin={margin})', "angle": 'unwrap(method="ANGLE_BASED", margin={margin})',
    "lightmap": "lightmap_pack(PREF_MARGIN_DIV={margin})",
}  # fmt: skip
"""Operators of the UV editor."""


BY_UNWRAP: Final = "[with|using|by|via|from] [a] [the] {how=smart|cube|box|cylinder|sphere|conformal|angle} [uv] [based] [project|projection|method|unwrap] ; [with] [an] [island] margin [of|=|:] {margin:n} ; [with] [cube] size [of|=|:] {size:n}"


@step(
    "[uv] unwrap ~( [on|of] {target:object} ; [with|using|by|via] [the] {how=smart|cube|box|cylinder|sphere|conformal|angle} [uv] [based] [project|projection|method|unwrap] ;"
    " [an] angle [limit] [of|=|:] {angle:angle} ; {angle:angle} ; [an] [island] margin [of|=|:] {margin:n} ; [cube] size [of|=|:] {size:n} ; (again|anew) )",
    "[<add>] {how=smart|cube|box|cylinder|sphere|lightmap} [uv] (project|projection|unwrap|pack|mapping) ~( [<on>] {target:object} ; [an] angle [limit] [of|=|:] {angle:angle} ; {angle:angle} ;"
    " [an] [island] margin [of|=|:] {margin:n} ; [cube] size [of|=|:] {size:n} )",
    "project [the] uv [map] of {target:object} (with|by|from|using) [a] {how=smart|cube|box|cylinder|sphere} [projection] ~( size {size:n} ; margin {margin:n} )",
)
def unwrap(
    build: Build,
    target: Target | None,
    how: str | None,
    angle: Degrees | None,
    margin: float | None,
    size: float | None,
) -> None:
    """Unwrap the whole mesh into its active UV map."""
    call = UNWRAPS[how or "angle"].format(
        angle=build.literal(angle or Degrees(66.0)),
        margin=literal(margin if margin is not None else 0.001),
        size=literal(float(size or 1.0)),
    )
    if (angle and how != "smart") or (size is not None and how not in {"cube", "box"}):
        raise refuse(how or "unwrap", "it takes no such number")
    build.need("only_selected")
    with build.each(target, type_="MESH") as known:
        build.line(
            f'only_selected({known.var})\nbpy.ops.object.mode_set(mode="EDIT")\nbpy.ops.mesh.select_all(action="SELECT")'
        )
        build.line(f'bpy.ops.uv.{call}\nbpy.ops.object.mode_set(mode="OBJECT")')
    build.note("unwrapped")


WHICH_MAP: Final = "({place=first|second|last} (one|uv map|map)|uv (map|layer) {old:name}|{old:quoted}|{old=UVMap})"
STAYS: Final = "(stays|stay|remains|remain|is|becomes|should be|should stay|should remain|must stay)"


@step(
    "rename [the] [active] uv (map|layer) [{old:quoted}] [(of|on) {target:object}] (to|into|as) {name:name}",
    "rename {old=UVMap} [(of|on) {target:object}] (to|into|as) {name:name}",
    f"(make|set|use|keep) [the] {WHICH_MAP} ~( (of|on) {{target:object}} ; [as] [the] {{active=active}} [one] [(for|in) {{render=rendering|render|renders}}] )",
    "{remove=remove|delete} [the] uv (map|layer) {old:name} (of|from|on) {target:object}",
    "(remove|delete|clear) {every=all uv|the uv|uv|every uv} (maps|layers|map|layer) (of|from|on) {target:object}",
    f"[the] {WHICH_MAP} {STAYS} {{active=selected|active}} [(for|in) ({{render=rendering|render|renders}}|editing|edit|edits)]",
    f"[the] {WHICH_MAP} {STAYS} {{active=the one|the map|the one that is}} used (for|in) {{render=rendering|render|renders}}",
)
def uv_map(
    build: Build, target: Target | None, old: str | None, name: str | None, active: str | None, render: str | None,
    remove: str | None, place: str | None = None, every: str | None = None,
) -> None:  # fmt: skip
    """Rename a UV map, make it the active one, or remove it, or all of them."""
    if every and not re.search(r"\b(all|every)\b|(maps|layers)\b", build.request, re.IGNORECASE):
        raise refuse("UV map", "which one, or all of them?")
    build.need("mesh_of", "expect")
    with build.each(target, type_="MESH") as known:
        layers = f"mesh_of({known.var}).uv_layers"
        if every:
            build.line(f"while {layers}:\n    {layers}.remove({layers}[0])")
        elif remove:
            build.line(f"layer = {layers}.get({quoted(old or '')})\nif layer is not None:\n    {layers}.remove(layer)")
        elif name is not None:
            found = f"{layers}.get({quoted(old)}) or {layers}.get({quoted(name)})" if old else f"{layers}.active"
            build.line(f"expect({found}, bpy.types.MeshUVLoopLayer).name = {quoted(name)}")
        elif active:
            which = {"first": "0", "second": "1", "last": "-1"}.get(place or "", quoted(old or ""))
            build.line(f"{layers}[{which}].{'active_render' if render else 'active'} = True")
    build.note("UV map")


@slot("colon")
def colon(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """That a colon follows."""
    if reading.mark(at) == ":":
        yield at, ":"


@step(
    "[for|on|with|in|take] {target:object} {mark:colon}",
    "(uv|mesh|geometry|modifiers|curve) of {target:object} {mark:colon}",
    "(take|pick|consider|given) {target:object}",
    "(there is|there are|there 's|i have|we have|i've got|we've got) [already] [a|an|some] {target:object} [(in|inside) [the|this|my|our] [current] (scene|file)]",
    "[the|this|my|our] (scene|file) [already] (has|have|contains|contain|holds) [a|an|some] {target:object}",
    "{target:object} is [already] (there|in the scene)",
    "{target:named} {mark=is a|is an} [already] [existing] [subdivided|simple|plain] (mesh|cube|grid|plane|cylinder|sphere|cone|torus|curve|text|object|mesh object|curve object|text object)",
)
def about(build: Build, target: Target, mark: str | None) -> None:
    """What the next steps are about: "Suzanne: shade smooth, ..."."""
    del mark
    if any(known.kind == "active" for known in build.known):
        raise refuse(target.said, "what stands before was done to the active object")
    found = build.objects(target)
    build.it, build.topic = found, None
    if isinstance(found, Known):
        build.memory.setdefault("_about", {})[found.var] = target.said
    build.note(f"{target.said} is what follows is about")


@step("really subdivide it", "(subdivide it|do it) for real", "(actually|really) subdivide (it|the mesh)")
def subdivide_remark(build: Build) -> None:
    """A remark: the mesh itself is meant, as it was read."""
    if "subdivide" not in build.used:
        raise refuse("subdivide it", "how often?")


EACH_PART: Final = (
    "~( by {how=loose parts|material|materials} ; (into|to) [its] [separate|individual|single|own] (objects|object|meshes|pieces|parts) ;"
    " [with] (one|an object|one object) (per|for (each|every)) {how=loose part|material} )"
)


@step(
    f"(separate|split|break up|break apart) [{{target:object}}] ['s] [mesh] {EACH_PART}",
    "separate [the] {how=loose parts} of {target:object}",
    f"(separate|split|break up) {{target:object}} into [its] [separate] {{how=loose parts}} {EACH_PART}",
)
def separate(build: Build, target: Target | None, how: str | None) -> None:
    """Split a mesh into objects."""
    if how is None:
        raise refuse(target.said if target else "separate", "by loose parts, or by material?")
    build.once()
    build.need("only_selected")
    known = build.one(target)
    kind = "LOOSE" if how.startswith("loose") else "MATERIAL"
    build.line(f'only_selected({known.var})\nbpy.ops.mesh.separate(type="{kind}")')
    build.note("separated")


FACES: Final = {
    "top": (2, 1), "bottom": (2, -1), "underside": (2, -1), "front": (1, -1), "back": (1, 1), "right": (0, 1), "left": (0, -1), "upper": (2, 1), "lower": (2, -1),
}  # fmt: skip


OF_ORIGIN: Final = frozenset({
    "its", "the", "their", "center", "middle", "of", "face", "side", "edge", "corner", "point", "base", "foot", "feet", "mesh", "bounding",
    "box", "geometry", "object", "in", "at", "own", "geometric", "median", "bound", "centre", "lowest", "volume", "mass", "midpoint", "a",
    "bottommost", "topmost", "highest", "vertex", "and", "body", "surface", "end", "rim",
})  # fmt: skip


@slot("origin_place")
def origin_place(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[str, dict[int, int]]]]:
    """Where an origin goes: "its bottom", "the center of mass", "the lower left corner", by the sides of the box around it."""
    place, sides, words = at, dict[int, int](), set[str]()
    stops: list[tuple[int, tuple[str, dict[int, int]]]] = []
    while reading.word(place) in OF_ORIGIN or reading.word(place) in FACES:
        word = reading.word(place)
        words.add(word)
        axis_, sign = FACES.get(word) or (
            (2, -1) if word in {"base", "foot", "feet", "lowest", "bottommost"} else (-1, 0)
        )
        if word in {"topmost", "highest"}:
            axis_, sign = 2, 1
        if axis_ >= 0:
            if sides.get(axis_, sign) != sign:
                return
            sides[axis_] = sign
        place += 1
        if reading.word(place - 1) in {"of", "the", "its", "and", "in", "at", "a", "own"}:
            continue
        bracketed = reading.mark(place) == "(" and reading.word(place + 1) == "median"
        if bracketed:
            words.add("median")
            place += 2 + (reading.word(place + 2) == "point")
            place += reading.mark(place) == ")"
        if "mass" in words or "volume" in words:
            stops.append((place, ("CENTER_OF_VOLUME", {})))
        elif "median" in words or (
            words & {"geometry"} and not (sides or words & {"center", "middle", "bounding", "bound"})
        ):
            stops.append((place, ("GEOMETRY", {})))
        elif sides:
            stops.append((place, ("sides", dict(sides))))
        elif words & {"center", "middle", "geometry", "median", "midpoint"}:
            stops.append((place, ("sides", {})))
    yield from reversed(stops)


@step(
    "(set|move|put|place|snap|shift|change|center) [the] (origin|pivot|pivot point|origin point) ~( (of|for|on) {target:object} ; [to|at|on|in|into] {where:origin_place} ; (to|at|on) [the] [point] {place:vector} ;"
    " [to|at|on] [the] {how=world origin|3d cursor|cursor|there} ; {stays:in_place} [visually|in the world|on screen] )",
    "(set|move|put|snap) {target:object} ['s] (origin|pivot) (to|at|on|in|into) ({where:origin_place}|[the] [point] {place:vector}|[the] {how=world origin|3d cursor|cursor})",
    "(origin|pivot|pivot point) [of {target:object}] (to|at|in|on|into) ({where:origin_place}|[the] {place:vector}|[the] {how=world origin|3d cursor|cursor}) [(of|for|on) {target:object}]",
    "[move|set] geometry to origin [(of|for|on) {target:object}]",
)
def origin(
    build: Build,
    target: Target | None,
    where: tuple[str, dict[int, int]] | None,
    place: Vec | None,
    how: str | None,
    stays: str | None = None,
) -> None:
    """Move the origin; the mesh stays where it is. "Geometry to origin" is the other way round."""
    if stays and where is None and place is None and how is None:
        raise refuse(stays, "where does the origin go?")
    if how == "there" and not build.memory.get("_cursor"):
        raise refuse(how, "where?")
    build.once()
    if where is not None and where[0] != "sides":
        build.need("only_selected")
        with build.each(target, type_="MESH") as known:
            build.line(
                f'only_selected({known.var})\nbpy.ops.object.origin_set(type="ORIGIN_{where[0]}", center="MEDIAN")'
            )
        build.note(f"origin -> {where[0].lower()}")
        return
    build.need("mesh_of")
    build.imports("mathutils: Matrix", "mathutils: Vector")
    with build.each(target, type_="MESH") as known:
        var = known.var
        if where is None and (place is not None or how is not None):
            goal = f"{build.scene()}.cursor.location" if how and how != "world origin" else ""
            goal = (
                goal or f"Vector({literal(tuple(float(p or 0.0) for p in place.parts) if place else (0.0, 0.0, 0.0))})"
            )
            build.need("current_view_layer")
            build.line(f"current_view_layer().update()\ncentre = {var}.matrix_world.inverted() @ {goal}")
        else:
            build.line(f"points = [vertex.co for vertex in mesh_of({var}).vertices]")
            build.line("low = Vector([min(point[k] for point in points) for k in range(3)])")
            build.line("high = Vector([max(point[k] for point in points) for k in range(3)])")
            build.line("centre = (low + high) / 2")
            for axis_, sign in (where[1] if where else {}).items():
                build.line(f"centre.{'xyz'[axis_]} = {'high' if sign > 0 else 'low'}.{'xyz'[axis_]}")
        build.line(f"mesh_of({var}).transform(Matrix.Translation(-centre))")
        if where is not None or place is not None or how is not None:
            build.line(f"{var}.matrix_basis = {var}.matrix_basis @ Matrix.Translation(centre)")
    build.note("origin" if where or place or how else "geometry to origin")


UV_WORDS: Final = "[the] uv [map|coordinates|island|islands]"
UV_PLACE: Final = (
    "(of|on|for) {target:object} ['s] [existing] [map|uv map] ; of [its|the] [existing] map ; [around|about] [the|their|its] {pivot=center|middle|origin|lower left corner}"
    " ; (around|about) [[the|their] [center|point|pivot]] {at:vector}"
)
BY_AXES: Final = "[by|to] [factor] {u:uv_number} (in|on|along|horizontally) [the] u [direction|axis] ; [by|to] {v:uv_number} (in|on|along|vertically) [the] v [direction|axis] ; [by|to] u [=|by] {u:uv_number} ; [by|to] v [=|by] {v:uv_number}"


@slot("uv_number")
def uv_number(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, float]]:
    """A bare number: the "in" behind it is no inch."""
    if at < len(reading.tokens) and reading.tokens[at].kind == "number":
        with contextlib.suppress(ValueError):
            yield at + 1, float(reading.tokens[at].text)


@step(
    f"{{verb=scale}} {UV_WORDS} ~( {UV_PLACE} ; (by|to) [factor|a factor of] {{n:n}} ; {BY_AXES} )",
    "{verb=scale} {target:object} ['s] uv [map] by {n:n}",
    f"{{verb=move|shift|offset|translate}} {UV_WORDS} ~( (of|on|for) {{target:object}} ; {BY_AXES} )",
    f"{{verb=rotate|turn}} {UV_WORDS} ~( {UV_PLACE} ; [by] {{angle:angle}} ; {{sense=clockwise|counterclockwise}} )",
    "{verb=scale|rotate|turn|move|shift|offset} them [by] ({angle:angle}|{n:n}|{u:uv_number} in u [and|,] {v:uv_number} in v) [{sense=clockwise|counterclockwise}]",
    f"{{verb=flip|mirror}} {UV_WORDS} ~( {UV_PLACE} ; {{side=horizontally|vertically}} ; (in|on|along) [the] {{side=u|v}} [direction|axis] )",
)
def change_uv(
    build: Build,
    verb: str,
    target: Target | None,
    n: float | None,
    u: float | None,
    v: float | None,
    angle: Degrees | None,
    sense: str | None,
    side: str | None,
    pivot: str | None,
    at: Vec | None,
) -> None:
    """Scale, move, turn or mirror the coordinates of the active UV map; they are scaled from its origin, turned about its centre."""
    if (
        target is None
        and not build.memory.get("_uv")
        and not re.search(r"\buvs? |\buvs?$|\buv map", build.request, re.I)
    ):
        raise refuse(verb, "what?")
    if target is None and re.search(r"\bthem\b", build.request) and not build.memory.get("_uv"):
        raise refuse("them", "the UV map, or the object?")
    if at is not None and (len([each for each in at.parts if each is not None]) != len("uv") or pivot == "origin"):
        raise refuse(verb, "around which point of the map?")
    known = build.one(target)
    build.memory["_uv"] = True
    x, y = (float(each or 0.0) for each in at.parts[:2]) if at else (0.0, 0.0)
    if at is None and (pivot in {"center", "middle"} or (pivot is None and (angle is not None or side))):
        x = y = 0.5
    before = ""
    match verb:
        case "scale" if angle is None and (n is None) != (u is None and v is None):
            factors = (n, n) if n is not None else (u if u is not None else 1.0, v if v is not None else 1.0)
            new = [
                scaled(f"corner.vector[{k}]", centre, float(f or 0.0))
                for k, (centre, f) in enumerate(zip((x, y), factors, strict=True))
            ]
        case "rotate" | "turn" if angle is not None and n is None and u is None and v is None:
            build.imports("math: cos", "math: radians", "math: sin")
            turn = build.literal(Degrees(-angle.value if sense == "clockwise" else angle.value))
            build.comment("turn the UV map")
            build.line(f"cosine, sine = cos({turn}), sin({turn})")
            before = "u, v = " + ", ".join(
                away(f"corner.vector[{k}]", each).strip("()") for k, each in enumerate((x, y))
            )
            new = [back("u * cosine - v * sine", x), back("u * sine + v * cosine", y)]
        case "move" | "shift" | "offset" | "translate" if n is None and angle is None and (u or v):
            new = [back(f"corner.vector[{k}]", far or 0.0) for k, far in enumerate((u, v))]
        case "flip" | "mirror" if side:
            turned = side in {"horizontally", "u"}, side in {"vertically", "v"}
            new = [
                scaled(f"corner.vector[{k}]", 0.5, -1.0) if on else f"corner.vector[{k}]" for k, on in enumerate(turned)
            ]
        case _:
            raise refuse(verb, "how far?")
    build.once()
    build.need("mesh_of", "expect")
    build.line(f"layer = expect(mesh_of({known.var}).uv_layers.active, bpy.types.MeshUVLoopLayer)")
    with build.block("for corner in layer.uv:"):
        if before:
            build.line(before)
        build.line(f"corner.vector = ({', '.join(new)})")
    build.note(f"UV map: {verb}")


def away(value: str, centre: float) -> str:
    """How far a coordinate is from a centre."""
    return f"({value} - {literal(centre)})" if centre else value


def back(value: str, centre: float) -> str:
    """A coordinate that was measured from a centre, or is moved."""
    return f"{value} + {literal(float(centre))}" if centre else value


def scaled(value: str, centre: float, factor: float) -> str:
    """A coordinate that is scaled from a centre."""
    return back(f"{away(value, centre)} * {literal(factor)}", centre)


@step(
    "pack [the|all] uv [map|island|islands] ~( (of|on|for|in) {target:object} ; [with] [a|an] [island] margin [of|=|:] {margin:n} ; {turned=with rotation|rotation allowed|rotation on|rotation enabled|and rotate them|rotate|rotation|may be rotated} ;"
    " {still=without rotation|no rotation|do not rotate|without rotating them|rotation off|not rotated} ; [with] {scaled=without scaling|no scaling|do not scale} )",
)
def pack_uv(
    build: Build, target: Target | None, margin: float | None, turned: str | None, still: str | None, scaled: str | None
) -> None:
    """Pack the islands of the active UV map."""
    if turned and still:
        raise refuse(turned, "with rotation, or without?")
    options = [f"rotate={not still}"] + (["scale=False"] if scaled else [])
    build.need("only_selected")
    with build.each(target, type_="MESH") as known:
        build.line(
            f'only_selected({known.var})\nbpy.ops.object.mode_set(mode="EDIT")\nbpy.ops.mesh.select_all(action="SELECT")'
        )
        build.line('bpy.ops.uv.select_all(action="SELECT")')
        build.line(
            f'bpy.ops.uv.pack_islands({", ".join(options)}, margin={literal(margin if margin is not None else 0.001)})\nbpy.ops.object.mode_set(mode="OBJECT")'
        )
    build.note("UV islands packed")


@step(
    f"[<add>] [a] [new|second|another] uv (map|layer) [<called>] {{name:name}} ~( (to|on|for) {{target:object}} ; (made|unwrapped|created|filled|done) {BY_UNWRAP} ; [make it|made|set] [as] [the] {{active=active|selected}} [one] [for (editing|edits)] )",
    "[<add>] [a] [new|second|another] uv (map|layer) (to|on|for) {target:object} [<called>] {name:name}",
)
def mesh_layer(
    build: Build, name: str, target: Target | None, how: str | None = None, margin: float | None = None, size: float | None = None,
    active: str | None = None,
) -> None:  # fmt: skip
    """A UV map, unwrapped where it was said how."""
    if how:
        build.one(target)
    build.need("mesh_of")
    text = quoted(name)
    with build.each(target, type_="MESH") as known:
        build.line(f"layers = mesh_of({known.var}).uv_layers\nif {text} not in layers:\n    layers.new(name={text})")
        if how or active:
            build.line(f"layers.active = layers[{text}]")
        if how:
            unwrap(build, Target("known", known.var), how, None, margin, size)
    build.note(f'UV map "{name}"')


COLORED: Final = "color attribute|vertex color|vertex color layer|vertex colors"
VALUED: Final = {"float": "FLOAT", "integer": "INT", "int": "INT", "boolean": "BOOLEAN", "bool": "BOOLEAN", "vector": "FLOAT_VECTOR",
                 "color": "BYTE_COLOR", "byte color": "BYTE_COLOR", "float color": "FLOAT_COLOR", "string": "STRING"}  # fmt: skip
DOMAINS: Final = {"vertex": "POINT", "vertices": "POINT", "point": "POINT", "points": "POINT", "edge": "EDGE", "edges": "EDGE",
                  "face": "FACE", "faces": "FACE", "polygon": "FACE", "corner": "CORNER", "corners": "CORNER", "face corner": "CORNER",
                  "face corners": "CORNER"}  # fmt: skip
DOMAIN: Final = (
    "{domain=vertices|vertex|points|point|edges|edge|faces|face|polygon|face corners|face corner|corners|corner}"
)
TYPED: Final = "{type=float color|byte color|floats|float|bytes|byte|integers|integer|int|booleans|boolean|bool|vector|string|color}"
OF_COLORS: Final = {"float": "float color", "byte": "byte color"}
"""What a type of numbers says of a color attribute."""
ATTRIBUTE: Final = (
    f"(to|on|for|of|in) {DOMAIN} of [the] {{target:object}} ; (to|on|for|of|in) {{target:object}} ; [on|per|for] {DOMAIN} [domain] ;"
    f" domain [:|=] {DOMAIN} ; [of] [data] [type] [:|=] {TYPED} [type] ; [with|and] [all|every|each] [a|the] [default] (value|values|set to|filled with|fill|initial value|initialized to) [is|of|=|:|to] {{value:literal}} ;"
    " (filled|fill|filled in|in|set to) [with|to] {hue:color}"
)


@step(
    f"[<add>] [a] [new] [named|custom|generic|mesh] [{TYPED}] attribute [<called>] {{name:name}} ~( {ATTRIBUTE} )",
    f"[<add>] [a] [new] {{kind={COLORED}}} [<called>] {{name:name}} ~( {ATTRIBUTE} )",
    f"[<add>] [a] [new] {{kind={COLORED}}} (to|on|for) {{target:object}} [<called>] {{name:name}} ~( {ATTRIBUTE} )",
    f"[<add>] [a] [new] [named|custom|generic|mesh] {TYPED} attribute (to|on|for) {{target:object}} [<called>] {{name:name}} ~( {ATTRIBUTE} )",
)
def mesh_attribute(
    build: Build, name: str, target: Target | None, kind: str | None, type: str | None, domain: str | None, value: Any, hue: Color | None,
) -> None:  # fmt: skip
    """An attribute of a mesh with its type and its domain, and one value for all its elements."""
    said = singular(type) if type else "color" if kind else None
    if kind and said is not None:
        said = OF_COLORS.get(said, said)
        if "color" not in said:
            raise refuse(said, "a color attribute holds colors")
    if said == "byte":
        raise refuse(said, "of colors?")
    if said is None or (domain is None and "color" not in said):
        raise refuse(name, "of which type, and on vertices, edges, faces or corners?")
    stored, where = VALUED[said], DOMAINS[domain or "corner"]
    colored = "COLOR" in stored
    if colored and where not in {"POINT", "CORNER"}:
        raise refuse(domain or "", "colors are on vertices or on corners")
    if (hue is not None) != colored and (hue is not None or value is not None):
        raise refuse(name, "which values?")
    build.need("mesh_of")
    build.imports("typing: Any")
    build.comment(f"the attribute {name}")
    text, attributes = quoted(name), "color_attributes" if colored else "attributes"
    with build.each(target, type_="MESH") as known:
        build.line(f"attributes: Any = mesh_of({known.var}).{attributes}")
        build.line(f'layer = attributes.get({text}) or attributes.new({text}, "{stored}", "{where}")')
        if hue is not None:
            build.line(f"for each in layer.data:\n    each.color = {literal((*hue.rgb, 1.0))}")
        elif value is not None:
            build.line(
                f"for each in layer.data:\n    each.{'vector' if stored == 'FLOAT_VECTOR' else 'value'} = {fitting(stored, value, name)}"
            )
    build.note(f'attribute "{name}"')


def fitting(stored: str, value: Any, name: str) -> str:
    """A value in the snippet, of the type that an attribute stores."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if stored == "FLOAT" and number:
        return literal(float(value))
    if stored == "INT" and number and float(value).is_integer():
        return str(int(value))
    if stored == "BOOLEAN" and isinstance(value, bool):
        return literal(value)
    if stored == "FLOAT_VECTOR" and isinstance(value, tuple | list):
        return literal(tuple(float(part) for part in cast("tuple[float, ...]", value)))
    raise refuse(name, "which values?")


@step(
    "(set|fill|paint|color|flood) [the] [active] (color attribute|vertex color|vertex colors|vertex color layer) [<called>] [{name:known}] (of|on|for) {target:object} (to|with|in) {hue:color}",
)
def fill_colors(build: Build, target: Target, name: str | None, hue: Color) -> None:
    """One color for the whole of a color attribute."""
    build.need("mesh_of")
    build.imports("typing: Any")
    known = build.one(target)
    build.line(f"colors: Any = mesh_of({known.var}).color_attributes")
    there = f"colors.get({quoted(name)})" if name else "colors.active_color"
    build.line(f'layer = {there} or colors.new({quoted(name or "Color")}, "BYTE_COLOR", "CORNER")')
    build.line(f"for each in layer.data:\n    each.color = {literal((*hue.rgb, 1.0))}")
    build.note(f"{target.said} -> {hue.label}")


ORIGINAL: Final = "[the] (original|source|curve|text|mesh|surface|metaball|old one|old object)"
KEPT: Final = (
    f"(keep|keeping|leave|leaving|with) {ORIGINAL} [object] [itself] [as it is|as is|unchanged|untouched|alone|intact|there|too|where it is]"
    f" | {ORIGINAL} [object] [itself] [is|stays|remains|should stay|must stay] (kept|untouched|unchanged|as it is|intact|there|alone)"
)
INTO: Final = "((to|into) [a|an] [{new=new|separate}] {kind=mesh|curve}) ~( [object] [<called>] {name:name} ; {new=as a copy|as a new object} ; {kept:kept_original} )"


@slot("kept_original")
def kept_original(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, bool]]:
    """ "keep the curve as it is", "original untouched"."""
    yield from ((end, True) for end, _ in compile_pattern(KEPT)(reading, at, {}))


@step(
    f"convert {{target:object}} [from [a] (text|curve|metaball|surface|font|mesh)] {INTO}",
    f"(turn|make|change) {{target:object}} {INTO}",
)
def convert(build: Build, target: Target, kind: str, name: str | None, new: str | None, kept: bool | None) -> None:
    """Convert curves, text and others to a mesh, with their modifiers, or a copy of one."""
    if (name or new) and not (kept or new):
        raise refuse(name or "", "a copy of that name, or the object itself?")
    build.once()
    build.need("only_selected")
    if kept or new:
        build.need("duplicate")
        source, var = build.one(target), build.var(name or "copy")
        build.line(f"{var} = duplicate({source.var}, {quoted(name) if name else f'{source.var}.name'}, linked=False)")
        build.add_known(Known(var, name or "", source.type, "copy", source.data, made=True))
        target = Target("known", var, said=target.said)
    with build.each(target) as known:
        build.line(f'only_selected({known.var})\nbpy.ops.object.convert(target="{kind.upper()}")')
        known.type, known.data = kind.upper(), ""
    build.note(f"{target.said} -> {kind}")


@step(
    "(give|make) {target:object} [its] [a] [own|single user|single-user] (copy|mesh copy|[copy of] [the|its] (mesh|data|mesh data|light data|curve data|camera data|text data|armature data|light|curve)) [,] [<called>] [{name:name}]",
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
    "{target:object} [still] (shares|share|uses|is sharing) (its mesh|the mesh|its data|the same mesh|a mesh|mesh data|the mesh data|light data|the light data|its light|the light|curve data|the curve data) with {other:object}",
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
    if known.type not in {"FONT", "CURVE"} and not {"text", "curve"} & set(target.said.lower().split()):
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


SPLINES: Final = {
    "close": "use_cyclic_u = True", "cyclic": "use_cyclic_u = True", "closed": "use_cyclic_u = True",
    "open": "use_cyclic_u = False", "automatic": "AUTO", "auto": "AUTO", "vector": "VECTOR", "aligned": "ALIGNED", "free": "FREE",
}  # fmt: skip


SPLINE: Final = "[spline|splines|loop|curve|path] [of|in] {target:object} ['s] [spline|splines|curve]"


@step(
    f"{{how=close|open}} {SPLINE}",
    f"(make|set|let|turn) {SPLINE} [be|to] {{how=cyclic|closed|open}}",
    "[<set>] [all] [of] [the] handles (of|on|in|for) [all points of] {target:object} <to> {how=automatic|auto|vector|aligned|free} ~( [on] both (sides|ends) ; [both] left and right )",
    "<set> {how=automatic|auto|vector|aligned|free} handles (on|for) {target:object}",
)
def splines(build: Build, target: Target, how: str) -> None:
    """Close or open the splines of a curve, or set the handles of their points."""
    known = build.one(target)
    if known.type not in {"CURVE", ""} or (not known.type and target.how not in {"named", "kind"}):
        raise refuse(target.said, "only a curve has splines")
    points = re.search(r"\b(curve|spline|path|point)", build.request, re.IGNORECASE)
    if how not in {"close", "cyclic", "closed", "open"} and known.type != "CURVE" and not points:
        raise refuse("handles", 'those of its keyframes, or of its points? say "the keyframe handles" or "the curve"')
    build.need("expect")
    spline = build.var("spline")
    with build.block(f"for {spline} in expect({known.var}.data, bpy.types.Curve).splines:"):
        if SPLINES[how].isupper():
            build.line(
                f'for point in {spline}.bezier_points:\n    point.handle_left_type = point.handle_right_type = "{SPLINES[how]}"'
            )
        else:
            build.line(f"{spline}.{SPLINES[how]}")
    build.note(f"{target.said} -> {how}")
