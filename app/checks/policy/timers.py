"""Finds timers that ask to be called again each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from app.checks.policy.loops import EXITS
from app.checks.policy.origins import origin_of
from app.checks.policy.remark import PolicyRemark
from app.checks.policy.scopes import FunctionDef, NameScope, OwnFlow

NUMBER_PATIENCE = 8
"""The depth to which a value is followed; each choice doubles the work."""


def timer_remarks(nodes: list[tuple[ast.AST, NameScope]]) -> Iterator[PolicyRemark]:
    """A remark on each timer that never ends, unless the snippet unregisters timers."""
    calls = [(node, scope, origin_of(node.func, scope)) for node, scope in nodes if isinstance(node, ast.Call)]
    if any(function == "bpy.app.timers.unregister" for _, _, function in calls):
        return
    judged: set[ast.AST] = set()
    for call, scope, function in calls:
        if function != "bpy.app.timers.register" or not call.args:
            continue
        timer = _function(call.args[0], scope)
        if timer is None or timer in judged:
            continue
        judged.add(timer)
        if _always_returns_number(timer, scope):
            name = "The lambda" if isinstance(timer, ast.Lambda) else timer.name
            yield PolicyRemark.on(call, "endless-timer", name)


def _function(node: ast.expr, scope: NameScope) -> FunctionDef | ast.Lambda | None:
    if isinstance(node, ast.Call) and origin_of(node.func, scope) == "functools.partial" and node.args:
        node = node.args[0]
    if isinstance(node, ast.Lambda):
        return node
    bound = scope.only_value(node.id) if isinstance(node, ast.Name) else None
    return bound if isinstance(bound, FunctionDef | ast.Lambda) else None


def _always_returns_number(timer: FunctionDef | ast.Lambda, scope: NameScope) -> bool:
    if isinstance(timer, ast.Lambda):
        return _is_number(timer.body, scope)
    own = list(_own_nodes(timer))
    if any(_may_end(node, scope) for node in own):
        return False
    returned = [node.value for node in own if isinstance(node, ast.Return)]
    return not _falls_off(timer.body) and all(value and _is_number(value, scope) for value in returned)


def _may_end(node: ast.AST, scope: NameScope) -> bool:
    """True if the node may end the timer other than by its result: an exception ends it, and so does quitting."""
    if isinstance(node, ast.Call):
        return origin_of(node.func, scope) in {*EXITS, "bpy.ops.wm.quit_blender", "builtins.next"}
    return isinstance(node, ast.Raise | ast.Assert)


def _own_nodes(function: FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of the functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, OwnFlow):
            waiting.extend(ast.iter_child_nodes(node))


def _falls_off(body: list[ast.stmt]) -> bool:
    """True if control can reach the end of these statements, so that a function returns None."""
    waiting = [body]
    while waiting:
        ends = waiting.pop()
        match ends[-1] if ends else None:
            case ast.Return() | ast.Raise():
                pass
            case ast.If(body=yes, orelse=no):
                waiting += [yes, no]
            case ast.With(body=inner):
                waiting.append(inner)
            case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=final):
                if not final or _falls_off(final):
                    waiting += [orelse or inner, *(handler.body for handler in handlers)]
            case _:
                return True
    return False


def _is_number(value: ast.AST, scope: NameScope, patience: int = NUMBER_PATIENCE) -> bool:
    """True if the value is certainly a number. A call or an attribute is not, because it might be None."""
    if patience == 0:
        return False
    less = patience - 1
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, int | float)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand, scope, less)
        case ast.BinOp():
            return True
        case ast.IfExp(body=yes, orelse=no):
            return _is_number(yes, scope, less) and _is_number(no, scope, less)
        case ast.Name(id=name):
            bound = scope.only_value(name)
            return isinstance(bound, ast.AST) and _is_number(bound, scope, less)
        case _:
            return False
