"""Makes text that is being written into Python, as far as the cursor: open quotes and brackets are closed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from app.verdict.parse import syntax_tree

HERE: Final = "here_is_the_cursor"
"""Stands at the cursor, in a name or a string."""
CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}


def tree_with_cursor(text: str, offset: int) -> ast.Module | None:
    """The tree of a text with HERE at the cursor; None if it cannot be made Python."""
    return next((tree for tree in map(syntax_tree, ways_to_end(text, offset)) if tree is not None), None)


def ways_to_end(text: str, offset: int) -> Iterator[str]:
    """The text with HERE, as it is, and then with the line of the cursor ended there."""
    before, after = text[:offset], text[offset:]
    yield f"{before}{HERE}{after}"
    quote, closers = open_at_end(before)
    _, newline, rest = after.partition("\n")
    for ending in ("", ": pass"):
        ended = f"{before}{HERE}{quote}{closers}{ending}\n"
        yield from (f"{ended}{rest}",) if newline else ()
        yield ended


def open_at_end(text: str) -> tuple[str, str]:
    """The quote that is open at the end of a text, and what closes its open brackets."""
    quote, closers, at = "", list[str](), 0
    while at < len(text):
        sign, step = text[at], 1
        if quote:
            if sign == "\\":
                step = 2
            elif text.startswith(quote, at) or (sign == "\n" and len(quote) == 1):
                quote, step = "", len(quote)
        elif sign == "#":
            step = max(text.find("\n", at), at + 1) - at
        elif sign in "\"'":
            quote = sign * 3 if text.startswith(sign * 3, at) else sign
            step = len(quote)
        elif sign in CLOSERS:
            closers.append(CLOSERS[sign])
        elif closers and sign == closers[-1]:
            closers.pop()
        at += step
    return quote, "".join(reversed(closers))


def offset_of(text: str, line: int, column: int) -> int:
    """The place of a line, from 1, and a column in characters, from 1, as an offset."""
    lines = text.split("\n")
    before = lines[: min(line, len(lines)) - 1]
    return sum(len(one) + 1 for one in before) + min(max(column - 1, 0), len(lines[len(before)]))
