"""Silent drift: code that still runs on this build, and does something else than on an older one.

The facts are rows of the book with the word `silent`. None of them blocks: the code may be written for this build.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import Coll, Lit, Rna, Value
from app.reading.notes import Notes
from app.reading.remark import Fault, SourcePlace
from app.reading.usage.fits import Judge

_PRINCIPLED: Final = "ShaderNodeBsdfPrincipled"
_SAME_IN_4_2: Final = 7
_IN_BRACKETS: Final = re.compile(r"""\[(["'])(\w+)\1\]""")
_COLLECTIONS: Final = {"World": "worlds", "Material": "materials"}


@dataclass(frozen=True)
class SilentDrift:
    """Notes silent drift."""

    judge: Judge
    notes: Notes

    def write(self, owner: Value, name: str, value: Value, place: SourcePlace) -> None:
        """Look at `owner.name = value`."""
        if not isinstance(owner, Rna):
            return
        if name != "use_nodes" and not self._is_for_renders(owner.type):
            return
        if name != "use_nodes" or value == Lit(False, "bool"):
            address = f"bpy.types.{owner.type}.{name}"
            self.notes.say(self._fault("no-effect-since", address, address), place)

    def item(self, owner: Value, key: Value, place: SourcePlace) -> None:
        """Look at `owner[key]` and its like."""
        match owner, key:
            case Rna(type=type_name), Lit(value=str(name)):
                for of, registered in self.judge.survey.registered_on:
                    if registered == name and self.judge.api.manifest.is_a(type_name, of):
                        symbol = f"bpy.types.{of}"
                        said = self._fault("property-by-key", "bpy.types.ID.keys", symbol, owner=of, name=name)
                        self.notes.say(said, place)
            case Coll(name=collection), Lit(value=str(name)):
                symbol = f"bpy.types.BlendData.{collection}"
                self.notes.say(self._fault("renamed-data", f"{symbol}['{name}']", symbol), place)
            case Coll(type="NodeInputs", owner=Rna(type=node)), Lit(value=int(index), kind="int"):
                self.notes.say(self._moved(node, index), place)
            case _:
                pass

    def path(self, owner: Value, path: str, place: SourcePlace) -> None:
        """Look at a data path from the owner, such as `["size"]`."""
        key = _IN_BRACKETS.fullmatch(path)
        if key:
            self.item(owner, Lit(key[2], "str"), place)

    def node(self, identifier: str, place: SourcePlace) -> None:
        """Look at a node that is made."""
        if "Distance" not in self.judge.survey.mentioned:
            self.notes.say(self._fault("default-changed", f"node {identifier}", f"bpy.types.{identifier}"), place)

    def _is_for_renders(self, type_name: str) -> bool:
        """True if what has this type is made here, and nothing shows that its colours are for the viewport."""
        survey = self.judge.survey
        for_viewport = "node_tree" in survey.attributes or "BLENDER_WORKBENCH" in survey.mentioned
        return not for_viewport and _COLLECTIONS.get(type_name) in survey.made

    def _moved(self, identifier: str, index: int) -> Fault | None:
        node, address = self.judge.api.manifest.nodes.get(identifier), f"bpy.types.{identifier}"
        row = self.judge.removals.book.rows.get(f"{address}.inputs")
        if node is None or row is None or not 0 <= index < len(node.inputs):
            return None
        socket, version = node.inputs[index], self.judge.api.manifest.version
        if identifier == _PRINCIPLED and index:
            older = "3.x" if index < _SAME_IN_4_2 else "3.x and 4.2"
            said = {"number": index, "name": socket.name, "version": version, "older": older}
            return self._fault("input-moved", f"{address}.inputs", address, **said)
        if index >= len(row.numbered) or row.numbered[index] in (socket.name, socket.identifier):
            return None
        before = f"{row.numbered[index]!r} before" if row.numbered[index] else "another one before"
        says = f"Input {index} of {identifier} is {socket.name!r} since Blender {row.since}, and was {before}"
        advice = f"If {socket.name!r} is meant, use the name, which stays: `inputs[{socket.name!r}]`."
        return Fault("input-moved", says, advice, address)

    def _fault(self, code: str, address: str, symbol: str, **said: object) -> Fault | None:
        """The fault of an address that means something else now."""
        row = self.judge.removals.book.rows.get(address)
        if row is None or not row.silent:
            return None
        return Fault(code, row.silent.format(**said), row.advice.format(**said), symbol)
