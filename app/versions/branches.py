"""Branches on the version of Blender: those that a Blender takes, and the part of a snippet that it sees."""

from __future__ import annotations

import ast
import copy
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from python.parsing import parse_python

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


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _never_run(
    node: ast.AST, version: tuple[int, ...], around: list[ast.Module | Function]
) -> Iterator[tuple[list[ast.stmt], list[ast.Module | Function]]]:
    """The branches that this Blender never takes, each with the module and the functions around it."""
    if isinstance(node, ast.Module | Function):
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


def _names_known(around: Sequence[ast.Module | Function], before: int, version: tuple[int, ...]) -> set[str]:
    """The names that this Blender can read at a line; in the scope of the line, those bound before it."""
    known: set[str] = set()
    for scope in around:
        bound = list(bindings_in(scope.body, version))
        if isinstance(scope, Function):
            bound += [(name, scope.lineno) for name in parameters(scope.args)]
        known -= {name for name, _ in bound}
        known |= {name for name, line in bound if scope is not around[-1] or line < before}
    return known


def parameters(arguments: ast.arguments) -> set[str]:
    """The names of the parameters of a function."""
    return {node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)}


def bindings_in(nodes: Iterable[ast.AST], version: tuple[int, ...] | None = None) -> Iterator[tuple[str, int]]:
    """The names that these nodes bind in their own scope, each with its line, without the scopes of functions, classes
    and comprehensions inside; with a version, only in code that this Blender runs.
    """
    for node in nodes:
        inside: Iterable[ast.AST] = ast.iter_child_nodes(node)
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
                inside = ()
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0], node.lineno
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                yield name, node.lineno
            case ast.Lambda():
                inside = ()
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inside = [child for child in ast.walk(node) if isinstance(child, ast.NamedExpr)]
            case ast.If(test=test, body=body, orelse=orelse) if version is not None:
                truth = holds(test, version)
                inside = [test, *(body if truth is not False else []), *(orelse if truth is not True else [])]
            case _:
                pass
        yield from bindings_in(inside, version)


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
