"""Finds questions by which a snippet could tell that it is being proven, other than by calls that tell it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from app.checks.policy.origins import origin_of
from app.checks.policy.remark import PolicyRemark
from app.checks.policy.scopes import NameScope

ASKS: Final = "asks-where-it-runs"
_WHOLE: Final = {
    "sys.modules": "Going through the loaded modules",
    "os.environ": "Going through the environment",
    "bpy.context.preferences.addons": "Going through the add-ons",
}
_OF_A_USER: Final = frozenset({"USER", "USERNAME", "LOGNAME", "SHELL", "DISPLAY", "XDG_SESSION_TYPE"})
_LISTS: Final = frozenset({"list", "sorted", "set", "dict", "tuple", "str", "repr", "len", "any", "all", "iter", "map"})
_VIEWS: Final = frozenset({"keys", "values", "items"})
_LOOKS: Final = frozenset({"type", "repr", "str", "id", "isinstance", "hasattr", "vars", "dir"})
_OF_OURS: Final = re.compile(r"/proc(/|$)|/dev/fd(/|$)")
_NAMED_AS_OURS: Final = re.compile(r"harness(\.|$)|.*blendproof")
"""A name that anything may have; it asks only together with what tells of modules or paths."""
_TELLS: Final = re.compile(r"(sys|os|pathlib|importlib|inspect)\.|(.*\.)?(__file__|__path__|__spec__|__import__|open)$")


def sign_remarks(nodes: list[tuple[ast.AST, NameScope]]) -> Iterator[PolicyRemark]:
    """A remark on each text that names something of ours, and on each look at things that only we change."""
    docs = {node.value for node, _ in nodes if isinstance(node, ast.Expr)}
    for node, scope in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node not in docs and _OF_OURS.match(node.value):
                yield PolicyRemark.on(node, ASKS, f"`{node.value[:40]!r}`")
        elif isinstance(node, ast.For | ast.comprehension):
            yield from _gone_through(node.iter, scope)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from _called(node, node.func.id, scope)
        elif isinstance(node, ast.Attribute) and node.attr == "f_back":
            yield PolicyRemark.on(node, ASKS, "Going through the frames below")
        if isinstance(node, ast.Call | ast.Subscript | ast.Compare):
            yield from _variable(node, scope)
            yield from _named(node, scope)


def _called(call: ast.Call, function: str, scope: NameScope) -> Iterator[PolicyRemark]:
    if scope.binding(function) is not None:
        return
    for argument in call.args:
        if function in _LISTS:
            yield from _gone_through(argument, scope)
        if function in _LOOKS and (origin_of(argument, scope) or "").startswith("bpy.ops.render."):
            yield PolicyRemark.on(call, ASKS, f"`{function}` of the render operator")


def _variable(node: ast.Call | ast.Subscript | ast.Compare, scope: NameScope) -> Iterator[PolicyRemark]:
    """A remark on a look for a variable of the environment that a user's session has."""
    match node:
        case ast.Call(func=asked, args=[ast.Constant(value=str(name)), *_]):
            there = origin_of(asked, scope) in ("os.environ.get", "os.getenv")
        case ast.Subscript(value=asked, slice=ast.Constant(value=str(name))):
            there = origin_of(asked, scope) == "os.environ"
        case ast.Compare(left=ast.Constant(value=str(name)), comparators=[asked]):
            there = origin_of(asked, scope) == "os.environ"
        case _:
            return
    if there and name in _OF_A_USER:
        yield PolicyRemark.on(node, ASKS, f"the variable `{name}`")


def _named(node: ast.Call | ast.Subscript | ast.Compare, scope: NameScope) -> Iterator[PolicyRemark]:
    """A remark on a name of ours beside what tells of modules or paths."""
    parts = [part.value if isinstance(part, ast.keyword) else part for part in ast.iter_child_nodes(node)]
    for part in parts:
        match part:
            case ast.Constant(value=str(name)) if _NAMED_AS_OURS.match(name):
                if any(_tells(other, scope) for other in parts if other is not part):
                    yield PolicyRemark.on(part, ASKS, f"`{name[:40]!r}`")
            case _:
                pass


def _tells(node: ast.AST, scope: NameScope) -> bool:
    """True if modules or paths are looked at in an expression, or in the only value of a name in it."""
    for part in ast.walk(node):
        bound = scope.only_value(part.id) if isinstance(part, ast.Name) else None
        for meant in [part, *(ast.walk(bound) if isinstance(bound, ast.AST) else ())]:
            origin = origin_of(meant, scope) or (meant.id if isinstance(meant, ast.Name) else "")
            if _TELLS.match(origin):
                return True
    return False


def _gone_through(items: ast.expr, scope: NameScope) -> Iterator[PolicyRemark]:
    if isinstance(items, ast.Call) and isinstance(items.func, ast.Attribute) and items.func.attr in _VIEWS:
        items = items.func.value
    origin = origin_of(items, scope)
    if origin in _WHOLE:
        yield PolicyRemark.on(items, ASKS, _WHOLE[origin])
