"""The text that the type checkers read: the snippet without anything that would keep them from reading it.

Comments and strings keep their lengths and code its lines, so findings are at their places. Defused are

- comments that switch a checker off, for a file or a line (`# mypy: ignore-errors`, `# pyright: basic`,
  `# type: ignore`), also where only a checker takes them for comments, as mypy does in strings;
- `@typing.no_type_check`, and results by which a function never returns, behind which a checker reads nothing;
- conditions that hold always or never for a checker (`TYPE_CHECKING`, `False`) and so hide a branch from it.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.verdict.coping import TOO_DEEP
from app.verdict.parse import character_column, python_lines
from python.flow import blocks
from python.identifiers import last_name
from python.parsing import parse_python

_DIRECTIVE: Final = re.compile(r"(mypy|pyright|type)(\s*):(?=(\s*ignore)?)", re.IGNORECASE)
_NAMED: Final = re.compile(r"#\s*(?:type|pyright):\s*ignore\[[\w\s,-]+\]\s*(?:#.*)?")
CHECKING: Final = frozenset({"TYPE_CHECKING", "MYPY"})
NO_CHECK: Final = "no_type_check"
_NEVER: Final = frozenset({"NoReturn", "Never"})
"""The annotated results of functions that never return."""
_ANY: Final = "object"
_SHORT_ANY: Final = "None"
"""The annotation that stands there instead."""
_OPAQUE: Final = "id(0)"
"""A condition that no checker can decide."""
_SHORT_OPAQUE: Final = "0<0"


def unsilenced_text(snippet: str, named: bool = False) -> str:
    """The snippet as the checkers are to read it; one that does not parse keeps its code.

    With `named`, a comment that names its codes (`# type: ignore[arg-type]`) and stands behind code stays: it takes
    effect.
    """
    lines = [_spoken(line, named) for line in python_lines(snippet)]
    text = "\n".join(lines) + ("\n" if lines else "")
    try:
        edits = list(_edits(parse_python(text), lines))
    except (SyntaxError, ValueError, *TOO_DEEP):
        return text
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.first), reverse=True):
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.first] + edit.text + line[edit.last :]
    return "\n".join(lines) + "\n"


def _spoken(line: str, named: bool) -> str:
    """A line whose comment directs no checker: `# type. ignore`."""
    begin = line.find("#")
    if begin < 0 or (named and line[:begin].strip() and _NAMED.fullmatch(line[begin:])):
        return line
    return line[:begin] + _DIRECTIVE.sub(_defused, line[begin:])


def _defused(directive: re.Match[str]) -> str:
    # Other comments of types (`# type: list[int]`) declare something.
    declares = directive[1].lower() == "type" and not directive[3]
    return directive[0] if declares else directive[0][:-1] + "."


@dataclass(frozen=True)
class _Edit:
    """Characters of a line, from 0, and the text that stands there instead."""

    line: int
    first: int
    last: int
    text: str


def _edits(tree: ast.Module, lines: list[str]) -> Iterator[_Edit]:
    names, never = (_names_for(tree, {*CHECKING}), _names_for(tree, {NO_CHECK})), _names_for(tree, {*_NEVER})
    for node in ast.walk(tree):
        returns = getattr(node, "returns", None)
        if returns and any(isinstance(part, ast.expr) and _says(part, never) for part in ast.walk(returns)):
            yield from _returning(returns, lines)
        for decorator in getattr(node, "decorator_list", ()):
            if last_name(decorator) in names[1]:
                yield from _blanked(decorator, lines, "@")
        for condition, alone in _decided(node, names[0]):
            yield from _opaque(condition, lines, alone)


def _says(node: ast.expr, names: set[str]) -> bool:
    """True if an expression says one of these names, itself or in a string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return not names.isdisjoint(re.findall(r"\w+", node.value))
    return last_name(node) in names


def _returning(annotation: ast.expr, lines: list[str]) -> Iterator[_Edit]:
    """An annotation by which a function returns, in place of one by which it never does."""
    first, *others = _blanked(annotation, lines)
    room = first.last - first.first
    # A name that is shorter than either moves what follows on its line.
    text = _SHORT_ANY if len(_SHORT_ANY) <= room < len(_ANY) else _ANY
    yield _Edit(first.line, first.first, first.last, text.ljust(room))
    yield from others


def _names_for(tree: ast.Module, wanted: set[str]) -> set[str]:
    """These names, and those under which the snippet imports them or gives them again."""
    nodes = list(ast.walk(tree))
    imported = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    known = wanted | {alias.asname for alias in imported if alias.name in wanted and alias.asname}
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and last_name(node.value) in known:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            known |= {target.id for target in targets if isinstance(target, ast.Name)}
    return known


def _blanked(node: ast.expr, lines: list[str], mark: str = "") -> Iterator[_Edit]:
    """Spaces in place of an expression, and of the mark before it."""
    first, last = node.lineno, node.end_lineno or node.lineno
    begin = lines[first - 1].rfind(mark, 0, character_column(lines, first, node.col_offset) - 1)
    end = character_column(lines, last, node.end_col_offset or 0) - 1
    for line in range(first, last + 1):
        start, stop = (begin if line == first else 0), (end if line == last else len(lines[line - 1]))
        yield _Edit(line, start, stop, " " * (stop - start))


def _decided(node: ast.AST, checking: set[str]) -> Iterator[tuple[ast.expr, bool]]:
    """The conditions that hide something behind them, and True if nothing else stands on the rest of their line."""
    match node:
        case ast.If(test=test, body=[first, *_], orelse=orelse) | ast.While(test=test, body=[first, *_], orelse=orelse):
            if (orelse and isinstance(node, ast.If)) or not _holds(test, checking):
                yield from ((atom, first.lineno > test.lineno) for atom in _atoms(test, checking))
        case ast.IfExp(test=test):
            yield from ((atom, False) for atom in _atoms(test, checking))
        case ast.BoolOp(values=[*values, _]):
            atoms = (atom for value in values for atom in _atoms(value, checking))
            yield from ((atom, False) for atom in atoms if _is_truth(atom, checking))
        case _:
            pass
    for block in blocks(node):
        for statement, after in itertools.pairwise(block):
            # At the end of a block it hides nothing.
            if isinstance(statement, ast.Assert) and not _holds(statement.test, checking):
                alone = statement.msg is None and after.lineno > statement.lineno
                yield from ((atom, alone) for atom in _atoms(statement.test, checking))


def _atoms(test: ast.expr, checking: set[str]) -> Iterator[ast.expr]:
    """The parts of a condition that a checker decides by themselves."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _atoms(operand, checking)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _atoms(value, checking)
        case ast.Constant() | ast.Tuple(elts=[]):
            yield test
        case _ if last_name(test) in checking:
            yield test
        case _:
            pass


def _is_truth(atom: ast.expr, checking: set[str]) -> bool:
    return last_name(atom) in checking or (isinstance(atom, ast.Constant) and isinstance(atom.value, bool))


def _holds(test: ast.expr, checking: set[str]) -> bool:
    """True if a whole condition always holds for a checker."""
    return last_name(test) in checking or (isinstance(test, ast.Constant) and bool(test.value))


def _opaque(node: ast.expr, lines: list[str], alone: bool) -> Iterator[_Edit]:
    """Something in place of a condition that no checker can decide, of its length if anything follows on its line."""
    if node.lineno != node.end_lineno:
        return
    first = character_column(lines, node.lineno, node.col_offset) - 1
    last = character_column(lines, node.lineno, node.end_col_offset or 0) - 1
    length = last - first
    if length >= len(_SHORT_OPAQUE) or alone:
        text = _OPAQUE if length >= len(_OPAQUE) or length < len(_SHORT_OPAQUE) else _SHORT_OPAQUE
        yield _Edit(node.lineno, first, last, text.ljust(length))
