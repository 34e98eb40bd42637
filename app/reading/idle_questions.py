"""Questions in a snippet that decide nothing: their answers are not read, so they guard nothing either."""

from __future__ import annotations

import ast
from collections.abc import Iterable

_ASK = frozenset({"hasattr", "getattr"})


def idle_questions(nodes: Iterable[ast.AST]) -> set[ast.AST]:
    """The calls of `hasattr` and `getattr` and the comparisons that stand alone or are only printed."""
    idle: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.Expr(value=value):
                idle |= {value}
            case ast.Call(func=ast.Name(id="print"), args=args):
                idle |= {*args}
            case _:
                pass
    return {node for node in idle if isinstance(node, ast.Compare) or _asks(node)}


def _asks(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ASK
