"""Losses in a file that a model changed: deleting code can make an add-on register without fixing it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from app.verdict.parse import syntax_tree
from python.identifiers import last_name

BROAD: Final = frozenset({"Exception", "BaseException"})
UNDOING: Final = frozenset({"remove", "unregister", "unregister_class"})
"""Calls that use nothing: Blender reports nothing if a menu is removed that was never appended."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def losses(old: str, new: str) -> list[str]:
    """The losses in a file: functions and classes that are gone, empty or no longer used, and errors no longer
    seen. A file that did not parse had nothing to lose."""
    before, after = syntax_tree(old), syntax_tree(new)
    if before is None or after is None:
        return [] if before is None else ["it does not parse"]
    had, has = dict(definitions(before)), dict(definitions(after))
    lost = [f"{name} is gone" for name in had if name not in has]
    lost += [f"{name} is empty" for name, node in has.items() if name in had and is_empty(node) > is_empty(had[name])]
    unused = (uses(before) - uses(after)) & has.keys()
    lost += [f"{name} is used no more" for name in sorted(unused)]
    if hides(after) > hides(before):
        lost.append("an error is hidden by `except` or `suppress`")
    return lost


def definitions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, Definition]]:
    """The functions and classes of a tree by their qualified names."""
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, Definition)
        name = f"{outer}{node.name}" if isinstance(node, Definition) else ""
        if isinstance(node, Definition):
            yield name, node
        yield from definitions(node, f"{name}." if named else outer)


def is_empty(node: Definition) -> bool:
    """True if nothing happens in a function or class."""
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Return) and (statement.value is None or is_fixed(statement.value)))
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in node.body
    )


def is_fixed(value: ast.expr) -> bool:
    """True if a value is the same each time, such as `{"FINISHED"}`."""
    return not any(isinstance(node, ast.Name | ast.Call | ast.Attribute) for node in ast.walk(value))


def uses(tree: ast.AST) -> set[str]:
    """The names that are read, without those that are only undone."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) in UNDOING]
    undone = {id(argument) for call in calls for argument in call.args}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in undone)
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


def hides(tree: ast.AST) -> int:
    """The number of `except` and `suppress` that catch everything."""
    return sum(
        (isinstance(node, ast.ExceptHandler) and (node.type is None or is_broad(node.type)))
        or (isinstance(node, ast.Call) and last_name(node.func) == "suppress" and any(map(is_broad, node.args)))
        for node in ast.walk(tree)
    )


def is_broad(types: ast.expr) -> bool:
    """True if a type, or one of several, is that of every exception."""
    return any(last_name(node) in BROAD for node in ast.walk(types))
