"""The changes that the sure rules would make in a snippet that was only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.healing.heal import UNASKED, HealedFault, heal_by_rules
from app.healing.rules import RULES
from app.verdict.verdict import STAGES, Stage, make_verdict, skipped
from ingest.manifest import Manifest

UNSURE: Final = frozenset({*UNASKED, *(rule.name for rule in RULES if rule.guess or rule.repeat)})
"""Rules that guess, need an execution, or change what no finding is about."""
NOT_EXECUTED: Final = "a check executes nothing"


def fixes_of(snippet: str, stages: Sequence[Stage], manifest: Manifest) -> tuple[str | None, list[HealedFault]]:
    """The snippet as the sure rules heal it, and what they healed; for a reader."""
    known = {stage.name for stage in stages}
    rest = [skipped(name, NOT_EXECUTED) for name in STAGES if name not in known]
    healed = heal_by_rules(snippet, make_verdict([*stages, *rest], {}), manifest, without=UNSURE)
    return (healed.snippet, healed.faults) if healed else (None, [])
