"""The meaning of names in each scope of a snippet."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from python.identifiers import FunctionNode
from python.parsing import parse_expression
from python.scopes import own_nodes

Scope = ast.Module | FunctionNode

_BPY_CONTEXT: Final = parse_expression("bpy.context")


@dataclass(frozen=True)
class Binding:
    """A name and the value assigned to it on a line. `value` is None if the syntax does not show it."""

    line: int
    name: str
    value: ast.expr | None


def bindings_of(scope: Scope) -> Iterator[Binding]:
    """The bindings of a scope, those of its parameters on line 0, before any other."""
    if not isinstance(scope, ast.Module):
        yield from _parameters(scope)
    for node in own_nodes(ast.iter_child_nodes(scope), FunctionNode):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                yield Binding(node.lineno, name, value)
            case ast.For(target=ast.Name(id=name)):
                yield Binding(node.lineno, name, None)
            case ast.ImportFrom():
                yield from _imports(node)
            case _:
                pass


def _parameters(function: FunctionNode) -> Iterator[Binding]:
    """The parameters. One called `context` counts as the context that Blender passes."""
    for argument in function.args.args:
        yield Binding(0, argument.arg, _BPY_CONTEXT if argument.arg == "context" else None)


def _imports(node: ast.ImportFrom) -> Iterator[Binding]:
    """`from bpy import data` makes `data` stand for `bpy.data`."""
    if node.module is None:
        return
    for alias in node.names:
        path = parse_expression(f"{node.module}.{alias.name}") if alias.name != "*" else None
        yield Binding(node.lineno, alias.asname or alias.name, path)
