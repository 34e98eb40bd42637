"""What an edge is, and what makes edges.

A maker works in two passes. `facts` sees one text and nothing else, so what it finds is kept with the content and is
not made again until the text changes. `edges` sees the facts of all files, and is made again if any of them changed.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Collection, Iterable
from typing import Any, Final, Literal, NamedTuple, Protocol

from codebase.graph.code import Code
from codebase.units.unit import Unit

Certainty = Literal["exact", "inferred", "by name"]
"""exact: what is written leads to one place. inferred: it rests on a value that may change, or on one of several
places. by name: only the name fits."""
CERTAINTIES: Final[tuple[Certainty, ...]] = ("exact", "inferred", "by name")
KINDS: Final = ("calls", "uses", "imports", "inherits", "overrides", "tests")
"""Kinds of the language; frameworks have more. `uses` names a function or class without calling it."""


class Edge(NamedTuple):
    """One unit needs another. Units are known by their numbers in `Code`; the line is in the file of the source."""

    source: int
    target: int
    kind: str
    certainty: Certainty
    line: int


class Gap(NamedTuple):
    """A call that cannot be followed: what it reaches is known only when it runs, or its receiver is not known."""

    source: int
    line: int
    name: str


@dataclasses.dataclass(frozen=True)
class Source:
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
        """What its facts are called in the index."""
        ...

    @property
    def languages(self) -> Collection[str]:
        """The languages of the texts that it wants to see."""
        ...

    def facts(self, source: Source) -> Any:
        """What there is to know in a text: JSON, by local numbers of units; None if there is nothing. Never raises."""

    def edges(self, code: Code) -> Iterable[Edge | Gap]:
        """The edges between all units, and the gaps, from `code.facts(self.name)`."""
        ...
