"""Finds the unit that a text names: a name, a dotted name, `path:name`, a path, or `path:line`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from codebase.errors import SymbolUnclear
from codebase.index.snapshot import Snapshot
from codebase.units.unit import CODE

SHOWN: Final = 8


def symbol(snapshot: Snapshot, written: str) -> int:
    """The number of the unit. Raises SymbolUnclear, with the candidates or names of similar spelling."""
    written = written.strip()
    units = candidates(snapshot, written)
    if len(units) == 1:
        return units[0]
    if units:
        listed = "".join(f"\n  {written_name(snapshot, unit)}" for unit in units[:SHOWN])
        more = f"\n  ... and {len(units) - SHOWN} more" if len(units) > SHOWN else ""
        raise SymbolUnclear(f"{written} may be one of {len(units)}; write one of these:{listed}{more}")
    near = "".join(f"\n  {name}" for name in spelled_like(snapshot, written))
    hint = f" These are spelled like it:{near}" if near else " `blendproof repo search` finds places by words."
    raise SymbolUnclear(f"There is no symbol {written} in the repository.{hint}")


def candidates(snapshot: Snapshot, written: str) -> list[int]:
    """All units that a text may mean."""
    path, colon, name = written.partition(":")
    if colon and path in snapshot.number:
        return in_file(snapshot, snapshot.number[path], name.lstrip(":"))
    if written in snapshot.number:
        return in_file(snapshot, snapshot.number[written], "")
    exact = [
        place for place in snapshot.definitions.get(written.rpartition(".")[2], ()) if fits(snapshot, place, written)
    ]
    if exact:
        # A definition in a test or an example counts only if there is no other.
        own = [place for place in exact if snapshot.roles[int(snapshot.unit_file[place])] == "source"]
        # Overloads and the parts of a property are one symbol; the last of them stands for it.
        last = {(int(snapshot.unit_file[place]), snapshot.units[place].name): place for place in own or exact}
        return list(last.values())
    module = snapshot.modules.file_of(written)
    return in_file(snapshot, snapshot.number[module], "") if module else []


def in_file(snapshot: Snapshot, file: int, name: str) -> list[int]:
    """The units of a file by name or line; of several with one name the last, which is in force."""
    places = snapshot.file_units[file]
    if name.isdecimal() and len(name) <= 9:
        around = [place for place in places if snapshot.units[place].first <= int(name) <= snapshot.units[place].last]
        around.sort(key=lambda place: (snapshot.units[place].first, -snapshot.units[place].last))
        return around[-1:]
    named = [place for place in places if snapshot.units[place].name == name]
    # The windows of a long page have no name either, but a file is named by its head.
    return ([place for place in named if snapshot.units[place].kind != "window"] or named)[-1:]


def fits(snapshot: Snapshot, place: int, written: str) -> bool:
    """True if a unit can be called by a name: its own, or with its class, module and packages before it."""
    path = snapshot.paths[int(snapshot.unit_file[place])]
    whole = f".{path.rpartition('.')[0].replace('/', '.').removesuffix('.__init__')}.{snapshot.units[place].name}"
    return whole.endswith(f".{written}")


def spelled_like(snapshot: Snapshot, written: str) -> Iterable[str]:
    """Symbols with a name close to the written one."""
    last = written.rpartition(":")[2].rpartition(".")[2]
    lower = {name.lower(): name for name in snapshot.definitions}
    for name in difflib.get_close_matches(last.lower(), lower, n=SHOWN, cutoff=0.7):
        yield written_name(snapshot, snapshot.definitions[lower[name]][0])


def written_name(snapshot: Snapshot, place: int) -> str:
    """The text that names a unit: `path:name`, or `path:line` if the name is not enough."""
    file = int(snapshot.unit_file[place])
    unit = snapshot.units[place]
    same = [other for other in snapshot.file_units[file] if snapshot.units[other].name == unit.name]
    written = unit.name if same[-1] == place and unit.kind in (*CODE, "module") else str(unit.first)
    return f"{snapshot.paths[file]}:{written}" if written else snapshot.paths[file]
