"""Drops code that a reader on one Blender does not need: branches for other versions, notes for checkers.

if bpy.app.version < (4, 4, 0): ...      if x:  # before Blender 5.0      y: Any = z      assert y is not None
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

MARK: Final = re.compile(r"#\s*(before|since) Blender (\d+)\.(\d+)")

Version = tuple[int, ...]
COMPARED: Final[dict[type[ast.cmpop], Callable[[Version, Version], bool]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Fold(ast.NodeTransformer):
    """Folds a tree for one version. Marks are comments: on the first line of a test or on a line that is left out."""

    def __init__(self, snippet: str, version: Version) -> None:
        self._version = version
        self._marks = {
            number: (mark[1] == "before", (int(mark[2]), int(mark[3])))
            for number, line in enumerate(snippet.splitlines(), 1)
            if (mark := MARK.search(line))
        }

    def visit_If(self, node: ast.If) -> Any:
        """The branch that is taken, if that is known."""
        taken = self._mark_truth(node) if node.lineno in self._marks else self._version_truth(node.test)
        self.generic_visit(node)
        if taken is None:
            node.body = node.body or [ast.Pass()]
            return node
        return node.body if taken else node.orelse

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """The value that is taken, if that is known; a mark is about the second one."""
        self.generic_visit(node)
        taken = self._version_truth(node.test)
        if taken is None and self._is_over(node.lineno):
            taken = True
        return node if taken is None else node.body if taken else node.orelse

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """A function without its last line if that is for older versions: the test before it then always holds."""
        last, before = node.body[-1], node.body[-2] if len(node.body) > 1 else None
        if isinstance(last, ast.Return) and isinstance(before, ast.If) and self._is_over(last.lineno):
            node.body[-2:] = before.body
        self.generic_visit(node)
        node.body = until_return(node.body) or [ast.Pass()]
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.kwarg):
            if argument:
                argument.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """An assignment without its type, unless the type is what counts: `size: bpy.props.FloatProperty()`."""
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else node

    def visit_Assert(self, node: ast.Assert) -> Any:
        """Drop an assertion, which is for a type checker."""
        return None

    def _mark_truth(self, node: ast.If) -> bool | None:
        """The value of a marked test, if known: a mark on `if hasattr(...)` may be about the branch not taken."""
        before, version = self._marks[node.lineno]
        newer = self._version >= version
        if before and isinstance(node.test, ast.Call):
            return True if newer else None
        return newer != before

    def _is_over(self, line: int) -> bool:
        """True if a line is marked as for versions before this one."""
        before, version = self._marks.get(line, (False, (0,)))
        return before and self._version >= version

    def _version_truth(self, test: ast.expr) -> bool | None:
        """The value of a comparison of `bpy.app.version` with a literal; None for any other test."""
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and ast.unparse(test.left) == "bpy.app.version"):
            return None
        try:
            given = cast("Version", ast.literal_eval(test.comparators[0]))
            return COMPARED[type(test.ops[0])](self._version, given)
        except (KeyError, ValueError, TypeError):
            return None


def until_return(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements up to the first that always leaves."""
    for place, statement in enumerate(body, 1):
        if isinstance(statement, ast.Return | ast.Raise):
            return list(body[:place])
    return list(body)
