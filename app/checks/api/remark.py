"""One place in a snippet that the API check speaks of."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from app.checks.parse import character_column
from app.checks.verdict import Finding, Severity


@dataclass(frozen=True)
class Place:
    """A place as `ast` counts: line from 1, offset in UTF-8 bytes from 0."""

    line: int
    byte_offset: int


def start_of(node: ast.expr | ast.stmt | ast.keyword) -> Place:
    """Where the node begins."""
    return Place(node.lineno, node.col_offset)


def name_in(node: ast.Attribute) -> Place:
    """Where the name behind the last dot begins."""
    line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Place(line, max(end - len(node.attr.encode(errors="replace")), 0))


@dataclass(frozen=True)
class Fault:
    """What is wrong with a name or a value, wherever it stands."""

    code: str
    message: str
    hint: str | None = None
    symbol: str | None = None

    def likely(self) -> Fault:
        """The same where it is not certain: `likely-` before the code, which no rule lets block."""
        return Fault(f"likely-{self.code.removeprefix('likely-')}", self.message, self.hint, self.symbol)


@dataclass(frozen=True)
class Remark:
    """A fault in its place."""

    fault: Fault
    place: Place

    def finding(self, severity: Severity, lines: list[str]) -> Finding:
        """The remark in full. `lines` are those of the snippet."""
        return Finding(
            check="api",
            code=self.fault.code,
            severity=severity,
            message=self.fault.message,
            line=self.place.line,
            column=character_column(lines, self.place.line, self.place.byte_offset),
            hint=self.fault.hint,
            symbol=self.fault.symbol,
        )
