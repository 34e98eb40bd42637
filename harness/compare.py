"""What differs between two descriptions of a scene (see `harness.inside.describe`)."""

from __future__ import annotations

import re
from typing import Any, Final

Description = dict[str, Any]

GROUPS: Final = ("objects", "materials", "collections")
"""Parts of a description that are named things."""

NUMBER: Final = re.compile(r"\.\d{3}$")

LISTS: Final = ("modifiers", "constraints", "materials")
"""Lists of an object that a snippet adds to."""


def compare(before: Description, after: Description) -> dict[str, Any]:
    """What was added, removed and changed, as names; a changed thing maps to the facts that changed."""
    return {
        "added": {group: sorted(after[group].keys() - before[group].keys()) for group in GROUPS},
        "removed": {group: sorted(before[group].keys() - after[group].keys()) for group in GROUPS},
        "changed": {
            **{group: changed_members(before[group], after[group]) for group in GROUPS},
            "scene": changed_facts(before["scene"], after["scene"]),
        },
        "counts": {
            kind: count - before["counts"].get(kind, 0)
            for kind, count in after["counts"].items()
            if count != before["counts"].get(kind, 0)
        },
    }


def changed_members(before: Description, after: Description) -> dict[str, list[str]]:
    return {
        name: changed_facts(before[name], after[name])
        for name in sorted(before.keys() & after.keys())
        if before[name] != after[name]
    }


def changed_facts(before: Description | list[str], after: Description | list[str]) -> list[str]:
    if isinstance(before, list) or isinstance(after, list):
        return ["members"]
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def added_by_repeat(after: Description, again: Description) -> list[str]:
    """Sentences on what a second execution added; empty for a snippet that can be run again."""
    changes = compare(after, again)
    said = [f"{count} more of {kind}" for kind, count in sorted(changes["counts"].items()) if count > 0]
    for name in changes["changed"]["objects"]:
        for what in LISTS:
            more = len(again["objects"][name][what]) - len(after["objects"][name][what])
            if more > 0:
                said.append(f'{more} more of {what} on object "{name}"')
    return said


def changed_by_repeat(after: Description, again: Description) -> list[str]:
    """Sentences on what a second execution changed or removed, beyond what it added."""
    changes = compare(after, again)
    said = [f'{group[:-1]} "{name}" is gone' for group in GROUPS for name in changes["removed"][group]]
    for group in GROUPS:
        for name, facts in changes["changed"][group].items():
            if facts == ["data"] and same_but_number(after[group][name]["data"], again[group][name]["data"]):
                continue
            said.append(f'{group[:-1]} "{name}" changed ({", ".join(facts)})')
    if changes["changed"]["scene"]:
        said.append(f"the scene changed ({', '.join(changes['changed']['scene'])})")
    return said


def same_but_number(one: str | None, other: str | None) -> bool:
    """Whether two names differ only in the number that Blender appends to a name that is taken."""
    return one is not None and other is not None and NUMBER.sub("", one) == NUMBER.sub("", other)
