"""Names that are imported from Blender and are gone: types of its API, and modules and panels of its interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.members import new_name_of
from app.healing.sight import Sight

_CANNOT: Final = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_UI: Final = re.compile(r"\w+_[A-Z]{2}_\w+")


def imported_types(sight: Sight) -> Iterator[TreeEdit]:
    """`from bpy.types import Sequence`: it is imported under its new name, or not at all if nothing uses it."""
    for imported in _from(sight, "bpy.types"):
        kept: list[str] = []
        reasons: list[str] = []
        for alias in imported.names if not isinstance(imported.names, cst.ImportStar) else ():
            name, written = sight.code(alias.name), sight.code(alias).rstrip(", ")
            local = sight.code(alias.asname.name) if alias.asname else name
            new = new_name_of(f"bpy.types.{name}")
            if name in sight.manifest.types or _UI.fullmatch(name) or name in sight.survey.classes:
                kept.append(written)
            elif not _is_used(sight, local):
                reasons.append(f"`{name}` is gone, and nothing here uses it")
            elif new in sight.manifest.types:
                kept.append(f"{new} as {local}")
                reasons.append(f"`bpy.types.{name}` is called `{new}` in Blender {sight.manifest.series}")
            else:
                kept.append(written)
        if reasons:
            sources = [f"from bpy.types import {', '.join(kept)}"] if kept else []
            yield sight.instead(imported, *sources, reason="; ".join(reasons))


def _from(sight: Sight, module: str) -> Iterator[cst.ImportFrom]:
    """Each `from module import ...` that may not fail."""
    for imported in sight.all(cst.ImportFrom):
        named = imported.module is not None and not imported.relative and sight.code(imported.module) == module
        if named and not any(isinstance(outer, cst.Try) for outer in sight.around(imported)):
            yield imported


def _is_used(sight: Sight, name: str) -> bool:
    if sight.package is not None and name in sight.package.lent:
        return True
    names = (use for use in sight.all(cst.Name) if use.value == name)
    return name in sight.survey.mentioned or any(
        not isinstance(sight.parent(use), cst.ImportAlias | cst.AsName) for use in names
    )


def interface_modules(sight: Sight) -> Iterator[TreeEdit]:
    """`from bl_ui.properties_data_lamp import DataButtonsPanel`, `bl_ui.properties_data_lamp`."""
    rows = sight.book.rows.items() if "bl_ui" in sight.text else ()
    known = {
        address.removeprefix("bl_ui."): row.becomes.removeprefix("bl_ui.")
        for address, row in rows
        if address.startswith("bl_ui.") and row.becomes
    }
    for name in sight.all(cst.Name) if known else ():
        if name.value in known:
            reason = f"the module `bl_ui.{name.value}` is `bl_ui.{known[name.value]}` now"
            yield sight.replace(name, known[name.value], reason)


_NO_PANEL: Final = re.compile(r"(?:'module' object|module 'bl_ui[\w.]*') has no attribute '(\w+_[PMH]T_\w+)'")
_ANCHORS: Final = re.compile(r"\.(?:append|prepend|remove|COMPAT_ENGINES\.(?:add|remove|discard))$")


def gone_panels(sight: Sight) -> Iterator[TreeEdit]:
    """`bpy.types.RENDER_PT_render.append(draw)`: nothing is added to a panel or menu that the exception misses."""
    said = sight.trouble.message if sight.trouble else ""
    missing, refused = _NO_PANEL.search(said), _CANNOT.search(said)
    if missing is None and (refused is None or not refused[2].startswith("bl_ui")):
        return
    old = missing[1] if missing else refused[1] if refused else ""
    if new := new_name_of(f"bpy.types.{old}"):
        for name in sight.all(cst.Name):
            if name.value == old and not isinstance(sight.parent(name), cst.AsName):
                yield sight.replace(name, new, f"`{old}` is called `{new}` in Blender {sight.manifest.series}")
        return
    reason = f"`{old}` is gone, and what was added to it has no place in this Blender"
    for name in sight.all(cst.Name):
        call = next((outer for outer in sight.around(name) if isinstance(outer, cst.Call)), None)
        statement = sight.alone(call) if call else None
        if name.value == old and call and statement and _ANCHORS.search(sight.code(call.func)):
            yield sight.instead(statement, reason=reason)
    for imported in sight.all(cst.ImportFrom) if not _is_used(sight, old) else ():
        if not isinstance(imported.names, cst.ImportStar) and imported.module and sight.fails_at(imported):
            kept = [sight.code(alias).rstrip(", ") for alias in imported.names if sight.code(alias.name) != old]
            sources = [f"from {sight.code(imported.module)} import {', '.join(kept)}"] if kept else []
            yield sight.instead(imported, *sources, reason=f"`{old}` is gone, and nothing here uses it")


RULES: Final = (
    Rule(
        "imported-types", "`from bpy.types import Sequence, Lamp`: types under another name, or unused", imported_types
    ),
    Rule("interface-modules", "2.80: `bl_ui.properties_data_lamp`: modules of the interface", interface_modules),
    Rule("gone-panels", "`bpy.types.RENDER_PT_render.append(draw)`: panels and menus that are gone", gone_panels),
)
