"""Finds the annotations that Python never evaluates, so that a name in them may be undefined.

Quoted ones, and after `from __future__ import annotations` all of them; but not those that declare something in a class
with bases: Blender evaluates them when it registers the class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from app.verdict.parse import character_column, python_lines, syntax_tree

Span = tuple[tuple[int, int], tuple[int, int]]
"""Line and column, both from 1, of the beginning, and those after the end."""


def unevaluated_spans(snippet: str) -> list[Span]:
    """The places in a snippet that are only annotations for its readers; none if it does not parse."""
    tree = syntax_tree(snippet)
    if tree is None:
        return []
    lines = python_lines(snippet)
    evaluated = {id(part) for node in ast.walk(tree) for part in _evaluated_by_blender(node)}
    postponed = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    nodes = list(_strings(tree))
    if postponed:
        nodes.extend(_annotations(tree))
    return [_span(node, lines) for node in nodes if id(node) not in evaluated]


def _evaluated_by_blender(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.ClassDef) and node.bases:
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign):
                yield from ast.walk(statement.annotation)


def _strings(tree: ast.Module) -> Iterator[ast.expr]:
    """The strings of a snippet. Names are looked for in those only that stand for types."""
    formatted = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in formatted:
            yield node


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(returns=ast.expr() as returns) | ast.AsyncFunctionDef(returns=ast.expr() as returns):
                yield returns
            case _:
                pass


def _span(node: ast.expr, lines: list[str]) -> Span:
    end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    first = (node.lineno, character_column(lines, node.lineno, node.col_offset))
    return first, (end_line, character_column(lines, end_line, end_offset))
