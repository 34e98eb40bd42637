"""The course of a healing over several attempts: which attempt is the best so far, and what to try next.

A sure repair is kept if the verdict is no worse, any other one only if the verdict is better. What is not kept is taken
back and not tried again: its guesses first, because its other rules may have been right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.healing.comparison import REPEAT, best_attempt, rejected
from app.healing.heal import HealedSnippet, Repair, heal_by_rules
from app.healing.modules import heal_modules, modules_of
from app.healing.tried import HealingRecord
from app.healing.trouble import repetition_of
from app.runs.run import Attempt
from ingest.manifest import Manifest

_TAKEN_BACK: Final = "taken back"


def best_number(attempts: Sequence[Attempt], tried: Sequence[HealingRecord]) -> int:
    """The number of the best attempt."""
    return best_attempt(attempts, tried).number


def next_repair(
    attempts: Sequence[Attempt],
    tried: Sequence[HealingRecord],
    manifest: Manifest,
    brought: Sequence[tuple[str, bytes]] = (),
) -> HealedSnippet | None:
    """The next repair of the best attempt and of the modules that were brought with it; None if every rule that applies
    has been tried in vain.
    """
    best = best_attempt(attempts, tried)
    without = rejected(attempts, tried)
    exception = best.report["claims"]["exception"] if best.report else None
    repetition = repetition_of(best.report)
    healed = heal_by_rules(best.snippet, best.verdict, manifest, exception, without, attempts[0].snippet, repetition)
    alone = REPEAT & set(healed.rules if healed else ())
    modules = {} if alone else modules_of(brought, best.files)
    healed = _with_modules(healed, best, heal_modules(modules, best.verdict, manifest, exception, without))
    # Trying a snippet twice would go round in a circle.
    known = [(attempt.snippet, attempt.files) for attempt in attempts]
    return healed if healed and (healed.snippet, healed.files) not in known else None


def _with_modules(
    healed: HealedSnippet | None, best: Attempt, modules: Mapping[str, HealedSnippet]
) -> HealedSnippet | None:
    """The healed snippet, or the one of the best attempt, with the healed modules."""
    files = {**best.files, **{name: one.snippet for name, one in modules.items()}}
    repairs = [replace(repair, file=name) for name, one in modules.items() for repair in one.repairs]
    if healed is None and not repairs:
        return None
    snippet, own = (healed.snippet, healed.repairs) if healed else (best.snippet, [])
    return HealedSnippet(snippet, [*own, *repairs], files)


def notes_on(
    best: Attempt, attempts: Sequence[Attempt], tried: Sequence[HealingRecord], repairs: Sequence[Repair] = ()
) -> list[str]:
    """The notes of an attempt that starts from the best one: all repairs since the first attempt, and why the attempts
    after the best one were taken back.
    """
    kept = [note for note in best.notes if not note.startswith(_TAKEN_BACK)] if best is not attempts[0] else []
    return [*_taken_back(best, tried), *kept, *(repair.note() for repair in repairs)]


def _taken_back(best: Attempt, tried: Sequence[HealingRecord]) -> list[str]:
    later = [one for one in tried if one["attempt"] > best.number]
    return [
        f"{_TAKEN_BACK}: attempt {one['attempt']} was no better than attempt {one['base']} ({', '.join(one['rules'])})"
        for one in later
    ]
