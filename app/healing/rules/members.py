"""Properties that have another name now, if the type of their owner is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight
from ingest.book import BookRow, whole_book


@rule("properties under another name: `draw_type`, `cursor_location`, `lamps`, `sequences` ...")
def renamed_members(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        for type_name, row in sight.changes_of(attribute):
            if not row.becomes or "inputs[" in row.becomes or not _leads_on(sight, type_name, row.becomes):
                continue
            if not another_setting(sight, attribute, type_name, row) and not _reads_faces(sight, attribute):
                yield from _renamed(sight, attribute, type_name, row)
                break


def _renamed(sight: Sight, attribute: cst.Attribute, type_name: str, row: BookRow) -> Iterator[TreeEdit]:
    reason = f"`{type_name}.{attribute.attr.value}` is called `{row.becomes}` in Blender {sight.manifest.series}"
    if not row.values and not row.template:
        yield _rename(sight, attribute, row.becomes, reason)
    elif (assign := sight.assignment_to(attribute)) is not None:
        value = row.value_of(sight.code(assign.value), sight.text_of(assign.value))
        if value is not None:
            lines = [f"{_moved(sight, attribute, row.becomes)} = {value}"] if value else []
            yield sight.instead(assign, *lines, reason=reason)


def _reads_faces(sight: Sight, attribute: cst.Attribute) -> bool:
    """True for `mesh.uv_textures.active.data`: images of faces, while `uv_layers` has the coordinates of corners."""
    outer: cst.CSTNode = attribute
    while attribute.attr.value == "uv_textures" and isinstance(outer, cst.Attribute | cst.Subscript):
        if isinstance(outer, cst.Attribute) and outer.attr.value == "data":
            return True
        outer = sight.parent(outer)
    return False


def _leads_on(sight: Sight, type_name: str, path: str) -> bool:
    """True if the target has the first member of a path."""
    first = path.partition(".")[0].partition("[")[0].removesuffix("()")
    return type_name == "Context" or first == "id_data" or "*" in type_name or sight.has(type_name, first)


def _rename(sight: Sight, attribute: cst.Attribute, new: str, reason: str) -> TreeEdit:
    if new.startswith("id_data."):
        return sight.replace(attribute, _moved(sight, attribute, new), reason)
    return sight.rename(attribute, new, reason)


def _moved(sight: Sight, attribute: cst.Attribute, new: str) -> str:
    """The source of the new member. Settings of an engine lead to those of its data block by the way that they came."""
    owner = attribute.value
    if new.startswith("id_data.") and isinstance(owner, cst.Attribute) and owner.attr.value in {"cycles", "eevee"}:
        return f"{sight.code(owner.value)}.{new.removeprefix('id_data.')}"
    return f"{sight.code(owner)}.{new}"


def another_setting(sight: Sight, attribute: cst.Attribute, type_name: str, row: BookRow) -> str:
    """Words on why the setting with the new name is another one: it refuses the value, or the same code sets it too."""
    assign, new = sight.assignment_to(attribute), row.becomes
    if assign is None or not new.isidentifier():
        return ""
    item, prop = sight.text_of(assign.value), sight.api.rna.property(type_name, new)
    kept = not row.values and not row.template
    if kept and item and prop and prop.items and item not in {one.identifier for one in prop.items}:
        return f"takes no {item!r}"
    inside, both = sight.function(attribute), f"{sight.code(attribute.value)}.{new}"
    beside = [other for other in sight.attributes(new) if sight.code(other) == both and sight.assignment_to(other)]
    return "is set beside it" if any(sight.function(other) is inside for other in beside) else ""


_PAINTS: Final = ("sculpt", "image_paint", "vertex_paint", "weight_paint", "curves_sculpt", "gpencil_paint")


@rule("5.0: `tool_settings.unified_paint_settings.size = 5`: each mode of painting has settings of its own")
def unified_paint(sight: Sight) -> Iterator[TreeEdit]:
    reason = "each mode of painting has unified settings of its own since 5.0"
    for attribute in sight.lacking("ToolSettings", "unified_paint_settings"):
        settings, parent = sight.code(attribute.value), sight.parent(attribute)
        named = parent if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
        places = _uses(sight, named) if named else [parent] if isinstance(parent, cst.Attribute) else []
        stores = [(place, sight.assignment_to(place)) for place in places if isinstance(place, cst.Attribute)]
        if not sight.has("Paint", "unified_paint_settings") or len(stores) != len(places):
            continue
        if named and stores and all(assign for _, assign in stores):
            yield sight.instead(named, reason=reason)
        elif named:
            continue
        modes = ", ".join(f'"{mode}"' for mode in _PAINTS if sight.has("ToolSettings", mode))
        for setting, assign in stores:
            source = f"for mode in ({modes}):\n    if paint := getattr({settings}, mode):\n"
            if assign:
                # A diameter since 5.0, which was a radius.
                value = (
                    f"2 * {sight.operand(assign.value)}" if setting.attr.value == "size" else sight.code(assign.value)
                )
                source += f"        paint.unified_paint_settings.{setting.attr.value} = {value}"
                yield sight.instead(assign, source, reason=reason)


def _uses(sight: Sight, assign: cst.Assign) -> list[cst.CSTNode]:
    """The node around each use of the name that is assigned here, in its function or anywhere below it."""
    target = assign.targets[0].target
    uses = [name for name in sight.all(cst.Name) if name.value == getattr(target, "value", "") and name is not target]
    return [sight.parent(name) for name in uses]


_OF_INTERFACE: Final = re.compile(r"_(MT|PT|HT|UL)_")
"""Names of menus, panels, headers and lists, which no manifest has."""


def new_name_of(source: str) -> str:
    """The new name of a type, menu, handler or function that is written with its module, or an empty string."""
    row = None if source.startswith("bpy.ops.") else whole_book().rows.get(source)
    return row.becomes if row else ""


@rule("types, menus and handlers under another name: `bpy.types.INFO_MT_mesh_add` ...")
def renamed_classes(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        source = sight.code(attribute)
        new = new_name_of(source)
        if not new.isidentifier() or attribute.attr.value in sight.manifest.types or sight.is_guarded(attribute):
            continue
        if not source.startswith("bpy.") and source not in sight.book.rows:
            continue
        if source.startswith("bpy.types.") and not _OF_INTERFACE.search(new) and new not in sight.manifest.types:
            continue
        reason = f"`{source}` is called `{new}` in Blender {sight.manifest.series}"
        yield sight.rename(attribute, new, reason)
