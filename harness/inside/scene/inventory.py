"""Names everything in the open file that a snippet can add to: its data blocks and the lists within them.

A description is a scene's appearance. The inventory is its names, to name the additions of a second execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import bpy

from harness.inside.scene.names import title

NAME_LIMIT = 5000
"""Names listed per kind, and owners looked into."""

NOT_THEIRS = {"window_managers", "workspaces", "screens", "brushes", "palettes", "linestyles", "libraries"}
"""Data blocks of the program's own window and tools."""


def inventory() -> dict[str, Any]:
    """`blocks` maps each kind of data block to its names, `parts` each owner to its lists and those to their names."""
    parts: dict[str, dict[str, list[str]]] = {}
    for owner, kind, items in lists():
        names = [getattr(item, "name", "") or "" for item in items]
        lists_of_owner = parts.setdefault(owner, {})
        if names:
            lists_of_owner[kind] = names[:NAME_LIMIT]
    return {"blocks": blocks(), "parts": parts}


def blocks() -> dict[str, list[str]]:
    """The names of the data blocks, by collection of `bpy.data`."""
    kinds = [prop.identifier for prop in bpy.data.bl_rna.properties if prop.type == "COLLECTION"]
    held = {kind: list(getattr(bpy.data, kind)) for kind in kinds if kind not in NOT_THEIRS}
    return {kind: sorted(map(title, names))[:NAME_LIMIT] for kind, names in held.items()}


def lists() -> Iterator[tuple[str, str, Iterable[Any]]]:
    """Each list that a snippet can add to: its owner, the kind of its items, and the items."""
    for obj in list(bpy.data.objects)[:NAME_LIMIT]:
        owner = f'object "{title(obj)}"'
        yield owner, "modifiers", obj.modifiers
        yield owner, "constraints", obj.constraints
        yield owner, "vertex_groups", obj.vertex_groups
        yield owner, "materials", [slot.material for slot in obj.material_slots]
        keys = getattr(obj.data, "shape_keys", None)
        yield owner, "shape_keys", keys.key_blocks if keys else ()
        yield owner, "uv_layers", getattr(obj.data, "uv_layers", ())
        yield owner, "color_attributes", getattr(obj.data, "color_attributes", ())
    for scene in bpy.data.scenes:
        owner = f'scene "{scene.name}"'
        yield owner, "timeline_markers", scene.timeline_markers
        yield owner, "view_layers", scene.view_layers
        editor = scene.sequence_editor
        yield owner, "strips", getattr(editor, "strips_all" if hasattr(editor, "strips_all") else "sequences_all", ())
        yield from nodes_of(owner, getattr(scene, "node_tree", None))
    for material in list(bpy.data.materials)[:NAME_LIMIT]:
        yield from nodes_of(f'material "{title(material)}"', material.node_tree)
    for world in bpy.data.worlds:
        yield from nodes_of(f'world "{title(world)}"', world.node_tree)
    for group in list(bpy.data.node_groups)[:NAME_LIMIT]:
        yield from nodes_of(f'node group "{title(group)}"', group)


def nodes_of(owner: str, tree: Any) -> Iterator[tuple[str, str, Iterable[Any]]]:
    """The nodes of a tree and the sockets of its interface."""
    if tree is None:
        return
    yield owner, "nodes", tree.nodes
    interface = getattr(tree, "interface", None)
    sockets = interface.items_tree if interface else [*getattr(tree, "inputs", ()), *getattr(tree, "outputs", ())]
    yield owner, "sockets", sockets
