"""Finds the lines that a type checker does not read, because it takes them for code that is never reached."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.checks.executed import READS_CODE, code_in
from app.checks.types.unsilenced import unsilenced_text
from app.verdict.coping import TOO_DEEP
from app.verdict.verdict import Finding, Severity
from python.flow import blocks, breaks
from python.identifiers import dotted
from python.parsing import parse_python

UNREAD: Final = "unread"
SHOWN: Final = 5
PLATFORM: Final = "linux"
ENDS: Final = frozenset({"sys.exit", "exit", "quit", "os._exit", "os.abort"})
COMPARED: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.GtE: operator.ge, ast.Gt: operator.gt, ast.LtE: operator.le, ast.Lt: operator.lt,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


@dataclass(frozen=True, order=True)
class Unread:
    """Lines that no checker reads; `elsewhere` if they may run on another system or another Python."""

    first: int
    last: int
    elsewhere: bool


def check_unread(snippet: str, python_version: str = "3.11") -> list[Finding]:
    """A finding that names the lines that are never reached, and a note on those for other systems and Pythons."""
    text = unsilenced_text(snippet)
    parts = unread_lines(text, python_version)
    never = [part for part in parts if not part.elsewhere]
    elsewhere = [part for part in parts if part.elsewhere]
    hint = "Remove what is never reached, or the condition that keeps it from being reached."
    return [
        *_finding(never, Severity.WARNING, "are never reached", hint),
        *_finding(elsewhere, Severity.INFO, "are for another system or another Python", None),
        *_finding(executed_texts(text), Severity.WARNING, "stand in a text that is executed", "Write the code out."),
    ]


def _finding(parts: list[Unread], severity: Severity, why: str, hint: str | None) -> Iterator[Finding]:
    if parts:
        places = [str(part.first) if part.first == part.last else f"{part.first} to {part.last}" for part in parts]
        more = f" and {len(places) - SHOWN} more places" if len(places) > SHOWN else ""
        count = sum(part.last - part.first + 1 for part in parts)
        said = f"The type checkers say nothing about {count} lines, which {why}: {', '.join(places[:SHOWN])}{more}."
        yield Finding(check="types", code=UNREAD, severity=severity, message=said, line=parts[0].first, hint=hint)


def unread_lines(snippet: str, python_version: str = "3.11") -> list[Unread]:
    """The parts that no checker reads, in order and apart from each other."""
    try:
        tree = parse_python(snippet)
    except (SyntaxError, ValueError, *TOO_DEEP):
        return []
    version = tuple(int(part) for part in python_version.split("."))
    parts = [
        Unread(unread[0].lineno, unread[-1].end_lineno or unread[-1].lineno, elsewhere)
        for node in ast.walk(tree)
        for unread, elsewhere in [*((block, False) for block in _dead(node)), *_never_taken(node, version)]
        if any(not isinstance(statement, ast.Pass) for statement in unread)
    ]
    return list(_apart(sorted(parts)))


def executed_texts(snippet: str) -> list[Unread]:
    """The texts that `exec`, `eval` and `compile` get, if they do more than compute."""
    try:
        calls = [node for node in ast.walk(parse_python(snippet)) if isinstance(node, ast.Call) and node.args]
        return [
            Unread(text.lineno, text.end_lineno or text.lineno, False)
            for text in (call.args[0] for call in calls if _reads_code(dotted(call.func)))
            if _acts(code_in(text) or "")
        ]
    except (SyntaxError, ValueError, *TOO_DEEP):
        return []


def _reads_code(function: str) -> bool:
    return function in READS_CODE or f"builtins.{function}" in READS_CODE


def _acts(code: str) -> bool:
    """True if code calls, imports or assigns anything."""
    try:
        parts = ast.walk(parse_python(code))
    except (SyntaxError, ValueError, *TOO_DEEP):
        return False
    return any(isinstance(part, ast.Call | ast.stmt) and not isinstance(part, ast.Expr) for part in parts)


def _apart(parts: Iterable[Unread]) -> Iterator[Unread]:
    """The parts without those that lie in another."""
    covered = 0
    for part in parts:
        if part.last > covered:
            yield Unread(max(part.first, covered + 1), part.last, part.elsewhere)
            covered = part.last


def _dead(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The statements in a block after one that never goes on."""
    for block in blocks(node):
        end = next((place for place, statement in enumerate(block, 1) if _ends(statement)), len(block))
        yield block[end:]


def _ends(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.Expr(value=ast.Call(func=function)):
            return dotted(function) in ENDS
        case ast.While(test=ast.Constant(value=value)):
            return bool(value) and not any(map(breaks, statement.body))
        case ast.If(body=[*_, last], orelse=[*_, otherwise]):
            return _ends(last) and _ends(otherwise)
        case _:
            return False


def _never_taken(node: ast.AST, version: tuple[int, ...]) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The branch that a condition keeps from being run, and True if another system or Python takes it."""
    if isinstance(node, ast.If | ast.While):
        holds = _holds(node.test, version)
        if holds is not None and not (holds and isinstance(node, ast.While)):
            elsewhere = any(isinstance(part, ast.Attribute) for part in ast.walk(node.test))
            yield (node.orelse if holds else node.body), elsewhere


def _holds(test: ast.expr, version: tuple[int, ...]) -> bool | None:
    """True if a condition holds for a checker that knows the version of Python and the system; None for others."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _holds(operand, version)
            return None if inner is None else not inner
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=str(system))]):
            compare = COMPARED.get(type(op))
            return compare(PLATFORM, system) if compare and dotted(left) == "sys.platform" else None
        case ast.Compare(left=left, ops=[op], comparators=[ast.Tuple(elts=parts)]):
            compare, wanted = COMPARED.get(type(op)), [part.value for part in parts if isinstance(part, ast.Constant)]
            if (
                compare is None
                or dotted(left) != "sys.version_info"
                or not all(isinstance(number, int) for number in wanted)
            ):
                return None
            return compare(version[: len(wanted)], tuple(wanted))
        case _:
            return None
