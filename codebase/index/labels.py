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
"""A longer string is a template or data."""


def label_terms(parsed: ParsedFile) -> list[Counter[str]]:
    """The terms of the strings of a file and of each of its units; a method has those of its class too.

    All are empty if the file is not Python that was read just now.
    """
    units = parsed.units
    own = [Counter[str]() for _ in units]
    owner: dict[int, int] = {}
    for number, unit in enumerate(units):
        # Inner units come after those around them.
        owner |= dict.fromkeys(range(unit.first, unit.last + 1), number)
    for line, text in strings_of(parsed.tree) if parsed.tree else ():
        if line in owner:
            own[owner[line]].update(count_terms(words_of(text)))
    classes = {unit.name: terms for unit, terms in zip(units, own, strict=True) if unit.kind == "class"}
    whole = Counter[str]()
    for terms in own:
        whole.update(terms)
    return [
        whole,
        *(terms + classes.get(unit.name.rpartition(".")[0], Counter()) for unit, terms in zip(units, own, strict=True)),
    ]


def strings_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module with their lines, without its docstrings; and the names of annotated properties."""
    said: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            said.add(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.lineno, node.target.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said:
            yield from [(node.lineno, node.value)] if len(node.value) <= LONGEST else ()
