"""Branches on the version of Blender: those that a Blender takes, and the part of a snippet that it sees."""

from __future__ import annotations

import ast
import copy
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from python.flow import first_line
from python.identifiers import FunctionDef, parameters
from python.parsing import parse_python
from python.scopes import bindings_in

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


def holds(test: ast.expr, version: tuple[int, ...]) -> bool | None:
    """True if a condition that compares the version with a tuple holds on this Blender; None for other conditions."""
    match test:
        case ast.Compare(
            left=ast.Attribute(ast.Attribute(ast.Name("bpy"), "app"), "version"),
            ops=[op],
            comparators=[ast.Tuple() as right],
        ):
            compare = _COMPARED.get(type(op))
            try:
                return compare(version, ast.literal_eval(right)) if compare else None
            except (ValueError, TypeError):
                return None
        case _:
            return None


def resolve(tree: ast.Module, version: tuple[int, ...]) -> ast.Module:
    """The tree as this Blender runs it: each branch on the version is replaced by the body that it takes."""
    taken = _BranchTaker(version).visit(copy.deepcopy(tree))
    assert isinstance(taken, ast.Module)
    return taken


def as_seen_by(snippet: str, version: tuple[int, ...]) -> str:
    """The snippet for a checker that knows this Blender only: branches that it never runs are blanked; no line moves.

    A `raise` replaces such a branch, so that no checker goes on from there. Its arguments are the names that the branch
    used and that this Blender knows there, so that none of them seems unused. A snippet that does not parse, or that
    nests too deep to be followed, stays as it is.
    """
    if "version" not in snippet:
        return snippet
    try:
        tree = parse_python(snippet)
        dead = [
            (body, _names_used(body) & _names_known(around, first_line(body[0]), version))
            for body, around in _never_run(tree, version, [])
        ]
    except (SyntaxError, ValueError, RecursionError):
        return snippet
    lines = lines_of(snippet)
    for body, names in dead:
        first, last = first_line(body[0]), body[-1].end_lineno or body[-1].lineno
        if lines[first - 1][: body[0].col_offset].strip():
            continue  # It begins after other code on its line, so its findings cannot be avoided.
        used = ", ".join(sorted(names))
        lines[first - 1] = lines[first - 1][: body[0].col_offset] + f"raise NotImplementedError({used})"
        lines[first:last] = [""] * (last - first)
    return "\n".join(lines)


def _never_run(
    node: ast.AST, version: tuple[int, ...], around: list[ast.Module | FunctionDef]
) -> Iterator[tuple[list[ast.stmt], list[ast.Module | FunctionDef]]]:
    """The branches that this Blender never takes, each with the module and the functions around it."""
    if isinstance(node, ast.Module | FunctionDef):
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
    """The bodies of an `else`; for an `elif`, all of its bodies."""
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


def _names_known(around: Sequence[ast.Module | FunctionDef], before: int, version: tuple[int, ...]) -> set[str]:
    """The names that this Blender can read at a line; in the scope of the line, those bound before it."""
    known: set[str] = set()
    for scope in around:
        bound = list(bindings_in(scope.body, lambda test: holds(test, version)))
        if isinstance(scope, FunctionDef):
            bound += [(parameter.arg, scope.lineno) for parameter in parameters(scope.args)]
        known -= {name for name, _ in bound}
        known |= {name for name, line in bound if scope is not around[-1] or line < before}
    return known


class _BranchTaker(ast.NodeTransformer):
    def __init__(self, version: tuple[int, ...]) -> None:
        self._version = version

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        truth = holds(node.test, self._version)
        if truth is None:
            return node
        statements = node.body if truth else node.orelse
        return [statement for statement in statements if not isinstance(statement, ast.Pass)]
