"""The scopes of a text: which assignment a name belongs to."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Literal

from codebase.graph.python.flow import Changes, Flow
from codebase.graph.python.terms import MOST, UNKNOWN, Terms

Inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclasses.dataclass
class Loop:
    """A loop around a place: how deep it stands, and what names hold where it is left early."""

    depth: int
    ways: list[Changes] = dataclasses.field(default_factory=list[Changes])


@dataclasses.dataclass
class Scope:
    """One function, class or module while it is read."""

    kind: Literal["module", "class", "function"]
    flow: Flow
    unit: int
    """The local number of the unit that its calls belong to."""
    name: str
    outer: Scope | None = None
    definition: int = -1
    """The number of its definition."""
    of_class: int = -1
    """The class whose method this is, or is inside of."""
    every: dict[str, list[int]] = dataclasses.field(default_factory=dict[str, list[int]])
    """All that a name holds at some time, for the functions inside."""
    locals: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    """Names that `global` or `nonlocal` says belong to a scope around."""
    loops: list[Loop] = dataclasses.field(default_factory=list[Loop])

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
        scope: Scope | None = self
        while scope is not None and name in scope.elsewhere:
            scope = scope.outer
        if scope is self:
            self.flow.set(name, term)
        every = (scope or self).every.setdefault(name, [])
        if len(every) < MOST and term not in every:
            every.append(term)


def assigned(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements assign to, those of inner functions and classes left out."""
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, Inner):
            yield node.name
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif not isinstance(node, ast.Lambda):
            if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                yield node.name
            stack += ast.iter_child_nodes(node)


def declared_elsewhere(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that a function declares `global` or `nonlocal`."""
    stack = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif not isinstance(node, Inner | ast.expr):
            stack += ast.iter_child_nodes(node)
