"""Silent drift: code that still runs on this build, and does something else than on an older one.

Each fact was seen in Blender 3.4, 4.2, 4.5, 5.0 and 5.2. None of them blocks: the code may be written for this build.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import Coll, Lit, Rna, Value
from app.reading.notes import Notes
from app.reading.remark import Fault, SourcePlace
from app.reading.usage.fits import Judge

_NODES_ALWAYS: Final = (5, 0)
_NO_KEYS: Final = (5, 0)
_PRINCIPLED_MOVED: Final = (4, 0)
_SAME_IN_4_2: Final = 7
_BUMP_LOWERED: Final = (4, 5)
_FONT_RENAMED: Final = (3, 4)

_IN_BRACKETS: Final = re.compile(r"""\[(["'])(\w+)\1\]""")
_COLOUR_OF_NODES: Final = {
    "World": ("color", "worlds", "Set the `Color` input of the Background node in `world.node_tree`."),
    "Material": ("diffuse_color", "materials", "Set `Base Color` of the Principled BSDF in `material.node_tree`."),
}
_WITHOUT_NODES: Final = frozenset({"World", "Material", "Scene"})


@dataclass(frozen=True)
class SilentDrift:
    """Notes silent drift."""

    judge: Judge
    notes: Notes

    def write(self, owner: Value, name: str, value: Value, place: SourcePlace) -> None:
        """Look at `owner.name = value`."""
        match owner:
            case Rna(type=type_name) if self.judge.api.version >= _NODES_ALWAYS:
                if name == "use_nodes" and value == Lit(False, "bool") and type_name in _WITHOUT_NODES:
                    self.notes.say(_always_nodes(type_name), place)
                elif type_name in _COLOUR_OF_NODES and name == _COLOUR_OF_NODES[type_name][0]:
                    self.notes.say(self._not_rendered(type_name), place)
            case _:
                pass

    def item(self, owner: Value, key: Value, place: SourcePlace) -> None:
        """Look at `owner[key]` and its like."""
        match owner, key:
            case Rna(type=type_name), Lit(value=str(name)) if self.judge.api.version >= _NO_KEYS:
                for of, registered in self.judge.survey.registered_on:
                    if registered == name and self.judge.api.manifest.is_a(type_name, of):
                        self.notes.say(_no_key(of, name), place)
            case Coll(type="BlendDataFonts"), Lit(value="Bfont") if self.judge.api.version >= _FONT_RENAMED:
                self.notes.say(_font(), place)
            case Coll(type="NodeInputs", owner=Rna(type="ShaderNodeBsdfPrincipled")), Lit(value=int(index), kind="int"):
                if index > 0 and self.judge.api.version >= _PRINCIPLED_MOVED:
                    self.notes.say(self._moved(index), place)
            case _:
                pass

    def path(self, owner: Value, path: str, place: SourcePlace) -> None:
        """Look at a data path from the owner, such as `["size"]`."""
        key = _IN_BRACKETS.fullmatch(path)
        if key:
            self.item(owner, Lit(key[2], "str"), place)

    def node(self, identifier: str, place: SourcePlace) -> None:
        """Look at a node that is made."""
        if identifier == "ShaderNodeBump" and self.judge.api.version >= _BUMP_LOWERED:
            self.notes.say(None if "Distance" in self.judge.survey.mentioned else _bump(), place)

    def _not_rendered(self, type_name: str) -> Fault | None:
        """The fault of a colour that a new material or world had in renders before it had nodes."""
        (name, collection, hint), survey = _COLOUR_OF_NODES[type_name], self.judge.survey
        for_viewport = "node_tree" in survey.attributes or "BLENDER_WORKBENCH" in survey.mentioned
        if for_viewport or collection not in survey.made:
            return None
        message = f"Since Blender 5.0 a new {type_name} has nodes, so that `{name}` is not rendered"
        return Fault("no-effect-since", message, hint, f"bpy.types.{type_name}.{name}")

    def _moved(self, index: int) -> Fault | None:
        node = self.judge.api.manifest.nodes.get("ShaderNodeBsdfPrincipled")
        if node is None or index >= len(node.inputs):
            return None
        older = "3.x" if index < _SAME_IN_4_2 else "3.x and 4.2"
        return Fault(
            "input-moved",
            f"Input {index} of the Principled BSDF is {node.inputs[index].name!r} in Blender "
            f"{self.judge.api.manifest.version}, and another one in {older}",
            f"If that is meant, use the name, which stays: `inputs[{node.inputs[index].name!r}]`.",
            "bpy.types.ShaderNodeBsdfPrincipled",
        )


def _always_nodes(type_name: str) -> Fault:
    other = _COLOUR_OF_NODES.get(type_name, ("Leave `scene.compositing_node_group` empty instead.",))[-1]
    message = f"`{type_name}.use_nodes` is always True since Blender 5.0: False changes nothing"
    return Fault("no-effect-since", message, other, f"bpy.types.{type_name}.use_nodes")


def _no_key(type_name: str, name: str) -> Fault:
    message = f"`['{name}']` is not the registered property `{type_name}.{name}` since Blender 5.0: their values differ"
    return Fault("property-by-key", message, f"Write `.{name}`, and `{name}` in a data path.", f"bpy.types.{type_name}")


def _font() -> Fault:
    return Fault(
        "renamed-data",
        "The built-in font is called 'Bfont Regular'",
        "Write `bpy.data.fonts['Bfont Regular']`, or leave the font as it is: it is the default.",
        "bpy.types.BlendData.fonts",
    )


def _bump() -> Fault:
    return Fault(
        "default-changed",
        "The Distance of a new Bump node is 0.001; up to Blender 4.2 it was 1.0, so that the same bumps were higher",
        "Set `node.inputs['Distance'].default_value` too.",
        "bpy.types.ShaderNodeBump",
    )
