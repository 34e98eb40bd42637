"""Items that calls are given and that have another name now: modifiers, light probes, events, icons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight, keyword

_DRAGS: Final = {"EVT_TWEAK_L": "LEFTMOUSE", "EVT_TWEAK_M": "MIDDLEMOUSE", "EVT_TWEAK_R": "RIGHTMOUSE"}

_REFUSALS: Final = frozenset({"unknown-enum-item", "unknown-identifier", "removed"})


def call_items(sight: Sight) -> Iterator[TreeEdit]:
    """Items that the build does not take, according to its API or to the exception."""
    for text in _refused_strings(sight):
        call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
        old, name = str(text.evaluated_value), sight.code(call.func) if call else ""
        called = ".".join(name.split(".")[-2:])
        new = _new_item(sight, call, old) if call else ""
        if new:
            reason = f"{old!r} is {new!r} in Blender {sight.manifest.series}"
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)
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
        yield sight.replace(text, f"{text.quote}{button}{text.quote}", reason)
        yield sight.replace(other, f"{other.quote}CLICK_DRAG{other.quote}", reason)


def _timeline(sight: Sight, call: cst.Call, text: cst.SimpleString) -> Iterator[TreeEdit]:
    """`keymaps.new("Timeline", space_type='TIMELINE')`: the timeline is a mode of the dope sheet since 2.80."""
    reason = "the timeline is a mode of the dope sheet since 2.80"
    yield sight.replace(text, f"{text.quote}DOPESHEET_EDITOR{text.quote}", reason)
    for name in sight.all(cst.SimpleString):
        around = [sight.code(outer.value) for outer in sight.around(name) if isinstance(outer, cst.Subscript)]
        looked_up = bool(around) and around[0].endswith("keymaps")
        if name.evaluated_value == "Timeline" and (looked_up or any(outer is call for outer in sight.around(name))):
            yield sight.replace(name, f"{name.quote}Dopesheet{name.quote}", reason)


def icons(sight: Sight) -> Iterator[TreeEdit]:
    """`icon='ZOOMIN'` in a call."""
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
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)


def _refused_strings(sight: Sight) -> Iterator[cst.SimpleString]:
    """The strings that are no item here, according to the API check or to the exception."""
    found = [node for fault, node in sight.faults if fault.code in _REFUSALS]
    said = sight.trouble.message if sight.trouble else ""
    for text in sight.all(cst.SimpleString):
        failed = f'enum "{text.evaluated_value!s}" not found' in said and sight.fails_at(text)
        if (failed or any(text is node for node in found)) and not sight.is_guarded(text):
            yield text


RULES: Final = (
    Rule("call-items", "`modifiers.new('Smoke', 'SMOKE')`, `lightprobe_add(type='GRID')`, `'EVT_TWEAK_L'`", call_items),
    Rule("icons", "2.80: `icon='ZOOMIN'`, `icon='LAMP'`: icons under another name", icons),
)
