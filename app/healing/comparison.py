"""Compares the attempts of a healing: finds the best one so far, and the rules that improved no attempt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.healing.heal import better, repeats_better
from app.healing.rules import RULES
from app.healing.tried import HealingRecord
from app.healing.trouble import frames_of, repetition_of
from app.jobs.run import Attempt

GUESSES: Final = frozenset(rule.name for rule in RULES if rule.guess)
SURE: Final = frozenset(rule.name for rule in RULES if not rule.guess and not rule.repeat)
REPEAT: Final = frozenset(rule.name for rule in RULES if rule.repeat)


def best_attempt(attempts: Sequence[Attempt], tried: Sequence[HealingRecord] = ()) -> Attempt:
    """The first attempt, or the last of those after it that was better than all before."""
    rules = {record["attempt"]: record["rules"] for record in tried}
    best = attempts[0]
    for attempt in attempts[1:]:
        if is_better(attempt, best, rules.get(attempt.number, [])):
            best = attempt
    return best


def is_better(new: Attempt, old: Attempt, rules: Sequence[str]) -> bool:
    """True if the attempt that these rules made is better than another."""
    if new.verdict.passed and old.verdict.passed and REPEAT & set(rules):
        repetitions = repetition_of(new.report), repetition_of(old.report)
        return repeats_better(*repetitions, new.snippet, old.snippet, same_scene(new.report, old.report))
    frames = frames_of(new.report), frames_of(old.report)
    sure = bool(rules) and set(rules) <= SURE
    return better(new.verdict, old.verdict, new.snippet, old.snippet, *frames, sure)


def same_scene(new: dict[str, Any] | None, old: dict[str, Any] | None) -> bool:
    """True if two first executions left the same scene, apart from custom properties."""
    if new is None or old is None:
        return False
    new_scene, old_scene = (
        {
            **scene,
            "scene": {**scene["scene"], "settings": None},
            "objects": without(scene["objects"], "settings", "properties"),
            "materials": without(scene["materials"], "settings"),
        }
        for scene in (new["evidence"]["scene"], old["evidence"]["scene"])
    )
    return new_scene == old_scene


def rules_in_vain(attempts: Sequence[Attempt], tried: Sequence[HealingRecord]) -> set[str]:
    """The rules that improved no attempt."""
    by_number = {attempt.number: attempt for attempt in attempts}
    names: set[str] = set()
    for record in tried:
        made, base = by_number.get(record["attempt"]), by_number.get(record["base"])
        if made and base and not is_better(made, base, record["rules"]):
            guesses = GUESSES & set(record["rules"])
            names |= guesses or set(record["rules"])
    return names


def without(described: dict[str, dict[str, Any]], *parts: str) -> dict[str, dict[str, Any]]:
    """The descriptions by name, with None for these parts, which cover custom properties."""
    return {name: {**facts, **dict.fromkeys(parts)} for name, facts in described.items()}
