"""A unit, and the contents of a parsed file."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
from collections.abc import Sequence
from typing import Final, Literal

Kind = Literal["module", "class", "function", "method", "section", "key", "block", "element", "rule", "window"]
CODE: Final = ("class", "function", "method")
OPEN: Final = ("module", "class", "block", "element")
"""Units that are searched without those inside them; such a unit without lines of its own is dropped."""
DOCSTRING_CHARACTERS: Final = 2000


@dataclasses.dataclass(frozen=True, slots=True)
class Unit:
    """One symbol-sized piece of a file. `first` and `last` are lines, from 1; `own` are lines outside of inner units.

    A class or module is searched by its own lines only; a function by all, so that its body stays whole.
    """

    name: str
    """Qualified within the file: `Class.method`; empty for the module itself."""
    kind: Kind
    first: int
    last: int
    signature: str = ""
    decorators: tuple[str, ...] = ()
    docstring: str = ""
    ancestors: str = ""
    """The signatures around it, outermost first, such as `class Printer(Base)`."""
    own: tuple[tuple[int, int], ...] = ()
    """Spans of lines, first and last; empty if all lines from `first` to `last` are its own."""
    sha256: str = ""

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The lines that it is searched by."""
        return self.own or ((self.first, self.last),)

    @property
    def cited(self) -> tuple[int, int]:
        """The lines to show: the first span of its own, so that a class is shown up to its first method."""
        return self.spans[0]


@dataclasses.dataclass(frozen=True, slots=True)
class ParsedFile:
    """The units of a file, its imports, and the problem if it could not be parsed.

    `imports` are written as in the file: `a.b`, `a.b:name`, `.c:name` in Python, and module names in JavaScript.
    """

    language: str
    units: tuple[Unit, ...]
    imports: tuple[str, ...] = ()
    problem: str | None = None
    tree: ast.Module | None = dataclasses.field(default=None, compare=False, repr=False)
    """The tree of Python that was read just now: an index does not keep it."""


def without(first: int, last: int, inner: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans of some lines that remain outside of the inner spans."""
    spans: list[tuple[int, int]] = []
    for begin, end in sorted(inner):
        if first < begin:
            spans.append((first, begin - 1))
        first = max(first, end + 1)
    return (*spans, (first, last)) if first <= last else tuple(spans)


def digest(lines: Sequence[str], unit: Unit) -> str:
    """The SHA-256 of the lines of a unit."""
    return hashlib.sha256("\n".join(lines[unit.first - 1 : unit.last]).encode("utf-8", "replace")).hexdigest()
