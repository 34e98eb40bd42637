"""Repairs a snippet without a model: each rule looks at the snippet and its verdict and repairs what it knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.checks.verdict import Verdict
from app.healing.rules.missing_import import add_missing_imports


@dataclass(frozen=True)
class Repair:
    """A repaired snippet and a reason for each thing that was done."""

    snippet: str
    reasons: list[str]


Rule = Callable[[str, Verdict], tuple[str, list[str]]]
"""Takes a snippet and its verdict; answers the repaired snippet and the reasons, none where it does not apply."""

RULES: Final[tuple[Rule, ...]] = (add_missing_imports,)


def heal_by_rules(snippet: str, verdict: Verdict) -> Repair | None:
    """Apply every rule in turn; None when none applies."""
    reasons: list[str] = []
    for rule in RULES:
        snippet, why = rule(snippet, verdict)
        reasons += why
    return Repair(snippet, reasons) if reasons else None
