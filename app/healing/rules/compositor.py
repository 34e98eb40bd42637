"""The compositor since 5.0: a node group of the scene, and settings that are sockets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight
from ingest.book import BookRow


@rule("5.0: settings of nodes that are inputs of another name: `blur.size_x`")
def node_settings(sight: Sight) -> Iterator[TreeEdit]:
    """The two sizes of a blur, in pixels or in per cent of the picture, are one input in pixels since 5.0."""
    blurs: dict[str, dict[str, cst.Assign]] = {}
    for attribute, assign in sight.assigned(
        sight.attributes("size_x", "size_y", "factor_x", "factor_y", "use_relative")
    ):
        if sight.is_a(attribute.value, "CompositorNodeBlur") and sight.lacks(attribute):
            blurs.setdefault(sight.code(attribute.value), {})[attribute.attr.value] = assign
    for node, given in blurs.items():
        relative = "use_relative" in given and sight.code(given["use_relative"].value) in {"True", "1"}
        names = [f"{'factor' if relative else 'size'}_{axis}" for axis in "xy"]
        values = [sight.operand(given[name].value) if name in given else "0" for name in names]
        if relative:
            picture = "bpy.context.scene.render.resolution"
            values = [f"{value} / 100 * {picture}_{axis}" for value, axis in zip(values, "xy", strict=True)]
        source = f'{node}.inputs["Size"].default_value = ({", ".join(values)})'
        reason = "the sizes of a blur are one input, in pixels, since 5.0"
        last = [given[name] for name in names if name in given][-1:]
        for name, assign in given.items():
            if name != "use_relative":
                yield sight.instead(assign, *([source] if assign in last else []), reason=reason)


@rule("5.0: `node.file_slots` of a file output are its `file_output_items`")
def file_outputs(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("CompositorNodeOutputFile", "file_output_items"):
        return
    reason = "the files that a node writes are its `file_output_items` since 5.0"
    own = {target.attr.value for assign in sight.all(cst.Assign) for target in _attributes_set(assign)}
    for attribute in sight.attributes("file_slots", "layer_slots"):
        outer = sight.parent(attribute)
        if attribute.attr.value in own:
            continue  # a member of a class of the script: no node lets its slots be set
        if not isinstance(outer, cst.Attribute):
            subscripted = isinstance(outer, cst.Subscript) and outer.value is attribute
            member = sight.parent(outer) if subscripted else None
            if isinstance(member, cst.Attribute) and member.attr.value == "path":
                yield from _slot_path(sight, attribute, member, reason)
            continue
        call = sight.call_of(outer)
        items = f"{sight.code(attribute.value)}.file_output_items"
        if call and outer.attr.value == "new" and len(call.args) == 1:
            yield sight.replace(call, f'{items}.new("RGBA", {sight.code(call.args[0].value)})', reason)
        elif call and outer.attr.value == "remove" and len(call.args) == 1:
            given = sight.code(call.args[0].value).replace(f"{sight.code(attribute.value)}.inputs[", f"{items}[")
            yield sight.replace(call, f"{items}.remove({given})", reason)
        elif call:
            yield sight.replace(attribute, items, reason)
    if "file_output_items" in sight.text:
        return
    for call in sight.all(cst.Call):
        statement = sight.statement(call)
        made = call.args and sight.text_of(call.args[0].value) == "CompositorNodeOutputFile"
        if made and isinstance(statement, cst.Assign) and statement.value is call:
            node = sight.code(statement.targets[0].target)
            why = "a node that writes files begins without one since 5.0"
            yield sight.after(statement, f'{node}.file_output_items.new("RGBA", "Image")', reason=why)


def _attributes_set(assign: cst.Assign) -> list[cst.Attribute]:
    return [target.target for target in assign.targets if isinstance(target.target, cst.Attribute)]


def _slot_path(sight: Sight, slots: cst.Attribute, path: cst.Attribute, reason: str) -> Iterator[TreeEdit]:
    """`node.file_slots[0].path`: the name of an item; a folder in it is part of the name of all files of the node."""
    places = [
        place
        for place in sight.attributes("path")
        if isinstance(place.value, cst.Subscript) and sight.code(place.value.value) == sight.code(slots)
    ]
    folders = [set_by for place in places if (set_by := sight.assignment_to(place)) and _has_folder(sight, set_by)]
    item = sight.code(path.value).replace(".file_slots[", ".file_output_items[")
    assign = sight.assignment_to(path)
    if not folders:
        yield sight.replace(path, f"{item}.name", reason)
    elif assign and len(places) == 1 and f"{sight.code(slots)}.new" not in sight.text:
        whole = f"{sight.code(slots.value)}.file_name = {sight.code(assign.value)}"
        why = "the name of an item has no folder since 5.0: the name of the file has one"
        yield sight.instead(assign, whole, f'{item}.name = ""', reason=why)


def _has_folder(sight: Sight, assign: cst.Assign) -> bool:
    return re.search(r"/|\\|\bpath\b", sight.code(assign.value)) is not None


@rule("5.0: `scene.node_tree`")
def compositor_tree(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("Scene", "compositing_node_group"):
        return
    reason = "the compositor of a scene is a node group since 5.0: `compositing_node_group`"
    for attribute in sight.lacking("Scene", "node_tree"):
        statement, scene = sight.statement(attribute), sight.code(attribute.value)
        group = f"{scene}.compositing_node_group"
        if not sight.is_read(attribute) or (statement is None and sight.package is None):
            continue
        there = f"{group} =" in _reach(sight, attribute)
        if statement is None or there or not _may_make(sight, attribute):
            yield sight.replace(attribute, group, reason)
            continue
        made = f'if {group} is None:\n    {group} = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")'
        # The old tree began with these two nodes, and the snippet looks them up by name.
        for name, kind in (("Render Layers", "CompositorNodeRLayers"), ("Composite", "CompositorNodeComposite")):
            if re.search(rf"""nodes(?:\[|\.get\()["']{name}["']""", sight.text):
                made += f'\n    {group}.nodes.new("{kind}").name = "{name}"'
                if kind == "CompositorNodeComposite":
                    made = made.replace(kind, "NodeGroupOutput")
                    made += f"\n    {_NEW_SOCKET.format(tree=group)}"
        if any(_passed_names(sight)) and "interface.new_socket" not in made:
            made += f"\n    {_NEW_SOCKET.format(tree=group)}"
        yield sight.before(statement, made, reason=reason)
        return


def _reach(sight: Sight, attribute: cst.Attribute) -> str:
    """The text in which a new tree exists for this attribute: in an add-on, only its own function."""
    function = sight.function(attribute)
    return sight.code(function) if sight.package and function else sight.text


def _may_make(sight: Sight, attribute: cst.Attribute) -> bool:
    """True if the tree may be made before the statement: its scene is known there, and an add-on asked for nodes."""
    if any(isinstance(outer, cst.CompFor | cst.BaseComp | cst.Lambda) for outer in sight.around(attribute)):
        return False
    return sight.package is None or f"{sight.code(attribute.value)}.use_nodes = True" in _reach(sight, attribute)


@rule("5.0: `CompositorNodeComposite`")
def composite_node(sight: Sight) -> Iterator[TreeEdit]:
    old = _COMPOSITE
    if old in sight.manifest.nodes or "NodeGroupOutput" not in sight.manifest.nodes:
        return
    for text in _passed_names(sight) if "interface.new_socket" in sight.text else ():
        reason = "the compositor ends in the output of its node group since 5.0"
        yield sight.respell(text, "NodeGroupOutput", reason)
    for call, owner in sight.methods("new"):
        if len(call.args) != 1:
            continue
        statement, nodes = sight.statement(call), owner
        if sight.text_of(call.args[0].value) != old or statement is None:
            continue
        of_tree = isinstance(nodes, cst.Attribute) and nodes.attr.value == "nodes"
        tree = (
            sight.code(nodes.value) if of_tree and isinstance(nodes, cst.Attribute) else f"{sight.code(nodes)}.id_data"
        )
        source = sight.code(statement).replace(old, "NodeGroupOutput")
        reason = "the compositor ends in the output of its node group since 5.0"
        yield sight.instead(statement, _socket(tree), source, reason=reason)


def _passed_names(sight: Sight) -> Iterator[cst.SimpleString]:
    """The strings that name the Composite node for a function of the snippet."""
    for text in sight.all(cst.SimpleString):
        argument = sight.parent(text)
        call = sight.parent(argument) if isinstance(argument, cst.Arg) else None
        makes = isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "new"
        passed = isinstance(argument, cst.Arg) and not makes
        if text.evaluated_value == _COMPOSITE and passed and not sight.is_guarded(text):
            yield text


_COMPOSITE: Final = "CompositorNodeComposite"
_NEW_SOCKET: Final = '{tree}.interface.new_socket(name="Image", in_out="OUTPUT", socket_type="NodeSocketColor")'


def _socket(tree: str) -> str:
    return f"if not {tree}.interface.items_tree:\n    {_NEW_SOCKET.format(tree=tree)}"


_INPUT: Final = re.compile(r'inputs\["(.+)"\]\.default_value(\[\d\])?')


@rule("5.0: settings of a node that became inputs")
def settings_as_sockets(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        found, assign = sight.change_of(attribute), sight.assignment_to(attribute)
        place = _INPUT.fullmatch(found[1].becomes) if found else None
        node = sight.manifest.nodes.get(found[0]) if found and sight.is_a(attribute.value, found[0]) else None
        if assign is None or place is None or node is None:
            continue
        socket = next((socket for socket in node.inputs if place[1] in (socket.name, socket.identifier)), None)
        value = _as_input(sight, found[1], assign.value, socket.type, bool(place[2])) if found and socket else None
        if value is not None:
            source = f"{sight.code(attribute.value)}.{place[0]} = {value}"
            reason = f"`{attribute.attr.value}` is the input {place[1]!r} of {node.identifier} now"
            yield sight.instead(assign, source, reason=reason)


def _as_input(sight: Sight, row: BookRow, value: cst.BaseExpression, kind: str, of_part: bool) -> str | None:
    """The source of a value for an input of a kind; None if it has no form there that is known."""
    if row.values or row.template:
        return row.value_of(sight.code(value), sight.text_of(value))
    if kind == "NodeSocketMenu":
        text = sight.text_of(value)
        renamed = sight.book.rows.get(f"default_value='{text}'")
        return None if text is None else f'"{renamed.becomes if renamed else text.replace("_", " ").title()}"'
    if kind == "NodeSocketColor" and not of_part:
        return f"(*{sight.operand(value)}, 1.0)[:4]"
    return None if kind.startswith("NodeSocketVector") and not of_part else sight.code(value)


_MASKS: Final = ("CompositorNodeBoxMask", "CompositorNodeEllipseMask")
_PARTS: Final = {"width": 0, "height": 1}
"""Sizes of the masks that are a part of an input; every node has a width too, its own in the editor."""


@rule("5.0: `mask.width = 0.4` is a part of an input, and sets the width of the node in the editor", silent=True)
def mask_parts(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, assign in sight.assigned(sight.attributes(*_PARTS)):
        kind = next((name for name in _MASKS if sight.is_a(attribute.value, name)), "")
        if not kind or sight.has(kind, "mask_width") or sight.has(kind, "x"):
            continue
        part = _PARTS[attribute.attr.value]
        source = f'{sight.code(attribute.value)}.inputs["Size"].default_value[{part}] = {sight.code(assign.value)}'
        reason = f"`{attribute.attr.value}` of a mask is a part of its input 'Size' since 5.0"
        yield sight.instead(assign, source, reason=reason)
