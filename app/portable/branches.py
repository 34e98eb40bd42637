"""Branches on the version of Blender: which of them a Blender takes, and what it sees of a snippet therefore."""

from __future__ import annotations

import ast
import copy
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

VERSION: Final = "bpy.app.version"

_COMPARED: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def lines_of(text: str) -> list[str]:
    """The lines of a text as Python counts them."""
    return re.split(r"\r\n|\r|\n", text)


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def holds(test: ast.expr, version: tuple[int, ...]) -> bool | None:
    """Whether a condition holds on this Blender, where it compares the version with a tuple; None for any other."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Tuple() as right]) if ast.unparse(left) == VERSION:
            compare = _COMPARED.get(type(op))
            try:
                return compare(version, ast.literal_eval(right)) if compare else None
            except (ValueError, TypeError):
                return None
        case _:
            return None


def resolved(tree: ast.Module, version: tuple[int, ...]) -> ast.Module:
    """The tree as this Blender runs it: of each branch on the version only what it takes, in its place."""
    taken = _Taken(version).visit(copy.deepcopy(tree))
    assert isinstance(taken, ast.Module)
    return taken


def as_seen_by(snippet: str, version: tuple[int, ...]) -> str:
    """The snippet for a checker that knows this Blender only: what it never runs is blanked, and no line moves.

    In the place of such a branch something is raised, so that no checker goes on from there, and it is given the names
    that the branch used, so that none of them seems to be left unused. A snippet that does not parse stays as it is.
    """
    try:
        tree = ast.parse(snippet)
    except (SyntaxError, ValueError, RecursionError):
        return snippet
    lines = lines_of(snippet)
    for body, around in _never_run(tree, version, []):
        first, last = first_line(body[0]), body[-1].end_lineno or body[-1].lineno
        if lines[first - 1][: body[0].col_offset].strip():
            continue  # It begins behind other code; what is said of it is said in vain.
        used = ", ".join(sorted(_names_used(body) & _names_bound(around, first)))
        lines[first - 1] = lines[first - 1][: body[0].col_offset] + f"raise NotImplementedError({used})"
        lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _never_run(
    node: ast.AST, version: tuple[int, ...], around: list[ast.AST]
) -> Iterator[tuple[list[ast.stmt], list[ast.AST]]]:
    """The branches that this Blender does not take, each with the module and the functions around it."""
    if isinstance(node, ast.Module | _Function):
        around = [*around, node]
    truth = holds(node.test, version) if isinstance(node, ast.If) else None
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and truth is not None:
        children = node.body if truth else node.orelse
        dead = [node.body] if not truth else _bodies(node.orelse) if node.orelse else []
        yield from ((body, around) for body in dead)
    for child in children:
        yield from _never_run(child, version, around)


def _bodies(orelse: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The bodies that hang on an `else`: of an `elif` each one."""
    match orelse:
        case [ast.If(body=body, orelse=rest)]:
            yield body
            if rest:
                yield from _bodies(rest)
        case _:
            yield orelse


def _names_used(body: list[ast.stmt]) -> set[str]:
    nodes = [node for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)}


def _names_bound(around: list[ast.AST], before: int) -> set[str]:
    """The names that can be read at a line: of the module all that it binds, of functions what they bound by then."""
    found: set[str] = set()
    for scope in around:
        for node in ast.walk(scope):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) if node.lineno < before:
                    found.add(name)
                case ast.arg(arg=name) if node.lineno < before:
                    found.add(name)
                case ast.alias(name=name, asname=asname):
                    found.add(asname or name.partition(".")[0])
                case _:
                    pass
    return found


class _Taken(ast.NodeTransformer):
    def __init__(self, version: tuple[int, ...]) -> None:
        self._version = version

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        truth = holds(node.test, self._version)
        if truth is None:
            return node
        return [one for one in (node.body if truth else node.orelse) if not isinstance(one, ast.Pass)]
