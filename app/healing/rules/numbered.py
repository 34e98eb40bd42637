"""Inputs of nodes by number, which another input has now: the name is written, if the snippet is known to be older."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.nodes import node_of
from app.healing.sight import Sight, key_of


def _by_name(sight: Sight, since: str) -> Iterator[TreeEdit]:
    """Every `node.inputs[1]` of which the number moved in this version, by the name that it has now."""
    # A node that was another type until a rule respelled it has the numbers of that one.
    respelled = {row.becomes for address, row in sight.book.rows.items() if address.startswith("node ")}
    for subscript in sight.all(cst.Subscript):
        number, node = key_of(subscript), node_of(sight, subscript.value)
        row = None if node in respelled else sight.book.rows.get(f"bpy.types.{node}.inputs")
        if not isinstance(number, cst.Integer) or row is None or row.since != since or sight.is_guarded(subscript):
            continue
        place, inputs = number.evaluated_value, sight.manifest.nodes[node].inputs
        name = row.numbered[place] if place < len(row.numbered) else ""
        named = [spot for spot, socket in enumerate(inputs) if name == socket.name]
        if sight.collection(subscript.value) == "NodeInputs" and len(named) == 1 and named != [place]:
            reason = f"input {place} of {node} was {name!r} before {since}"
            yield sight.replace(subscript, f'{sight.code(subscript.value)}["{name}"]', reason)


@rule("`alpha_over.inputs[1]` of a script from before 5.0, which is another input today", silent=True, before=(5, 0))
def numbers_before_5(sight: Sight) -> Iterator[TreeEdit]:
    yield from _by_name(sight, "5.0")


@rule("`bump.inputs[2]` of a script from before 4.5, which is another input today", silent=True, before=(4, 5))
def numbers_before_4_5(sight: Sight) -> Iterator[TreeEdit]:
    yield from _by_name(sight, "4.5")


@rule("`voronoi.inputs[5]` of a script from before 4.2, which is another input today", silent=True, before=(4, 2))
def numbers_before_4_2(sight: Sight) -> Iterator[TreeEdit]:
    yield from _by_name(sight, "4.2")
