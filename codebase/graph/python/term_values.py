"""The values of the second pass: all that a term may be. Each tag has a subject, and some a detail.

M found                 a module, or a folder of modules
C class, I class        a class, an instance of it
F function              a function
W function values       a function that a decorator made into something else
B function class        a function bound to an instance of the class, or to the class
S class owner           `super()` in a class, for an instance of another
V name                  an instance of a builtin type
X name                  something from outside the repository
N                       None
L values, T parts       an iterable of values; a tuple of several values each
D keys values           a mapping
K values name           a method of a container
G values                something that returns these if it is called
?                       not known
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from codebase.graph.code import CodeFile


class Value(NamedTuple):
    """One of the kinds above."""

    tag: str
    subject: Any = None
    detail: Any = None


class Result(NamedTuple):
    """All values that a term may have. `sure` if the text leaves no doubt about them."""

    values: tuple[Value, ...]
    sure: bool = True


NOTHING: Final = Result(())
UNKNOWN: Final = Result((Value("?"),))
OUTSIDE: Final = Result((Value("X", ""),))
MOST: Final = 8


@dataclasses.dataclass(eq=False)
class StoredFacts:
    """The facts of one file, read back."""

    file: CodeFile
    rows: list[list[Any]]
    members: Mapping[str, int]
    stars: list[str]
    exported: list[str] | None
    imports: list[list[int]]
    sites: list[list[Any]]
    known: dict[int, Result] = dataclasses.field(default_factory=dict[int, Result])
    definitions: list[StoredDefinition] = dataclasses.field(default_factory=list["StoredDefinition"])

    def offers(self, name: str) -> bool:
        """True if a star import of this module may bring a name."""
        return name in self.exported if self.exported is not None else not name.startswith("_")


@dataclasses.dataclass(eq=False)
class StoredDefinition:
    """A function or class of a text; see `records.DefinitionRecord`."""

    text: StoredFacts
    kind: str
    name: str
    unit: int
    line: int
    in_class: int
    marks: list[str]
    returns: int
    values: list[int]
    bases: list[int]
    members: Mapping[str, int]
    said: Mapping[str, int]
    given: Mapping[str, list[int]]
    order: list[StoredDefinition] | None = None
    """The classes that attributes are looked up in, itself first; None before it was asked for."""
    leaks: str = ""
    """`X` if a class that it inherits from is outside the repository, `?` if one is not known."""

    @property
    def number(self) -> int | None:
        """The number of its unit."""
        return self.text.file.first + self.unit if self.unit >= 0 else None

    @property
    def of_class(self) -> StoredDefinition | None:
        return self.text.definitions[self.in_class] if self.in_class >= 0 else None


def text_of(file: CodeFile, facts: Mapping[str, Any]) -> StoredFacts:
    """The facts of a file as they were kept."""
    text = StoredFacts(file, facts["t"], facts["m"], facts["*"], facts["all"], facts["i"], facts["s"])
    text.definitions = [StoredDefinition(text, *row) for row in facts["d"]]
    return text


def joined(results: Iterable[Result], sure: bool = True) -> Result:
    """One of several results; it is doubtful if it may be more than one thing."""
    values: dict[Value, None] = {}
    for result in results:
        sure = sure and result.sure
        values.update(dict.fromkeys(result.values))
    some = [value for value in values if value.tag != "N"]
    return Result(tuple(values)[:MOST], sure and len(some) < 2)
