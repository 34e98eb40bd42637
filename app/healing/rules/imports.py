"""Names that are never imported, or are imported from where they are no longer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.members import new_name_of
from app.healing.sight import Sight
from ingest.book import Book

IMPORTS: Final = {
    **{name: f"import {name}" for name in ("bpy", "bmesh", "math", "mathutils", "random", "os", "sys", "json")},
    **{name: f"from mathutils import {name}" for name in ("Color", "Euler", "Matrix", "Quaternion", "Vector")},
    "Path": "from pathlib import Path",
}
"""Names with only one meaning in a Blender script, with the statement that imports them."""
UNDEFINED: Final = re.compile(r"[Uu]ndefined name `(\w+)`|name '(\w+)' is not defined")


@rule("`bpy`, `math`, `Vector` and their like, used and never imported")
def missing_import(sight: Sight) -> Iterator[TreeEdit]:
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


@rule("3.1: `from collections import Sequence`: these are in `collections.abc` alone since Python 3.10")
def old_collections(sight: Sight) -> Iterator[TreeEdit]:
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


_CANNOT: Final = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_UI: Final = re.compile(r"\w+_[A-Z]{2}_\w+")


@rule("`from bpy.types import Sequence`: it is imported under its new name, or not at all if nothing uses it")
def imported_types(sight: Sight) -> Iterator[TreeEdit]:
    for imported in sight.all(cst.ImportFrom):
        if imported.module is None or imported.relative or isinstance(imported.names, cst.ImportStar):
            continue
        module, kept, reasons = sight.code(imported.module), list[str](), list[str]()
        for alias in imported.names:
            name, written = sight.code(alias.name), sight.code(alias).rstrip(", ")
            local = sight.code(alias.asname.name) if alias.asname else name
            new = new_name_of(f"{module}.{name}") if _is_gone(sight, module, name) else name
            if new == name or _may_fail(sight, imported):
                kept.append(written)
            elif not _is_used(sight, local):
                reasons.append(f"`{name}` is gone, and nothing here uses it")
            elif new in sight.manifest.types or (new.isidentifier() and module != "bpy.types"):
                kept.append(f"{new} as {local}")
                reasons.append(f"`{module}.{name}` is called `{new}` in Blender {sight.manifest.series}")
            else:
                kept.append(written)
        if reasons:
            sources = [f"from {module} import {', '.join(kept)}"] if kept else []
            yield sight.instead(imported, *sources, reason="; ".join(reasons))


def _is_gone(sight: Sight, module: str, name: str) -> bool:
    """True if this Blender lacks a type, or a name of a module that the book knows under another one."""
    if module == "bpy.types":
        return name not in sight.manifest.types and not _UI.fullmatch(name) and name not in sight.survey.classes
    row, known = sight.book.rows.get(f"{module}.{name}"), sight.manifest.modules.get(module)
    return row is not None and bool(row.becomes) and (known is None or name not in known.members)


def _may_fail(sight: Sight, imported: cst.CSTNode) -> bool:
    return any(isinstance(outer, cst.Try) for outer in sight.around(imported))


def _is_used(sight: Sight, name: str) -> bool:
    if sight.package is not None and name in sight.package.lent:
        return True
    names = (use for use in sight.all(cst.Name) if use.value == name)
    return name in sight.survey.mentioned or any(
        not isinstance(sight.parent(use), cst.ImportAlias | cst.AsName) for use in names
    )


@rule("`from bl_ui.properties_data_lamp import DataButtonsPanel`, `import bpy_types`")
def renamed_modules(sight: Sight) -> Iterator[TreeEdit]:
    known = {old: new for old, new in _modules(sight.book) if old.rpartition(".")[2] in sight.text}
    imported = {sight.code(made).split(".")[0] for made in _imported_modules(sight)} if known else set[str]()
    for name in sight.all(cst.Name) if known else ():
        old, parent = name.value, sight.parent(name)
        inner = isinstance(parent, cst.AssignTarget | cst.Param) or getattr(parent, "attr", None) is name
        inner = inner or getattr(parent, "keyword", None) is name
        if f"bl_ui.{old}" in known:
            new = known[f"bl_ui.{old}"]
            reason = f"the module `bl_ui.{old}` is `{new}` now"
            yield sight.replace(name, new.removeprefix("bl_ui."), reason)
        elif old in known and old in imported and not inner and not _may_fail(sight, name):
            yield sight.replace(name, known[old], f"the module `{old}` is `{known[old]}` now")


def _modules(book: Book) -> Iterator[tuple[str, str]]:
    """The modules of the book that have another name."""
    for address, row in book.rows.items():
        if row.becomes and (address.startswith("bl_ui.") or address.isidentifier()):
            yield address, row.becomes


def _imported_modules(sight: Sight) -> Iterator[cst.CSTNode]:
    """The names of the modules that are imported."""
    for imported in sight.all(cst.Import):
        yield from (alias.name for alias in imported.names)
    for chosen in sight.all(cst.ImportFrom):
        if chosen.module is not None and not chosen.relative:
            yield chosen.module


_NO_PANEL: Final = re.compile(r"(?:'module' object|module 'bl_ui[\w.]*') has no attribute '(\w+_[PMH]T_\w+)'")
_ANCHORS: Final = re.compile(r"\.(?:append|prepend|remove|COMPAT_ENGINES\.(?:add|remove|discard))$")


@rule("`bpy.types.RENDER_PT_render.append(draw)`: nothing is added to a panel or menu that the exception misses")
def gone_panels(sight: Sight) -> Iterator[TreeEdit]:
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
