"""Compares two descriptions of a scene (see `harness.inside.scene.describe`), and two inventories."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

Description = dict[str, Any]

GROUPS: Final = ("objects", "materials", "collections")
"""Parts of a description that are named things."""

SHOWN: Final = 8
"""Names listed per kind."""


def compare(before: Description, after: Description) -> dict[str, Any]:
    """Names of the added, removed and changed things; a changed thing maps to the facts that changed."""
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


def made_by_repeat(holds: Description) -> list[dict[str, Any]]:
    """The additions of a second execution to the result of the first, by name; empty if the snippet can run again.

    `holds` are the inventories of start, after and again. Each row has `kind` (such as `meshes`), `of` (such as
    `object "Cube"`, null for data blocks), `count`, and the beginning of two lists, in their own order: `names` that
    the second execution added, and those that the `first` one added.
    """
    start, after, again = holds["start"], holds["after"], holds["again"]
    rows: list[dict[str, Any]] = []
    for kind, names in again["blocks"].items():
        rows.append(row(kind, None, start["blocks"].get(kind, []), after["blocks"].get(kind, []), names))
    # A new thing of the second execution stands for all that is in it.
    for owner in again["parts"].keys() & after["parts"].keys():
        then, before = start["parts"].get(owner, {}), after["parts"][owner]
        for kind, names in again["parts"][owner].items():
            rows.append(row(kind, owner, then.get(kind, []), before.get(kind, []), names))
    return sorted((row for row in rows if row["count"] > 0), key=lambda row: (row["of"] or "", row["kind"]))


def row(kind: str, owner: str | None, start: list[str], after: list[str], again: list[str]) -> dict[str, Any]:
    """One row of `made_by_repeat`."""
    added = {"first": Counter(after) - Counter(start), "names": Counter(again) - Counter(after)}
    told = {name: list(found.elements())[:SHOWN] for name, found in added.items()}
    return {"kind": kind, "of": owner, "count": len(again) - len(after), **told}


def added_by_repeat(made: list[dict[str, Any]]) -> list[str]:
    """The rows of `made_by_repeat` in words."""
    said: list[str] = []
    for added in made:
        names, more = ", ".join(f'"{name}"' for name in added["names"]), added["count"] - len(added["names"])
        on = f" on {added['of']}" if added["of"] else ""
        said.append(f"{added['kind']} {names}{f' and {more} more' if more > 0 else ''}{on}")
    return said


def changed_by_repeat(differences: list[dict[str, Any]]) -> list[str]:
    """Sentences on the data blocks that a second execution changed or removed, from the witness's `differences`."""
    told: list[str] = []
    for block in differences:
        kind = "mesh" if block["kind"] == "meshes" else block["kind"].removesuffix("s").replace("_", " ")
        how = "is gone" if block["gone"] else f"changed ({', '.join(block['paths'])})"
        told.append(f'{kind} "{block["name"]}" {how}')
    return told
