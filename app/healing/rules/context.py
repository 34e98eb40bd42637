"""Operators that refuse to run: no active object, the wrong mode, no window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword

_MODE_SETTERS: Final = ("object.mode_set", "object.editmode_toggle")
_EDITED: Final = {"mesh": "MESH", "curve": "CURVE", "armature": "ARMATURE", "uv": "MESH", "mball": "META"}
_TO_OBJECT_MODE: Final = "bpy.ops.object.mode_set(mode='OBJECT')"
_TO_EDIT_MODE: Final = "bpy.ops.object.mode_set(mode='EDIT')"
_FOR_THE_EYE: Final = frozenset(
    {
        *("view3d.view_all", "view3d.view_selected", "view3d.view_camera", "view3d.view_axis", "view3d.viewnumpad"),
        *("view3d.view_persportho", "view3d.object_as_camera", "view3d.toggle_shading", "view3d.zoom"),
        *("screen.animation_play", "screen.screen_full_area", "wm.redraw_timer", "screen.back_to_previous"),
        *("view3d.view_orbit", "outliner.show_active", "view3d.view_lock_to_active"),
    }
)
"""Operators that change only the view in a window."""
_POPUPS: Final = frozenset({"wm.call_menu", "wm.call_menu_pie", "wm.call_panel"})


def _refusal(sight: Sight) -> tuple[str, cst.Call, cst.Expr] | None:
    """The operator whose poll failed, if its call is a statement of its own."""
    name = sight.trouble.refused_operator if sight.trouble else None
    for operator, call in sight.operator_calls():
        statement = sight.alone(call)
        if operator == name and statement and sight.fails_at(call):
            return operator, call, statement
    return None


@rule("an operator of another mode")
def wrong_mode(sight: Sight) -> Iterator[TreeEdit]:
    refused = _refusal(sight)
    if refused is None:
        return
    name, _, statement = refused
    family = name.partition(".")[0]
    if family == "object" and name not in _MODE_SETTERS and _in_edit_mode(sight, statement):
        yield sight.before(statement, _TO_OBJECT_MODE, reason=f"`bpy.ops.{name}` works in object mode only")
    elif family in _EDITED and not _in_edit_mode(sight, statement) and "_add" not in name:
        reason = f"`bpy.ops.{name}` works in edit mode only"
        source = sight.code(statement)
        yield sight.instead(statement, _TO_EDIT_MODE, source, _TO_OBJECT_MODE, reason=reason)


def _wants_object_mode(sight: Sight, call: cst.Call) -> bool:
    mode = keyword(call, "mode")
    return mode is not None and sight.text_of(mode.value) == "OBJECT"


def _before(sight: Sight, statement: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls above a statement in its function, the nearest first."""
    line, function = sight.line(statement), sight.function(statement)
    calls = [call for call in sight.all(cst.Call) if sight.line(call) < line and sight.function(call) is function]
    return reversed(calls)


def _in_edit_mode(sight: Sight, statement: cst.CSTNode) -> bool:
    """True if the last operator above that sets the mode leaves object mode."""
    for call in _before(sight, statement):
        name = sight.operator(call)
        if name == "object.mode_set":
            return not _wants_object_mode(sight, call)
        if name == "object.editmode_toggle":
            return True
    return False


def _last_linked(sight: Sight, statement: cst.CSTNode) -> str:
    """The variable that still holds the last object linked above."""
    for call in _before(sight, statement):
        source = sight.code(call.func)
        if source.endswith("objects.link") and len(call.args) == 1 and isinstance(call.args[0].value, cst.Name):
            return sight.code(call.args[0].value)
    return ""


@rule("an operator without an active object")
def no_active_object(sight: Sight) -> Iterator[TreeEdit]:
    refused = _refusal(sight)
    if refused is None or refused[0].partition(".")[0] not in {"object", *_EDITED}:
        return
    name, call, statement = refused
    thing = _last_linked(sight, statement)
    if name in _MODE_SETTERS and _wants_object_mode(sight, call):
        reason = "there is no active object yet whose mode can be set"
        yield sight.instead(statement, f"if bpy.context.object:\n    {sight.code(statement)}", reason=reason)
    elif thing and not _in_edit_mode(sight, statement):
        reason = f"`bpy.ops.{name}` works on the active object: `{thing}` is made active"
        active = f"bpy.context.view_layer.objects.active = {thing}"
        yield sight.before(statement, active, f"{thing}.select_set(True)", reason=reason)


@rule("`view3d.snap_cursor_to_center` without a view")
def cursor_to_center(sight: Sight) -> Iterator[TreeEdit]:
    refused = _refusal(sight)
    if refused and refused[0] == "view3d.snap_cursor_to_center":
        source = "bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)"
        yield sight.instead(refused[2], source, reason="the operator needs a 3D view: the cursor is set directly")


_IN_A_VIEW: Final = re.compile(
    r"anim\.keyframe_\w+|view3d\.snap_\w+|object\.hide_view_\w+|transform\.\w+_orientation|uv\.project_from_view"
)
"""Operators that act on the scene and run only in an area, such as a 3D view."""
_VIEW: Final = """\
next(
    {"area": area, "region": region}
    for area in bpy.context.window.screen.areas
    if area.type == "VIEW_3D"
    for region in area.regions
    if region.type == "WINDOW"
)"""


@rule("operators that run in a 3D view only: `anim.keyframe_insert_menu`, `view3d.snap_...`")
def in_a_view(sight: Sight) -> Iterator[TreeEdit]:
    refused = _refusal(sight)
    if refused is None or not _IN_A_VIEW.fullmatch(refused[0]) or not sight.has("Context", "temp_override"):
        return
    name, _, statement = refused
    if any(
        isinstance(outer, cst.With) and "temp_override" in sight.code(outer.items[0])
        for outer in sight.around(statement)
    ):
        return
    source = f"with bpy.context.temp_override(**{_VIEW}):\n    {sight.code(statement)}"
    yield sight.instead(statement, source, reason=f"`bpy.ops.{name}` runs in the 3D view of the window only")


@rule("operators that only change a view: `view3d.view_all` ...")
def for_the_eye(sight: Sight) -> Iterator[TreeEdit]:
    refused = _refusal(sight)
    gone = [
        (name, call, sight.alone(call))
        for name, call in sight.operator_calls()
        if name in _FOR_THE_EYE and name not in sight.manifest.operators
    ]
    for name, _, statement in [*([refused] if refused and refused[0] in _FOR_THE_EYE else []), *gone]:
        if statement:
            reason = f"`bpy.ops.{name}` changes only what is seen in a window, and there is none"
            yield sight.instead(statement, reason=reason)


@rule("`wm.call_menu` in a script: the process dies without a window")
def popups(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        statement = sight.alone(call)
        if name in _POPUPS and statement and sight.function(call) is None:
            yield sight.instead(statement, reason="a menu cannot open without a window, and Blender crashes")


@rule("`bpy.context.space_data.x = y`: settings of an editor, which does not exist in the background")
def space_data(sight: Sight) -> Iterator[TreeEdit]:
    if sight.trouble is None or "'NoneType' object has no attribute" not in sight.trouble.message:
        return
    for attribute in sight.attributes("space_data", "region_data", "region"):
        statement = sight.statement(attribute)
        if not isinstance(statement, cst.Assign) or not sight.fails_at(statement):
            continue
        if sight.code(statement.targets[0].target).startswith(f"{sight.code(attribute)}."):
            yield sight.instead(statement, reason="it sets up an editor, and there is none in the background")
