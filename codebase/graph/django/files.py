"""Templates and static files by their names in Django."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from codebase.graph.code import Code
from codebase.graph.edge import Certainty

TEMPLATE_FOLDERS: Final = ("templates", "jinja2")
STATIC_FOLDERS: Final = ("static", "static_src", "assets", "public")

BUILT_FROM: Final = {"static_src", "assets", "src", "javascript", "js", "css", "styles", "frontend"}
"""Folders from which a build takes static files."""


class DjangoFiles:
    """The files of a repository by the ends of their paths."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in code.files:
            self._by_name[path.rpartition("/")[2]].append(path)

    def templates(self, name: str, near: str) -> list[tuple[str, Certainty]]:
        """The files that a template name can mean, seen from a file."""
        return self._find(name.partition("#")[0], near, TEMPLATE_FOLDERS)

    def static(self, name: str, near: str) -> list[tuple[str, Certainty]]:
        """The files that the path of a static file can mean."""
        files = self._find(name, near, STATIC_FOLDERS)
        if files:
            return files
        # A build may put it elsewhere: then only its own name remains.
        folders = {path: set(path.split("/")) for path in self._by_name.get(name.rpartition("/")[2], ())}
        named = [path for path in folders if folders[path] & BUILT_FROM and "static" not in folders[path]]
        return [(named[0], "by name")] if len(named) == 1 else []

    def number(self, path: str) -> int | None:
        """The unit that stands for a file: its head, or else its first."""
        file = self._code.files[path]
        head = file.named.get("")
        return head if head is not None else file.first if file.units else None

    def _find(self, name: str, near: str, folders: tuple[str, ...]) -> list[tuple[str, Certainty]]:
        name = name.lstrip("/")
        fitting = [path for path in self._by_name.get(name.rpartition("/")[2], ()) if f"/{path}".endswith(f"/{name}")]
        placed = [path for path in fitting if is_below(path, name, folders)]
        if len(placed) == 1:
            return [(placed[0], "exact")]
        if placed:
            # Several applications have a template of this name: mostly the one next to the file is meant.
            best = max(common_folders(path, near) for path in placed)
            several: list[tuple[str, Certainty]] = [
                (path, "inferred") for path in placed if common_folders(path, near) == best
            ]
            return several[:4]
        return [(fitting[0], "inferred")] if len(fitting) == 1 and ("/" in name or folders == TEMPLATE_FOLDERS) else []


def is_below(path: str, name: str, folders: tuple[str, ...]) -> bool:
    """True if a file is in such a folder by exactly this name."""
    return path[: -len(name)].rstrip("/").rpartition("/")[2] in folders


def common_folders(path: str, other: str) -> int:
    """The number of folders that two paths have in common."""
    pairs = zip(path.split("/")[:-1], other.split("/")[:-1], strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(path.count("/"), other.count("/")))
