"""Node types, their sockets, and the interface of node groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.checks.api.values import Coll, Rna, options
from app.healing.edits import Change
from app.healing.rule import Rule
from app.healing.sight import Sight, keyword

TYPES: Final = {
    "ShaderNodeTexMusgrave": "ShaderNodeTexNoise",
    "ShaderNodeBsdfVelvet": "ShaderNodeBsdfSheen",
    "ShaderNodeBsdfGlossy": "ShaderNodeBsdfAnisotropic",
    "ShaderNodeSeparateRGB": "ShaderNodeSeparateColor",
    "ShaderNodeCombineRGB": "ShaderNodeCombineColor",
    "ShaderNodeSeparateHSV": "ShaderNodeSeparateColor",
    "ShaderNodeCombineHSV": "ShaderNodeCombineColor",
    "CompositorNodeSepRGBA": "CompositorNodeSeparateColor",
    "CompositorNodeCombRGBA": "CompositorNodeCombineColor",
    "CompositorNodeMath": "ShaderNodeMath",
    "CompositorNodeValToRGB": "ShaderNodeValToRGB",
    "CompositorNodeMapRange": "ShaderNodeMapRange",
    "CompositorNodeGamma": "ShaderNodeGamma",
    "CompositorNodeCurveVec": "ShaderNodeVectorCurve",
    "CompositorNodeCombineXYZ": "ShaderNodeCombineXYZ",
    "CompositorNodeSeparateXYZ": "ShaderNodeSeparateXYZ",
    "CompositorNodeValue": "ShaderNodeValue",
    "CompositorNodeMixRGB": "ShaderNodeMixRGB",
    "GeometryNodePointDistribute": "GeometryNodeDistributePointsOnFaces",
    "GeometryNodePointInstance": "GeometryNodeInstanceOnPoints",
    "GeometryNodeMeshPrimitiveCube": "GeometryNodeMeshCube",
    "GeometryNodeMeshPrimitiveUVSphere": "GeometryNodeMeshUVSphere",
    "GeometryNodeMeshPrimitiveGrid": "GeometryNodeMeshGrid",
    "FunctionNodeCompareFloats": "FunctionNodeCompare",
    "GeometryNodeAttributeTransfer": "GeometryNodeSampleNearestSurface",
}
"""Node types that are gone; applied only if the target lacks them and has the new one."""

_MODES: Final = {"ShaderNodeSeparateHSV": "HSV", "ShaderNodeCombineHSV": "HSV"}
_CHANNELS: Final = {"R": "Red", "G": "Green", "B": "Blue", "H": "Red", "S": "Green", "V": "Blue", "Image": "Color"}

PRINCIPLED: Final = {
    "Emission": "Emission Color",
    "Specular": "Specular IOR Level",
    "Transmission": "Transmission Weight",
    "Subsurface": "Subsurface Weight",
    "Clearcoat": "Coat Weight",
    "Clearcoat Roughness": "Coat Roughness",
    "Clearcoat Normal": "Coat Normal",
    "Sheen": "Sheen Weight",
}
"""Inputs of the Principled BSDF before 4.0."""
_NO_INPUT: Final = ("Subsurface Color", "Transmission Roughness")
"""Inputs of the Principled BSDF that have no counterpart."""
_TINTS: Final = ("Specular Tint", "Sheen Tint")
"""Inputs of the Principled BSDF that were a share of the base colour and are a colour now."""
_BEFORE_4: Final = (
    *("Base Color", "Subsurface", "Subsurface Radius", "Subsurface Color", "Subsurface IOR", "Subsurface Anisotropy"),
    *("Metallic", "Specular", "Specular Tint", "Roughness", "Anisotropic", "Anisotropic Rotation", "Sheen"),
    *("Sheen Tint", "Clearcoat", "Clearcoat Roughness", "IOR", "Transmission", "Transmission Roughness", "Emission"),
    *("Emission Strength", "Alpha", "Normal", "Clearcoat Normal", "Tangent"),
)
_BEFORE_3: Final = tuple(name for name in _BEFORE_4 if name not in {"Subsurface IOR", "Subsurface Anisotropy"})
_NUMBERED: Final = {_BEFORE_4.index("Emission"): _BEFORE_4, _BEFORE_3.index("Emission"): _BEFORE_3}
"""The inputs in order, by the number of the emission colour."""


def node_types(sight: Sight) -> Iterator[Change]:
    for text in sight.all(cst.SimpleString):
        old = text.evaluated_value
        new = TYPES.get(old) if isinstance(old, str) else None
        if (
            not isinstance(old, str)
            or new is None
            or old in sight.manifest.nodes
            or new not in sight.manifest.nodes
            or sight.guarded(text)
        ):
            continue
        reason = f"the node `{old}` is `{new}` in Blender {sight.manifest.series}"
        statement = sight.statement(text)
        mode = _MODES.get(old)
        if mode and isinstance(statement, cst.Assign) and isinstance(statement.value, cst.Call):
            source = sight.code(statement).replace(old, new)
            setting = f'{sight.code(statement.targets[0].target)}.mode = "{mode}"'
            yield sight.instead(statement, source, setting, reason=reason)
        elif mode is None:
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)


def color_channels(sight: Sight) -> Iterator[Change]:
    """Sockets of Separate and Combine Color, which were R, G, B and Image."""
    for subscript, key, node in _sockets(sight):
        new = _CHANNELS.get(key)
        kinds = (
            "ShaderNodeSeparateColor",
            "ShaderNodeCombineColor",
            "CompositorNodeSeparateColor",
            "CompositorNodeCombineColor",
        )
        if new and node in kinds and not _has_socket(sight, node, key):
            wanted = new if _has_socket(sight, node, new) else "Image"
            if wanted != key and _has_socket(sight, node, wanted):
                yield sight.replace(subscript, f'"{wanted}"', f"the socket {key!r} is {wanted!r} on {node}")


def _has_socket(sight: Sight, node: str, name: str) -> bool:
    found = sight.manifest.nodes.get(node)
    return found is not None and any(
        one.name == name or one.identifier == name for one in (*found.inputs, *found.outputs)
    )


def _sockets(sight: Sight) -> Iterator[tuple[cst.SimpleString, str, str]]:
    """The keys of `node.inputs["..."]` and `node.outputs["..."]`, with the type of the node or an empty string."""
    for subscript in sight.all(cst.Subscript):
        if not isinstance(subscript.value, cst.Attribute) or subscript.value.attr.value not in {"inputs", "outputs"}:
            continue
        index = subscript.slice[0].slice
        if len(subscript.slice) != 1 or not isinstance(index, cst.Index) or sight.guarded(subscript.value):
            continue
        key = index.value
        if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str):
            yield key, key.evaluated_value, _node_of(sight, subscript.value)
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "get" or not call.args:
            continue
        sockets, key = function.value, call.args[0].value
        if isinstance(sockets, cst.Attribute) and sockets.attr.value == "inputs" and isinstance(key, cst.SimpleString):
            text = key.evaluated_value
            if isinstance(text, str) and not sight.guarded(call):
                yield key, text, _node_of(sight, sockets)


def _node_of(sight: Sight, sockets: cst.Attribute) -> str:
    found = options(sight.value(sockets))
    names = {one.owner.type if isinstance(one, Coll) and isinstance(one.owner, Rna) else "" for one in found}
    name = names.pop() if len(names) == 1 else ""
    return name if name in sight.manifest.nodes else ""


def _makes_sockets(sight: Sight) -> bool:
    """Whether the snippet makes sockets of node groups, whose names are free."""
    return "new_socket" in sight.text or ".inputs.new(" in sight.text


def principled_sockets(sight: Sight) -> Iterator[Change]:
    node = "ShaderNodeBsdfPrincipled"
    inputs = {name for known in sight.manifest.nodes.values() for name in (one.name for one in known.inputs)}
    for key, name, owner in _sockets(sight):
        new = PRINCIPLED.get(name)
        if new is None or not _has_socket(sight, node, new) or _has_socket(sight, node, name):
            continue
        failed = sight.trouble is not None and sight.trouble.missing_key == name and sight.fails_at(key)
        nobodys = not owner and name not in inputs and not _makes_sockets(sight)
        parent = sight.parent(sight.parent(key))
        on_inputs = "outputs" not in sight.code(parent).split("[")[0].rsplit(".", 1)[-1]
        if (owner == node or nobodys or (failed and not owner)) and on_inputs:
            yield sight.replace(key, f'"{new}"', f"the input {name!r} of the Principled BSDF is {new!r} since 4.0")
    yield from _in_table(sight, node)
    yield from _by_variable(sight, node)


def _in_table(sight: Sight, node: str) -> Iterator[Change]:
    """A name that reaches `inputs[name]` from a table: the one string in the snippet with that name."""
    name = sight.trouble.missing_key if sight.trouble else None
    if name not in PRINCIPLED or not _has_socket(sight, node, PRINCIPLED[name]):
        return
    # One name of the table is old, so all of them are.
    tables = {sight.statement(text) for text in sight.all(cst.SimpleString) if text.evaluated_value == name}
    if any(sight.fails_at(key) for key, _, _ in _sockets(sight)) or _makes_sockets(sight):
        return
    for text in sight.all(cst.SimpleString):
        old = text.evaluated_value
        new = PRINCIPLED.get(old) if isinstance(old, str) else None
        is_key = isinstance(sight.parent(text), cst.DictElement | cst.Element | cst.Arg)
        if new and is_key and sight.statement(text) in tables - {None} and not _has_socket(sight, node, str(old)):
            yield sight.replace(text, f'"{new}"', f"the input {old!r} of the Principled BSDF is {new!r} since 4.0")


def _by_variable(sight: Sight, node: str) -> Iterator[Change]:
    """`inputs[name]` with a computed name: the new name is looked up at that place."""
    name = sight.trouble.missing_key if sight.trouble else None
    if name not in (*PRINCIPLED, *_NO_INPUT) or _makes_sockets(sight) or not _has_socket(sight, node, "Coat Weight"):
        return
    new = PRINCIPLED.get(name)
    for subscript in sight.all(cst.Subscript):
        index, statement = subscript.slice[0].slice, sight.statement(subscript)
        key = index.value if isinstance(index, cst.Index) else None
        if not sight.fails_at(subscript) or not sight.code(subscript.value).endswith("inputs") or key is None:
            continue
        if isinstance(key, cst.SimpleString | cst.Integer) or not statement or sight.statement(key) is not statement:
            continue
        source = sight.code(key)
        if new and ".get(" not in source:
            table = ", ".join(f'"{old}": "{now}"' for old, now in PRINCIPLED.items())
            reason = f"inputs of the Principled BSDF such as {name!r} have another name since 4.0"
            yield sight.replace(key, f"{{{table}}}.get({source}, {source})", reason)
        elif (
            new is None and isinstance(statement, cst.Assign) and f" in {sight.code(subscript.value)}" not in sight.text
        ):
            test = f"if {source} in {sight.code(subscript.value)}:\n    {sight.code(statement)}"
            yield sight.instead(statement, test, reason=f"the input {name!r} of the Principled BSDF is gone since 4.0")
        return


def gone_inputs(sight: Sight) -> Iterator[Change]:
    """Inputs of the Principled BSDF without a counterpart, and inputs that are a colour now."""
    node = "ShaderNodeBsdfPrincipled"
    for key, name, owner in _sockets(sight):
        subscript = sight.parent(sight.parent(sight.parent(key)))
        value = sight.parent(subscript) if isinstance(subscript, cst.Subscript) else None
        assign = sight.stored(value) if isinstance(value, cst.Attribute) else None
        if assign is None or not isinstance(subscript, cst.Subscript) or _makes_sockets(sight):
            continue
        if owner not in {"", node} or not isinstance(value, cst.Attribute) or value.attr.value != "default_value":
            continue
        if name in _NO_INPUT and not _has_socket(sight, node, name):
            yield sight.instead(assign, reason=f"the input {name!r} of the Principled BSDF is gone since 4.0")
        elif name in _TINTS and _is_colour(sight, node, name) and isinstance(assign.value, cst.Integer | cst.Float):
            share, base = sight.code(assign.value), f'{sight.code(subscript.value)}["Base Color"].default_value'
            colour = (
                f"[1 - {share} * (1 - part) for part in {base}]"
                if assign.value.evaluated_value
                else "(1.0, 1.0, 1.0, 1.0)"
            )
            reason = f"the input {name!r} of the Principled BSDF is a colour since 4.0: white up to the base colour"
            yield sight.replace(assign.value, colour, reason)


def _is_colour(sight: Sight, node: str, name: str) -> bool:
    return any(one.name == name and one.type == "NodeSocketColor" for one in sight.manifest.nodes[node].inputs)


def musgrave(sight: Sight) -> Iterator[Change]:
    """The Musgrave texture is a kind of the noise texture since 4.1: its dimension is a roughness there."""
    if not sight.has("ShaderNodeTexNoise", "noise_type"):
        return
    for key, name, owner in _sockets(sight):
        subscript = sight.parent(sight.parent(sight.parent(key)))
        value = sight.parent(subscript) if isinstance(subscript, cst.Subscript) else None
        assign = sight.stored(value) if isinstance(value, cst.Attribute) else None
        if name == "Dimension" and owner == "ShaderNodeTexNoise":
            reason = "the dimension of a Musgrave texture is the roughness of a noise texture since 4.1"
            if assign and isinstance(subscript, cst.Subscript):
                target = f'{sight.code(subscript.value)}["Roughness"].default_value'
                yield sight.instead(assign, f"{target} = 2 ** -({sight.code(assign.value)})", reason=reason)
            else:
                yield sight.replace(key, '"Roughness"', reason)


def numbered_inputs(sight: Sight) -> Iterator[Change]:
    """`principled.inputs[19]`: numbers from before 4.0; the number that is given a colour tells the version."""
    node = "ShaderNodeBsdfPrincipled"
    said = sight.trouble.message if sight.trouble else ""
    if not _has_socket(sight, node, "Coat Weight") or not ("sequence" in said or "float" in said):
        return
    places = _numbered(sight, {node, ""})
    coloured = {number for subscript, number in places if _takes_colour(sight, subscript)}
    names = next((names for number, names in _NUMBERED.items() if number in coloured), ())
    if not names or not any(sight.fails_at(one) for one, _ in places):
        return
    yield from _named(sight, places, names)


def numbered_before_3(sight: Sight) -> Iterator[Change]:
    """The same of a script from before 3.0, where it fails nowhere and sets something else."""
    if _has_socket(sight, "ShaderNodeBsdfPrincipled", "Coat Weight"):
        # Emission got its strength within these years, so that later numbers are not sure.
        places = [one for one in _numbered(sight, {"ShaderNodeBsdfPrincipled"}) if one[1] <= _BEFORE_3.index("Emission")]
        yield from _named(sight, places, _BEFORE_3)


def _numbered(sight: Sight, nodes: set[str]) -> list[tuple[cst.Subscript, int]]:
    """Every `inputs[7]` of such a node; an empty name stands for a node that is not known."""
    places: list[tuple[cst.Subscript, int]] = []
    for subscript in sight.all(cst.Subscript):
        index, sockets = subscript.slice[0].slice, subscript.value
        if not isinstance(sockets, cst.Attribute) or sockets.attr.value != "inputs" or not isinstance(index, cst.Index):
            continue
        if isinstance(index.value, cst.Integer) and _node_of(sight, sockets) in nodes and not sight.guarded(sockets):
            places.append((subscript, index.value.evaluated_value))
    return places


def _named(sight: Sight, places: list[tuple[cst.Subscript, int]], names: tuple[str, ...]) -> Iterator[Change]:
    """The names of numbered inputs of the Principled BSDF."""
    node = "ShaderNodeBsdfPrincipled"
    for subscript, number in places:
        old = names[number] if number < len(names) else ""
        new, statement = PRINCIPLED.get(old, old), sight.statement(subscript)
        reason = f"input {number} of the Principled BSDF was {old!r} before 4.0"
        if _has_socket(sight, node, new):
            yield sight.replace(subscript, f'{sight.code(subscript.value)}["{new}"]', reason)
        elif old and isinstance(statement, cst.Assign):
            yield sight.instead(statement, reason=f"{reason}, which is gone")


def bump_distance(sight: Sight) -> Iterator[Change]:
    """A new Bump node had a distance of 1 until 4.2; now it is a thousandth of that, and hardly to be seen."""
    node = sight.manifest.nodes.get("ShaderNodeBump")
    if node is None or any(one.name == "Distance" and one.default == 1.0 for one in node.inputs):
        return
    for call in sight.all(cst.Call):
        statement = sight.statement(call)
        made = call.args and sight.text_of(call.args[0].value) == "ShaderNodeBump" and not sight.guarded(call)
        if not made or not isinstance(statement, cst.Assign) or statement.value is not call:
            continue
        bump = sight.code(statement.targets[0].target)
        if "Distance" not in sight.text and f"{bump}.inputs[1]" not in sight.text:
            reason = "a new Bump node had a distance of 1.0 up to 4.2; it is 0.001 now"
            yield sight.after(statement, f'{bump}.inputs["Distance"].default_value = 1.0', reason=reason)


def _takes_colour(sight: Sight, subscript: cst.Subscript) -> bool:
    value = sight.parent(subscript)
    assign = sight.stored(value) if isinstance(value, cst.Attribute) else None
    return assign is not None and isinstance(assign.value, cst.Tuple | cst.List) and len(assign.value.elements) == 4


def emission_strength(sight: Sight) -> Iterator[Change]:
    """An emission colour alone gave light while the strength was 1 by default; since 4.0 it is 0 by default."""
    if not _has_socket(sight, "ShaderNodeBsdfPrincipled", "Emission Color") or "Emission Strength" in sight.text:
        return
    for key, name, owner in _sockets(sight):
        subscript = sight.parent(sight.parent(sight.parent(key)))
        if name != "Emission Color" or owner not in {"", "ShaderNodeBsdfPrincipled"}:
            continue
        value = sight.parent(subscript) if isinstance(subscript, cst.Subscript) else None
        if isinstance(value, cst.Attribute) and value.attr.value == "default_value":
            assign = sight.stored(value)
            if assign and isinstance(subscript, cst.Subscript) and not _is_black(sight, assign.value):
                setting = f'{sight.code(subscript.value)}["Emission Strength"].default_value = 1.0'
                reason = (
                    "the Principled BSDF has no emission strength by default since 4.0: a colour alone gives no light"
                )
                yield sight.after(assign, setting, reason=reason)


def _is_black(sight: Sight, value: cst.BaseExpression) -> bool:
    return sight.code(value).replace(" ", "") in {"(0,0,0,1)", "(0.0,0.0,0.0,1.0)", "(0,0,0,0)"}


_SPECIAL: Final = ("NodeSocketFloatFactor", "NodeSocketFloatUnsigned", "NodeSocketVectorXYZ", "NodeSocketIntUnsigned")
"""Sockets that an interface makes with the plain type."""


def interface_sockets(sight: Sight) -> Iterator[Change]:
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


def interface_lists(sight: Sight) -> Iterator[Change]:
    """`group.inputs[1]`, `group.inputs["Density"]` of a node group since 4.0."""
    if not sight.has("NodeTree", "interface"):
        return
    for attribute in sight.attributes("inputs", "outputs"):
        outer = sight.parent(attribute)
        if not sight.may_be(attribute.value, "NodeTree") or not sight.lacks(attribute):
            continue
        if not sight.loaded(attribute) or isinstance(outer, cst.Attribute):
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


def default_node_names(sight: Sight) -> Iterator[Change]:
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


def noise_dimensions(sight: Sight) -> Iterator[Change]:
    """The input W is there only in 1D and 4D."""
    for key, name, owner in _sockets(sight):
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
            (one for one in ("noise_dimensions", "voronoi_dimensions", "musgrave_dimensions") if sight.has(owner, one)),
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
    Rule("color-channels", "3.3: sockets R, G, B of what is Separate and Combine Color now", color_channels),
    Rule(
        "principled-sockets",
        "4.0: inputs of the Principled BSDF: `Emission`, `Specular`, `Subsurface`, `Clearcoat` ...",
        principled_sockets,
    ),
    Rule("gone-inputs", "4.0: inputs of the Principled BSDF that are gone, or a colour: `Sheen Tint`", gone_inputs),
    Rule("numbered-inputs", "4.0: `principled.inputs[17]`, where it fails as a number of before 4.0", numbered_inputs),
    Rule(
        "numbers-before-3",
        "`principled.inputs[4]` of a script from before 3.0, which sets something else today",
        numbered_before_3,
        silent=True,
        before=(3, 0),
    ),
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
    Rule(
        "emission-strength", "4.0: an emission colour without a strength gives no light", emission_strength, silent=True
    ),
)
