"""Writes `ingest/changes/numbered.toml`: node inputs whose number another input has in the newest of some Blenders.

    python -m bench.numbered .blendproof/manifests/*.json > ingest/changes/numbered.toml

An input is the same as an older one by its identifier or name; those that are left are so in order, if both Blenders
have as many of their type. A row begins with the first of the given Blenders that has it; none in between is looked at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

from harness.versions import version_key
from ingest.manifest import Manifest, NodeType, read_manifest

HEAD: Final = (
    "# Inputs of nodes that another input has the number of now. Written by `bench/numbered.py`, not by hand.\n"
    "# `numbered` are the names today by the number before. `ingest/book.py` says how a row is written.\n"
)
BY_HAND: Final = frozenset({"ShaderNodeBsdfPrincipled"})
"""Nodes with rules and a row of their own."""


def same_inputs(old: NodeType, new: NodeType) -> list[str]:
    """The identifier in the new node per input of the old one; empty if it is gone."""
    there = {socket.identifier for socket in new.inputs}
    names = [socket.name for socket in new.inputs]
    named = {socket.name: socket.identifier for socket in new.inputs if names.count(socket.name) == 1}
    same = {
        one.identifier: one.identifier if one.identifier in there else named.get(one.name, "") for one in old.inputs
    }
    lost = [socket for socket in old.inputs if not same[socket.identifier]]
    left = [socket for socket in new.inputs if socket.identifier not in same.values()]
    for kind in {socket.type for socket in lost}:
        before, now = ([one.identifier for one in sockets if one.type == kind] for sockets in (lost, left))
        if len(before) == len(now):
            same |= zip(before, now, strict=True)
    return list(same.values())


def rows(manifests: Sequence[Manifest]) -> Iterator[str]:
    """The rows of the newest Blender, one per node type of which a number moved. The oldest comes first."""
    *older, newest = manifests
    for name, new in sorted(newest.nodes.items()):
        there = [place for place, one in enumerate(older) if name in one.nodes]
        moved = [place for place in there if has_moved(older[place].nodes[name], new)]
        if name not in BY_HAND and not new.varies and moved:
            before = [same_inputs(older[place].nodes[name], new) for place in there if place <= moved[-1]]
            meant = [{one for one in options if one is not None} for options in zip_longest(*before)]
            names = json.dumps([_name(number, options, new) for number, options in enumerate(meant)])
            since = manifests[moved[-1] + 1].series
            yield f'"bpy.types.{name}.inputs" = {{ since = "{since}", numbered = {names} }}'


def has_moved(old: NodeType, new: NodeType) -> bool:
    """True if a number is another input now, one that people set."""
    for before, same, now in zip(old.inputs, same_inputs(old, new), new.inputs, strict=False):
        if same != now.identifier and (before.enabled or before.name != "Weight"):
            return True
    return False


def _name(number: int, options: set[str], new: NodeType) -> str:
    """The name of the one input that is meant in every Blender; empty if there is none, or no sure name for it."""
    names = [socket.name for socket in new.inputs]
    for place, socket in enumerate(new.inputs):
        sure = place == number or (socket.enabled and names.count(socket.name) == 1)
        if options == {socket.identifier} and sure:
            return socket.name
    return ""


def main(paths: Sequence[str]) -> None:
    """Print the rows."""
    manifests = sorted((read_manifest(Path(path)) for path in paths), key=lambda one: version_key(one.version))
    print(HEAD, *rows(manifests), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
