"""The outputs of render layers, whose passes had short names until 5.0: `outputs["DiffCol"]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.sockets import has_socket, sockets_by_name
from app.healing.sight import Sight

_LAYERS: Final = "CompositorNodeRLayers"
_PASS: Final = re.compile(r"(Diff|Gloss|Trans|Subsurface|Volume)(Dir|Ind|Col)")
_OF: Final = {"Diff": "Diffuse", "Gloss": "Glossy", "Trans": "Transmission"}
_PART: Final = {"Dir": "Direct", "Ind": "Indirect", "Col": "Color"}
_OTHERS: Final = {"Emit": "Emission", "Env": "Environment"}


def pass_outputs(sight: Sight) -> Iterator[TreeEdit]:
    """The passes of which no name is found on another node; the others only where the node is known."""
    if not has_socket(sight, _LAYERS, "Diffuse Color"):
        return
    for key, name, owner in sockets_by_name(sight, "outputs"):
        found = _PASS.fullmatch(name)
        new = f"{_OF.get(found[1], found[1])} {_PART[found[2]]}" if found else _OTHERS.get(name)
        if new and (owner == _LAYERS or (found and not owner)):
            yield sight.replace(key, f'"{new}"', f"the pass {name!r} is the output {new!r} since 5.0")


RULES: Final = (Rule("pass-outputs", "5.0: outputs of render layers: `outputs['DiffCol']`", pass_outputs),)
