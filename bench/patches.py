"""Finds the functions that a patch changes, in the version that it is applied to."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Final

from codebase.units.unit import Unit

HEADER: Final = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
FUNCTIONS: Final = ("function", "method")


@dataclasses.dataclass
class Hunk:
    """A hunk of a patch: the file, the line it says it begins at, and its lines with their marks."""

    path: str
    first: int
    lines: list[str]

    def old(self) -> list[str]:
        return [line[1:] for line in self.lines if not line.startswith("+")]

    def changed(self) -> Iterator[int]:
        """Places in `old` that are removed, or after which something is added."""
        place = 0
        for line in self.lines:
            if line.startswith("+"):
                yield max(0, place - 1)
            else:
                if line.startswith("-"):
                    yield place
                place += 1


def hunks(patch: str) -> list[Hunk]:
    """The hunks of a patch that change existing files."""
    path, found = "", list[Hunk]()
    for line in patch.splitlines():
        header = HEADER.match(line)
        if line.startswith("diff --git"):
            path = ""
        elif line.startswith("--- "):
            path = line[6:].strip() if line.startswith("--- a/") else ""
        elif header and path:
            found.append(Hunk(path, int(header[1]), []))
        elif found and path and not line.startswith(("+++ ", "\\")):
            found[-1].lines.append(line or " ")
    return found


def begin(hunk: Hunk, text: Sequence[str]) -> int | None:
    """The line, from 1, at which a hunk fits: the fitting place nearest to the one it names, as `git apply` does it."""
    old = [line.rstrip() for line in hunk.old()]
    stripped = [line.rstrip() for line in text]
    fitting = [at for at in range(len(text) - len(old) + 1) if stripped[at : at + len(old)] == old]
    return min(fitting, key=lambda at: abs(at + 1 - hunk.first)) + 1 if fitting else None


def changed_functions(units: Sequence[Unit], hunk: Hunk, text: Sequence[str]) -> set[str]:
    """The qualified names of the outermost functions and methods that a hunk changes."""
    start = begin(hunk, text)
    if start is None:
        return set()
    found: set[str] = set()
    for place in hunk.changed():
        line = start + place
        holding = [unit for unit in units if unit.kind in FUNCTIONS and unit.first <= line <= unit.last]
        found |= {min(holding, key=lambda unit: (unit.first, -unit.last)).name} if holding else set()
    return found
