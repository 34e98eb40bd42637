"""The scopes of a snippet, with the bindings of their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
OwnFlow = FunctionDef | ast.ClassDef | ast.Lambda
"""Syntax whose return, break or raise does not affect the code around it."""

_NewScope = OwnFlow | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

Bound = str | ast.AST | None
"""The binding of a name: the dotted origin of an import, the syntax of a value, or None if unknown."""


@dataclass
class NameScope:
    """A module, class, function or comprehension: its names, and the scope around it."""

    outer: NameScope | None
    names: dict[str, list[Bound]] = field(default_factory=dict[str, list[Bound]])
    star_imports: list[str] = field(default_factory=list[str])
    origins: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """Origins already found; they also stop the search for a name that is bound to itself."""
    texts: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """The same for texts of constants: names made of names may be used more often than can be followed."""

    def bind(self, name: str, value: Bound) -> None:
        """Add a binding of the name."""
        self.names.setdefault(name, []).append(value)

    def binding(self, name: str) -> NameScope | None:
        """The nearest scope that binds the name, or None if the snippet never does."""
        scope: NameScope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def only_value(self, name: str) -> Bound:
        """The value of a name that is bound once, otherwise None."""
        scope = self.binding(name)
        values = scope.names[name] if scope else []
        return values[0] if len(values) == 1 else None

    def stars(self) -> Iterator[str]:
        """The modules star-imported in this scope and in those around it."""
        scope: NameScope | None = self
        while scope is not None:
            yield from scope.star_imports
            scope = scope.outer


def scoped_nodes(tree: ast.Module, scope: NameScope | None = None) -> list[tuple[ast.AST, NameScope]]:
    """Every node with its scope, all names bound; `scope` is that of the tree itself, if it has one already.

    Not recursive, because a tree may be deep.
    """
    nodes: list[tuple[ast.AST, NameScope]] = []
    waiting: list[tuple[ast.AST, NameScope]] = [(tree, scope or NameScope(None))]
    while waiting:
        node, around = waiting.pop()
        nodes.append((node, around))
        _bind(node, around)
        inner = NameScope(around) if isinstance(node, _NewScope) else around
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))
    return nodes


def _bind(node: ast.AST, scope: NameScope) -> None:
    match node:
        case ast.Import() | ast.ImportFrom():
            _bind_import(node, scope)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _bind_target(target, value, scope)
        case ast.AnnAssign(target=target, value=value, annotation=annotation):
            _bind_target(target, value or annotation, scope)
        case (
            ast.NamedExpr(target=target, value=value)
            | ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
            | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
        ):
            _bind_target(target, value, scope)
        case ast.arg(arg=name, annotation=annotation):
            scope.bind(name, annotation)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            scope.bind(name, node)
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
            scope.bind(name, None)
        case _:
            pass


def _bind_import(node: ast.Import | ast.ImportFrom, scope: NameScope) -> None:
    match node:
        case ast.Import(names=names):
            for alias in names:
                package = alias.name.partition(".")[0]
                scope.bind(alias.asname or package, alias.name if alias.asname else package)
        case ast.ImportFrom(module=str(module), names=[ast.alias(name="*")], level=0):
            scope.star_imports.append(module)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for alias in names:
                scope.bind(alias.asname or alias.name, f"{module}.{alias.name}")
        case _:
            pass


def _bind_target(target: ast.expr, value: ast.expr | None, scope: NameScope) -> None:
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, ast.Starred):
        _bind_target(target.value, None, scope)
    elif isinstance(target, ast.Tuple | ast.List):
        pairs = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        known = len(pairs) == len(target.elts)
        for position, part in enumerate(target.elts):
            _bind_target(part, pairs[position] if known else None, scope)
