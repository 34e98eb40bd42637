"""Names the differences between the contents of two files; see `contents.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from harness.inside.scene.bulk import IN_ANY_ORDER, OF_A_MESH, NumberColumn, is_close, parts_of
from harness.inside.scene.contents import BlockReference, Values

NUMBER = re.compile(r"\.\d{3,}$")
MOST_BLOCKS = 200
MOST_PATHS = 8
PATH_LIMIT = 120

Key = tuple[str, str]
"""The collection of `bpy.data` and the name of a data block."""
Contents = dict[Key, Values]
Numbered = set[tuple[BlockReference, BlockReference]]
"""Data blocks that are there under another number only, each with its new name."""
Difference = dict[str, Any]


def differences(before: Contents, after: Contents, unread: set[Key]) -> list[Difference]:
    """The data blocks that are `gone` or differ, each with its `kind`, its `name`, and the `paths` that differ.

    A data block that was removed and made again under the next number is the same. Those that are `unread` in one of
    the files, perhaps under another number, are left out.
    """
    bases = {base_of(key) for key in unread}
    before = {key: values for key, values in before.items() if key in after or base_of(key) not in bases}
    names = renamed(before, {key: values for key, values in after.items() if key not in unread})
    numbered = {(BlockReference(*key), BlockReference(*new)) for key, new in names.items()}
    found: list[Difference] = []
    for key, values in before.items():
        other = after.get(names.get(key, key))
        if other is None:
            found.append({"kind": key[0], "name": key[1], "paths": [], "gone": True})
        elif paths := different(values, other, numbered):
            found.append({"kind": key[0], "name": key[1], "paths": paths, "gone": False})
    return found[:MOST_BLOCKS]


def renamed(before: Contents, after: Contents) -> dict[Key, Key]:
    """The new key of each data block that is there under another number only; each key is taken once."""
    free: dict[Key, list[Key]] = {}
    for key in after:
        if key not in before:
            free.setdefault(base_of(key), []).append(key)
    gone = [key for key in before if key not in after]
    return {key: free[base_of(key)].pop(0) for key in gone if free.get(base_of(key))}


def base_of(key: Key) -> Key:
    """A key without the number that Blender appends to a taken name."""
    return key[0], NUMBER.sub("", key[1])


def different(before: Values, after: Values, numbered: Numbered) -> list[str]:
    """The paths of the values that differ, the first of many."""
    digest = before.get(IN_ANY_ORDER)
    alike = digest is not None and digest == after.get(IN_ANY_ORDER)
    paths = (
        path
        for path in {**before, **after}
        if path != IN_ANY_ORDER
        and not (alike and path.startswith(OF_A_MESH))
        and not same(before.get(path), after.get(path), numbered)
    )
    return [path[:PATH_LIMIT] for _, path in zip(range(MOST_PATHS), paths, strict=False)]


def same(first: Any, second: Any, numbered: Numbered) -> bool:
    """True if two values are the same; numbers within their precision, and references to renamed blocks."""
    if isinstance(first, NumberColumn) and isinstance(second, NumberColumn):
        return first.digest == second.digest or (first.count == second.count and close(first.values, second.values))
    if isinstance(first, BlockReference) and isinstance(second, BlockReference):
        return first == second or (first, second) in numbered
    mine, theirs = parts_of(first), parts_of(second)
    if mine is not None and theirs is not None:
        return len(mine) == len(theirs) and all(same(*pair, numbered) for pair in zip(mine, theirs, strict=True))
    if isinstance(first, float) and isinstance(second, float):
        return is_close(first, second)
    return bool(first == second)


def close(first: Iterable[float] | None, second: Iterable[float] | None) -> bool:
    """True if all numbers are the same within their precision; False if they were too many to be kept."""
    if first is None or second is None:
        return False
    return all(is_close(*pair) for pair in zip(first, second, strict=True))
