"""Bounds a report on a scene: all of it is examined and compared, and a useful part is reported.

A few lines make ten thousand objects, and a report is answered, written and kept several times.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from harness.claims import items

PART_BYTES: Final[Mapping[str, int]] = {"objects": 384 << 10, "materials": 64 << 10, "collections": 32 << 10}
"""Room for each part of a scene, as JSON."""
NUMBER: Final = re.compile(r"\d+")
SMALL_BYTES: Final = 256 << 10
"""Size of a scene that is reported whole."""
NAMES_BYTES: Final = 24 << 10
"""Room for one list of names or sentences."""
ENTRIES_BYTES: Final = 64 << 10
"""Room for one mapping by name."""

Facts = dict[str, Any]


def scene_report(scene: Facts, changes: Facts) -> Facts:
    """The part of the scene that fits: first objects that the snippet made or changed, unsound ones, and those that are
    active or selected; of many same-named objects the first ones.

    `objects_untold` counts the objects that were examined like the others.
    """
    if size(scene) <= SMALL_BYTES:
        return {**scene, "objects_untold": 0}
    report = dict(scene)
    facts = scene["scene"]
    meant = {facts["active_object"], facts["camera"], *facts["selected"]}
    for part, room in PART_BYTES.items():
        ours = {*changes["added"][part], *changes["changed"][part]}
        entries: Facts = scene[part]
        place = places_among_alike(entries)
        first = sorted(
            entries, key=lambda name: (name not in ours, is_sound(entries[name]), name not in meant, place[name], name)
        )
        report[part] = fitting(((name, bounded(entries[name])) for name in first), room)
    report["objects_untold"] = len(scene["objects"]) - len(report["objects"])
    return {**report, "scene": bounded(scene["scene"])}


def places_among_alike(names: Iterable[str]) -> dict[str, int]:
    """For each name, the number of earlier names that differ from it in their digits alone."""
    seen: Counter[str] = Counter()
    places: dict[str, int] = {}
    for name in names:
        kind = NUMBER.sub("", name)
        places[name] = seen[kind]
        seen[kind] += 1
    return places


def is_sound(facts: Any) -> bool:
    """True if nothing of an object asks for a finding."""
    if not isinstance(facts, dict):
        return True
    known = cast("Facts", facts)
    return known.get("finite", True) and not known.get("in_viewport") and known.get("vertices") != 0


def bounded(value: Any) -> Any:
    """The same without lists or mappings that are longer than a report has room for; their ends count the rest."""
    if isinstance(value, list):
        return fitting_list(map(bounded, items(value)), NAMES_BYTES)
    if isinstance(value, dict):
        facts = cast("Facts", value)
        return fitting(((name, bounded(fact)) for name, fact in facts.items()), ENTRIES_BYTES)
    return value


def fitting(entries: Iterable[tuple[str, Any]], room: int) -> Facts:
    """The first entries that fit into `room` bytes of JSON; no more are asked for than one beyond."""
    kept: Facts = {}
    for name, value in entries:
        room -= size(name) + size(value)
        if room < 0:
            break
        kept[name] = value
    return kept


def fitting_list(values: Iterable[Any], room: int) -> list[Any]:
    """The first values that fit into `room` bytes of JSON."""
    kept: list[Any] = []
    for value in values:
        room -= size(value)
        if room < 0:
            break
        kept.append(value)
    return kept


def size(value: Any) -> int:
    return len(json.dumps(value)) + 2


def changes_report(changes: Facts) -> Facts:
    """The changes with the first names of each list; `left_out` counts the others, if there are any."""
    told = bounded(changes)
    more = names_in(changes) - names_in(told)
    return {**told, "left_out": more} if more else told


def names_in(changes: Facts) -> int:
    groups: Iterable[Any] = [*changes["added"].values(), *changes["removed"].values(), *changes["changed"].values()]
    return sum(len(group) for group in groups)
