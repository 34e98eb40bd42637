"""The one door to Python's parser: one thread at a time, and without warnings.

Python 3.11 counts the depth of the tree that it builds in one place for all threads. If two of them parse at the same
time, it can raise SystemError for either. `warnings.catch_warnings` replaces a list that all threads share, too.
"""

from __future__ import annotations

import ast
import contextlib
import re
import threading
import warnings
from collections.abc import Callable, Generator
from typing import Final, TypeVar

Tree = TypeVar("Tree")

_alone: Final = threading.Lock()

_LONE: Final = re.compile(r"\r(?!\n)")
_ENDS: Final = re.compile(r"\r\n|\r|\n")

_TRIES: Final = 5
"""The number of tries if Python lost count because of a library, which parses without this lock."""


@contextlib.contextmanager
def quietly() -> Generator[None, None, None]:
    """Keep other threads from parsing and warnings from being shown."""
    with _alone, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse_python(
    text: str | bytes, name: str = "<unknown>", feature_version: tuple[int, int] | None = None
) -> ast.Module:
    """The syntax tree of a text. Raises SyntaxError, ValueError, or RecursionError if it nests too deep."""
    return _counted(lambda: ast.parse(text, name, feature_version=feature_version))


def parse_lines(text: str) -> ast.Module:
    """The same tree, with the lines of editors and Git: a lone carriage return, which Python takes for an end, is none.

    Raises the exceptions of `parse_python`.
    """
    tree = parse_python(text)
    if _LONE.search(text):
        numbers = [0, 1]
        for end in _ENDS.findall(text):
            numbers.append(numbers[-1] + (end != "\r"))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword | ast.alias):
                node.lineno, node.end_lineno = numbers[node.lineno], numbers[node.end_lineno or node.lineno]
    return tree


def parse_expression(text: str) -> ast.expr:
    """The syntax tree of one expression. Raises the exceptions of `parse_python`."""
    return _counted(lambda: ast.parse(text, mode="eval")).body


def _counted(parser: Callable[[], Tree]) -> Tree:
    for _ in range(_TRIES):
        with quietly(), contextlib.suppress(SystemError):
            try:
                return parser()
            except MemoryError:
                raise RecursionError("the text nests deeper than Python can parse") from None
    raise RecursionError("Python's parser lost count of the depth of the tree")
