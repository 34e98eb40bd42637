"""Records of one text: definitions, names of the module, imports, and the sites that lead somewhere."""

from __future__ import annotations

import dataclasses
from typing import Any

from codebase.graph.python.terms import Terms


@dataclasses.dataclass
class DefinitionRecord:
    """A function or class. Terms are numbers in the table of the text; -1 if there is none."""

    kind: str
    """`f` or `c`."""
    name: str
    unit: int
    """The local number of its unit; -1 if it has none of its own."""
    line: int
    of_class: int
    """The definition of the class that it is a member of; -1 outside of classes."""
    marks: list[str] = dataclasses.field(default_factory=list[str])
    """Last names of its decorators, and `yields`."""
    returns: int = -1
    """Its result by its annotation."""
    values: list[int] = dataclasses.field(default_factory=list[int])
    """The values of its `return` or `yield` statements."""
    bases: list[int] = dataclasses.field(default_factory=list[int])
    members: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    """Of a class: the terms in its body, by name."""
    said: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    """Of a class: attributes of its instances with an annotation."""
    given: dict[str, list[int]] = dataclasses.field(default_factory=dict[str, list[int]])
    """Of a class: attributes of its instances, by what methods assign to `self`."""


@dataclasses.dataclass
class PythonFacts:
    """The facts of a text."""

    terms: Terms = dataclasses.field(default_factory=Terms)
    definitions: list[DefinitionRecord] = dataclasses.field(default_factory=list[DefinitionRecord])
    members: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    """The names of the module."""
    stars: list[str] = dataclasses.field(default_factory=list[str])
    """Modules of which all names are imported."""
    all: list[str] | None = None
    imports: list[tuple[int, int, int]] = dataclasses.field(default_factory=list[tuple[int, int, int]])
    """Unit, line, term."""
    sites: list[tuple[int, int, str, int]] = dataclasses.field(default_factory=list[tuple[int, int, str, int]])
    """Unit, line, what happens, term: `c` it is called, `l` it is loaded, `=` it is assigned to, `o` an operator calls
    it, `?` a call that only running it can tell."""

    def to_json(self) -> dict[str, Any]:
        """Plain data, for the index."""
        return {
            "t": self.terms.rows,
            "d": [list(vars(definition).values()) for definition in self.definitions],
            "m": self.members,
            "*": self.stars,
            "all": self.all,
            "i": self.imports,
            "s": self.sites,
        }
