"""Node types, their sockets and settings, and the interface of node groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.enums import beside
from app.healing.sight import Sight, key_of, keyword
from app.reading.api.values import Coll, Rna, options

PRINCIPLED: Final = "ShaderNodeBsdfPrincipled"


def has_socket(sight: Sight, node: str, name: str) -> bool:
    found = sight.manifest.nodes.get(node)
    return found is not None and any(
        socket.name == name or socket.identifier == name for socket in (*found.inputs, *found.outputs)
    )


def sockets_by_name(sight: Sight, *sides: str) -> Iterator[tuple[cst.SimpleString, str, str]]:
    """The keys of `node.inputs["..."]` and `node.outputs["..."]`, with the type of the node or an empty string.

    Only those of one of the `sides`, if there are any.
    """
    for subscript in sight.all(cst.Subscript):
        if _side(sight, subscript.value) not in (sides or ("inputs", "outputs")):
            continue
        key = None if sight.is_guarded(subscript.value) else key_of(subscript)
        if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str):
            yield key, key.evaluated_value, node_of(sight, subscript.value)
    for call, sockets in sight.methods("get"):
        key = call.args[0].value if call.args else None
        if _side(sight, sockets) not in (sides or ("inputs", "outputs")):
            continue
        if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str) and not sight.is_guarded(call):
            yield key, key.evaluated_value, node_of(sight, sockets)


def _side(sight: Sight, sockets: cst.BaseExpression) -> str:
    """The name of the sockets of a node, which a variable may hold: `inputs` or `outputs`; empty for anything else."""
    if isinstance(sockets, cst.Attribute):
        return sockets.attr.value
    return {"NodeInputs": "inputs", "NodeOutputs": "outputs"}.get(sight.collection(sockets), "")


def node_of(sight: Sight, sockets: cst.BaseExpression) -> str:
    found = options(sight.value(sockets))
    names = {value.owner.type if isinstance(value, Coll) and isinstance(value.owner, Rna) else "" for value in found}
    name = names.pop() if len(names) == 1 else ""
    return name if name in sight.manifest.nodes else ""


def makes_sockets(sight: Sight) -> bool:
    """True if the snippet makes sockets of node groups, whose names are free."""
    return "new_socket" in sight.text or ".inputs.new(" in sight.text


_LAYERS: Final = "CompositorNodeRLayers"
_SHORT: Final = ("Dir", "Ind", "Col", "OB", "MA")


@rule("5.0: outputs of render layers: `outputs['DiffCol']`")
def pass_outputs(sight: Sight) -> Iterator[TreeEdit]:
    if not has_socket(sight, _LAYERS, "Diffuse Color"):
        return
    today = {socket.name for node in sight.manifest.nodes.values() for socket in node.outputs}
    for key, name, owner in sockets_by_name(sight, "outputs"):
        row = sight.book.rows.get(f"bpy.types.{_LAYERS}.outputs['{name}']")
        is_pass = row is not None and " " in row.becomes and name.endswith(_SHORT) and name not in today
        if row and (owner == _LAYERS or (is_pass and not owner)) and not has_socket(sight, _LAYERS, name):
            yield sight.replace(key, f'"{row.becomes}"', f"the pass {name!r} is the output {row.becomes!r} since 5.0")


_MODES: Final = {
    "ShaderNodeSeparateHSV": 'mode = "HSV"',
    "ShaderNodeCombineHSV": 'mode = "HSV"',
    "ShaderNodeBsdfVelvet": 'distribution = "ASHIKHMIN"',
    "ShaderNodeTexMusgrave": "normalize = False",
}
"""The setting that makes a new node act like the old one."""
_CHANNELS: Final = {"R": "Red", "G": "Green", "B": "Blue", "H": "Red", "S": "Green", "V": "Blue", "Image": "Color"}


@rule("node types that are gone: `ShaderNodeSeparateRGB`, `ShaderNodeTexMusgrave`, `CompositorNodeMath` ...")
def node_types(sight: Sight) -> Iterator[TreeEdit]:
    for text in sight.all(cst.SimpleString):
        old = text.evaluated_value
        row = sight.book.rows.get(f"node {old}") if isinstance(old, str) else None
        new = row.becomes if row else ""
        if (
            not isinstance(old, str)
            or not new
            or old in sight.manifest.nodes
            or new not in sight.manifest.nodes
            or sight.is_guarded(text)
            or beside(sight, text, new)
        ):
            continue
        reason = f"the node `{old}` is `{new}` in Blender {sight.manifest.series}"
        statement = sight.statement(text)
        mode = _MODES.get(old)
        if mode and isinstance(statement, cst.Assign) and isinstance(statement.value, cst.Call):
            source = sight.code(statement).replace(old, new)
            setting = f"{sight.code(statement.targets[0].target)}.{mode}"
            yield sight.instead(statement, source, setting, reason=reason)
        elif mode is None:
            yield sight.respell(text, new, reason)


@rule("sockets under another name: `lens.inputs['Distort']`, `rotate.inputs['Degr']`")
def renamed_sockets(sight: Sight) -> Iterator[TreeEdit]:
    for key, name, owner in sockets_by_name(sight):
        sockets = sight.parent(sight.parent(sight.parent(key)))
        side = sockets.value if isinstance(sockets, cst.Subscript) else None
        if not owner or owner == PRINCIPLED or not isinstance(side, cst.Attribute):
            continue
        row = sight.book.rows.get(f"bpy.types.{owner}.{side.attr.value}['{name}']")
        known = _sockets(sight, owner, side.attr.value)
        if row and row.becomes in known and name not in known:
            yield sight.replace(key, f'"{row.becomes}"', f"the socket {name!r} of {owner} is {row.becomes!r} now")


def _sockets(sight: Sight, node: str, side: str) -> set[str]:
    found = sight.manifest.nodes.get(node)
    sockets = (found.inputs if side == "inputs" else found.outputs) if found else ()
    return {name for socket in sockets for name in (socket.name, socket.identifier)}


@rule("3.3: sockets R, G, B of what is Separate and Combine Color now")
def color_channels(sight: Sight) -> Iterator[TreeEdit]:
    for subscript, key, node in sockets_by_name(sight):
        new = _CHANNELS.get(key)
        kinds = (
            "ShaderNodeSeparateColor",
            "ShaderNodeCombineColor",
            "CompositorNodeSeparateColor",
            "CompositorNodeCombineColor",
        )
        if new and node in kinds and not has_socket(sight, node, key):
            wanted = new if has_socket(sight, node, new) else "Image"
            if wanted != key and has_socket(sight, node, wanted):
                yield sight.replace(subscript, f'"{wanted}"', f"the socket {key!r} is {wanted!r} on {node}")


@rule("the distance of a new Bump node, in a script from before 4.2", silent=True, before=(4, 2))
def bump_distance(sight: Sight) -> Iterator[TreeEdit]:
    """A new Bump node had a distance of 1 until 4.2; now it is a thousandth of that, and hardly to be seen."""
    node = sight.manifest.nodes.get("ShaderNodeBump")
    if node is None or any(socket.name == "Distance" and socket.default == 1.0 for socket in node.inputs):
        return
    for call in sight.all(cst.Call):
        statement = sight.statement(call)
        made = call.args and sight.text_of(call.args[0].value) == "ShaderNodeBump" and not sight.is_guarded(call)
        if not made or not isinstance(statement, cst.Assign) or statement.value is not call:
            continue
        bump = sight.code(statement.targets[0].target)
        if "Distance" not in sight.text and f"{bump}.inputs[1]" not in sight.text:
            reason = "a new Bump node had a distance of 1.0 up to 4.2; it is 0.001 now"
            yield sight.after(statement, f'{bump}.inputs["Distance"].default_value = 1.0', reason=reason)


@rule("4.1: the Musgrave texture is a kind of the noise texture: its dimension is a roughness there")
def musgrave_inputs(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("ShaderNodeTexNoise", "noise_type"):
        return
    for key, name, owner in sockets_by_name(sight):
        subscript = sight.parent(sight.parent(sight.parent(key)))
        value = sight.parent(subscript) if isinstance(subscript, cst.Subscript) else None
        assign = sight.assignment_to(value) if isinstance(value, cst.Attribute) else None
        if name == "Dimension" and owner == "ShaderNodeTexNoise":
            reason = "the dimension of a Musgrave texture is the roughness of a noise texture since 4.1"
            if assign and isinstance(subscript, cst.Subscript):
                target = f'{sight.code(subscript.value)}["Roughness"].default_value'
                yield sight.instead(assign, f"{target} = 2 ** -({sight.code(assign.value)})", reason=reason)
            else:
                yield sight.replace(key, '"Roughness"', reason)


@rule('4.0: `group.inputs[1]`, `group.inputs["Density"]` of a node group')
def interface_lists(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("NodeTree", "interface"):
        return
    for attribute in sight.attributes("inputs", "outputs"):
        outer = sight.parent(attribute)
        if not sight.may_be(attribute.value, "NodeTree") or not sight.lacks(attribute):
            continue
        if not sight.is_read(attribute) or isinstance(outer, cst.Attribute):
            continue
        way = "INPUT" if attribute.attr.value == "inputs" else "OUTPUT"
        items = f"{sight.code(attribute.value)}.interface.items_tree"
        test = f'one.item_type == "SOCKET" and one.in_out == "{way}"'
        reason = "the sockets of a node group are in its `interface` since 4.0"
        key = key_of(outer) if isinstance(outer, cst.Subscript) and outer.value is attribute else None
        if isinstance(outer, cst.Subscript) and isinstance(key, cst.SimpleString):
            found = f"next(one for one in {items} if {test} and one.name == {sight.code(key)})"
            yield sight.replace(outer, found, reason)
        else:
            yield sight.replace(attribute, f"[one for one in {items} if {test}]", reason)


def _argument(call: cst.Call, name: str, position: int) -> cst.BaseExpression | None:
    named = keyword(call, name)
    if named:
        return named.value
    argument = call.args[position]
    return argument.value if argument.keyword is None and not argument.star else None


_SPECIAL: Final = ("NodeSocketFloatFactor", "NodeSocketFloatUnsigned", "NodeSocketVectorXYZ", "NodeSocketIntUnsigned")
"""Sockets that an interface makes with the plain type."""


@rule("4.0: `group.inputs.new(type, name)`")
def group_interface(sight: Sight) -> Iterator[TreeEdit]:
    for call, side in sight.methods("new"):
        if not isinstance(side, cst.Attribute) or side.attr.value not in {"inputs", "outputs"}:
            continue
        if not sight.may_be(side.value, "NodeTree") or not sight.lacks(side) or len(call.args) != 2:
            continue
        kind, name = _argument(call, "type", 0), _argument(call, "name", 1)
        if kind is None or name is None:
            continue
        way = "INPUT" if side.attr.value == "inputs" else "OUTPUT"
        socket = sight.code(kind)
        for special in _SPECIAL:
            socket = socket.replace(special, re.sub("Factor|Unsigned|XYZ$|Alpha", "", special))
        given = f'name={sight.code(name)}, in_out="{way}", socket_type={socket}'
        made = f"{sight.code(side.value)}.interface.new_socket({given})"
        yield sight.replace(call, made, "the sockets of a node group are made by its `interface` since 4.0")


@rule('2.80: `nodes["Diffuse BSDF"]`: a new material has a Principled BSDF')
def default_node_names(sight: Sight) -> Iterator[TreeEdit]:
    for subscript in sight.all(cst.Subscript):
        key = key_of(subscript)
        if not isinstance(key, cst.SimpleString) or key.evaluated_value != "Diffuse BSDF":
            continue
        if sight.code(subscript.value).endswith("nodes") and "ShaderNodeBsdfDiffuse" not in sight.text:
            yield sight.replace(
                key, '"Principled BSDF"', "a new material has a Principled BSDF since 2.80, no Diffuse BSDF"
            )
            for inner in sight.all(cst.SimpleString):
                if inner.evaluated_value == "Color" and sight.code(subscript) in sight.code(
                    sight.parent(sight.parent(sight.parent(inner)))
                ):
                    yield sight.replace(inner, '"Base Color"', "the colour of the Principled BSDF is 'Base Color'")


@rule("the input `W` of a texture that is still 3D")
def noise_dimensions(sight: Sight) -> Iterator[TreeEdit]:
    for key, name, owner in sockets_by_name(sight):
        if name != "W" or not owner.startswith("ShaderNodeTex") or "noise_dimensions" in sight.text:
            continue
        if "voronoi_dimensions" in sight.text:
            continue
        statement = sight.statement(key)
        subscript = sight.parent(sight.parent(sight.parent(key)))
        if (
            statement is None
            or not isinstance(subscript, cst.Subscript)
            or not isinstance(subscript.value, cst.Attribute)
        ):
            continue
        node = subscript.value.value
        setting = next(
            (
                name
                for name in ("noise_dimensions", "voronoi_dimensions", "musgrave_dimensions")
                if sight.has(owner, name)
            ),
            "",
        )
        if setting:
            reason = f"{owner} has the input 'W' with four dimensions only"
            yield sight.before(statement, f'{sight.code(node)}.{setting} = "4D"', reason=reason)


_IMAGES: Final = ("ShaderNodeTexImage", "ShaderNodeTexEnvironment")


@rule('2.81: `mapping.scale = (2, 2, 2)` is `mapping.inputs["Scale"].default_value`')
def mapping_inputs(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes("translation", "rotation", "scale"):
        found = sight.change_of(attribute) if sight.is_a(attribute.value, "ShaderNodeMapping") else None
        if found and found[1].becomes:
            reason = f"`{attribute.attr.value}` of a Mapping node is an input since 2.81"
            yield sight.rename(attribute, found[1].becomes, reason)


@rule("2.80: `texture.color_space = 'NONE'` is a setting of the image")
def texture_color_space(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes("color_space"):
        assign, node = sight.assignment_to(attribute), sight.code(attribute.value)
        text = sight.text_of(assign.value) if assign else None
        known = any(sight.is_a(attribute.value, kind) for kind in _IMAGES) and sight.lacks(attribute)
        if assign is None or not known or text not in {"NONE", "COLOR"}:
            continue
        reason = "the colour space is a setting of the image since 2.80"
        given = next((other for other in sight.all(cst.Assign) if _gives_image(sight, other, node)), None)
        setting = f'{node}.image.colorspace_settings.name = "Non-Color"'
        if text == "COLOR":
            yield sight.instead(assign, reason=f"{reason}, and a new image has the one for colours")
        elif given is not None and sight.line(given) > sight.line(assign):
            yield sight.instead(assign, reason=reason, group=node)
            yield sight.after(given, setting, reason=reason, group=node)
        else:
            yield sight.instead(assign, setting, reason=reason)


def _gives_image(sight: Sight, assign: cst.Assign, node: str) -> bool:
    return any(sight.code(target.target) == f"{node}.image" for target in assign.targets)
