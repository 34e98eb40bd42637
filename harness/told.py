"""Bounds what a report tells of a scene: all of it is examined and compared, and as much is told as is of use.

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
"""Size of a scene of which all is told."""
NAMES_BYTES: Final = 24 << 10
"""Room for one list of names or sentences."""
ENTRIES_BYTES: Final = 64 << 10
"""Room for one mapping by name."""

Facts = dict[str, Any]


def told_scene(scene: Facts, changes: Facts) -> Facts:
    """The scene with what fits: first what the snippet made or changed, what is not sound, and what is active or
    selected; of many that are called alike the first ones.

    `objects_untold` counts the objects that were examined like the others.
    """
    if size(scene) <= SMALL_BYTES:
        return {**scene, "objects_untold": 0}
    told = dict(scene)
    facts = scene["scene"]
    meant = {facts["active_object"], facts["camera"], *facts["selected"]}
    for part, room in PART_BYTES.items():
        ours = {*changes["added"][part], *changes["changed"][part]}
        entries: Facts = scene[part]
        place = places_among_alike(entries)
        first = sorted(
            entries, key=lambda name: (name not in ours, is_sound(entries[name]), name not in meant, place[name], name)
        )
        told[part] = fitting({name: bounded(entries[name]) for name in first}, room)
    told["objects_untold"] = len(scene["objects"]) - len(told["objects"])
    return {**told, "scene": bounded(scene["scene"])}


def places_among_alike(names: Iterable[str]) -> dict[str, int]:
    """For each name, how many come before it that differ in their numbers alone."""
    seen: Counter[str] = Counter()
    places: dict[str, int] = {}
    for name in names:
        kind = NUMBER.sub("", name)
        places[name] = seen[kind]
        seen[kind] += 1
    return places


def is_sound(facts: Any) -> bool:
    """Whether nothing of an object asks for a finding."""
    if not isinstance(facts, dict):
        return True
    known = cast("Facts", facts)
    return known.get("finite", True) and not known.get("in_viewport") and known.get("vertices") != 0


def bounded(value: Any) -> Any:
    """The same with no list or mapping that is longer than what is told of one; what is left out is at their end."""
    if isinstance(value, list):
        return fitting_list([bounded(one) for one in items(value)], NAMES_BYTES)
    if isinstance(value, dict):
        facts = cast("Facts", value)
        return fitting({name: bounded(one) for name, one in facts.items()}, ENTRIES_BYTES)
    return value


def fitting(entries: Facts, room: int) -> Facts:
    """The first entries that fit into so many bytes of JSON."""
    kept: Facts = {}
    for name, value in entries.items():
        room -= size(name) + size(value)
        if room < 0:
            break
        kept[name] = value
    return kept


def fitting_list(values: list[Any], room: int) -> list[Any]:
    """The first values that fit into so many bytes of JSON."""
    kept = 0
    for value in values:
        room -= size(value)
        if room < 0:
            break
        kept += 1
    return values[:kept]


def size(value: Any) -> int:
    return len(json.dumps(value)) + 2


def told_changes(changes: Facts) -> Facts:
    """The changes with the first names of each list; `left_out` counts the others, if there are any."""
    told = bounded(changes)
    more = names_in(changes) - names_in(told)
    return {**told, "left_out": more} if more else told


def names_in(changes: Facts) -> int:
    groups: Iterable[Any] = [*changes["added"].values(), *changes["removed"].values(), *changes["changed"].values()]
    return sum(len(group) for group in groups)
