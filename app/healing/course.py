"""The course of a healing over several attempts: the best attempt so far, and the next rules to try.

The effect of a sure rule is kept if the verdict is no worse, that of any other rule only if the verdict is better. All
else is taken back and not tried again: the guesses first, because the other rules may have been right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.healing.comparison import REPEAT, best_attempt, rules_in_vain
from app.healing.heal import HealedFault, HealedSnippet, heal_by_rules
from app.healing.modules import heal_modules, modules_of
from app.healing.tried import HealingRecord
from app.healing.trouble import repetition_of
from app.jobs.run import Attempt
from ingest.manifest import Manifest

_TAKEN_BACK: Final = "taken back"


def best_number(attempts: Sequence[Attempt], tried: Sequence[HealingRecord]) -> int:
    """The number of the best attempt."""
    return best_attempt(attempts, tried).number


def next_healing(
    attempts: Sequence[Attempt],
    tried: Sequence[HealingRecord],
    manifest: Manifest,
    brought: Sequence[tuple[str, bytes]] = (),
    left_out: Collection[str] = (),
) -> HealedSnippet | None:
    """The best attempt, healed once more, with the modules that were brought with it; some rules may be left out.

    None if every rule that applies was tried in vain.
    """
    best = best_attempt(attempts, tried)
    without = {*rules_in_vain(attempts, tried), *left_out}
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
    """The healed snippet, otherwise that of the best attempt, with the healed modules."""
    files = {**best.files, **{name: module.snippet for name, module in modules.items()}}
    faults = [replace(fault, file=name) for name, module in modules.items() for fault in module.faults]
    if healed is None and not faults:
        return None
    snippet, own = (healed.snippet, healed.faults) if healed else (best.snippet, [])
    return HealedSnippet(snippet, [*own, *faults], files)


def notes_on(
    best: Attempt, attempts: Sequence[Attempt], tried: Sequence[HealingRecord], faults: Sequence[HealedFault] = ()
) -> list[str]:
    """The notes of an attempt that starts from the best one: all faults healed since the first attempt, and the
    attempts after the best one that were taken back, with the reason.
    """
    kept = [note for note in best.notes if not note.startswith(_TAKEN_BACK)] if best is not attempts[0] else []
    return [*_notes_on_later(best, tried), *kept, *(fault.note() for fault in faults)]


def _notes_on_later(best: Attempt, tried: Sequence[HealingRecord]) -> list[str]:
    later = [record for record in tried if record["attempt"] > best.number]
    return [
        f"{_TAKEN_BACK}: attempt {record['attempt']} was no better than attempt {record['base']} "
        f"({', '.join(record['rules'])})"
        for record in later
    ]
