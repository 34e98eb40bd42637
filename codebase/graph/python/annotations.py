"""Annotations as terms: the declared types of names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from codebase.graph.python.terms import UNKNOWN, Terms
from python.parsing import parse_expression

Lookup = Callable[[str], int]
"""The term of a name in the scope of the annotation."""
WRAPPERS: Final = {"Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar"}
"""Types that stand for their first argument."""
MAX_DEPTH: Final = 12


class Annotations:
    """Reads annotations of one text."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def instance(self, node: ast.expr | None, lookup: Lookup, depth: int = 0) -> int:
        """An instance of the annotated type; unknown if there is no annotation."""
        if node is None or depth > MAX_DEPTH:
            return UNKNOWN
        if isinstance(node, ast.Constant):
            return self._constant(node, lookup, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._terms.union(self.instance(side, lookup, depth + 1) for side in (node.left, node.right))
        if isinstance(node, ast.Subscript):
            return self._generic(node, lookup, depth + 1)
        name = self.path(node, lookup)
        return UNKNOWN if name == UNKNOWN else self._terms.add("t", name)

    def path(self, node: ast.expr, lookup: Lookup) -> int:
        """The term of a dotted name."""
        names: list[str] = []
        while isinstance(node, ast.Attribute) and len(names) < MAX_DEPTH:
            names.append(node.attr)
            node = node.value
        term = lookup(node.id) if isinstance(node, ast.Name) else UNKNOWN
        for name in reversed(names) if term != UNKNOWN else ():
            term = self._terms.add("a", term, name)
        return term

    def _constant(self, node: ast.Constant, lookup: Lookup, depth: int) -> int:
        if node.value is None:
            return self._terms.add("v", "None")
        if not isinstance(node.value, str) or len(node.value) > 500:
            return UNKNOWN
        try:
            return self.instance(parse_expression(node.value.strip()), lookup, depth + 1)
        except (SyntaxError, ValueError, RecursionError):
            return UNKNOWN

    def _generic(self, node: ast.Subscript, lookup: Lookup, depth: int) -> int:
        last = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if last in WRAPPERS and given:
            return self.instance(given[0], lookup, depth)
        if last == "Union":
            return self._terms.union(self.instance(argument, lookup, depth) for argument in given)
        if last == "Literal":
            return self._terms.add("v", "str")
        base = self.path(node.value, lookup)
        if last in ("type", "Type") and given:
            return self.path(given[0], lookup)
        return self._terms.add("g", base, tuple(self.instance(argument, lookup, depth) for argument in given))
