"""Reads functions and classes: their records, their scopes, and their names."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from codebase.graph.python.expressions import Expressions
from codebase.graph.python.flow import Flow
from codebase.graph.python.records import DefinitionRecord
from codebase.graph.python.scope import Inner, PythonScope, TextCursor, assigned_names, declared_elsewhere
from python.identifiers import decorator_names, parameters

Function = ast.FunctionDef | ast.AsyncFunctionDef
ACCESSORS: Final = ("setter", "deleter")
KEPT: Final = frozenset(("property", "cached_property", "staticmethod", "classmethod", "overload", "wraps"))
"""Decorators of Python's own, whose effect is known."""
STATIC: Final = ("staticmethod",)
OF_CLASS: Final = ("classmethod", "__new__", "__init_subclass__", "__class_getitem__")


class FunctionsAndClasses:
    """Reads definitions. The bodies of functions wait until all around them was read, because that is when they run.

    `units` are local numbers by qualified name and first line; `block` reads the statements of a body.
    """

    def __init__(
        self,
        cursor: TextCursor,
        expressions: Expressions,
        units: Mapping[tuple[str, int], int],
        block: Callable[[Sequence[ast.stmt]], object],
    ) -> None:
        self._cursor = cursor
        self._terms = cursor.terms
        self._expressions = expressions
        self._units = units
        self._block = block
        self._waiting: deque[tuple[Function, PythonScope]] = deque()

    def read_bodies(self) -> None:
        """Read the bodies of functions that wait, and of those in them."""
        while self._waiting:
            node, self._cursor.scope = self._waiting.popleft()
            self._read_body(node)

    def function(self, node: Function) -> None:
        """Read a function, and leave its body for later."""
        decorators = self._decorators(node)
        marks = decorator_names(node)
        self._expressions.values((*node.args.defaults, *node.args.kw_defaults))
        scope = self._inner("function", node, marks)
        definition = self._cursor.facts.definitions[scope.definition]
        if isinstance(node, ast.AsyncFunctionDef):
            definition.marks.append("async")
        if node.returns is not None:
            definition.returns = self._said_to_return(node, node.returns)
        self._waiting.append((node, scope))
        term = self._terms.add("d", scope.definition)
        if decorators and KEPT.isdisjoint(marks):
            term = self._terms.add("@", scope.definition, decorators)
        accessor = next((mark for mark in marks if mark in ACCESSORS), None)
        if accessor:
            self._cursor.scope.every.setdefault(f"{node.name}.{accessor}", []).append(term)
            self._cursor.scope.flow.set(f"{node.name}.{accessor}", term)
        else:
            self._cursor.scope.bind(node.name, term)

    def _said_to_return(self, node: Function, said: ast.expr) -> int:
        """The term that an annotation says is returned. A type variable that `self` has too is the receiver's type."""
        first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
        own = first.annotation if first is not None and self._cursor.scope.kind == "class" else None
        if isinstance(own, ast.Name) and isinstance(said, ast.Name) and own.id == said.id != self._cursor.scope.name:
            return self._terms.add("t", self._terms.add("i", "typing", "Self"))
        return self._expressions.instance(said)

    def _decorators(self, node: Inner) -> tuple[int, ...]:
        """The terms of the decorators, the innermost first. Each is called."""
        terms: list[int] = []
        for decorator in reversed(node.decorator_list):
            term = self._expressions.value(decorator)
            self._cursor.site(decorator, "@", term)
            terms.append(term)
        return tuple(terms)

    def _inner(self, kind: Any, node: Inner, marks: list[str]) -> PythonScope:
        """The scope of a definition, whose record is made."""
        name = f"{self._cursor.scope.name}.{node.name}".lstrip(".")
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        unit = self._units.get((name, first))
        in_class = self._cursor.scope.definition if self._cursor.scope.kind == "class" else -1
        number = len(self._cursor.facts.definitions)
        self._cursor.facts.definitions.append(
            DefinitionRecord(kind[0], node.name, -1 if unit is None else unit, node.lineno, in_class, marks)
        )
        around = in_class if kind == "function" and in_class >= 0 else self._cursor.scope.of_class
        own = self._cursor.scope.unit if unit is None else unit
        return PythonScope(kind, Flow(self._terms), own, name, self._cursor.scope, number, around)

    def class_(self, node: ast.ClassDef) -> None:
        """Read a class with its body."""
        self._decorators(node)
        count = len(self._cursor.facts.sites)
        bases = [self._base(base) for base in node.bases]
        del self._cursor.facts.sites[count:]
        self._expressions.values(keyword.value for keyword in node.keywords)
        scope = self._inner("class", node, decorator_names(node))
        scope.of_class = scope.definition
        definition = self._cursor.facts.definitions[scope.definition]
        definition.bases = bases
        definition.marks += [f"{keyword.arg}=" for keyword in node.keywords if keyword.arg]
        # Bound before its body is read: the methods, which run later, may name it.
        self._cursor.scope.bind(node.name, self._terms.add("d", scope.definition))
        around, self._cursor.scope = self._cursor.scope, scope
        try:
            self._block(node.body)
        finally:
            self._cursor.scope = around
        definition.members = dict(scope.flow.held)

    def _base(self, node: ast.expr) -> int:
        """The term of a base class; arguments of a generic one do not matter."""
        return self._expressions.value(node.value if isinstance(node, ast.Subscript) else node)

    def _read_body(self, node: Function) -> None:
        scope = self._cursor.scope
        scope.elsewhere = frozenset(declared_elsewhere(node.body))
        scope.locals = frozenset(assigned_names(node.body)) | {parameter.arg for parameter in parameters(node.args)}
        self._bind_parameters(node, scope)
        self._block(node.body)

    def _bind_parameters(self, node: Function, scope: PythonScope) -> None:
        given = node.args
        # Annotations are read in the scope around, which has been read whole.
        lookup = (scope.outer or scope).lookup
        instance = self._expressions.annotations.instance
        for parameter in parameters(given):
            scope.bind(parameter.arg, instance(parameter.annotation, lambda name: lookup(name, self._terms)))
        if given.vararg is not None:
            scope.bind(given.vararg.arg, self._terms.add("l", (scope.flow.held[given.vararg.arg],)))
        if given.kwarg is not None:
            scope.bind(given.kwarg.arg, self._terms.add("D", (), (scope.flow.held[given.kwarg.arg],)))
        definition = self._cursor.facts.definitions[scope.definition]
        first = next(iter((*given.posonlyargs, *given.args)), None)
        if definition.of_class >= 0 and first is not None and not set(definition.marks) & set(STATIC):
            is_class = node.name in OF_CLASS or bool(set(definition.marks) & set(OF_CLASS))
            scope.bind(first.arg, self._terms.add("k" if is_class else "s", definition.of_class))
