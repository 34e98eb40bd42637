"""The compositor since 5.0: a node group of the scene, and settings that are sockets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.checks.api.values import Rna, options
from app.healing.edits import Change
from app.healing.rule import Rule
from app.healing.sight import Sight


def node_tree(sight: Sight) -> Iterator[Change]:
    if not sight.has("Scene", "compositing_node_group"):
        return
    reason = "the compositor of a scene is a node group since 5.0: `compositing_node_group`"
    for attribute in sight.missing("Scene", "node_tree"):
        statement, scene = sight.statement(attribute), sight.code(attribute.value)
        group = f"{scene}.compositing_node_group"
        if statement is None or not sight.loaded(attribute):
            continue
        if f"{group} =" in sight.text:
            yield sight.replace(attribute, group, reason)
            continue
        made = f'if {group} is None:\n    {group} = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")'
        yield sight.before(statement, made, reason=reason)
        return


def composite_node(sight: Sight) -> Iterator[Change]:
    """What the tree gives to the render is the output of its group."""
    old = "CompositorNodeComposite"
    if old in sight.manifest.nodes or "NodeGroupOutput" not in sight.manifest.nodes:
        return
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "new" or len(call.args) != 1:
            continue
        statement, nodes = sight.statement(call), function.value
        if sight.text_of(call.args[0].value) != old or statement is None:
            continue
        of_tree = isinstance(nodes, cst.Attribute) and nodes.attr.value == "nodes"
        tree = (
            sight.code(nodes.value) if of_tree and isinstance(nodes, cst.Attribute) else f"{sight.code(nodes)}.id_data"
        )
        source = sight.code(statement).replace(old, "NodeGroupOutput")
        reason = "the compositor ends in the output of its node group since 5.0"
        yield sight.instead(statement, _socket(tree), source, reason=reason)


def _socket(tree: str) -> str:
    return (
        f"if not {tree}.interface.items_tree:\n"
        f'    {tree}.interface.new_socket(name="Image", in_out="OUTPUT", socket_type="NodeSocketColor")'
    )


def settings_as_sockets(sight: Sight) -> Iterator[Change]:
    """A setting of a node that is an input of the same name now."""
    for attribute in sight.all(cst.Attribute):
        assign = sight.stored(attribute)
        found = options(sight.value(attribute.value))
        kinds = {one.type for one in found if isinstance(one, Rna)}
        node = sight.manifest.nodes.get(kinds.pop()) if len(kinds) == 1 else None
        if assign is None or node is None or sight.guarded(attribute.value) or not sight.lacks(attribute):
            continue
        name = attribute.attr.value
        wanted = {name.replace("_", " "), name.removeprefix("use_").replace("_", " "), name.split("_")[-1]}
        sockets = [one for one in node.inputs if one.name.lower() in wanted]
        if len({one.name for one in sockets}) != 1:
            continue
        value = sight.code(assign.value)
        if sockets[0].type == "NodeSocketMenu":
            text = sight.text_of(assign.value)
            if text is None:
                continue
            value = f'"{text.replace("_", " ").title()}"'
        elif sockets[0].type.startswith("NodeSocketVector"):
            continue
        source = f'{sight.code(attribute.value)}.inputs["{sockets[0].name}"].default_value = {value}'
        yield sight.instead(
            assign, source, reason=f"`{name}` is the input {sockets[0].name!r} of {node.identifier} now"
        )


RULES: Final = (
    Rule("compositor-tree", "5.0: `scene.node_tree`", node_tree),
    Rule("composite-node", "5.0: `CompositorNodeComposite`", composite_node),
    Rule("settings-as-sockets", "5.0: settings of a node that became inputs", settings_as_sockets),
)
