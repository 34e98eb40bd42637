"""Grease pencil since 4.3: strokes are curves of a drawing, and modifiers those of every object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword
from app.reading.api.values import Rna, options

_REASON: Final = "the strokes of grease pencil belong to the drawing of a frame since 4.3"
_DRAWN: Final = "GreasePencilDrawing"
_OF_STROKE: Final = {"draw_cyclic": "cyclic", "use_cyclic": "cyclic", "vertex_color_fill": "fill_color"}
_OF_POINT: Final = {"co": "position", "strength": "opacity"}
_NO_LONGER: Final = (
    "display_mode",
    "start_cap_mode",
    "end_cap_mode",
    "hardness",
    "uv_scale",
    "uv_rotation",
    "groupname",
)
_WIDTH: Final = 3
"""The width of a new stroke before 4.3; half a thousandth of it is a radius."""


def _pencil_data(sight: Sight) -> Iterator[TreeEdit]:
    """From 4.3 to 4.5 `bpy.data.grease_pencils` are annotations, and `grease_pencils_v3` are those of objects."""
    if not sight.has("BlendData", "grease_pencils_v3") or "grease_pencils_v3" in sight.text:
        return
    for attribute in sight.attributes("grease_pencils"):
        statement = sight.statement(attribute)
        named = isinstance(statement, cst.Assign) and sight.code(statement.targets[0].target)
        shown = named and re.search(rf"objects\.new\([^()\n]*\b{re.escape(named)}\b", sight.text)
        if sight.code(attribute.value) == "bpy.data" and (shown or "new(" not in sight.code(sight.parent(attribute))):
            reason = "what a grease pencil object shows is in `grease_pencils_v3` from 4.3 to 4.5"
            yield sight.rename(attribute, "grease_pencils_v3", reason)


@rule("4.3: `frame.strokes.new()`, the points of the strokes that it makes, and their settings")
def pencil_strokes(sight: Sight) -> Iterator[TreeEdit]:
    yield from _pencil_data(sight)
    if _DRAWN not in sight.manifest.types or sight.has("GreasePencilFrame", "strokes"):
        return
    for assign in sight.all(cst.Assign):
        call, target = assign.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(target, cst.Name) or len(assign.targets) != 1:
            continue
        strokes = call.func.value if isinstance(call.func, cst.Attribute) and call.func.attr.value == "new" else None
        if not isinstance(strokes, cst.Attribute) or strokes.attr.value != "strokes" or sight.is_guarded(call):
            continue
        missing = sight.trouble.missing_member if sight.trouble else None
        failed = missing == ("GreasePencilFrame", "strokes") and sight.fails_at(assign)
        if not failed and not (sight.is_a(strokes.value, "GreasePencilFrame") and sight.lacks(strokes)):
            continue
        adding = _call_that_adds(sight, target.value, assign)
        if adding is None:
            continue
        drawing = f"{sight.code(strokes.value)}.drawing"
        made = f"{drawing}.add_strokes([1])", f"{target.value} = {drawing}.strokes[-1]"
        yield sight.instead(assign, *made, reason=_REASON)
        yield from _of_stroke(sight, target.value, assign, adding)


def _call_that_adds(sight: Sight, stroke: str, made: cst.Assign) -> cst.Call | None:
    """The one call that adds points to a stroke, unless a loop runs it several times for the same stroke."""
    calls = [call for call in sight.all(cst.Call) if sight.code(call.func) == f"{stroke}.points.add"]
    calls = [call for call in calls if sight.function(call) is sight.function(made)]
    if len(calls) != 1 or sight.line(calls[0]) < sight.line(made) or not calls[0].args:
        return None
    loops = [
        [outer for outer in sight.around(node) if isinstance(outer, cst.For | cst.While)] for node in (calls[0], made)
    ]
    return calls[0] if loops[0] == loops[1] and sight.alone(calls[0]) else None


def _of_stroke(sight: Sight, stroke: str, made: cst.Assign, adding: cst.Call) -> Iterator[TreeEdit]:
    """The changes after a new stroke: its points are added, placed and made as wide as they were."""
    inside, width = sight.function(made), str(_WIDTH)
    for setting, given in sight.assigned(sight.attributes("line_width")):
        if sight.code(setting.value) == stroke and sight.function(setting) is inside:
            width = sight.operand(given.value)
            yield sight.instead(given, reason=f"{_REASON}: the width of a stroke is the radius of its points")
    count = keyword(adding, "count") or adding.args[0]
    radius = f"{width} / 2000"
    statement = sight.alone(adding)
    if statement:
        added = f"{stroke}.add_points({sight.operand(count.value)} - 1)"
        drawn = f"for point in {stroke}.points:\n    point.radius, point.opacity = {radius}, 1.0"
        yield sight.instead(statement, added, drawn, reason=_REASON)
    for attribute in sight.attributes(*_OF_STROKE, *_NO_LONGER):
        if sight.code(attribute.value) != stroke or sight.function(attribute) is not inside:
            continue
        assign, new = sight.assignment_to(attribute), _OF_STROKE.get(attribute.attr.value)
        if new:
            yield sight.rename(attribute, new, f"`{attribute.attr.value}` of a stroke is `{new}` since 4.3")
        elif assign:
            yield sight.instead(assign, reason=f"`{attribute.attr.value}` of a stroke is gone since 4.3")
    points = _points(sight, stroke, made)
    for attribute in sight.attributes(*_OF_POINT, "pressure"):
        name, assign = attribute.attr.value, sight.assignment_to(attribute)
        if not _is_point(sight, attribute.value, stroke, points) or sight.function(attribute) is not inside:
            continue
        if name != "pressure":
            yield sight.rename(attribute, _OF_POINT[name], f"`{name}` of a point is `{_OF_POINT[name]}` since 4.3")
        elif assign:
            source = f"{sight.code(attribute.value)}.radius = {sight.operand(assign.value)} * {radius}"
            yield sight.instead(assign, source, reason="the pressure of a point is part of its radius since 4.3")
    for call in sight.all(cst.Call):
        if sight.code(call.func) == f"{stroke}.points.foreach_set" and sight.function(call) is inside:
            statement = sight.alone(call)
            if statement and len(call.args) == 2 and sight.text_of(call.args[0].value) == "co":
                values = sight.operand(call.args[1].value)
                source = (
                    f"for index, point in enumerate({stroke}.points):\n"
                    f"    point.position = {values}[3 * index:3 * index + 3]"
                )
                yield sight.instead(statement, source, reason="points of strokes have no `foreach_set` since 4.3")


def _points(sight: Sight, stroke: str, made: cst.Assign) -> set[str]:
    """The variables that hold points of a stroke: those of loops over its points, and those assigned one of them."""
    found: set[str] = set()
    for loop in sight.all(cst.For):
        source = sight.code(loop.iter)
        if f"{stroke}.points" not in source or sight.function(loop) is not sight.function(made):
            continue
        if source == f"{stroke}.points":
            found.add(sight.code(loop.target))
        elif isinstance(loop.iter, cst.Call) and isinstance(loop.target, cst.Tuple):
            given = [sight.code(argument.value) for argument in loop.iter.args]
            place = given.index(f"{stroke}.points") if f"{stroke}.points" in given else -1
            place += sight.code(loop.iter.func) == "enumerate"
            if 0 <= place < len(loop.target.elements):
                found.add(sight.code(loop.target.elements[place].value))
    for assign in sight.all(cst.Assign):
        if sight.code(assign.value).startswith(f"{stroke}.points["):
            found.add(sight.code(assign.targets[0].target))
    return found


def _is_point(sight: Sight, node: cst.BaseExpression, stroke: str, points: set[str]) -> bool:
    source = sight.code(node)
    return source in points or source.startswith(f"{stroke}.points[")


@rule("4.3: `object.grease_pencil_modifiers.new(name, 'GP_NOISE')`")
def pencil_modifiers(sight: Sight) -> Iterator[TreeEdit]:
    prop = sight.api.rna.property("Modifier", "type")
    kinds = {item.identifier for item in prop.items} if prop else set[str]()
    reason = "the modifiers of grease pencil are those of every object since 4.3"
    for attribute in sight.lacking("Object", "grease_pencil_modifiers"):
        yield sight.rename(attribute, "modifiers", reason)
    for text in sight.all(cst.SimpleString):
        old = str(text.evaluated_value)
        new = old.replace("GP_", "GREASE_PENCIL_", 1)
        call = next((outer for outer in sight.around(text) if isinstance(outer, cst.Call)), None)
        of_modifiers = call is not None and sight.code(call.func).endswith(("modifiers.new", "modifier_add"))
        if old.startswith("GP_") and of_modifiers and new in kinds and not sight.is_guarded(text):
            yield sight.respell(text, new, reason)


@rule("4.3: `layer.clear()` removed all frames of a layer")
def pencil_clear(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes("clear"):
        call = sight.call_of(attribute)
        statement, layer = sight.alone(call) if call else None, sight.code(attribute.value)
        kinds = {value.type for value in options(sight.value(attribute.value)) if isinstance(value, Rna)}
        if statement and "GreasePencilLayer" in kinds and sight.lacks(attribute):
            source = f"for old in list({layer}.frames):\n    {layer}.frames.remove(old.frame_number)"
            yield sight.instead(statement, source, reason="a layer is cleared frame by frame since 4.3")


_NUMBERS: Final = {
    "layer_pass": ("layer_pass_filter", "use_layer_pass_filter"),
    "pass_index": ("material_pass_filter", "use_material_pass_filter"),
}
"""Numbers of passes, where 0 meant none."""


@rule("4.3: `noise.pass_index = 2` of a grease pencil modifier: a number counts only with its flag")
def modifier_filters(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes(*_NUMBERS):
        found, assign = sight.change_of(attribute), sight.assignment_to(attribute)
        if found is None or found[1].rule != "modifier-filters" or assign is None:
            continue
        new, flag = _NUMBERS[attribute.attr.value]
        owner, number = sight.code(attribute.value), sight.operand(assign.value)
        given = assign.value.evaluated_value if isinstance(assign.value, cst.Integer) else None
        is_on = f"{number} != 0" if given is None else str(given != 0)
        reason = f"`{attribute.attr.value}` of a grease pencil modifier is `{new}` since 4.3"
        yield sight.instead(assign, f"{owner}.{new} = {number}", f"{owner}.{flag} = {is_on}", reason=reason)
