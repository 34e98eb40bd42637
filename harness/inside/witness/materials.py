"""The effect of light on a material: opaque, shining, or invisible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SEEN_THROUGH = {
    "BSDF_TRANSPARENT", "BSDF_GLASS", "BSDF_REFRACTION", "BSDF_TRANSLUCENT", "HOLDOUT", "PRINCIPLED_VOLUME",
    "VOLUME_SCATTER", "VOLUME_ABSORPTION", "SUBSURFACE_SCATTERING",
}  # fmt: skip
WHITE = 0.99
NOTHING = 0.001


def is_opaque(material: Any) -> bool:
    """True if one surely cannot see through the material."""
    return material is None or not any(lets_through(node) for node in nodes_of(material))


def shines(material: Any) -> bool:
    """True if the material gives light."""
    return material is not None and any(map(emits, nodes_of(material)))


def emits(node: Any) -> bool:
    if node.type == "EMISSION":
        return True
    return node.type == "BSDF_PRINCIPLED" and is_above_zero(node.inputs.get("Emission Strength")) and not is_black(node)


def is_black(node: Any) -> bool:
    """Blender before 4.0 has an emission strength of 1 and a black emission colour by default."""
    colour = node.inputs.get("Emission Color") or node.inputs.get("Emission")
    return colour is not None and not colour.is_linked and max(colour.default_value[:3]) == 0


def is_invisible(material: Any) -> bool:
    """True if the material shows nothing at all: its alpha is 0, or it is a clear Transparent BSDF and no more."""
    tree = material.node_tree if material.use_nodes else None
    output = tree.get_output_node("CYCLES") if tree else None
    if (
        tree is None
        or output is None
        or tree.animation_data
        or material.animation_data
        or output.inputs["Volume"].is_linked
    ):
        return False
    links = output.inputs["Surface"].links
    shader = links[0].from_node if links else None
    if shader is None:
        return False
    if shader.type == "BSDF_TRANSPARENT":
        colour = shader.inputs["Color"]
        return not colour.is_linked and min(colour.default_value[:3]) >= WHITE
    alpha = shader.inputs.get("Alpha") if shader.type == "BSDF_PRINCIPLED" else None
    return alpha is not None and not alpha.is_linked and alpha.default_value <= NOTHING


def lets_through(node: Any) -> bool:
    if node.type in SEEN_THROUGH:
        return True
    if node.type != "BSDF_PRINCIPLED":
        return False
    inputs = node.inputs
    alpha, through = inputs.get("Alpha"), inputs.get("Transmission Weight") or inputs.get("Transmission")
    return (alpha is not None and (alpha.is_linked or alpha.default_value < 1.0)) or is_above_zero(through)


def is_above_zero(socket: Any) -> bool:
    """True if the value of a socket is linked, or more than 0."""
    return socket is not None and (socket.is_linked or socket.default_value > 0.0)


def nodes_of(material: Any) -> Iterator[Any]:
    """The nodes of a material, those of its groups included."""
    waiting, seen = [material.node_tree] if material.use_nodes else [], set[str]()
    while waiting:
        tree = waiting.pop()
        for node in tree.nodes if tree else ():
            yield node
            group = getattr(node, "node_tree", None)
            if group and group.name_full not in seen:
                seen.add(group.name_full)
                waiting.append(group)
