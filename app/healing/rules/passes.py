"""The outputs of render layers, whose passes had short names until 5.0: `outputs["DiffCol"]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.sockets import has_socket, sockets_by_name
from app.healing.sight import Sight

_LAYERS: Final = "CompositorNodeRLayers"
_SHORT: Final = ("Dir", "Ind", "Col", "OB", "MA")


def pass_outputs(sight: Sight) -> Iterator[TreeEdit]:
    """Where the node is not known, a name of two words that no node has today is that of a pass."""
    if not has_socket(sight, _LAYERS, "Diffuse Color"):
        return
    today = {socket.name for node in sight.manifest.nodes.values() for socket in node.outputs}
    for key, name, owner in sockets_by_name(sight, "outputs"):
        row = sight.book.rows.get(f"bpy.types.{_LAYERS}.outputs['{name}']")
        is_pass = row is not None and " " in row.becomes and name.endswith(_SHORT) and name not in today
        if row and (owner == _LAYERS or (is_pass and not owner)) and not has_socket(sight, _LAYERS, name):
            yield sight.replace(key, f'"{row.becomes}"', f"the pass {name!r} is the output {row.becomes!r} since 5.0")


RULES: Final = (Rule("pass-outputs", "5.0: outputs of render layers: `outputs['DiffCol']`", pass_outputs),)
