"""What a unit is, and what is known of a file."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
from collections.abc import Sequence
from typing import Final, Literal

Kind = Literal["module", "class", "function", "method", "section", "key", "block", "element", "rule", "window"]
CODE: Final = ("class", "function", "method")
OPEN: Final = ("module", "class", "block", "element")
"""Units that are searched without those inside them: one that has no other lines is none."""
DOCSTRING_CHARACTERS: Final = 2000


@dataclasses.dataclass(frozen=True, slots=True)
class Unit:
    """One symbol-sized piece of a file. `first` and `last` are lines, from 1; `own` are those of no inner unit.

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
        """The lines to show: the first of its own, so that a class is shown up to its first method."""
        return self.spans[0]


@dataclasses.dataclass(frozen=True, slots=True)
class Parsed:
    """The units of a file, what it imports, and what was wrong with it.

    `imports` are as written: `a.b`, `a.b:name`, `.c:name` in Python, and module names in JavaScript.
    """

    language: str
    units: tuple[Unit, ...]
    imports: tuple[str, ...] = ()
    problem: str | None = None
    tree: ast.Module | None = dataclasses.field(default=None, compare=False, repr=False)
    """Of Python that was read just now: an index does not keep it."""


def without(first: int, last: int, inner: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The spans that are left of some lines if the inner spans are taken out."""
    left: list[tuple[int, int]] = []
    for begin, end in sorted(inner):
        if first < begin:
            left.append((first, begin - 1))
        first = max(first, end + 1)
    return (*left, (first, last)) if first <= last else tuple(left)


def digest(lines: Sequence[str], unit: Unit) -> str:
    """The SHA-256 of the lines of a unit."""
    return hashlib.sha256("\n".join(lines[unit.first - 1 : unit.last]).encode("utf-8", "replace")).hexdigest()
