"""What a model took away from a file of an add-on: by that too it may come to register, and be worth nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from app.checks.parse import syntax_tree

BROAD: Final = frozenset({"Exception", "BaseException"})

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def taken_away(old: str, new: str) -> list[str]:
    """What a repair took from a file: functions and classes that are gone, empty, or used no more, and errors that are
    seen no more. A file that did not parse had nothing to lose."""
    before, after = syntax_tree(old), syntax_tree(new)
    if before is None or after is None:
        return [] if before is None else ["it does not parse"]
    had, has = dict(defined(before)), dict(defined(after))
    lost = [f"{name} is gone" for name in had if name not in has]
    lost += [f"{name} is empty" for name, node in has.items() if name in had and is_empty(node) > is_empty(had[name])]
    unused = (uses(before) - uses(after)) & {name for name, node in has.items() if isinstance(node, ast.ClassDef)}
    lost += [f"{name} is used no more" for name in sorted(unused)]
    if hides(after) > hides(before):
        lost.append("an error is hidden by `except`")
    return lost


def defined(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Definition]]:
    """The functions and classes of a tree by their qualified names."""
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, Definition)
        name = f"{outer}{node.name}" if isinstance(node, Definition) else ""
        if isinstance(node, Definition):
            yield name, node
        yield from defined(node, f"{name}." if named else outer)


def is_empty(node: Definition) -> bool:
    """Whether nothing happens in a function or class."""
    return all(
        isinstance(one, ast.Pass)
        or (isinstance(one, ast.Return) and (one.value is None or isinstance(one.value, ast.Constant)))
        or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )


def uses(tree: ast.AST) -> set[str]:
    """The names that are read."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def hides(tree: ast.AST) -> int:
    """How many `except` catch everything."""
    found = (node.type for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler))
    return sum(one is None or (isinstance(one, ast.Name) and one.id in BROAD) for one in found)
