"""The scopes of a text: which assignment a name belongs to."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Final, Literal, cast

from codebase.graph.python.flow import Changes, Flow
from codebase.graph.python.records import PythonFacts
from codebase.graph.python.terms import MOST, UNKNOWN, Terms

PARTS: Final[dict[type, tuple[str, ...]]] = {
    ast.If: ("body", "orelse"),
    ast.For: ("body", "orelse"),
    ast.AsyncFor: ("body", "orelse"),
    ast.While: ("body", "orelse"),
    ast.With: ("items", "body"),
    ast.AsyncWith: ("items", "body"),
    **dict.fromkeys((ast.Try, ast.TryStar), ("body", "handlers", "orelse", "finalbody")),
    ast.ExceptHandler: ("body",),
    ast.Match: ("cases",),
    ast.match_case: ("body",),
}
"""The parts of a statement that may bind names."""
Inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclasses.dataclass
class OpenLoop:
    """A loop around a place: its depth, and the terms of names where it is left early."""

    depth: int
    ways: list[Changes] = dataclasses.field(default_factory=list[Changes])


@dataclasses.dataclass
class PythonScope:
    """One function, class or module while it is read."""

    kind: Literal["module", "class", "function"]
    flow: Flow
    unit: int
    """The local number of the unit that its calls belong to."""
    name: str
    outer: PythonScope | None = None
    definition: int = -1
    """The number of its definition."""
    of_class: int = -1
    """The class whose method this is, or is inside of."""
    every: dict[str, list[int]] = dataclasses.field(default_factory=dict[str, list[int]])
    """All that a name holds at some time, for the functions inside."""
    locals: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    """Names that `global` or `nonlocal` says belong to a scope around."""
    loops: list[OpenLoop] = dataclasses.field(default_factory=list[OpenLoop])

    def lookup(self, name: str, terms: Terms) -> int:
        """The term of a name at this place."""
        if name not in self.elsewhere:
            if name in self.flow.held:
                return self.flow.held[name]
            if self.kind == "function" and name in self.locals:
                return UNKNOWN
        around = self.outer
        while around is not None and around.kind != "module":
            if around.kind == "function" and name in around.locals and name not in around.elsewhere:
                return terms.union(around.every.get(name, []))
            around = around.outer
        return terms.add("n", name)

    def bind(self, name: str, term: int) -> None:
        """Let a name hold a term from here on; a name of a scope around may hold it at some time."""
        scope: PythonScope | None = self
        while scope is not None and name in scope.elsewhere:
            scope = scope.outer
        if scope is self:
            self.flow.set(name, term)
        every = (scope or self).every.setdefault(name, [])
        if len(every) < MOST and term not in every:
            every.append(term)


MOST_RESULTS: Final = 12
"""A function that gives more says nothing more."""


class TextCursor:
    """The point at which a text is read: the facts so far, and the scope of what follows."""

    def __init__(self, facts: PythonFacts, scope: PythonScope) -> None:
        self.facts, self.terms = facts, facts.terms
        self.scope = scope

    def lookup(self, name: str) -> int:
        """The term of a name here."""
        return self.scope.lookup(name, self.terms)

    def site(self, node: ast.AST, what: str, term: int) -> None:
        """Note that something leads somewhere from here."""
        line = getattr(node, "end_lineno", None) if isinstance(node, ast.Attribute) else getattr(node, "lineno", None)
        self.facts.sites.append((self.scope.unit, line or 0, what, term))

    def give(self, term: int | None) -> None:
        """Note a result of the function here."""
        if self.scope.kind == "function" and self.scope.definition >= 0 and term is not None:
            values = self.facts.definitions[self.scope.definition].values
            if term not in values and len(values) < MOST_RESULTS:
                values.append(term)


def assigned_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements assign to, those of inner functions and classes left out."""
    for node in statements(body):
        if isinstance(node, Inner | ast.ExceptHandler):
            if node.name:
                yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign | ast.Delete):
            for target in node.targets:
                yield from names_in(target)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.AugAssign | ast.AnnAssign):
            yield from names_in(node.target)
        elif isinstance(node, ast.withitem):
            yield from names_in(node.optional_vars)
        elif isinstance(node, ast.match_case):
            yield from captured_names(node.pattern)


def declared_elsewhere(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a function declares `global` or `nonlocal`."""
    return (name for node in statements(body) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names)


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Statements and those inside them, with the parts that may bind names; expressions are most of a tree."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, Inner):
            for part in PARTS.get(type(node), ()):
                stack += cast("list[ast.AST]", getattr(node, part))


def names_in(target: ast.expr | None) -> Iterator[str]:
    """The names in the target of an assignment."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from names_in(part)
    elif isinstance(target, ast.Starred):
        yield from names_in(target.value)


def captured_names(pattern: ast.pattern) -> Iterator[str]:
    """The names that a pattern of `match` binds."""
    for node in ast.walk(pattern):
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
