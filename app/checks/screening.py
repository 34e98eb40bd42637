"""Screens a snippet in a reader: its syntax, and the policy of it and of the code that came with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.checks.policy import check_policy
from app.verdict.parse import read_snippet
from app.verdict.rules import Rules
from app.verdict.verdict import Author, Finding, Severity


@dataclass(frozen=True)
class Screening:
    """The findings of both checks; none of policy if the snippet does not parse."""

    parse: list[Finding]
    policy: list[Finding]


def screen_text(snippet: str, accompanying: Sequence[tuple[str, str]], author: Author, rules: Rules) -> Screening:
    """Screen a snippet, and the policy of the code that the caller sent with it: pairs of its place and its text."""

    def weighed_for(by: Author) -> Callable[[str], Severity | None]:
        return lambda code: rules.severity("policy", code, by)

    read = read_snippet(snippet)
    if isinstance(read, Finding):
        return Screening([read], [])
    findings = check_policy(snippet, weighed_for(author), read)
    for place, code in accompanying:
        findings += [_placed_in(place, finding) for finding in check_policy(code, weighed_for("caller"))]
    return Screening([], findings)


def too_much(why: str) -> Screening:
    """The screening of a snippet that no reader can read, and why."""
    hint = "Nest less deeply: above all `finally` and `with` blocks, which Python compiles several times. Send less."
    message = f"This snippet is too much to be read: {why}."
    wrong = Finding(check="parse", code="too-much", severity=Severity.ERROR, message=message, hint=hint)
    return Screening([wrong], [])


def _placed_in(place: str, finding: Finding) -> Finding:
    """A finding on code that came with the snippet, marked so that it is not read as one on the snippet."""
    where = f"in line {finding.line} of {place}: " if finding.line else f"in {place}: "
    return finding.model_copy(update={"message": where + finding.message, "line": None, "column": None})
