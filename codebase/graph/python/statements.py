"""Reads the statements of a text: definitions, imports and assignments, in the order in which they happen.

The bodies of functions are read after all around them, because that is when they run.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from codebase.graph.python.expressions import OPERATORS, Expressions
from codebase.graph.python.flow import Changes, Flow
from codebase.graph.python.functions import Function, FunctionsAndClasses
from codebase.graph.python.records import PythonFacts
from codebase.graph.python.scope import OpenLoop, PythonScope, TextCursor, assigned_names, captured_names
from codebase.graph.python.terms import UNKNOWN


def read_module(tree: ast.Module, units: Mapping[tuple[str, int], int], around: int) -> PythonFacts:
    """The facts of a text. `units` are local numbers by qualified name and first line; `around` is that of the rest."""
    facts = PythonFacts()
    module = PythonScope("module", Flow(facts.terms), around, "")
    reader = PythonStatements(TextCursor(facts, module), units)
    reader.block(tree.body)
    reader.definitions.read_bodies()
    facts.members = dict(module.flow.held)
    for name, every in module.every.items():
        if name not in facts.members or (len(every) > 1 and facts.members[name] not in every):
            facts.members[name] = facts.terms.union(every)
    return facts


class PythonStatements:
    """Reads statements where the cursor is. It owns the readers of expressions and of definitions."""

    def __init__(self, cursor: TextCursor, units: Mapping[tuple[str, int], int]) -> None:
        self._cursor = cursor
        self._terms = cursor.terms
        self._expressions = Expressions(cursor)
        self.definitions = FunctionsAndClasses(cursor, self._expressions, units, self.block)

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Read statements; False if what follows is not reached. What is not reached is read too."""
        reached = True
        for node in body:
            read = self.STATEMENTS.get(type(node))
            # No hand wrote code that nests deeper than Python's stack.
            with contextlib.suppress(RecursionError):
                if read is None:
                    for child in ast.iter_child_nodes(node):
                        self._expressions.value(child)
                elif read(self, node) is False:
                    reached = False
        return reached

    def _way(self, body: Sequence[ast.stmt], test: ast.expr | None = None, holds: bool = True) -> Changes | None:
        """The changes of a branch; None if nothing follows it."""
        self._cursor.scope.flow.part()
        if test is not None:
            self._expressions.narrow(test, holds)
        reached = self.block(body)
        changes = self._cursor.scope.flow.end()
        return changes if reached else None

    def _meet(self, ways: Sequence[Changes | None]) -> bool:
        """Go on after one of these ways; False if none leads here."""
        open_ways = [way for way in ways if way is not None]
        self._cursor.scope.flow.meet(open_ways)
        return bool(open_ways)

    def _if(self, node: ast.If) -> bool:
        self._expressions.value(node.test)
        return self._meet([self._way(node.body, node.test), self._way(node.orelse, node.test, False)])

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        flow, scope = self._cursor.scope.flow, self._cursor.scope
        given = UNKNOWN
        if isinstance(node, ast.For | ast.AsyncFor):
            given = self._expressions.iterated(node.iter, "aiter" if isinstance(node, ast.AsyncFor) else "iter")
        heads = {name: flow.held[name] for name in assigned_names(node.body) if name in flow.held}
        for name, term in heads.items():
            heads[name] = self._terms.open_union([term])
            flow.set(name, heads[name])
        scope.loops.append(OpenLoop(flow.depth))
        flow.part()
        if isinstance(node, ast.While):
            self._expressions.value(node.test)
            self._expressions.narrow(node.test, True)
        else:
            self._expressions.target(node.target, given, scope.bind)
        reached = self.block(node.body)
        changes = flow.end()
        ways: list[Changes] = [*([changes] if reached else []), *scope.loops.pop().ways, {}]
        for way in ways:
            for name, head in heads.items():
                held = way.get(name)
                if held is not None:
                    self._terms.widen(head, held)
        flow.meet(ways)
        self.block(node.orelse)

    def _jump(self, node: ast.Break | ast.Continue) -> bool:
        if self._cursor.scope.loops:
            loop = self._cursor.scope.loops[-1]
            loop.ways.append(self._cursor.scope.flow.since(loop.depth))
        return False

    def _stop(self, node: ast.Raise | ast.Return) -> bool:
        if isinstance(node, ast.Raise):
            self._expressions.values((node.exc, node.cause))
        else:
            self._cursor.give(self._expressions.value(node.value) if node.value else None)
        return False

    def _try(self, node: ast.Try) -> bool:
        body = self._way(node.body)
        ways: list[Changes | None] = []
        for handler in node.handlers:
            self._cursor.scope.flow.part()
            # It may have failed at the start or at the end.
            self._cursor.scope.flow.meet([{}, body or {}])
            self._expressions.value(handler.type)
            if handler.name:
                self._cursor.scope.bind(handler.name, self._caught(handler.type))
            reached = self.block(handler.body)
            changes = self._cursor.scope.flow.end()
            ways.append(changes if reached else None)
        if body is not None:
            self._cursor.scope.flow.part()
            self._cursor.scope.flow.meet([body])
            reached = self.block(node.orelse)
            changes = self._cursor.scope.flow.end()
            ways.append(changes if reached else None)
        reached = self._meet(ways)
        return self.block(node.finalbody) and reached

    def _caught(self, kinds: ast.expr | None) -> int:
        """The term of the name in `except ... as name`."""
        every = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds] if kinds else []
        return self._terms.union(self._expressions.instance(kind) for kind in every)

    def _with(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            term = self._expressions.value(item.context_expr)
            self._expressions.operator(item.context_expr, term, "enter" if isinstance(node, ast.With) else "aenter")
            self._expressions.operator(item.context_expr, term, "exit" if isinstance(node, ast.With) else "aexit")
            if item.optional_vars is not None:
                held = self._terms.add("w", term) if term != UNKNOWN else UNKNOWN
                self._expressions.target(item.optional_vars, held, self._cursor.scope.bind)
        return self.block(node.body)

    def _match(self, node: ast.Match) -> bool:
        self._expressions.value(node.subject)
        path = node.subject.id if isinstance(node.subject, ast.Name) else None
        ways: list[Changes | None] = [{}]
        for case in node.cases:
            self._cursor.scope.flow.part()
            if path and isinstance(case.pattern, ast.MatchClass):
                self._cursor.scope.flow.set(path, self._expressions.instance(case.pattern.cls))
            for name in captured_names(case.pattern):
                self._cursor.scope.bind(name, UNKNOWN)
            self._expressions.value(case.guard)
            reached = self.block(case.body)
            changes = self._cursor.scope.flow.end()
            ways.append(changes if reached else None)
        return self._meet(ways)

    def _assert(self, node: ast.Assert) -> None:
        self._expressions.values((node.test, node.msg))
        self._expressions.narrow(node.test, True)

    def _assign(self, node: ast.Assign) -> None:
        term = self._expressions.value(node.value)
        for target in node.targets:
            self._expressions.target(target, term, self._cursor.scope.bind)
            if self._cursor.scope.kind == "module" and getattr(target, "id", "") == "__all__":
                self._exports(node.value)

    def _exports(self, node: ast.expr) -> None:
        if isinstance(node, ast.List | ast.Tuple):
            self._cursor.facts.all = [str(name.value) for name in node.elts if isinstance(name, ast.Constant)]

    def _annotated(self, node: ast.AnnAssign) -> None:
        term = self._expressions.value(node.value)
        said = self._expressions.instance(node.annotation)
        if isinstance(node.target, ast.Attribute):
            self._expressions.assign_attribute(node.target, term if node.value else UNKNOWN)
            base = self._cursor.lookup(node.target.value.id) if isinstance(node.target.value, ast.Name) else UNKNOWN
            if self._terms.tag(base) == "s" and said != UNKNOWN:
                owner = self._cursor.facts.definitions[int(self._terms.rows[base][1])]
                owner.said[node.target.attr] = said
        elif isinstance(node.target, ast.Name):
            if self._cursor.scope.kind == "class" and said != UNKNOWN:
                self._cursor.facts.definitions[self._cursor.scope.definition].said[node.target.id] = said
            if node.value or self._cursor.scope.kind != "class":
                self._cursor.scope.bind(node.target.id, said if said != UNKNOWN else term)

    def _augmented(self, node: ast.AugAssign) -> None:
        self._expressions.value(node.value)
        if isinstance(node.target, ast.Name):
            self._expressions.operator(node, self._cursor.lookup(node.target.id), f"i{OPERATORS[type(node.op)]}")
        else:
            self._expressions.target(node.target, UNKNOWN, self._cursor.scope.bind)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._cursor.scope.flow.set(target.id, None)
            elif isinstance(target, ast.Subscript):
                self._expressions.operator(target, self._expressions.value(target.value), "delitem")

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            whole = self._terms.add("m", alias.name)
            self._cursor.facts.imports.append((self._cursor.scope.unit, node.lineno, whole))
            if alias.asname:
                self._cursor.scope.bind(alias.asname, whole)
            else:
                top = alias.name.partition(".")[0]
                self._cursor.scope.bind(top, self._terms.add("m", top))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self._cursor.facts.stars.append(module)
                self._cursor.facts.imports.append(
                    (self._cursor.scope.unit, node.lineno, self._terms.add("i", module, "*"))
                )
                continue
            term = self._terms.add("i", module, alias.name)
            self._cursor.facts.imports.append((self._cursor.scope.unit, node.lineno, term))
            self._cursor.scope.bind(alias.asname or alias.name, term)

    def _define(self, node: Function) -> None:
        self.definitions.function(node)

    def _class(self, node: ast.ClassDef) -> None:
        self.definitions.class_(node)

    STATEMENTS: ClassVar[dict[type, Callable[[Any, Any], bool | None]]] = {
        ast.If: _if,
        ast.For: _loop,
        ast.AsyncFor: _loop,
        ast.While: _loop,
        ast.Break: _jump,
        ast.Continue: _jump,
        ast.Return: _stop,
        ast.Raise: _stop,
        ast.Try: _try,
        ast.TryStar: _try,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Match: _match,
        ast.Assert: _assert,
        ast.Assign: _assign,
        ast.Delete: _delete,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.FunctionDef: _define,
        ast.AsyncFunctionDef: _define,
        ast.ClassDef: _class,
    }
