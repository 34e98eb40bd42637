"""Finds loops that never end."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from app.checks.policy.origins import origin_of
from app.checks.policy.remark import PolicyRemark
from app.checks.policy.scopes import NameScope, OwnFlow

EXITS: Final = frozenset({"sys.exit", "builtins.exit", "builtins.quit", "os._exit"})
"""Calls that end the script."""

_ENDLESS_ITERATORS: Final = frozenset({"itertools.count", "itertools.cycle"})


def loop_remarks(loop: ast.While | ast.For, scope: NameScope) -> Iterator[PolicyRemark]:
    """The remark on a loop that has neither an end nor an exit."""
    if isinstance(loop, ast.While):
        endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    else:
        endless = isinstance(loop.iter, ast.Call) and origin_of(loop.iter.func, scope) in _ENDLESS_ITERATORS
    if endless and not _has_way_out(loop, scope):
        yield PolicyRemark.on(loop, "endless-loop", _head(loop))


def loops_ended_by_exception(node: ast.AST, scope: NameScope) -> Iterator[ast.AST]:
    """Loops in a `try` or a `with suppress(...)` that expects a certain exception: `while True: item = item[0]`.

    A handler for Ctrl+C, or for every exception, does not count as an end.
    """
    match node:
        case ast.Try(body=body, handlers=handlers):
            ends = any(_certain(handler.type) for handler in handlers)
        case ast.With(body=body, items=items):
            ends = any(_suppresses(item.context_expr, scope) for item in items)
        case _:
            return
    if ends:
        yield from _loops_in(body)


def _loops_in(body: list[ast.stmt]) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.While | ast.For):
            yield node
        if not isinstance(node, OwnFlow):
            waiting.extend(ast.iter_child_nodes(node))


def _certain(exception: ast.expr | None) -> bool:
    if exception is None:
        return False
    names = {part.id for part in ast.walk(exception) if isinstance(part, ast.Name)}
    return not names & {"KeyboardInterrupt", "Exception", "BaseException"}


def _suppresses(context: ast.expr, scope: NameScope) -> bool:
    return (
        isinstance(context, ast.Call)
        and origin_of(context.func, scope) == "contextlib.suppress"
        and all(_certain(error) for error in context.args)
    )


def _head(loop: ast.While | ast.For) -> str:
    if isinstance(loop, ast.While):
        try:
            return f"`while {ast.unparse(loop.test)}`"
        except ValueError:  # a number with more digits than Python prints
            return "This `while`"
    return "This loop over an endless iterator"


def _has_way_out(loop: ast.While | ast.For, scope: NameScope) -> bool:
    waiting: list[tuple[ast.AST, bool]] = [(statement, True) for statement in loop.body]
    while waiting:
        node, breaks_count = waiting.pop()
        if _leaves(node, scope) or (breaks_count and isinstance(node, ast.Break)):
            return True
        if isinstance(node, OwnFlow):
            continue
        if isinstance(node, ast.While | ast.For | ast.AsyncFor):
            # A break in an inner loop's body leaves only that loop; in its `else` it leaves ours.
            waiting.extend((child, False) for child in node.body)
            waiting.extend((child, breaks_count) for child in node.orelse)
        else:
            waiting.extend((child, breaks_count) for child in ast.iter_child_nodes(node))
    return False


def _leaves(node: ast.AST, scope: NameScope) -> bool:
    """True if the node may end every loop around it. A yield and an await do, because the caller may stop."""
    if isinstance(node, ast.Call):
        return origin_of(node.func, scope) in EXITS
    return isinstance(node, ast.Return | ast.Raise | ast.Assert | ast.Yield | ast.YieldFrom | ast.Await)
