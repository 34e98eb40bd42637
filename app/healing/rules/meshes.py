"""Meshes: normals, smoothing by angle, colours; and `bmesh`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword


@rule("4.1: `mesh.use_auto_smooth` and `auto_smooth_angle`")
def auto_smooth(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("Mesh", "set_sharp_from_angle"):
        return
    reason = "`mesh.use_auto_smooth` is gone since 4.1: edges are made sharp by their angle"
    angles = _angles(sight)
    used: set[cst.Assign] = set()
    for attribute in sight.lacking("Mesh", "use_auto_smooth"):
        assign = sight.assignment_to(attribute)
        owner = sight.code(attribute.value)
        if assign is None:
            continue
        angle = next((angle for angle, flag in angles.items() if flag is assign), None)
        if sight.code(assign.value) in {"False", "0"}:
            yield _without_angle(sight, assign, owner)
        elif sight.code(assign.value) in {"True", "1"}:
            steps = [assign, *([angle] if angle else []), *_fillings(sight, assign, owner)]
            if len({sight.parent(sight.parent(step)) for step in steps}) > 1:
                continue  # in different branches: only a run shows the order
            last, group = max(steps, key=sight.line), str(sight.line(assign))
            source = f"{owner}.set_sharp_from_angle(angle={sight.code(angle.value) if angle else '0.523599'})"
            used |= {angle} if angle else set()
            if angle and _half_turn(sight.code(angle.value)):
                # No edge is that sharp: only marked edges stay sharp, and the call would clear the marks.
                yield from (sight.instead(step, reason=reason) for step in (assign, angle))
                continue
            for step in steps[: 2 if angle else 1]:
                yield sight.instead(step, *([source] if step is last else []), reason=reason, group=group)
            if last not in (assign, angle):
                yield sight.after(last, source, reason=reason, group=group)
    for assign in angles:
        if assign not in used:
            yield sight.instead(assign, reason="`mesh.auto_smooth_angle` is gone since 4.1")


def _angles(sight: Sight) -> dict[cst.Assign, cst.Assign | None]:
    """The statements that set an angle, each with the nearest flag that is set on the same mesh."""
    flags = list(sight.assigned(sight.lacking("Mesh", "use_auto_smooth")))
    found: dict[cst.Assign, cst.Assign | None] = {}
    for attribute, angle in sight.assigned(sight.lacking("Mesh", "auto_smooth_angle")):
        owner, line = sight.code(attribute.value), sight.line(angle)
        near = [
            (abs(sight.line(flag) - line), number, flag)
            for number, (other, flag) in enumerate(flags)
            if sight.function(other) is sight.function(attribute) and sight.code(other.value) == owner
            if not _becomes_another(sight, owner, *sorted((sight.line(flag), line)))
        ]
        found[angle] = min(near)[2] if near else None
    return found


def _becomes_another(sight: Sight, owner: str, first: int, last: int) -> bool:
    """True if between two lines the name is bound again, or an operator may change what is active."""
    root = owner.partition(".")[0]
    bound = (target for assign in sight.all(cst.Assign) for target in assign.targets)
    lines = [sight.line(target) for target in bound if sight.code(target.target) == root]
    if "context" in owner:
        lines += [sight.line(call) for _, call in sight.operator_calls()]
    return any(first < line < last for line in lines)


def _without_angle(sight: Sight, assign: cst.Assign, owner: str) -> TreeEdit:
    """The end of smoothing by angle: nothing to do, unless the snippet also begins it."""
    every = [sight.assignment_to(other) for other in sight.attributes("use_auto_smooth")]
    if all(other is None or sight.code(other.value) in {"False", "0"} for other in every):
        reason = "nothing is smooth by its angle since 4.1 unless it is asked for: nothing is to be turned off"
        return sight.instead(assign, reason=reason)
    reason = "`mesh.use_auto_smooth` is gone since 4.1: no edge is sharper than half a turn, so none stays sharp"
    return sight.instead(assign, f"{owner}.set_sharp_from_angle(angle=3.141593)", reason=reason)


def _half_turn(angle: str) -> bool:
    """True if an angle is written as 180 degrees."""
    if angle in {"math.radians(180)", "radians(180)", "math.pi", "pi"}:
        return True
    try:
        return float(angle) >= 3.14
    except ValueError:
        return False


def _fillings(sight: Sight, flag: cst.Assign, owner: str) -> list[cst.BaseSmallStatement]:
    """Statements after the flag, in the same function, that fill the mesh."""
    found: list[cst.BaseSmallStatement] = []
    for call in sight.all(cst.Call):
        filled = sight.code(call.func) == f"{owner}.from_pydata" or (
            isinstance(call.func, cst.Attribute)
            and call.func.attr.value == "to_mesh"
            and [sight.code(argument.value) for argument in call.args] == [owner]
        )
        statement = sight.statement(call)
        same = sight.function(call) is sight.function(flag) and sight.line(call) > sight.line(flag)
        if filled and statement and same:
            found.append(statement)
    return found


@rule("2.80: `bmesh.ops.triangulate(quad_method=0)`: the numbers have names")
def bmesh_numbers(sight: Sight) -> Iterator[TreeEdit]:
    for argument in sight.all(cst.Arg):
        name, call = argument.keyword.value if argument.keyword else "", sight.parent(argument)
        if not isinstance(call, cst.Call) or not isinstance(argument.value, cst.Integer) or sight.is_guarded(call):
            continue
        row = sight.book.rows.get(f"{sight.code(call.func)}({name})='{sight.code(argument.value)}'")
        if row:
            yield sight.argument(argument, f"{name}={row.becomes!r}", f"`{name}` has a name since {row.since}")


_MADE_FROM: Final = ("object", "scene", "deform", "render", "cage", "face_normals")
"""The arguments of `BMesh.from_object` until 2.79, in order."""


@rule("2.80: `bm.from_object(ob, scene)` is given the dependency graph")
def bmesh_from_object(sight: Sight) -> Iterator[TreeEdit]:
    graph = "bpy.context.evaluated_depsgraph_get()"
    for call, _ in sight.methods("from_object"):
        if sight.is_guarded(call) or any(argument.star for argument in call.args):
            continue
        given = {
            argument.keyword.value if argument.keyword else name: sight.code(argument.value)
            for argument, name in zip(call.args, _MADE_FROM, strict=False)
        }
        scene = keyword(call, "scene") or (call.args[1] if len(call.args) > 1 else None)
        # Nothing else says today that modifiers are left out, or counted as for a render.
        asks_more = given.pop("deform", "True") != "True" or given.pop("render", "False") != "False"
        if scene and "object" in given and sight.is_a(scene.value, "Scene") and not asks_more:
            rest = "".join(f", {name}={given[name]}" for name in ("cage", "face_normals") if name in given)
            reason = "a bmesh is made from an object of the dependency graph since 2.80"
            yield sight.replace(call, f"{sight.code(call.func)}({given['object']}, {graph}{rest})", reason)


_UV_SELECTION: Final = {"select": "uv_select_vert", "select_edge": "uv_select_edge"}


@rule("5.0: `loop[uv_layer].select = True`: a loop itself knows whether its UV vertex and edge are selected")
def uv_selection(sight: Sight) -> Iterator[TreeEdit]:
    types = sight.manifest.modules.get("bmesh.types")
    loop = types.members.get("BMLoop") if types else None
    if loop is None or "uv_select_vert" not in loop.members:
        return
    missing = sight.trouble.missing_member if sight.trouble else None
    layers = {
        sight.code(assign.targets[0].target)
        for assign in sight.all(cst.Assign)
        if ".loops.layers.uv" in sight.code(assign.value)
    }
    for attribute in sight.attributes(*_UV_SELECTION):
        name, item = attribute.attr.value, attribute.value
        if not isinstance(item, cst.Subscript) or len(item.slice) != 1:
            continue
        failed = missing == ("BMLoopUV", name) and sight.fails_at(attribute)
        if failed or sight.code(item.slice[0]) in layers:
            new = f"{sight.code(item.value)}.{_UV_SELECTION[name]}"
            yield sight.replace(attribute, new, f"the selection of UVs is `loop.{_UV_SELECTION[name]}` since 5.0")


_LAYERS: Final = {
    f"{domain}_layers_{kind}": (attribute, at)
    for domain, at in (("polygon", "FACE"), ("vertex", "POINT"))
    for kind, attribute in (("int", "INT"), ("float", "FLOAT"), ("string", "STRING"))
}


@rule('4.0: `mesh.polygon_layers_int.new(name="room")` makes an attribute of the faces')
def attribute_layers(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Mesh", *_LAYERS):
        kind, domain = _LAYERS[attribute.attr.value]
        member, reason = sight.parent(attribute), "layers of a mesh are its attributes since 4.0"
        call = sight.call_of(member) if isinstance(member, cst.Attribute) else None
        attributes = f"{sight.code(attribute.value)}.attributes"
        if call and isinstance(member, cst.Attribute) and member.attr.value == "new" and len(call.args) < 2:
            name = sight.code(call.args[0].value) if call.args else f'"{kind.title()} Property"'
            yield sight.replace(call, f'{attributes}.new({name}, "{kind}", "{domain}")', reason)
        elif isinstance(member, cst.Subscript) or (isinstance(member, cst.Attribute) and member.attr.value == "get"):
            yield sight.replace(attribute, attributes, reason)


@rule("4.0, 5.0: `edge.crease`, `bevel_weight`, `use_freestyle_mark`")
def edge_layers(sight: Sight) -> Iterator[TreeEdit]:
    layers = {
        ("MeshEdge", "crease"): ("crease_edge", "EDGE"),
        ("MeshEdge", "bevel_weight"): ("bevel_weight_edge", "EDGE"),
        ("MeshVertex", "bevel_weight"): ("bevel_weight_vert", "POINT"),
        ("MeshEdge", "use_freestyle_mark"): ("freestyle_edge", "EDGE"),
        ("MeshPolygon", "use_freestyle_mark"): ("freestyle_face", "FACE"),
    }
    endings = {"EDGE": ".edges", "POINT": ".vertices", "FACE": ".polygons"}
    for (type_name, name), (layer, domain) in layers.items():
        kind = "BOOLEAN" if name.startswith("use_") else "FLOAT"
        for attribute, assign in sight.assigned(sight.lacking(type_name, name)):
            loop = next((outer for outer in sight.around(attribute) if isinstance(outer, cst.For)), None)
            element = sight.code(attribute.value)
            if "(" in element:
                continue
            items = sight.code(loop.iter) if loop else ""
            ending = endings[domain]
            of_loop = loop is not None and items.endswith(ending) and sight.code(loop.target) == element
            mesh = items.removesuffix(ending) if of_loop else f"{element}.id_data"
            found = f'{mesh}.attributes.get("{layer}") or {mesh}.attributes.new("{layer}", "{kind}", "{domain}")'
            yield sight.instead(
                assign,
                f"{layer} = {found}",
                f"{layer}.data[{element}.index].value = {sight.code(assign.value)}",
                reason=f"`{type_name}.{name}` is the attribute `{layer}` now",
            )
