"""The sockets of nodes that a snippet names: `node.inputs["..."]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.sight import Sight
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
        index = subscript.slice[0].slice
        if len(subscript.slice) != 1 or not isinstance(index, cst.Index) or sight.is_guarded(subscript.value):
            continue
        key = index.value
        if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str):
            yield key, key.evaluated_value, node_of(sight, subscript.value)
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value != "get" or not call.args:
            continue
        sockets, key = function.value, call.args[0].value
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
