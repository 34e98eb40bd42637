"""The edge between two units, and the interface of its makers.

A maker works in two passes. `facts` sees one text and nothing else, so its result is kept with the content and is not
made again until the text changes. `edges` sees the facts of all files, and is made again if any of them changed.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, NamedTuple, Protocol

from codebase.graph.code import Code
from codebase.units.unit import Unit

Certainty = Literal["exact", "inferred", "by name"]
"""exact: the text leads to a single place. inferred: it rests on a value that may change, or on one of several
places. by name: only the name fits."""
CERTAINTIES: Final[tuple[Certainty, ...]] = ("exact", "inferred", "by name")
KINDS: Final = ("calls", "uses", "imports", "inherits", "overrides", "tests")
"""Kinds of the language; frameworks have more. `uses` names a function or class without calling it."""


class Edge(NamedTuple):
    """A unit that needs another. Units are known by their numbers in `Code`; the line is in the file of the source."""

    source: int
    target: int
    kind: str
    certainty: Certainty
    line: int


class Gap(NamedTuple):
    """A call that cannot be followed: its target is known only when it runs, or its receiver is unknown."""

    source: int
    line: int
    name: str


@dataclasses.dataclass(frozen=True)
class SourceText:
    """A text to take facts from, with its units in the order of their numbers."""

    language: str
    text: str
    units: tuple[Unit, ...]
    tree: ast.Module | None
    """None if this is not Python, or Python that cannot be parsed."""


class Maker(Protocol):
    """Makes the edges of one language or framework."""

    @property
    def name(self) -> str:
        """The name of its facts in the index."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages of the texts that it reads."""
        ...

    def facts(self, source: SourceText) -> Any:
        """The facts of a text: JSON, with local numbers of units; None if there are none. Never raises."""

    def edges(self, code: Code) -> Iterable[Edge | Gap]:
        """The edges between all units, and the gaps, from `code.facts(self.name)`."""
        ...
