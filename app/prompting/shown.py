"""The symbols that a model is shown, by class, cut to a budget by relevance.

addresses, the best first ─> a heading per class, a line per member ─> section of a prompt

MirrorModifier: Object.modifiers.new(name, 'MIRROR')
  use_clip: bool
  merge_threshold: float >= 0 = 0.001
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.llm.message import tokens_of
from app.prompting.entries import Entries, module_member, python_line, socket_lines
from ingest.ways import Ways

LEGEND: Final = "(Classes are in bpy.types; `= x` is the default; `[]` stands for an item of a collection.)"
TYPES: Final = "bpy.types."
OPERATORS: Final = "bpy.ops."
CONTEXT: Final = "bpy.context."


@dataclass
class SymbolGroup:
    """The lines of one class or module, under its heading; `holds` are the addresses that the heading shows."""

    heading: str
    lines: list[str] = field(default_factory=list[str])
    holds: frozenset[str] = frozenset()


class Section:
    """The symbols of one prompt; `addresses` are those that are in it."""

    def __init__(self, entries: Entries, room: int) -> None:
        self._entries = entries
        self._room = room - tokens_of(LEGEND)
        self._groups: dict[str, SymbolGroup] = {}
        self.addresses: list[str] = []

    def add(self, address: str) -> None:
        """Write a symbol down, unless this build has no symbol of this address, or no room is left."""
        if any(address in group.holds for group in self._groups.values()):
            self.addresses.append(address)
            return
        entry = self._entry(address)
        if entry is None:
            return
        name, line = entry
        group = self._groups.get(name) or self._new_group(name)
        new = [line] if line else []
        cost = sum(tokens_of(f"  {text}\n") for text in new)
        if name not in self._groups:
            cost += sum(tokens_of(f"  {text}\n") for text in (group.heading, *group.lines))
        if cost <= self._room:
            self._room -= cost
            self._groups[name] = group
            group.lines.extend(new)
            self.addresses.append(address)

    def _entry(self, address: str) -> tuple[str, str] | None:
        """The group of a symbol and its line there; the line of a class is its heading."""
        manifest = self._entries.manifest
        if address.startswith(TYPES):
            name, _, member = address.removeprefix(TYPES).partition(".")
            if name not in manifest.types:
                return None
            text = self._entries.member(name, member) if member else ""
            return (name, text) if text or not member else None
        if address.startswith(OPERATORS):
            operator = manifest.operators.get(address.removeprefix(OPERATORS))
            return ("bpy.ops", self._entries.operator(operator)) if operator else None
        if address.startswith(CONTEXT):
            leaf = address.removeprefix(CONTEXT)
            return ("bpy.context", f"{leaf}: {manifest.context[leaf]}") if leaf in manifest.context else None
        owned = module_member(manifest.modules, address)
        return (owned[0], python_line(*owned)) if owned else None

    def _new_group(self, name: str) -> SymbolGroup:
        """A group with what is always said of its class: the way to an instance, and the sockets of a node."""
        manifest = self._entries.manifest
        if name not in manifest.types:
            return SymbolGroup(name)
        way, steps = self._entries.way(name)
        node = manifest.nodes.get(name)
        holds = frozenset(step.address for step in steps)
        heading = f"{name}: {way}" if way else name
        return SymbolGroup(heading, list(socket_lines(node)) if node else [], holds)

    def __str__(self) -> str:
        """The section, the class of the best symbol first; empty if nothing is in it."""
        blocks = ["\n".join([group.heading, *(f"  {line}" for line in group.lines)]) for group in self._groups.values()]
        return "\n".join([LEGEND, *blocks]) if blocks else ""


def write_symbols(addresses: Sequence[str], request: str, ways: Ways, room: int) -> Section:
    """The section with those of the symbols, the best first, that fit into `room` tokens."""
    section = Section(Entries(ways, request), room)
    for address in dict.fromkeys(addresses):
        section.add(address)
    return section
