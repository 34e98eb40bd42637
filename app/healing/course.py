"""The course of a healing over several attempts: which attempt is the best so far, and what to try next.

A sure repair is kept if the verdict is no worse, any other one only if the verdict is better. What is not kept is taken
back and not tried again: its guesses first, because its other rules may have been right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from app.healing.heal import HealedSnippet, Repair, better, heal_by_rules, repeats_better
from app.healing.modules import heal_modules, modules_of
from app.healing.rules import RULES
from app.healing.tried import HealingRecord
from app.healing.trouble import frames_of, repetition_of
from app.runs.run import Attempt
from ingest.manifest import Manifest

_TAKEN_BACK: Final = "taken back"
_GUESSES: Final = frozenset(rule.name for rule in RULES if rule.guess)
SURE: Final = frozenset(rule.name for rule in RULES if not rule.guess and not rule.repeat)
_REPEAT: Final = frozenset(rule.name for rule in RULES if rule.repeat)


def best_attempt(attempts: Sequence[Attempt], tried: Sequence[HealingRecord] = ()) -> Attempt:
    """The first attempt, or the last of those after it that was better than all before."""
    rules = {one["attempt"]: one["rules"] for one in tried}
    best = attempts[0]
    for attempt in attempts[1:]:
        if _is_better(attempt, best, rules.get(attempt.number, [])):
            best = attempt
    return best


def best_number(attempts: Sequence[Attempt], tried: Sequence[HealingRecord]) -> int:
    """The number of the best attempt."""
    return best_attempt(attempts, tried).number


def _is_better(new: Attempt, old: Attempt, rules: Sequence[str]) -> bool:
    """Whether the attempt that these rules made is better than another."""
    if new.verdict.passed and old.verdict.passed and _REPEAT & set(rules):
        repetitions = repetition_of(new.report), repetition_of(old.report)
        return repeats_better(*repetitions, new.snippet, old.snippet, _same_scene(new.report, old.report))
    frames = frames_of(new.report), frames_of(old.report)
    sure = bool(rules) and set(rules) <= SURE
    return better(new.verdict, old.verdict, new.snippet, old.snippet, *frames, sure)


def _same_scene(new: dict[str, Any] | None, old: dict[str, Any] | None) -> bool:
    """Whether two first executions left the same scene, apart from custom properties."""
    if new is None or old is None:
        return False
    one, other = (
        {
            **scene,
            "scene": {**scene["scene"], "settings": None},
            "objects": without(scene["objects"], "settings", "properties"),
            "materials": without(scene["materials"], "settings"),
        }
        for scene in (new["evidence"]["scene"], old["evidence"]["scene"])
    )
    return one == other


def without(described: dict[str, dict[str, Any]], *parts: str) -> dict[str, dict[str, Any]]:
    """What is described by name, with nothing in these parts, which cover custom properties."""
    return {name: {**facts, **dict.fromkeys(parts)} for name, facts in described.items()}


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
    alone = _REPEAT & set(healed.rules if healed else ())
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


def rejected(attempts: Sequence[Attempt], tried: Sequence[HealingRecord]) -> set[str]:
    """The rules that improved no attempt."""
    by_number = {attempt.number: attempt for attempt in attempts}
    names: set[str] = set()
    for one in tried:
        made, base = by_number.get(one["attempt"]), by_number.get(one["base"])
        if made and base and not _is_better(made, base, one["rules"]):
            guesses = _GUESSES & set(one["rules"])
            names |= guesses or set(one["rules"])
    return names


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
