"""Compares the nodes of a tree with those that acceptance checks want: their inputs, links and settings."""

from __future__ import annotations

from typing import Any

import bpy

from harness.inside.scene.accept_values import fits, mismatches_of_values, shown
from harness.inside.scene.names import called
from harness.inside.scene.settings import plain
from harness.protocol import RENAMED_SOCKETS


def tree_called(title: str) -> Any:
    """The node tree that a check names, None if there is none."""
    kind, _, name = title.partition(":")
    scene = bpy.context.scene
    if kind == "world":
        return tree_in_use(scene.world)
    if kind == "compositor":
        return scene.compositing_node_group if hasattr(scene, "compositing_node_group") else tree_in_use(scene)
    if kind == "modifier":
        parts = [part for obj in called(name, scene.objects)[:1] for part in obj.modifiers]
        return next((part.node_group for part in parts if part.type == "NODES"), None)
    blocks = {"material": bpy.data.materials, "group": bpy.data.node_groups, "light": bpy.data.lights}[kind]
    block = next(iter(called(name, blocks)), None)
    return block if kind == "group" else tree_in_use(block)


def tree_in_use(owner: Any) -> Any:
    """The node tree of a material, world, light or scene, None if it has none or does not use it."""
    if owner is None or owner.node_tree is None:
        return None
    # Since 5.0 whatever may have nodes uses them, and reading `use_nodes` warns.
    return owner.node_tree if isinstance(owner, bpy.types.Light) or always_used() or owner.use_nodes else None


def always_used() -> bool:
    return bool(bpy.app.version >= (5, 0, 0))


def look_at_nodes(check: dict[str, Any]) -> list[str]:
    """The mismatches of a check of the kind `nodes`."""
    tree = tree_called(check["tree"])
    if tree is None:
        return [f"there is no node tree {check['tree']} in use"]
    return [
        f"{check['tree']}: {mismatch}" for mismatch in mismatches_of_nodes(tree, check["nodes"], check["tolerance"])
    ]


def mismatches_of_nodes(tree: Any, wanted: list[Any], near: float) -> list[str]:
    """The nodes that are missing or differ. Each wanted node is another node; the most detailed ones choose first."""
    nodes = list(tree.nodes) if tree else []
    asked = [{"type": node_wanted} if isinstance(node_wanted, str) else node_wanted for node_wanted in wanted]
    taken: set[str] = set()
    wrong: list[str] = []
    for node_wanted in sorted(asked, key=said_of, reverse=True):
        title = " ".join(
            filter(None, [node_wanted.get("type"), f'"{node_wanted["name"]}"' if "name" in node_wanted else ""])
        )
        fitting = [node for node in nodes if is_called(node, node_wanted) and node.name not in taken]
        if node_wanted.get("absent"):
            wrong += [f"it has a node {title}"] if fitting else []
        elif not fitting:
            wrong.append(
                f"it has no node {title}" + (" besides" if any(is_called(node, node_wanted) for node in nodes) else "")
            )
        else:
            judged = [(mismatches_of_node(node, node_wanted, near), node) for node in fitting]
            mismatches, node = min(judged, key=lambda pair: len(pair[0]))
            taken.add(node.name)
            wrong += [f'node "{node.name}": {mismatch}' for mismatch in mismatches]
    return wrong


def said_of(wanted: dict[str, Any]) -> int:
    """The number of facts that a check states about a node."""
    return ("name" in wanted) + sum(len(wanted.get(part, ())) for part in ("inputs", "links", "values"))


def is_called(node: Any, wanted: dict[str, Any]) -> bool:
    """True if a node has the type and name that are wanted."""
    return wanted.get("name") in (None, node.name, node.label) and is_of_type(node, wanted.get("type"))


def is_of_type(node: Any, said: str | None) -> bool:
    return said is None or said.casefold() in {node.bl_idname.casefold(), node.type.casefold(), label_of(node)}


def label_of(node: Any) -> str:
    """The label of a node's type in small letters."""
    return str(node.bl_rna.name or node.bl_label).casefold()


def mismatches_of_node(node: Any, wanted: dict[str, Any], near: float) -> list[str]:
    wrong: list[str] = []
    for name, value in wanted.get("inputs", {}).items():
        wrong += mismatch_of_input(node, name, value, near)
    for name, source in wanted.get("links", {}).items():
        sockets = sockets_called(node, name)
        if not sockets:
            wrong.append(f'it has no input "{name}"')
        elif not any(is_fed_by(socket, source) for socket in sockets):
            wrong.append(f"its {name} is {linked(sockets[0])}, not linked from {source}")
    return wrong + mismatches_of_values(node, wanted.get("values", {}), near)


def mismatch_of_input(node: Any, name: str, wanted: Any, near: float) -> list[str]:
    """The mismatch of an input's value: of its own, or of the value or colour node that is linked to it."""
    sockets = sockets_called(node, name)
    if not sockets:
        return [f'it has no input "{name}"']
    told: list[str] = []
    for socket in sockets:
        source = next(iter(sources_of(socket)), None)
        if source is not None and source.node.type not in ("RGB", "VALUE"):
            told.append(f"its {name} is {linked(socket)}, not {shown(wanted)}")
            continue
        seen = plain(getattr(source or socket, "default_value", None))
        if fits(seen, wanted, near, colour=True):
            return []
        told.append(f"its {name} is {shown(seen)}, not {shown(wanted)}")
    return told[:1]


def sockets_called(node: Any, name: str) -> list[Any]:
    """The inputs with this name, identifier or number; those in use, if any is."""
    titles = {name, *(other for pair in RENAMED_SOCKETS if name in pair for other in pair)}
    called = [socket for socket in node.inputs if socket.name in titles or socket.identifier in titles]
    if not called and name.isdecimal() and int(name) < len(node.inputs):
        called = [node.inputs[int(name)]]
    return [socket for socket in called if socket.enabled] or called


def sources_of(socket: Any) -> list[Any]:
    """The outputs that feed an input, directly or through reroutes, which may feed each other."""
    found: list[Any] = []
    waiting, seen = [socket], set[str]()
    while waiting:
        for link in waiting.pop(0).links:
            node = link.from_node
            if node.type != "REROUTE":
                found.append(link.from_socket)
            elif node.name not in seen:
                seen.add(node.name)
                waiting.append(node.inputs[0])
    return found


def linked(socket: Any) -> str:
    """The source of an input, in words."""
    named = [f"{source.node.name}.{source.name}" for source in sources_of(socket)]
    return f"linked from {' and '.join(named) or 'nothing'}"


def is_fed_by(socket: Any, wanted: str) -> bool:
    """True if this output of a node is linked to an input, or this node is somewhere before it."""
    sources = sources_of(socket)
    if any(source_is(source, wanted) for source in sources):
        return True
    waiting, seen = [source.node for source in sources], set[str]()
    while waiting:
        node = waiting.pop()
        if is_named(node, wanted):
            return True
        if node.name not in seen:
            seen.add(node.name)
            waiting += [link.from_node for socket in node.inputs for link in socket.links]
    return False


def source_is(output: Any, wanted: str) -> bool:
    """True if an output is the wanted one, which is given as its node and its name with a dot between."""
    title, dot, name = wanted.rpartition(".")
    return bool(dot) and is_named(output.node, title) and name in (output.name, output.identifier)


def is_named(node: Any, title: str) -> bool:
    return title in (node.name, node.label) or is_of_type(node, title)
