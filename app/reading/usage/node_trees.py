"""Node types and their sockets."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping
from typing import Final

from app.reading.api.schema import Api
from app.reading.api.values import UNKNOWN, Coll, Lit, Rna, Value, join
from app.reading.nearest import did_you_mean, misspelt, nearest
from app.reading.remark import Fault
from app.reading.removals import Removals
from app.reading.survey import Survey
from ingest.manifest import NodeType, Socket

SOCKETS: Final = {"NodeInputs": "inputs", "NodeOutputs": "outputs"}
_SETTLED_SOCKETS: Final = ("ShaderNode", "TextureNode")
"""Nodes whose sockets keep their type in every mode."""

_PASSES: Final = "CompositorNodeRLayers"
_FROM_ELSEWHERE: Final = {
    _PASSES: "Turn the pass on first, such as `view_layer.use_pass_z = True`.",
    "CompositorNodeImage": "Its outputs are the layers and passes of its image: ask `node.outputs` which there are.",
    "ShaderNodeScript": "Its sockets are those of its script: ask `node.inputs` and `node.outputs` which there are.",
}
"""Nodes whose sockets follow from outside of the node, with a hint for a missing one."""

_BLENDERS_OWN: Final = ("ShaderNode", "GeometryNode", "CompositorNode", "TextureNode", "FunctionNode", "Node")

# The `node.type` of the nodes that scripts search by it.
_KINDS: Final = {
    "BSDF_PRINCIPLED": "ShaderNodeBsdfPrincipled",
    "BSDF_DIFFUSE": "ShaderNodeBsdfDiffuse",
    "BSDF_GLASS": "ShaderNodeBsdfGlass",
    "BSDF_TRANSPARENT": "ShaderNodeBsdfTransparent",
    "OUTPUT_MATERIAL": "ShaderNodeOutputMaterial",
    "OUTPUT_WORLD": "ShaderNodeOutputWorld",
    "BACKGROUND": "ShaderNodeBackground",
    "EMISSION": "ShaderNodeEmission",
    "MIX_SHADER": "ShaderNodeMixShader",
    "TEX_IMAGE": "ShaderNodeTexImage",
    "TEX_NOISE": "ShaderNodeTexNoise",
    "TEX_ENVIRONMENT": "ShaderNodeTexEnvironment",
    "NORMAL_MAP": "ShaderNodeNormalMap",
    "BUMP": "ShaderNodeBump",
    "MAPPING": "ShaderNodeMapping",
}


def made_node(api: Api, survey: Survey, tree: Value, identifier: str) -> tuple[Value, Fault | None]:
    """The result of `nodes.new(identifier)` in this tree, and its fault."""
    known = api.manifest.nodes.get(identifier)
    if known is None:
        if identifier in survey.operators | survey.classes | survey.asked_for or "Node" in survey.bases:
            return UNKNOWN, None
        return UNKNOWN, _unknown_type(api, identifier, tree)
    made = Rna(identifier, exact=True) if identifier in api.manifest.types else UNKNOWN
    match tree:
        case Rna(type=tree_type, sure=True) if tree_type.endswith("NodeTree") and tree_type != "NodeTree":
            if known.trees and tree_type not in known.trees:
                return made, Fault(
                    "wrong-tree",
                    f"Node type {identifier} cannot be in a {tree_type}, only in: {', '.join(known.trees)}",
                    did_you_mean(_same_label(api, known, tree_type)),
                    f"bpy.types.{identifier}",
                )
        case _:
            pass
    return made, None


def node_by_name(api: Api, survey: Survey, tree: Value, name: str) -> Value:
    """The node that `nodes[name]` returns if none was renamed: likely, never certain."""
    match tree:
        case Rna(type=tree_type) if name not in survey.operators:
            identifier = _default_names(api, tree_type).get(name)
            if identifier and identifier in api.manifest.types:
                return Rna(identifier, exact=True, sure=False)
        case _:
            pass
    return Rna("Node")


def socket(api: Api, survey: Survey, removals: Removals, sockets: Coll, key: Value) -> tuple[Value, Fault | None]:
    """The value of `node.inputs[key]`, and its fault."""
    match sockets.owner:
        case Rna(type=identifier, sure=sure) if identifier in api.manifest.nodes and not _has_subtypes(api, identifier):
            node = api.manifest.nodes[identifier]
        case _:
            return sockets.of, None
    side = SOCKETS[sockets.type]
    known = node.inputs if side == "inputs" else node.outputs
    match key:
        case Lit(value=str(name)):
            # By its identifier too: 5.0 accepts both.
            named = [slot for slot in known if slot.name == name] or [slot for slot in known if slot.identifier == name]
            fault = None if named else _unknown_socket(node, side, name, known, survey, removals)
            fault = fault or _switched_off(api, node, side, named, survey)
        case Lit(value=int(index), kind="int"):
            inside = -len(known) <= index < len(known)
            named = []
            fault = None if inside or node.varies else _no_such_index(node, side, index, known)
            if inside and not node.varies and not any(slot.in_some_modes for slot in known):
                named = [known[index]]
        case _:
            return sockets.of, None
    fault = _from_elsewhere(node, fault, survey)
    kind = join(Rna(slot.type, exact=True, sure=sure) for slot in named if slot.type in api.manifest.types)
    settled = identifier.startswith(_SETTLED_SOCKETS) and not node.varies
    return (kind if named and settled else sockets.of), (fault if sure or fault is None else fault.likely())


def of_kind(api: Api, value: Value, asked: str, kind: Value) -> Value | None:
    """The value if its `type` or `bl_idname` is `kind`; None if that shows nothing new."""
    manifest = api.manifest
    match value, kind:
        case Rna(type="Node"), Lit(value=str(text)):
            identifier = text if asked == "bl_idname" else _node_of_kind(api, text) if asked == "type" else None
        case Rna(type="Modifier" | "Constraint" | "Texture" as base), Lit(value=str(text)) if asked == "type":
            known = manifest.identifiers.get(f"{base.lower()}s", {}).get(text)
            identifier = known.type if known else None
        case _:
            return None
    return Rna(identifier, exact=True) if identifier and identifier in manifest.types else None


def _node_of_kind(api: Api, kind: str) -> str | None:
    """The node type whose nodes have this `type`, such as BSDF_PRINCIPLED."""
    identifier = _KINDS.get(kind)
    return identifier if identifier in api.manifest.types else None


def _has_subtypes(api: Api, identifier: str) -> bool:
    return bool(api.manifest.subtypes.get(identifier))


def _unknown_type(api: Api, identifier: str, tree: Value) -> Fault:
    fitting = list(api.manifest.nodes.values())
    match tree:
        case Rna(type=tree_type):
            fitting = [node for node in fitting if tree_type in node.trees] or fitting
        case _:
            pass
    by_label = [node.identifier for node in fitting if identifier.lower() in {node.label.lower()}]
    near = by_label or nearest(identifier, (node.identifier for node in fitting))
    fault = Fault(
        "unknown-node-type",
        f"There is no node type {identifier!r} in Blender {api.manifest.version}",
        did_you_mean(near),
        "bpy.types.Nodes.new",
    )
    # Any other name may belong to a node that an add-on registers.
    blenders_own = identifier.startswith(_BLENDERS_OWN) or identifier.isupper()
    return fault if blenders_own or misspelt(identifier, api.manifest.nodes) else fault.likely()


def _same_label(api: Api, wrong: NodeType, tree: str) -> list[str]:
    return [node.identifier for node in api.manifest.nodes.values() if node.label == wrong.label and tree in node.trees]


def _unknown_socket(
    node: NodeType, side: str, name: str, known: Iterable[Socket], survey: Survey, removals: Removals
) -> Fault | None:
    if node.varies or name in survey.asked_for:
        return None
    gone = removals.entry(f"bpy.types.{node.identifier}.{side}[{name!r}]", symbol=f"bpy.types.{node.identifier}")
    if gone:
        return gone
    names = list(dict.fromkeys(slot.name for slot in known))
    near = nearest(name, names)
    listed = f"It has: {', '.join(names)}." if names else f"It has no {side}."
    return Fault(
        "unknown-socket",
        f"{node.label} ({node.identifier}) has no {side.removesuffix('s')} {name!r}",
        did_you_mean(near) or listed,
        f"bpy.types.{node.identifier}",
    )


def _switched_off(api: Api, node: NodeType, side: str, named: list[Socket], survey: Survey) -> Fault | None:
    """The fault of a socket that exists only in some mode, if the snippet sets no mode at all."""
    if not named or node.varies or any(slot.enabled and not slot.in_some_modes for slot in named):
        return None
    rna_type = api.manifest.types.get(node.identifier)
    modes = rna_type.properties if rna_type else None
    if not modes or survey.written & {"*", *modes} or named[0].name in survey.asked_for:
        return None
    settings = ", ".join(f"`{name}`" for name, prop in modes.items() if prop.type in {"ENUM", "BOOLEAN"})
    return Fault(
        "unknown-socket",
        f"{node.label} ({node.identifier}) has the {side.removesuffix('s')} {named[0].name!r} only in some modes",
        f"Set the mode first: {settings}." if settings else None,
        f"bpy.types.{node.identifier}",
    )


def _from_elsewhere(node: NodeType, fault: Fault | None, survey: Survey) -> Fault | None:
    """The fault as far as the node alone shows it: the start scene may have turned a pass on."""
    if node.identifier not in _FROM_ELSEWHERE or fault is None or fault.code != "unknown-socket":
        return fault
    turned_on = any(re.match(r"(?:use_)?pass_|denoising_store_passes|\*", name) for name in survey.written)
    if node.identifier == _PASSES and (turned_on or survey.attributes & {"aovs", "lightgroups"}):
        return None
    return dataclasses.replace(fault, hint=_FROM_ELSEWHERE[node.identifier]).likely()


def _no_such_index(node: NodeType, side: str, index: int, known: tuple[Socket, ...]) -> Fault:
    return Fault(
        "unknown-socket",
        f"{node.label} ({node.identifier}) has {len(known)} {side}, so index {index} does not exist",
        "Use the name of the socket: indices change between Blender versions.",
        f"bpy.types.{node.identifier}",
    )


@functools.lru_cache(maxsize=32)
def _default_names(api: Api, tree: str) -> Mapping[str, str]:
    """The node type that each name stands for which Blender gives a new node, if only one does."""
    by_label: dict[str, list[str]] = {}
    for node in api.manifest.nodes.values():
        if tree in node.trees:
            by_label.setdefault(node.label, []).append(node.identifier)
    return {label: names[0] for label, names in by_label.items() if len(names) == 1}
