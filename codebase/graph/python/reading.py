"""Reads the statements of a text: definitions, imports and assignments, in the order in which they happen.

The bodies of functions are read after all around them, because that is when they run.
"""

from __future__ import annotations

import ast
import contextlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from codebase.graph.python.expressions import Expressions
from codebase.graph.python.flow import Changes, Flow
from codebase.graph.python.records import Definition, Facts
from codebase.graph.python.scope import Inner, Loop, Scope, assigned, captured, declared_elsewhere
from codebase.graph.python.terms import UNKNOWN

Function = ast.FunctionDef | ast.AsyncFunctionDef
ACCESSORS: Final = ("setter", "deleter")
KEPT: Final = frozenset(("property", "cached_property", "staticmethod", "classmethod", "overload", "wraps"))
"""Decorators of Python's own, whose effect is known."""
STATIC: Final = ("staticmethod",)
OF_CLASS: Final = ("classmethod", "__new__", "__init_subclass__", "__class_getitem__")


def read_module(tree: ast.Module, units: Mapping[tuple[str, int], int], around: int) -> Facts:
    """The facts of a text. `units` are local numbers by qualified name and first line; `around` is that of the rest."""
    reader = _Reader(units, around)
    reader.run(tree)
    return reader.facts


class _Reader(Expressions):
    def __init__(self, units: Mapping[tuple[str, int], int], around: int) -> None:
        super().__init__(Facts())
        self._units = units
        self._later: deque[tuple[Function, Scope]] = deque()
        self._module = Scope("module", Flow(self.terms), around, "")
        self.scope = self._module

    def run(self, tree: ast.Module) -> None:
        self.block(tree.body)
        while self._later:
            node, self.scope = self._later.popleft()
            self._read_function(node)
        self.facts.members = dict(self._module.flow.held)
        for name, every in self._module.every.items():
            if name not in self.facts.members or (len(every) > 1 and self.facts.members[name] not in every):
                self.facts.members[name] = self.terms.union(every)

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Read statements; False if what follows is not reached. What is not reached is read too."""
        reached = True
        for node in body:
            read = self.STATEMENTS.get(type(node))
            # What nests deeper than Python's stack was not written by hand.
            with contextlib.suppress(RecursionError):
                if read is None:
                    for child in ast.iter_child_nodes(node):
                        self.value(child)
                elif read(self, node) is False:
                    reached = False
        return reached

    def way(self, body: Sequence[ast.stmt], test: ast.expr | None = None, holds: bool = True) -> Changes | None:
        """What a branch changes; None if nothing follows it."""
        self.scope.flow.part()
        if test is not None:
            self.narrow(test, holds)
        reached = self.block(body)
        changes = self.scope.flow.end()
        return changes if reached else None

    def meet(self, ways: Sequence[Changes | None]) -> bool:
        """Go on after one of these ways; False if none leads here."""
        open_ways = [way for way in ways if way is not None]
        self.scope.flow.meet(open_ways)
        return bool(open_ways)

    def _if(self, node: ast.If) -> bool:
        self.value(node.test)
        return self.meet([self.way(node.body, node.test), self.way(node.orelse, node.test, False)])

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        flow, scope = self.scope.flow, self.scope
        given = UNKNOWN
        if isinstance(node, ast.For | ast.AsyncFor):
            given = self.iterated(node.iter, "aiter" if isinstance(node, ast.AsyncFor) else "iter")
        heads = {name: flow.held[name] for name in assigned(node.body) if name in flow.held}
        for name, term in heads.items():
            heads[name] = self.terms.open_union([term])
            flow.set(name, heads[name])
        scope.loops.append(Loop(flow.depth))
        flow.part()
        if isinstance(node, ast.While):
            self.value(node.test)
            self.narrow(node.test, True)
        else:
            self.target(node.target, given, scope.bind)
        reached = self.block(node.body)
        changes = flow.end()
        ways: list[Changes] = [*([changes] if reached else []), *scope.loops.pop().ways, {}]
        for way in ways:
            for name, head in heads.items():
                held = way.get(name)
                if held is not None:
                    self.terms.widen(head, held)
        flow.meet(ways)
        self.block(node.orelse)

    def _jump(self, node: ast.Break | ast.Continue) -> bool:
        if self.scope.loops:
            loop = self.scope.loops[-1]
            loop.ways.append(self.scope.flow.since(loop.depth))
        return False

    def _stop(self, node: ast.Raise | ast.Return) -> bool:
        if isinstance(node, ast.Raise):
            self.values((node.exc, node.cause))
        else:
            self._give(self.value(node.value) if node.value else None)
        return False

    def _give(self, term: int | None) -> None:
        """Note what a function returns."""
        if self.scope.kind == "function" and self.scope.definition >= 0 and term is not None:
            values = self.facts.definitions[self.scope.definition].values
            if term not in values and len(values) < 12:
                values.append(term)

    def _yields(self, node: ast.Yield | ast.YieldFrom) -> int:
        term = self.value(node.value) if node.value else UNKNOWN
        if self.scope.kind == "function":
            marks = self.facts.definitions[self.scope.definition].marks
            if "yields" not in marks:
                marks.append("yields")
            self._give(self.terms.add("e", term) if isinstance(node, ast.YieldFrom) else term)
            said = self.facts.definitions[self.scope.definition].returns
            row = self.terms.rows[said] if said >= 0 else ["?"]
            if row[0] == "g" and len(row[2]) == 3:
                # Generator[what it yields, what it is sent, what it returns]
                return int(row[2][1])
        return UNKNOWN

    def _try(self, node: ast.Try) -> bool:
        body = self.way(node.body)
        ways: list[Changes | None] = []
        for handler in node.handlers:
            self.scope.flow.part()
            # It may have failed at the start or at the end.
            self.scope.flow.meet([{}, body or {}])
            self.value(handler.type)
            if handler.name:
                self.scope.bind(handler.name, self._caught(handler.type))
            reached = self.block(handler.body)
            changes = self.scope.flow.end()
            ways.append(changes if reached else None)
        if body is not None:
            self.scope.flow.part()
            self.scope.flow.meet([body])
            reached = self.block(node.orelse)
            changes = self.scope.flow.end()
            ways.append(changes if reached else None)
        reached = self.meet(ways)
        return self.block(node.finalbody) and reached

    def _caught(self, kinds: ast.expr | None) -> int:
        """What `except ... as name` binds."""
        every = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds] if kinds else []
        return self.terms.union(self.instance(one) for one in every)

    def _with(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            term = self.value(item.context_expr)
            self.operator(item.context_expr, term, "enter" if isinstance(node, ast.With) else "aenter")
            self.operator(item.context_expr, term, "exit" if isinstance(node, ast.With) else "aexit")
            if item.optional_vars is not None:
                held = self.terms.add("w", term) if term != UNKNOWN else UNKNOWN
                self.target(item.optional_vars, held, self.scope.bind)
        return self.block(node.body)

    def _match(self, node: ast.Match) -> bool:
        self.value(node.subject)
        path = node.subject.id if isinstance(node.subject, ast.Name) else None
        ways: list[Changes | None] = [{}]
        for case in node.cases:
            self.scope.flow.part()
            if path and isinstance(case.pattern, ast.MatchClass):
                self.scope.flow.set(path, self.instance(case.pattern.cls))
            for name in captured(case.pattern):
                self.scope.bind(name, UNKNOWN)
            self.value(case.guard)
            reached = self.block(case.body)
            changes = self.scope.flow.end()
            ways.append(changes if reached else None)
        return self.meet(ways)

    def _assert(self, node: ast.Assert) -> None:
        self.values((node.test, node.msg))
        self.narrow(node.test, True)

    def _assign(self, node: ast.Assign) -> None:
        term = self.value(node.value)
        for target in node.targets:
            self.target(target, term, self.scope.bind)
            if self.scope.kind == "module" and getattr(target, "id", "") == "__all__":
                self._exports(node.value)

    def _exports(self, node: ast.expr) -> None:
        if isinstance(node, ast.List | ast.Tuple):
            self.facts.all = [str(one.value) for one in node.elts if isinstance(one, ast.Constant)]

    def _annotated(self, node: ast.AnnAssign) -> None:
        term = self.value(node.value)
        said = self.instance(node.annotation)
        if isinstance(node.target, ast.Attribute):
            self.assign_attribute(node.target, term if node.value else UNKNOWN)
            base = self.lookup(node.target.value.id) if isinstance(node.target.value, ast.Name) else UNKNOWN
            if self.terms.tag(base) == "s" and said != UNKNOWN:
                owner = self.facts.definitions[int(self.terms.rows[base][1])]
                owner.said[node.target.attr] = said
        elif isinstance(node.target, ast.Name):
            if self.scope.kind == "class" and said != UNKNOWN:
                self.facts.definitions[self.scope.definition].said[node.target.id] = said
            if node.value or self.scope.kind != "class":
                self.scope.bind(node.target.id, said if said != UNKNOWN else term)

    def _augmented(self, node: ast.AugAssign) -> None:
        self.value(node.value)
        if isinstance(node.target, ast.Name):
            self.operator(node, self.lookup(node.target.id), "iadd" if isinstance(node.op, ast.Add) else "isub")
        else:
            self.target(node.target, UNKNOWN, self.scope.bind)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.scope.flow.set(target.id, None)
            elif isinstance(target, ast.Subscript):
                self.operator(target, self.value(target.value), "delitem")

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            whole = self.terms.add("m", alias.name)
            self.facts.imports.append((self.scope.unit, node.lineno, whole))
            if alias.asname:
                self.scope.bind(alias.asname, whole)
            else:
                top = alias.name.partition(".")[0]
                self.scope.bind(top, self.terms.add("m", top))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.facts.stars.append(module)
                self.facts.imports.append((self.scope.unit, node.lineno, self.terms.add("i", module, "*")))
                continue
            term = self.terms.add("i", module, alias.name)
            self.facts.imports.append((self.scope.unit, node.lineno, term))
            self.scope.bind(alias.asname or alias.name, term)

    def _function(self, node: Function) -> None:
        decorators = self._decorators(node)
        marks = [last_name(one) for one in node.decorator_list]
        self.values((*node.args.defaults, *node.args.kw_defaults))
        scope = self._inner("function", node, marks)
        definition = self.facts.definitions[scope.definition]
        if isinstance(node, ast.AsyncFunctionDef):
            definition.marks.append("async")
        if node.returns is not None:
            definition.returns = self._said_to_return(node, node.returns)
        self._later.append((node, scope))
        term = self.terms.add("d", scope.definition)
        if decorators and KEPT.isdisjoint(marks):
            term = self.terms.add("@", scope.definition, decorators)
        accessor = next((mark for mark in marks if mark in ACCESSORS), None)
        if accessor:
            self.scope.every.setdefault(f"{node.name}.{accessor}", []).append(term)
            self.scope.flow.set(f"{node.name}.{accessor}", term)
        else:
            self.scope.bind(node.name, term)

    def _said_to_return(self, node: Function, said: ast.expr) -> int:
        """What an annotation says is returned. A type variable that `self` has too is the type of the receiver."""
        first = next(iter((*node.args.posonlyargs, *node.args.args)), None)
        own = first.annotation if first is not None and self.scope.kind == "class" else None
        if isinstance(own, ast.Name) and isinstance(said, ast.Name) and own.id == said.id != self.scope.name:
            return self.terms.add("t", self.terms.add("i", "typing", "Self"))
        return self.instance(said)

    def _decorators(self, node: Inner) -> tuple[int, ...]:
        """The terms of the decorators, the innermost first. Each is called."""
        found: list[int] = []
        for one in reversed(node.decorator_list):
            term = self.value(one)
            self.site(one, "@", term)
            found.append(term)
        return tuple(found)

    def _inner(self, kind: Any, node: Inner, marks: list[str]) -> Scope:
        """The scope of a definition, whose record is made."""
        name = f"{self.scope.name}.{node.name}".lstrip(".")
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        unit = self._units.get((name, first))
        in_class = self.scope.definition if self.scope.kind == "class" else -1
        number = len(self.facts.definitions)
        self.facts.definitions.append(
            Definition(kind[0], node.name, -1 if unit is None else unit, node.lineno, in_class, marks)
        )
        around = in_class if kind == "function" and in_class >= 0 else self.scope.of_class
        own = self.scope.unit if unit is None else unit
        return Scope(kind, Flow(self.terms), own, name, self.scope, number, around)

    def _class(self, node: ast.ClassDef) -> None:
        self._decorators(node)
        count = len(self.facts.sites)
        bases = [self.annotations_base(one) for one in node.bases]
        del self.facts.sites[count:]
        self.values(keyword.value for keyword in node.keywords)
        scope = self._inner("class", node, [last_name(one) for one in node.decorator_list])
        scope.of_class = scope.definition
        definition = self.facts.definitions[scope.definition]
        definition.bases = bases
        definition.marks += [f"{one.arg}=" for one in node.keywords if one.arg]
        # Bound before its body is read: the methods, which run later, may name it.
        self.scope.bind(node.name, self.terms.add("d", scope.definition))
        around, self.scope = self.scope, scope
        try:
            self.block(node.body)
        finally:
            self.scope = around
        definition.members = dict(scope.flow.held)

    def annotations_base(self, node: ast.expr) -> int:
        """The term of a base class; arguments of a generic one do not matter."""
        return self.value(node.value if isinstance(node, ast.Subscript) else node)

    def _read_function(self, node: Function) -> None:
        scope = self.scope
        scope.elsewhere = frozenset(declared_elsewhere(node.body))
        scope.locals = frozenset(assigned(node.body)) | {one.arg for one in parameters(node.args)}
        self._bind_parameters(node, scope)
        self.block(node.body)

    def _bind_parameters(self, node: Function, scope: Scope) -> None:
        given = node.args
        # Annotations are read in the scope around, which has been read whole.
        lookup = (scope.outer or scope).lookup
        for one in parameters(given):
            scope.bind(one.arg, self.annotations.instance(one.annotation, lambda name: lookup(name, self.terms)))
        if given.vararg is not None:
            scope.bind(given.vararg.arg, self.terms.add("l", (scope.flow.held[given.vararg.arg],)))
        if given.kwarg is not None:
            scope.bind(given.kwarg.arg, self.terms.add("D", (), (scope.flow.held[given.kwarg.arg],)))
        definition = self.facts.definitions[scope.definition]
        first = next(iter((*given.posonlyargs, *given.args)), None)
        if definition.of_class >= 0 and first is not None and not set(definition.marks) & set(STATIC):
            is_class = node.name in OF_CLASS or bool(set(definition.marks) & set(OF_CLASS))
            scope.bind(first.arg, self.terms.add("k" if is_class else "s", definition.of_class))

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
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class,
    }
    READERS: ClassVar[dict[type, Callable[[Any, Any], int]]] = {
        **Expressions.READERS,
        ast.Yield: _yields,
        ast.YieldFrom: _yields,
    }


def parameters(given: ast.arguments) -> list[ast.arg]:
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [one for one in every if one is not None]


def last_name(node: ast.expr) -> str:
    """The last name of a decorator: `property`, or `setter` of `x.setter`."""
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
