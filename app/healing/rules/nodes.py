"""Node types, their sockets, and the interface of node groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.enums import beside
from app.healing.rules.sockets import PRINCIPLED, has_socket, sockets_by_name
from app.healing.sight import Sight, keyword

_MODES: Final = {
    "ShaderNodeSeparateHSV": 'mode = "HSV"',
    "ShaderNodeCombineHSV": 'mode = "HSV"',
    "ShaderNodeBsdfVelvet": 'distribution = "ASHIKHMIN"',
}
"""The setting that makes a new node act like the old one."""
_CHANNELS: Final = {"R": "Red", "G": "Green", "B": "Blue", "H": "Red", "S": "Green", "V": "Blue", "Image": "Color"}


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
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)


def color_channels(sight: Sight) -> Iterator[TreeEdit]:
    """Sockets of Separate and Combine Color, which were R, G, B and Image."""
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


def musgrave(sight: Sight) -> Iterator[TreeEdit]:
    """The Musgrave texture is a kind of the noise texture since 4.1: its dimension is a roughness there."""
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


_SPECIAL: Final = ("NodeSocketFloatFactor", "NodeSocketFloatUnsigned", "NodeSocketVectorXYZ", "NodeSocketIntUnsigned")
"""Sockets that an interface makes with the plain type."""


def interface_sockets(sight: Sight) -> Iterator[TreeEdit]:
    """`group.inputs.new(type, name)` since 4.0."""
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "new":
            continue
        side = function.value
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


def interface_lists(sight: Sight) -> Iterator[TreeEdit]:
    """`group.inputs[1]`, `group.inputs["Density"]` of a node group since 4.0."""
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
        index = outer.slice[0].slice if isinstance(outer, cst.Subscript) and outer.value is attribute else None
        key = index.value if isinstance(index, cst.Index) else None
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


def default_node_names(sight: Sight) -> Iterator[TreeEdit]:
    """`nodes["Diffuse BSDF"]`: a new material has a Principled BSDF since 2.80."""
    for subscript in sight.all(cst.Subscript):
        index = subscript.slice[0].slice
        key = index.value if isinstance(index, cst.Index) else None
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


def noise_dimensions(sight: Sight) -> Iterator[TreeEdit]:
    """The input W is there only in 1D and 4D."""
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


RULES: Final = (
    Rule(
        "node-types",
        "node types that are gone: `ShaderNodeSeparateRGB`, `ShaderNodeTexMusgrave`, `CompositorNodeMath` ...",
        node_types,
    ),
    Rule(
        "renamed-sockets",
        "sockets under another name: `lens.inputs['Distort']`, `rotate.inputs['Degr']`",
        renamed_sockets,
    ),
    Rule("color-channels", "3.3: sockets R, G, B of what is Separate and Combine Color now", color_channels),
    Rule(
        "bump-distance",
        "the distance of a new Bump node, in a script from before 4.2",
        bump_distance,
        silent=True,
        before=(4, 2),
    ),
    Rule("musgrave-inputs", "4.1: the input `Dimension` of a Musgrave texture", musgrave),
    Rule("interface-lists", "4.0: `group.inputs[1]`, `group.outputs['Geometry']`", interface_lists),
    Rule("group-interface", "4.0: `group.inputs.new(type, name)`", interface_sockets),
    Rule("default-node-names", "2.80: `nodes['Diffuse BSDF']` of a new material", default_node_names),
    Rule("noise-dimensions", "the input `W` of a texture that is still 3D", noise_dimensions),
)
