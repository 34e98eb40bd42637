"""The files of a repository with their units by number and their facts: the material of edges."""

from __future__ import annotations

import bisect
import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from codebase.units.unit import Unit


@dataclasses.dataclass(frozen=True)
class CodeFile:
    """A file. `units[n]` has the number `first + n`; `facts` has those of every maker, by its name."""

    path: str
    language: str
    first: int
    units: Sequence[Unit]
    facts: Mapping[str, Any]

    @functools.cached_property
    def named(self) -> dict[str, int]:
        """The numbers of its units by qualified name; of several with one name the last, which is in force."""
        return {unit.name: self.first + place for place, unit in enumerate(self.units) if unit.kind != "window"}

    @functools.cached_property
    def _starts(self) -> list[tuple[int, int]]:
        return sorted((unit.first, place) for place, unit in enumerate(self.units))

    def at(self, line: int) -> int | None:
        """The number of the innermost unit that holds a line."""
        for _, place in reversed(self._starts[: bisect.bisect_right(self._starts, (line, len(self.units)))]):
            if self.units[place].last >= line:
                return self.first + place
        return None


class Code:
    """All files by path."""

    def __init__(self, files: Sequence[CodeFile], is_whole: bool = True) -> None:
        self.is_whole = is_whole
        """False if another indexing came between: some facts are gone."""
        self.files = {file.path: file for file in files}
        self.units: list[Unit] = [unit for file in files for unit in file.units]

    def facts(self, maker: str) -> Iterator[tuple[CodeFile, Any]]:
        """The files in which a maker has facts, with these facts."""
        return ((file, file.facts[maker]) for file in self.files.values() if file.facts.get(maker) is not None)

    def unit(self, path: str, name: str) -> int | None:
        """The number of a unit by its qualified name in a file; the empty name is the module itself."""
        return self.files[path].named.get(name) if path in self.files else None

    def owner(self, unit: int) -> CodeFile:
        """The file of a unit."""
        return self._owners[unit]

    @functools.cached_property
    def _owners(self) -> list[CodeFile]:
        return [file for file in self.files.values() for _ in file.units]
