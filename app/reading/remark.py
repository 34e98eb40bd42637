"""A remark of the API check on one place in a snippet."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from app.verdict.parse import character_column
from app.verdict.verdict import Finding, Severity


@dataclass(frozen=True)
class SourcePlace:
    """A place in the units of `ast`: line from 1, offset in UTF-8 bytes from 0."""

    line: int
    byte_offset: int


def start_of(node: ast.expr | ast.stmt | ast.keyword) -> SourcePlace:
    """The beginning of the node."""
    return SourcePlace(node.lineno, node.col_offset)


def name_in(node: ast.Attribute) -> SourcePlace:
    """The beginning of the name after the last dot."""
    line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return SourcePlace(line, max(end - len(node.attr.encode(errors="replace")), 0))


@dataclass(frozen=True)
class Fault:
    """A wrong name or value, independent of its place."""

    code: str
    message: str
    hint: str | None = None
    symbol: str | None = None

    def likely(self) -> Fault:
        """The same fault if it is uncertain: the code gets the prefix `likely-`, with which no rule blocks."""
        return Fault(f"likely-{self.code.removeprefix('likely-')}", self.message, self.hint, self.symbol)


@dataclass(frozen=True)
class Remark:
    """A fault in its place."""

    fault: Fault
    place: SourcePlace

    def finding(self, severity: Severity, lines: list[str]) -> Finding:
        """The finding of this remark. `lines` are those of the snippet."""
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
