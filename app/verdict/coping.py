"""The finding of a judge on a snippet that it cannot follow to its end, so that the run goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.verdict.verdict import Finding, Severity

TOO_DEEP: Final = (RecursionError, MemoryError)
"""The errors of Python if it is to follow a tree that nests deeper than its stack."""


def coping(check: str, judge: Callable[[], list[Finding]], severity: Severity = Severity.WARNING) -> list[Finding]:
    """The findings of a judge; if the snippet nests deeper than it can follow, one finding that says so."""
    try:
        return judge()
    except TOO_DEEP:
        return [does_not_cope(check, severity)]


def does_not_cope(check: str, severity: Severity = Severity.WARNING) -> Finding:
    """The finding on a snippet that a judge could not read to its end."""
    return Finding(
        check=check,
        code="does-not-cope",
        severity=severity,
        message=f"The check `{check}` does not cope with this snippet: it nests deeper than can be followed.",
        hint="Build the value step by step, in a loop or from a list, instead of in one nested expression.",
    )
