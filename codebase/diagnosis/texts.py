"""The texts of files as they are now, read once per diagnosis: citations are of the disk, not of the index."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

from codebase.index.files import SkippedFile, read_file
from python.parsing import parse_lines

NO_LINES: Final[list[str]] = []


def lines_in(text: str) -> list[str]:
    """The lines of a text; a line break at its end begins no further line."""
    return text.removesuffix("\n").split("\n")


def squeeze(line: str) -> str:
    """A line without its indentation and repeated spaces."""
    return " ".join(line.split())


class Texts:
    """The files below a folder by their paths in it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._lines: dict[str, list[str]] = {}
        self._numbers: dict[str, dict[str, list[int]]] = {}
        self._trees: dict[str, ast.Module | None] = {}

    def lines(self, path: str) -> list[str]:
        """The lines of a file; none if it cannot be read."""
        if path not in self._lines:
            content = read_file(self.root, path)
            self._lines[path] = NO_LINES if isinstance(content, SkippedFile) else lines_in(content.text)
        return self._lines[path]

    def numbers(self, path: str) -> dict[str, list[int]]:
        """The lines of a file without indentation and repeated spaces, each with its numbers from 1."""
        if path not in self._numbers:
            numbers: dict[str, list[int]] = defaultdict(list)
            for number, line in enumerate(self.lines(path), 1):
                numbers[squeeze(line)].append(number)
            self._numbers[path] = numbers
        return self._numbers[path]

    def tree(self, path: str) -> ast.Module | None:
        """The syntax tree of a Python file; None if it is something else or cannot be parsed."""
        if path not in self._trees:
            tree = None
            if path.endswith((".py", ".pyi", ".pyw")):
                try:
                    tree = parse_lines("\n".join(self.lines(path)))
                except (SyntaxError, RecursionError, ValueError, MemoryError):
                    tree = None
            self._trees[path] = tree
        return self._trees[path]

    def around(self, path: str, line: int, amount: int) -> tuple[int, str]:
        """About `amount` lines around a line: the number of the first, and the text."""
        lines = self.lines(path)
        first = max(1, min(line - amount // 2, len(lines) - amount + 1))
        return first, "\n".join(lines[first - 1 : first - 1 + amount])
