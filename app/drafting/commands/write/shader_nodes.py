"""Nodes of materials, worlds and geometry, and the links between their sockets."""

from __future__ import annotations

from typing import Any, Final

from app.drafting.commands import operations as op
from app.drafting.commands.literals import literal
from app.drafting.commands.subject import Subject
from app.drafting.commands.words import plain
from app.drafting.commands.write.setting import assign
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood
from ingest.manifest import NodeType, Socket

LINKED_FROM: Final = "linked_from"
"""The name in checks for the node and output that an input is linked to, such as `Noise Texture.Color`."""


def add_node(context: Context, add: op.Add) -> None:
    """Find a node in the tree of a thing by its name, or add it."""
    script, subjects = context.script, context.subjects
    if len(add.to) > 1:
        raise NotUnderstood([add.kind], "Add a node to one tree at a time.")
    owner = subjects.meaning(add.to[0]) if add.to else subjects.trees
    if owner is None:
        raise NotUnderstood([add.kind], f'Say what to add the {add.kind} to, such as: the material "Red".')
    tree, where, kind = subjects.tree(owner)
    found = context.names.nodes(add.kind, kind)
    if not found:
        raise NotUnderstood([add.kind], f'A {kind} has no "{add.kind}".')
    number = subjects.count(f"{tree} {add.name or found[0].label}")
    if number > 1 and add.name:
        raise NotUnderstood([add.name], f'There is a node called "{add.name}" already: give the new one another name.')
    name = add.name or (found[0].label if number == 1 else f"{found[0].label}.{number - 1:03}")
    code = script.variable(name)
    script.line(f"{code} = {tree}.nodes.get({literal(name)}) or {tree}.nodes.new({literal(found[0].identifier)})")
    if name != found[0].label:
        script.line(f"{code}.name = {literal(name)}")
    subject = Subject(code, found[0].identifier, where.below(f"nodes[{literal(name)}]"), name=name)
    subjects.know(tree, name, subject)
    script.expect(subject.where.has({"bl_idname": found[0].identifier}))
    assign(context, subject, add.settings)
    subjects.part, subjects.trees = subject, owner


@writes("link")
def write_link(context: Context, operation: op.Link) -> None:
    """Link an output to an input, in place of the earlier link of the input."""
    script = context.script
    source, tree = _node(context, operation.source)
    target, other = _node(context, operation.target)
    if tree != other:
        raise NotUnderstood([], "Nodes of two trees cannot be linked.")
    output = _socket(context, source, operation.output, "outputs")
    into = _socket(context, target, operation.input, "inputs")
    script.line(f"{tree}.links.new({source.code}.outputs[{literal(output)}], {target.code}.inputs[{literal(into)}])")
    script.expect(target.where.has({f"inputs[{literal(into)}].{LINKED_FROM}": f"{source.name}.{output}"}))


def _node(context: Context, thing: op.Mention) -> tuple[Subject, str]:
    """The node of a reference, and the variable of its tree."""
    subjects = context.subjects
    owner = subjects.meaning(thing.of) if thing.of else subjects.trees
    name = thing.name or plain(thing.words).removesuffix(" node")
    if owner is None:
        raise NotUnderstood([name], f'Say whose node it is, such as: the {name} of the material "Red".')
    subjects.trees = owner
    tree, _, _ = subjects.tree(owner)
    return subjects.node(owner, name), tree


def _socket(context: Context, node: Subject, words: str, side: str) -> str:
    """The name of a socket in this Blender; raises NotUnderstood with the names of all sockets."""
    known: NodeType | None = context.names.manifest.nodes.get(node.type)
    sockets: tuple[Socket, ...] = getattr(known, side) if known else ()
    named = plain(words)
    short = {"factor": "fac", "fac": "factor", "colour": "color"}.get(named, named)
    for wanted in (named, short):
        for socket in sockets:
            if wanted in {plain(socket.name), plain(socket.identifier)}:
                return socket.name
    if known is None or (known.varies and not sockets):
        return words
    names = ", ".join(dict.fromkeys(socket.name for socket in sockets))
    raise NotUnderstood([words], f'{node.name} has no {side[:-1]} "{words}". It has: {names}.')


def give_group(context: Context, modifier: str, name: str) -> None:
    """Give a nodes modifier a group that passes its geometry through, as the button New does."""
    script = context.script
    script.imports("from typing import Any")
    group: Any = script.variable("group")
    with script.block(f"if {modifier}.node_group is None:"):
        script.line(f'{group}: Any = bpy.data.node_groups.new({literal(name)}, "GeometryNodeTree")')
        for side in ("INPUT", "OUTPUT"):
            script.line(f'{group}.interface.new_socket("Geometry", in_out="{side}", socket_type="NodeSocketGeometry")')
        script.line(f'start, end = {group}.nodes.new("NodeGroupInput"), {group}.nodes.new("NodeGroupOutput")')
        script.line(f"{group}.links.new(start.outputs[0], end.inputs[0])")
        script.line(f"{modifier}.node_group = {group}")
