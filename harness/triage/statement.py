"""The failing statement, with its names followed back to their assigned values."""

from __future__ import annotations

import ast
import copy
import itertools
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final, cast

from harness.triage.bindings import Binding, Scope, bindings_of
from python.identifiers import FunctionNode
from python.parsing import parse_python
from python.scopes import own_nodes

# The number of assignments to follow backwards from a name.
_PATIENCE: Final = 8

# A longer expression, in characters, is data and does not show what is missing.
_EXPRESSION_LIMIT: Final = 4000

# The characters of source to write for one failure. Each part of each expression is written out.
_TEXT_BUDGET: Final = 200_000
_TEXT_COST: Final = 20

# The parts of a compound statement that are statements themselves.
_BODIES: Final = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


class FailurePlace:
    """The failing line in the snippet's syntax tree. Empty if the snippet or the line is unknown."""

    def __init__(self, snippet: str, tree: ast.Module, line: int | None) -> None:
        self.snippet = snippet
        self.tree = tree
        self.line = line
        self.scopes = _scopes_around(tree, line)
        """From the innermost function around the line out to the module."""
        self._budget = _TEXT_BUDGET

    @classmethod
    def of(cls, snippet: str, line: int | None) -> FailurePlace:
        """The place of a line (1-based) in a snippet, which need not parse."""
        try:
            return cls(snippet, parse_python(snippet), line)
        except (SyntaxError, ValueError, RecursionError):
            return cls(snippet, ast.Module([], []), None)

    @cached_property
    def bindings(self) -> list[list[Binding]]:
        """The bindings of each of `scopes`."""
        return [list(bindings_of(scope)) for scope in self.scopes]

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """The innermost statement on the failing line, or several if they are separated by semicolons.

        A lambda on that line has none of its own.
        """
        found = (_statements_at(scope, self.line) for scope in self.scopes)
        return next((statements for statements in found if statements), list[ast.stmt]())

    @cached_property
    def nodes(self) -> list[ast.expr]:
        """The expressions of the failing statement that cover the failing line, outermost first."""
        return [
            node
            for statement in self.statements
            for node in _header_nodes(statement)
            if isinstance(node, ast.expr) and _covers(node, self.line)
        ]

    @cached_property
    def texts(self) -> list[str]:
        """The source of each of `nodes`, its leading name replaced by its assigned value."""
        return [self.text(node) for node in self.nodes]

    def text(self, expression: ast.expr) -> str:
        """`ob.data` as `bpy.data.objects.get('Rig').data`, if that was assigned to `ob` before the line.

        Empty if it is too long, or if the texts of this failure have used up their limit.
        """
        if self._budget <= 0 or self._length(expression) > _EXPRESSION_LIMIT:
            return ""
        text = ast.unparse(self._expanded(expression, self.line or 0, _PATIENCE))
        self._budget -= len(text) + _TEXT_COST
        return text if len(text) <= _EXPRESSION_LIMIT else ""

    @cached_property
    def _line_starts(self) -> list[int]:
        """The number of bytes before each line, because the syntax tree counts bytes."""
        return [0, *itertools.accumulate(len(line) for line in self.snippet.encode(errors="replace").splitlines(True))]

    def _length(self, expression: ast.expr) -> int:
        """The number of bytes of the snippet that an expression takes."""
        last, end = expression.end_lineno or expression.lineno, expression.end_col_offset or expression.col_offset
        starts = self._line_starts
        if last > len(starts):
            return 0
        return starts[last - 1] + end - starts[expression.lineno - 1] - expression.col_offset

    def before(self) -> str:
        """The snippet's lines before the failing one."""
        return "\n".join(self.snippet.splitlines()[: (self.line or 1) - 1])

    def calls(self) -> list[ast.Call]:
        """The calls of the failing statement."""
        return [node for node in self.nodes if isinstance(node, ast.Call)]

    def subscripts(self) -> list[tuple[str, ast.expr]]:
        """The values that the failing statement subscripts with `[...]`, as text, and the key or index it uses."""
        return [(self.text(node.value), node.slice) for node in self.nodes if isinstance(node, ast.Subscript)]

    def owners_of(self, attribute: str) -> list[str]:
        """The objects whose attribute the failing statement reads, as text."""
        taken = [node for node in self.nodes if isinstance(node, ast.Attribute) and node.attr == attribute]
        return [self.text(node.value) for node in taken]

    def sought_in_loop(self, name: str) -> tuple[str, str] | None:
        """`for o in bpy.data.objects: if o.type == "CURVE": name = o`: the collection and the condition, as text.

        The name may be a call of a function that returns what it finds in that way.
        """
        function = name.removesuffix("()") if name.endswith("()") else None
        for loop in ast.walk(self.tree):
            if not isinstance(loop, ast.For):
                continue
            for test in (node for node in loop.body if isinstance(node, ast.If)):
                for node in ast.walk(test):
                    match node:
                        case ast.Assign(targets=[ast.Name(id=given)]) if given == name:
                            return self.text(loop.iter), ast.unparse(test.test)
                        case ast.Return() if function and any(
                            isinstance(part, ast.FunctionDef) and part.name == function and _covers(part, node.lineno)
                            for part in ast.walk(self.tree)
                        ):
                            return self.text(loop.iter), ast.unparse(test.test)
                        case _:
                            pass
        return None

    def _expanded(self, expression: ast.expr, line: int, patience: int) -> ast.expr:
        match expression:
            case ast.IfExp(body=inner) | ast.BoolOp(values=[inner, *_]) | ast.NamedExpr(value=inner):
                return self._expanded(inner, line, patience)
            case ast.Name(id=name):
                binding = self._binding(name, line) if patience else None
                if binding is None or binding.value is None or self._length(binding.value) > _EXPRESSION_LIMIT:
                    return expression
                return self._expanded(binding.value, binding.line, patience - 1)
            case ast.Attribute(value=base) | ast.Subscript(value=base):
                shallow = copy.copy(expression)
                shallow.value = self._expanded(base, line, patience)
                return shallow
            case ast.Call(func=ast.Attribute() as function):
                call = copy.copy(expression)
                call.func = self._expanded(function, line, patience)
                call.args = [self._constant(argument, line) for argument in call.args]
                return call
            case _:
                return expression

    def _constant(self, argument: ast.expr, line: int) -> ast.expr:
        """The constant that a name stands for; the argument itself if it is anything else."""
        value = self._expanded(argument, line, 1) if isinstance(argument, ast.Name) else argument
        return value if isinstance(value, ast.Constant) else argument

    def _binding(self, name: str, line: int) -> Binding | None:
        """The last assignment before the line in the line's function, otherwise the last one in an outer scope."""
        for depth, bindings in enumerate(self.bindings):
            found = [
                binding
                for binding in bindings
                if binding.name == name and (binding.line < line or (depth > 0 and line > 0))
            ]
            if found:
                return max(found, key=lambda binding: binding.line)
        return None


def quoted(text: str) -> str:
    """A Python literal or expression with double quotes, as everywhere in `Need.what`."""
    return re.sub(r"^'(.*)'$", r'"\1"', text)


def _scopes_around(tree: ast.Module, line: int | None) -> list[Scope]:
    scopes: list[Scope] = [tree]
    for node in ast.walk(tree):
        if isinstance(node, FunctionNode) and _covers(node, line):
            scopes.insert(0, node)
    return scopes


def _statements_at(scope: ast.AST, line: int | None) -> list[ast.stmt]:
    """The innermost statement on the line, or several if they are separated by semicolons."""
    own = own_nodes(ast.iter_child_nodes(scope), FunctionNode)
    covering = [node for node in own if isinstance(node, ast.stmt) and _covers(node, line)]
    innermost = max((node.lineno for node in covering), default=0)
    return [node for node in covering if node.lineno == innermost]


def _covers(node: ast.stmt | ast.expr, line: int | None) -> bool:
    return line is not None and node.lineno <= line <= (node.end_lineno or node.lineno)


def _header_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement, without the statements inside it."""
    inside = {
        node
        for name in _BODIES
        for child in cast("list[ast.AST]", getattr(statement, name, []))
        for node in ast.walk(child)
    }
    return (node for node in ast.walk(statement) if node not in inside)
