"""Statements: their blocks, those of a line, and where control goes on."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from python.identifiers import last_name

_EXITS = frozenset({"exit", "_exit", "quit"})
Nested = ast.stmt | ast.excepthandler | ast.match_case
"""Parts of a statement that hold statements."""


def first_line(node: ast.stmt | ast.Lambda) -> int:
    """The first line of a statement or function: that of its first decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of statements right inside a node."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block:
            yield block  # pyright: ignore[reportUnknownVariableType] - `ast` has only lists of statements there


def spans(node: ast.AST, line: int) -> bool:
    """True if a node has lines around this one; a case of a match has no line number of its own."""
    if isinstance(node, ast.match_case):
        return node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)
    first = first_line(node) if isinstance(node, ast.stmt) else getattr(node, "lineno", 0)
    return first <= line <= (getattr(node, "end_lineno", 0) or 0)


def around(tree: ast.Module, line: int) -> list[ast.stmt]:
    """The statements that a line stands in, the innermost last."""
    found: list[ast.stmt] = []
    body: Iterable[ast.AST] = tree.body
    while inner := next((node for node in body if spans(node, line)), None):
        if isinstance(inner, ast.stmt):
            found.append(inner)
        body = [node for node in ast.iter_child_nodes(inner) if isinstance(node, Nested)]
    return found


def leaves(block: list[ast.stmt], exits: Collection[str] = _EXITS) -> bool:
    """True if control does not reach the end of these statements. `exits` are functions that end the program."""
    match block[-1] if block else None:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=function)):
            return last_name(function) in exits
        case ast.If(body=yes, orelse=no):
            return leaves(yes, exits) and leaves(no, exits)
        case ast.With(body=inner) | ast.AsyncWith(body=inner):
            return leaves(inner, exits)
        case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=final):
            ends = [orelse or inner, *(handler.body for handler in handlers)]
            return leaves(final, exits) or all(leaves(end, exits) for end in ends)
        case ast.While(test=ast.Constant(value=always), body=inner):
            return bool(always) and not any(map(breaks, inner))
        case ast.Match(cases=cases):
            return all(leaves(case.body, exits) for case in cases)
        case _:
            return False


def is_constant(test: ast.expr) -> bool:
    """True if a condition is a plain value, such as `False` or `not 0`."""
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    return isinstance(test, ast.Constant) or (isinstance(test, ast.Tuple) and not test.elts)


def breaks(statement: ast.stmt) -> bool:
    """True if a statement breaks out of the loop that it stands in."""
    if isinstance(statement, ast.Break):
        return True
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    inner = [
        *blocks(statement),
        *(block for handler in getattr(statement, "handlers", ()) for block in blocks(handler)),
    ]
    inner += [case.body for case in getattr(statement, "cases", ())]
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        inner = [statement.orelse]
    return any(breaks(part) for block in inner for part in block)
