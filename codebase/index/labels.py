"""The words that a program shows: its strings, which issues quote; a field of its own beside the words of the code.

Labels, tooltips, ids of operators, error messages and reports are all strings, so no list of keywords is kept.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Final

from codebase.index.words import count_terms, words_of
from codebase.units.unit import ParsedFile

LONGEST: Final = 400
"""The rest of a longer string is a template or data."""


def label_terms(parsed: ParsedFile) -> Counter[str]:
    """The terms of the strings of a file; none if it is not Python that was read just now."""
    return (
        count_terms(word for text in strings_of(parsed.tree) for word in words_of(text)) if parsed.tree else Counter()
    )


def strings_of(tree: ast.Module) -> Iterator[str]:
    """The strings of a module without its docstrings, and the names of annotated properties."""
    said: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            said.add(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said:
            yield node.value[:LONGEST]
