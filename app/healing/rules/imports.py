"""Modules: well-known names that are used but never imported, and modules that are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

IMPORTS: Final = {
    **{name: f"import {name}" for name in ("bpy", "bmesh", "math", "mathutils", "random", "os", "sys", "json")},
    **{name: f"from mathutils import {name}" for name in ("Color", "Euler", "Matrix", "Quaternion", "Vector")},
    "Path": "from pathlib import Path",
}
"""Names with only one meaning in a Blender script, with the statement that imports them."""

UNDEFINED: Final = re.compile(r"[Uu]ndefined name `(\w+)`|name '(\w+)' is not defined")


def missing_imports(sight: Sight) -> Iterator[TreeEdit]:
    said = [match.group(1) or match.group(2) for message in sight.said for match in UNDEFINED.finditer(message)]
    for name in dict.fromkeys(said):
        source = IMPORTS.get(name)
        if source and not any(sight.code(line) == source for line in sight.module.body):
            reason = f"`{name}` is used and never imported: added `{source}`"
            yield TreeEdit(reason, sight.module, new_import=source)


_ABSTRACT: Final = frozenset(
    {
        *("Awaitable", "Callable", "Collection", "Container", "Generator", "Hashable", "ItemsView", "Iterable"),
        *("Iterator", "KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence", "MutableSet"),
        *("Reversible", "Sequence", "Set", "Sized", "ValuesView"),
    }
)


def _may_fail(sight: Sight, imported: cst.ImportFrom) -> bool:
    """True if the import may fail without an error."""
    return any(isinstance(outer, cst.Try) for outer in sight.around(imported))


def old_collections(sight: Sight) -> Iterator[TreeEdit]:
    """`from collections import Sequence`: these are in `collections.abc` alone since Python 3.10."""
    if sight.api.version < (3, 1):
        return
    reason = "the abstract classes are in `collections.abc` alone since Python 3.10, which Blender 3.1 brought"
    for imported in sight.all(cst.ImportFrom):
        module = sight.code(imported.module) if imported.module and not imported.relative else ""
        if module != "collections" or isinstance(imported.names, cst.ImportStar) or _may_fail(sight, imported):
            continue
        names = [(sight.code(alias.name), sight.code(alias).rstrip(", ")) for alias in imported.names]
        moved = [written for name, written in names if name in _ABSTRACT]
        rest = [written for name, written in names if name not in _ABSTRACT]
        if moved:
            kept = [f"from collections import {', '.join(rest)}"] if rest else []
            yield sight.instead(imported, *kept, f"from collections.abc import {', '.join(moved)}", reason=reason)
    for attribute in sight.attributes(*_ABSTRACT):
        if sight.code(attribute.value) == "collections" and not sight.is_guarded(attribute):
            name = f"collections.abc.{attribute.attr.value}"
            yield sight.replace(attribute, name, reason, new_import="import collections.abc")


RULES: Final = (
    Rule("missing-import", "`bpy`, `math`, `Vector` and their like, used and never imported", missing_imports),
    Rule("old-collections", "3.1: `from collections import Sequence`: Python 3.10", old_collections),
)
