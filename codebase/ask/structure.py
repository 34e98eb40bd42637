"""The structure of a repository within a budget: folders and files, their lines, and a description of one line each."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Final

from codebase.index.snapshot import Snapshot
from codebase.index.store import IndexEntry

BUDGET: Final = 6000
"""Characters, about 1,700 tokens."""
NAMES: Final = 6


@dataclasses.dataclass
class _Folder:
    path: str
    files: int = 0
    lines: int = 0
    inner: set[str] = dataclasses.field(default_factory=set[str])
    own: list[IndexEntry] = dataclasses.field(default_factory=list[IndexEntry])

    def line(self) -> str:
        return f"{self.path}/  {self.files} files, {self.lines} lines"


def structure(snapshot: Snapshot, budget: int = BUDGET) -> str:
    """The folders from the outermost on, each opened as long as its files and folders fit into `budget` characters."""
    folders = folders_of(snapshot)
    room = budget
    queue = [""]
    opened: set[str] = set()
    while queue:
        path = queue.pop(0)
        inner = sorted(folders[path].inner)
        lines = [folders[folder].line() for folder in inner] + [file_line(entry) for entry in folders[path].own]
        cost = sum(len(line) + 1 for line in lines)
        if cost <= room or not path:
            opened.add(path)
            room -= cost
            queue += sorted(inner, key=lambda folder: -folders[folder].lines)
    return cut(folder_lines("", folders, opened), budget)


def folders_of(snapshot: Snapshot) -> dict[str, _Folder]:
    """Every folder with its contents."""
    folders: dict[str, _Folder] = defaultdict(lambda: _Folder(""))
    folders[""].path = ""
    for entry in snapshot.entries:
        parts = entry.path.split("/")[:-1]
        for depth in range(len(parts) + 1):
            folder = folders["/".join(parts[:depth])]
            folder.path = "/".join(parts[:depth])
            folder.files += 1
            folder.lines += length(entry)
            if depth < len(parts):
                folder.inner.add("/".join(parts[: depth + 1]))
        folders["/".join(parts)].own.append(entry)
    return folders


def length(entry: IndexEntry) -> int:
    """The number of lines of a file."""
    return max((unit.last for unit in entry.parsed.units), default=0)


def file_line(entry: IndexEntry) -> str:
    """A file, its lines, and its docstring or the names that it defines."""
    units = entry.parsed.units
    description = units[0].docstring.partition("\n")[0] if units and units[0].kind == "module" else ""
    if not description:
        names = [unit.name for unit in units if unit.name and "." not in unit.name]
        description = ", ".join(names[:NAMES]) + (", ..." if len(names) > NAMES else "")
    return f"{entry.path}  {length(entry)}  {description[:100]}".rstrip()


def folder_lines(path: str, folders: dict[str, _Folder], opened: set[str]) -> list[str]:
    """The lines below a folder; those of an opened folder follow its own line."""
    lines: list[str] = []
    for folder in sorted(folders[path].inner):
        lines.append(folders[folder].line())
        if folder in opened:
            lines += folder_lines(folder, folders, opened)
    return [*lines, *(file_line(entry) for entry in folders[path].own)]


def cut(lines: list[str], budget: int) -> str:
    """The lines that fit, and the number of those that do not."""
    kept: list[str] = []
    for place, line in enumerate(lines):
        budget -= len(line) + 1
        if budget < 0:
            return "\n".join([*kept, f"... {len(lines) - place} more lines"])
        kept.append(line)
    return "\n".join(kept)
