"""Names in strings: properties and operators that are drawn, keyed or bound to keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

_DRAWS: Final = frozenset({"prop", "prop_enum", "prop_menu_enum", "props_enum", "prop_search"})
_KEYS: Final = frozenset({"keyframe_insert", "keyframe_delete", "driver_add", "driver_remove"})
_OPERATES: Final = frozenset({"operator", "operator_menu_enum", "operator_enum"})


def drawn_properties(sight: Sight) -> Iterator[TreeEdit]:
    """`layout.prop(ob, "draw_type")`, `ob.keyframe_insert("draw_size")`."""
    for call, function in _calls(sight, _DRAWS | _KEYS):
        draws = function.attr.value in _DRAWS
        if draws and not sight.is_a(function.value, "UILayout"):
            continue
        owner, text = _property_of(call, function, draws)
        if owner is None or text is None:
            continue
        old, quote = str(text.evaluated_value), text.quote
        rows = sight.book.named("member", old)
        found = next(
            ((kind, row) for kind, row in rows.items() if sight.is_a(owner, kind) and not sight.has(kind, old)), None
        )
        if found is None:
            continue
        new, alone = found[1].becomes, sight.alone(call)
        path, _, last = new.rpartition(".")
        reason = f"`{found[0]}.{old}` is called `{new}` in Blender {sight.manifest.series}"
        if new and (not draws or not path):
            yield sight.replace(text, f"{quote}{new}{quote}", reason)
        elif new and "[" not in new:
            yield sight.replace(text, f"{quote}{last}{quote}", reason)
            yield sight.replace(owner, f"{sight.code(owner)}.{path}", reason)
        elif found[1].drop and draws and alone:
            yield sight.instead(alone, reason=f"the setting `{old}` is gone: it is no longer drawn")


def drawn_operators(sight: Sight) -> Iterator[TreeEdit]:
    """`layout.operator("object.lamp_add")`, `keymap_items.new("object.lamp_add", ...)`."""
    for call, function in _calls(sight, _OPERATES | {"new"}):
        first = call.args[0].value if call.args else None
        of_keys = isinstance(function.value, cst.Attribute) and function.value.attr.value == "keymap_items"
        drawn = function.attr.value in _OPERATES and sight.is_a(function.value, "UILayout")
        if not isinstance(first, cst.SimpleString) or not (of_keys or drawn):
            continue
        old = str(first.evaluated_value)
        row = sight.book.rows.get(f"bpy.ops.{old}")
        new = row.becomes if row else ""
        if new in sight.manifest.operators and old not in (*sight.manifest.operators, *sight.survey.operators):
            reason = f"the operator `{old}` is `{new}` in Blender {sight.manifest.series}"
            yield sight.replace(first, f"{first.quote}{new}{first.quote}", reason)


_SHOWS: Final = frozenset({"menu", "menu_contents", "popover", "call_menu", "call_menu_pie", "call_panel"})
_OF_INTERFACE: Final = re.compile(r"[A-Z0-9_]+_[MP]T_\w+")


def named_menus(sight: Sight) -> Iterator[TreeEdit]:
    """`layout.menu("INFO_MT_add")`, `kmi.properties.name = "INFO_MT_add"`, `bl_parent_id = "RENDER_PT_shading"`."""
    for text in sight.all(cst.SimpleString):
        old, parent = str(text.evaluated_value), sight.parent(text)
        row = sight.book.rows.get(f"bpy.types.{old}") if _OF_INTERFACE.fullmatch(old) else None
        if row is None or old in sight.survey.classes or sight.is_guarded(text):
            continue
        call = sight.parent(parent) if isinstance(parent, cst.Arg) else None
        function = sight.code(call.func) if isinstance(call, cst.Call) else ""
        target = sight.code(parent.targets[0].target) if isinstance(parent, cst.Assign) else ""
        shown = function.rpartition(".")[2] in _SHOWS or target.endswith(".properties.name")
        if row.becomes and (shown or target == "bl_parent_id"):
            reason = f"`{old}` is called `{row.becomes}` in Blender {sight.manifest.series}"
            yield sight.replace(text, f"{text.quote}{row.becomes}{text.quote}", reason)
        elif row.gone and target == "bl_parent_id" and isinstance(parent, cst.Assign):
            yield sight.instead(parent, reason=f"the panel `{old}` is gone: this one stands by itself")


def _calls(sight: Sight, names: frozenset[str]) -> Iterator[tuple[cst.Call, cst.Attribute]]:
    for call in sight.all(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value in names and not sight.is_guarded(call):
            yield call, call.func


def _property_of(
    call: cst.Call, function: cst.Attribute, draws: bool
) -> tuple[cst.BaseExpression | None, cst.SimpleString | None]:
    """The owner of the property that a call names, and the name."""
    given = {argument.keyword.value: argument.value for argument in call.args if argument.keyword}
    by_place = [argument.value for argument in call.args if not argument.keyword and not argument.star]
    if draws:
        owner, text = (*by_place, given.get("data"), given.get("property"))[:2]
    else:
        owner, text = function.value, (*by_place, given.get("data_path"), given.get("path"), None)[0]
    return owner, text if isinstance(text, cst.SimpleString) else None


RULES: Final = (
    Rule("drawn-properties", "properties in strings: `layout.prop(ob, 'draw_type')`", drawn_properties),
    Rule("named-menus", "menus and panels in strings: `layout.menu('INFO_MT_add')`, `bl_parent_id`", named_menus),
    Rule("drawn-operators", "operators in strings: `layout.operator('object.lamp_add')`", drawn_operators),
)
