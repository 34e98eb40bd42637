"""Reports the snippet's place at a time-out or crash, and the names that exist in place of one that it looks up."""

from __future__ import annotations

import ast
import contextlib
import faulthandler
import re
import time
import types
from collections.abc import Generator, Iterator
from typing import Any

import bpy

from harness.protocol import RunJob

BEFORE_THE_END_S = 0.5
MOST_NAMES = 100


@contextlib.contextmanager
def traced(job: RunJob) -> Generator[None, None, None]:
    """Write the stack to the snippet's standard error at a crash, and shortly before its time is up, even within an
    operator."""
    faulthandler.enable(file=job.stderr_fd, all_threads=False)
    remaining = job.deadline - time.monotonic() - BEFORE_THE_END_S
    if remaining > 0:
        faulthandler.dump_traceback_later(remaining, file=job.stderr_fd)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        faulthandler.disable()


def names_there(error: BaseException, path: str) -> list[str] | None:
    """The names in the collection that lacks the one that the snippet looks up; None if the error is another."""
    if not re.search(r'key "|\'NoneType\' object', str(error)):
        return None
    frame, line = None, 0
    entry = error.__traceback__
    while entry:
        if entry.tb_frame.f_code.co_filename == path:
            frame, line = entry.tb_frame, entry.tb_lineno
        entry = entry.tb_next
    if frame is None:
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        tree = ast.parse(file.read())
    for collection, key in lookups(tree, line):
        with contextlib.suppress(Exception):
            holder = value_of(collection, frame)
            keys = holder.keys() if isinstance(holder, (bpy.types.bpy_prop_collection, bpy.types.bpy_struct)) else None
            if keys is not None and value_of(key, frame) not in keys:
                return [str(name)[:63] for name in keys[:MOST_NAMES]]
    return None


def lookups(tree: ast.Module, line: int) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each `collection[key]` and `collection.get(key)` on a line."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Call)) and node.lineno <= line <= (node.end_lineno or node.lineno):
            if isinstance(node, ast.Subscript):
                yield node.value, node.slice
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
                yield node.func.value, node.args[0]


def value_of(node: ast.expr, frame: types.FrameType) -> Any:
    """The value of names, members and items in a frame; raises ValueError if a function would be called."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return frame.f_locals[node.id] if node.id in frame.f_locals else frame.f_globals[node.id]
    if isinstance(node, ast.Attribute):
        return getattr(value_of(node.value, frame), node.attr)
    if isinstance(node, ast.Subscript):
        return value_of(node.value, frame)[value_of(node.slice, frame)]
    raise ValueError("not a plain expression")
