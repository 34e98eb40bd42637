"""A remark of the policy check on one place in a snippet."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from app.checks.policy.forbidden import REASONS
from app.verdict.parse import character_column
from app.verdict.verdict import Finding, Severity


@dataclass(frozen=True)
class PolicyRemark:
    """`what` begins the message; the reason of the code continues it."""

    code: str
    what: str
    line: int
    byte_offset: int

    @classmethod
    def on(cls, node: ast.expr | ast.stmt, code: str, what: str) -> PolicyRemark:
        """A remark on the place where the node begins."""
        return cls(code, what, node.lineno, node.col_offset)

    def finding(self, severity: Severity, lines: list[str]) -> Finding:
        """The finding of this remark. `lines` are those of the snippet."""
        reason = REASONS[self.code]
        return Finding(
            check="policy",
            code=self.code,
            severity=severity,
            message=f"{self.what} {reason.why}.",
            line=self.line,
            column=character_column(lines, self.line, self.byte_offset),
            hint=reason.hint,
        )
