"""Items that calls are given and that have another name now: modifiers, light probes, events, icons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight, keyword

_PROBES: Final = {"GRID": "VOLUME", "CUBEMAP": "SPHERE", "PLANAR": "PLANE"}
_ITEMS: Final = {
    "modifiers.new": {"SMOKE": "FLUID"},
    "object.modifier_add": {"SMOKE": "FLUID"},
    "object.lightprobe_add": _PROBES,
    "lightprobes.new": _PROBES,
    # Since 2.80 the left button selects by default.
    "keymap_items.new": {"SELECTMOUSE": "LEFTMOUSE", "ACTIONMOUSE": "RIGHTMOUSE"},
}
"""Items with another name, by the last two names of the call."""
_DRAGS: Final = {"EVT_TWEAK_L": "LEFTMOUSE", "EVT_TWEAK_M": "MIDDLEMOUSE", "EVT_TWEAK_R": "RIGHTMOUSE"}

ICONS: Final = {
    "ZOOMIN": "ADD",
    "ZOOMOUT": "REMOVE",
    "VISIBLE_IPO_ON": "HIDE_OFF",
    "VISIBLE_IPO_OFF": "HIDE_ON",
    "FULLSCREEN": "FULLSCREEN_ENTER",
    "OOPS": "OUTLINER",
    "IPO": "GRAPH",
    "BUTS": "PROPERTIES",
    "SCRIPTWIN": "PREFERENCES",
    "IMAGE_COL": "IMAGE",
    "SOLID": "SHADING_SOLID",
    "WIRE": "SHADING_WIRE",
    "BBOX": "SHADING_BBOX",
    "POTATO": "SHADING_TEXTURE",
    "SMOOTH": "SHADING_RENDERED",
    "ROTATE": "PIVOT_BOUNDBOX",
    "ROTATECENTER": "PIVOT_MEDIAN",
    "ROTATECOLLECTION": "PIVOT_INDIVIDUAL",
    "ROTACTIVE": "PIVOT_ACTIVE",
    "NEW": "FILE_NEW",
    "FILESEL": "FILEBROWSER",
    "ORTHO": "XRAY",
    **{old: old.replace("LAMP", "LIGHT") for old in ("LAMP", "OUTLINER_OB_LAMP", "OUTLINER_DATA_LAMP")},
    **{f"LAMP_{kind}": f"LIGHT_{kind}" for kind in ("DATA", "POINT", "SUN", "SPOT", "HEMI", "AREA")},
    # Without a counterpart: it is drawn without an icon.
    **dict.fromkeys(
        (
            *("LOAD_FACTORY", "SAVE_AS", "SAVE_COPY", "RENDER_REGION", "GAME", "LOGIC", "MANIPUL", "INLINK"),
            *("MAN_TRANS", "MAN_ROT", "MAN_SCALE", "LINK", "DOTSUP", "DOTSDOWN", "EDIT", "ALIGN", "RADIO", "SPACE2"),
            *("SPACE3", "TEXTURE_SHADED", "BORDER_RECT", "BORDER_LASSO", "SPLITSCREEN", "LINK_AREA", "ORTHOGRAPHIC"),
        ),
        "NONE",
    ),
}
"""Icons of 2.7x that are gone, and their replacements."""
_REFUSALS: Final = frozenset({"unknown-enum-item", "unknown-identifier", "removed"})


def call_items(sight: Sight) -> Iterator[TreeEdit]:
    """Items that the build does not take, according to its API or to the exception."""
    for text in _refused_strings(sight):
        call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
        old, name = str(text.evaluated_value), sight.code(call.func) if call else ""
        called = ".".join(name.split(".")[-2:])
        new = _ITEMS.get(called, {}).get(old)
        if new:
            reason = f"{old!r} is {new!r} in Blender {sight.manifest.series}"
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)
        elif call and called == "keymap_items.new" and old in _DRAGS:
            yield from _drag(sight, call, text)


def _drag(sight: Sight, call: cst.Call, text: cst.SimpleString) -> Iterator[TreeEdit]:
    """`keymap_items.new(operator, 'EVT_TWEAK_L', 'ANY')` is a drag of the left button since 3.2."""
    values = [string for string in sight.all(cst.SimpleString) if any(outer is call for outer in sight.around(string))]
    other = next((value for value in values if value.evaluated_value == "ANY"), None)
    if other is not None:
        reason = "a tweak is the value `CLICK_DRAG` of a button since 3.2"
        button = _DRAGS[str(text.evaluated_value)]
        yield sight.replace(text, f"{text.quote}{button}{text.quote}", reason)
        yield sight.replace(other, f"{other.quote}CLICK_DRAG{other.quote}", reason)


def icons(sight: Sight) -> Iterator[TreeEdit]:
    """`icon='ZOOMIN'` in a call."""
    found = sight.manifest.find("UILayout", "label")
    icon = getattr(found[1], "parameters", {}).get("icon") if found else None
    known = {item.identifier for item in icon.items} if icon else set[str]()
    for argument in sight.all(cst.Arg) if known else ():
        text = argument.value
        if not argument.keyword or argument.keyword.value != "icon" or not isinstance(text, cst.SimpleString):
            continue
        old = str(text.evaluated_value)
        new = ICONS.get(old)
        call = sight.parent(argument)
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or sight.is_guarded(call):
            continue
        if new in known and old not in known:
            shown = keyword(call, "text")
            if new == "NONE" and shown and sight.text_of(shown.value) == "":
                new = "DOT"  # a button without text must show something
            reason = (
                f"the icon {old!r} is gone" if new in {"NONE", "DOT"} else f"the icon {old!r} is {new!r} since 2.80"
            )
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
