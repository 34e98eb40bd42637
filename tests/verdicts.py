"""Verdicts for tests: of an attempt that passed, and of one that one stage refused."""

from __future__ import annotations

from app.verdict.verdict import STAGES, Finding, Severity, StageName, Verdict, judged, make_verdict


def failing(
    stage: StageName, count: int = 1, line: int | None = None, message: str = "it failed", code: str = "raised"
) -> Verdict:
    """A verdict in which one stage fails."""
    one = Finding(check=stage, code=code, severity=Severity.ERROR, message=message, line=line)
    return make_verdict([judged(name, [one] * count if name == stage else []) for name in STAGES], {})


PASSED = make_verdict([judged(name, []) for name in STAGES], {})
