"""Scopes of a syntax tree: what belongs to one, and the names that it binds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from types import UnionType
from typing import Final
from weakref import WeakKeyDictionary

from python.identifiers import Definition, own_name

Truth = Callable[[ast.expr], bool | None]
"""Says if a condition holds; None if that is not known."""
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def own_nodes(nodes: Iterable[ast.AST], closed: type | UnionType) -> Iterator[ast.AST]:
    """These nodes and all inside them, in no order; what is inside nodes of the types `closed` is left out."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, closed):
            waiting.extend(ast.iter_child_nodes(node))


def bound_by(node: ast.AST) -> str:
    """The name that a node binds by itself; empty for most."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del())
            | ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.ClassDef(name=name)
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return name
        case ast.alias():
            return own_name(node)
        case _:
            return ""


def stored_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that is bound in these nodes, in inner scopes too; parameters are left out."""
    return {name for node in nodes for name in _stored_in(node)}


def _stored_in(node: ast.AST) -> frozenset[str]:
    """The names that are bound in a node; kept, because code is read again for each call and each turn of a loop."""
    if node not in _STORED:
        _STORED[node] = frozenset(map(bound_by, ast.walk(node))) - {""}
    return _STORED[node]


_STORED: Final = WeakKeyDictionary[ast.AST, frozenset[str]]()


def bindings_in(nodes: Iterable[ast.AST], truth: Truth = lambda _test: None) -> Iterator[tuple[str, int]]:
    """The names that these nodes bind in their own scope, each with its line; not in branches that are never taken."""
    for node in nodes:
        if name := bound_by(node):
            yield name, node.lineno  # type: ignore[attr-defined]  # pyright: ignore
        inside: Iterable[ast.AST] = ast.iter_child_nodes(node)
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                holds = truth(test)
                inside = [test, *(body if holds is not False else []), *(orelse if holds is not True else [])]
            case _ if isinstance(node, Definition | ast.Lambda):
                inside = ()
            case _ if isinstance(node, Comprehension):
                inside = [child for child in ast.walk(node) if isinstance(child, ast.NamedExpr)]
            case _:
                pass
        yield from bindings_in(inside, truth)
