"""Names in strings: items of enumerations, properties and operators that are drawn, keyed or bound to keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword

_DRAGS: Final = {"EVT_TWEAK_L": "LEFTMOUSE", "EVT_TWEAK_M": "MIDDLEMOUSE", "EVT_TWEAK_R": "RIGHTMOUSE"}
_REFUSALS: Final = frozenset({"unknown-enum-item", "unknown-identifier", "removed"})


@rule("`modifiers.new('Smoke', 'SMOKE')`, `lightprobe_add(type='GRID')`, `'EVT_TWEAK_L'`")
def call_items(sight: Sight) -> Iterator[TreeEdit]:
    for text in _refused_strings(sight):
        call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
        old, name = str(text.evaluated_value), sight.code(call.func) if call else ""
        called = ".".join(name.split(".")[-2:])
        new = _new_item(sight, call, old) if call else ""
        if new:
            reason = f"{old!r} is {new!r} in Blender {sight.manifest.series}"
            yield sight.respell(text, new, reason)
        elif call and called == "keymap_items.new" and old in _DRAGS:
            yield from _drag(sight, call, text)
        elif call and called.endswith(".new") and old == "TIMELINE":
            yield from _timeline(sight, call, text)


_COLLECTIONS: Final = {
    "modifiers": "ObjectModifiers",
    "lightprobes": "BlendDataProbes",
    "keymap_items": "KeyMapItems",
}
"""Collections by the name of their property, for owners whose type is not known."""


def _new_item(sight: Sight, call: cst.Call, old: str) -> str:
    """The item that has the place of one that a call is given, or an empty string."""
    function, operator = call.func, sight.operator(call)
    owner = function.value if isinstance(function, cst.Attribute) else None
    called = f"bpy.ops.{operator}("
    if owner is not None and not operator and isinstance(function, cst.Attribute):
        name = _COLLECTIONS.get(sight.code(owner).rpartition(".")[2]) or sight.collection(owner)
        called = f"bpy.types.{name}.{function.attr.value}("
    rows = sight.book.named("item", old)
    return next((row.becomes for place, row in rows.items() if place.startswith(called)), "")


def _drag(sight: Sight, call: cst.Call, text: cst.SimpleString) -> Iterator[TreeEdit]:
    """`keymap_items.new(operator, 'EVT_TWEAK_L', 'ANY')` is a drag of the left button since 3.2."""
    values = [string for string in sight.all(cst.SimpleString) if any(outer is call for outer in sight.around(string))]
    other = next((value for value in values if value.evaluated_value == "ANY"), None)
    if other is not None:
        reason = "a tweak is the value `CLICK_DRAG` of a button since 3.2"
        button = _DRAGS[str(text.evaluated_value)]
        yield sight.respell(text, button, reason)
        yield sight.respell(other, "CLICK_DRAG", reason)


def _timeline(sight: Sight, call: cst.Call, text: cst.SimpleString) -> Iterator[TreeEdit]:
    """`keymaps.new("Timeline", space_type='TIMELINE')`: the timeline is a mode of the dope sheet since 2.80."""
    reason = "the timeline is a mode of the dope sheet since 2.80"
    yield sight.respell(text, "DOPESHEET_EDITOR", reason)
    for name in sight.all(cst.SimpleString):
        around = [sight.code(outer.value) for outer in sight.around(name) if isinstance(outer, cst.Subscript)]
        looked_up = bool(around) and around[0].endswith("keymaps")
        if name.evaluated_value == "Timeline" and (looked_up or any(outer is call for outer in sight.around(name))):
            yield sight.respell(name, "Dopesheet", reason)


@rule("2.80: `icon='ZOOMIN'`, `icon='LAMP'`: icons under another name")
def icons(sight: Sight) -> Iterator[TreeEdit]:
    label = sight.manifest.find("UILayout", "label")
    icon = getattr(label[1], "parameters", {}).get("icon") if label else None
    known = {item.identifier for item in icon.items} if icon else set[str]()
    for argument in sight.all(cst.Arg) if known else ():
        text = argument.value
        if not argument.keyword or argument.keyword.value != "icon" or not isinstance(text, cst.SimpleString):
            continue
        old = str(text.evaluated_value)
        found = sight.book.find(f"icon='{old}'")
        new = (found[1].becomes or "NONE") if found else ""
        call = sight.parent(argument)
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or sight.is_guarded(call):
            continue
        if new in known and old not in known:
            shown = keyword(call, "text")
            if new == "NONE" and shown and sight.text_of(shown.value) == "":
                new = "DOT"  # a button without text must show something
            same = f"{new!r} since {found[1].since}" if found else ""
            reason = f"the icon {old!r} is {'gone' if new in {'NONE', 'DOT'} else same}"
            yield sight.respell(text, new, reason)


def _refused_strings(sight: Sight) -> Iterator[cst.SimpleString]:
    """The strings that are no item here, according to the API check or to the exception."""
    found = [node for fault, node in sight.faults if fault.code in _REFUSALS]
    said = sight.trouble.message if sight.trouble else ""
    for text in sight.all(cst.SimpleString):
        failed = f'enum "{text.evaluated_value!s}" not found' in said and sight.fails_at(text)
        if (failed or any(text is node for node in found)) and not sight.is_guarded(text):
            yield text


_DRAWS: Final = frozenset({"prop", "prop_enum", "prop_menu_enum", "props_enum", "prop_search"})
_KEYS: Final = frozenset({"keyframe_insert", "keyframe_delete", "driver_add", "driver_remove"})
_OPERATES: Final = frozenset({"operator", "operator_menu_enum", "operator_enum"})


@rule('`layout.prop(ob, "draw_type")`, `ob.keyframe_insert("draw_size")`')
def drawn_properties(sight: Sight) -> Iterator[TreeEdit]:
    for call, function in _calls(sight, _DRAWS | _KEYS):
        draws = function.attr.value in _DRAWS
        if draws and not sight.is_a(function.value, "UILayout"):
            continue
        owner, text = _property_of(call, function, draws)
        if owner is None or text is None:
            continue
        old = str(text.evaluated_value)
        rows = sight.book.named("member", old)
        found = next(
            ((kind, row) for kind, row in rows.items() if sight.is_a(owner, kind) and not sight.has(kind, old)), None
        )
        if found is None:
            continue
        new, alone = found[1].becomes, sight.alone(call)
        path, _, last = new.rpartition(".")
        reason = f"`{found[0]}.{old}` is called `{new}` in Blender {sight.manifest.series}"
        part = re.fullmatch(r"(\w+)\[(\d)\]", new)
        if part and draws:
            drawn = [f'"{part[1]}"' if given.value is text else sight.code(given).strip(" ,\n") for given in call.args]
            yield sight.replace(call, f"{sight.code(function)}({', '.join(drawn)}, index={part[2]})", reason)
        elif new and (not draws or not path):
            yield sight.respell(text, new, reason)
        elif new and "[" not in new:
            yield sight.respell(text, last, reason)
            yield sight.replace(owner, f"{sight.code(owner)}.{path}", reason)
        elif found[1].drop and draws and alone:
            yield sight.instead(alone, reason=f"the setting `{old}` is gone: it is no longer drawn")


_SHOWS: Final = frozenset({"menu", "menu_contents", "popover", "call_menu", "call_menu_pie", "call_panel"})
_OF_INTERFACE: Final = re.compile(r"[A-Z0-9_]+_[MP]T_\w+")


@rule('`layout.menu("INFO_MT_add")`, `kmi.properties.name = "INFO_MT_add"`, `bl_parent_id = "RENDER_PT_shading"`')
def named_menus(sight: Sight) -> Iterator[TreeEdit]:
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
            yield sight.respell(text, row.becomes, reason)
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


@rule('`layout.operator("object.lamp_add")`, `keymap_items.new("object.lamp_add", ...)`')
def drawn_operators(sight: Sight) -> Iterator[TreeEdit]:
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
            yield sight.respell(first, new, reason)
