"""Calls and assignments that no Blender takes, or that only one with layers or an editor took, in closed forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.operators import new_argument
from app.healing.sight import Sight, keyword


def select_by_layer(sight: Sight) -> Iterator[TreeEdit]:
    """`object.select_by_layer(layers=1)` selected all of the first layer, which is where everything was made."""
    for name, call in sight.operator_calls():
        layers = keyword(call, "layers")
        first = layers is None or sight.code(layers.value) == "1"
        if name == "object.select_by_layer" and name not in sight.manifest.operators and first:
            reason = "numbered layers are gone since 2.80: everything that was on the first one is selected"
            yield sight.replace(call, "bpy.ops.object.select_all(action='SELECT')", reason)


def layer_operators(sight: Sight) -> Iterator[TreeEdit]:
    """`object.move_to_layer(layers=...)`, `view3d.layers(nr=1)`"""
    for name, call in sight.operator_calls():
        statement = sight.alone(call)
        gone = name in {"object.move_to_layer", "view3d.layers"} and name not in sight.manifest.operators
        if gone and statement:
            yield sight.instead(statement, reason="the numbered layers are gone: everything in a collection is visible")


_ALONE: Final = re.compile(r"bpy\.ops\.(\w+)")


def operator_modules(sight: Sight) -> Iterator[TreeEdit]:
    """`bpy.ops.select_all()`: an operator without its module is one for objects, or the only one of that name."""
    for call in sight.all(cst.Call):
        found = _ALONE.fullmatch(sight.code(call.func))
        if found is None or sight.is_guarded(call):
            continue
        every = [name for name in sight.manifest.operators if name.endswith(f".{found[1]}")]
        new = f"object.{found[1]}" if f"object.{found[1]}" in every else every[0] if len(every) == 1 else ""
        if new:
            reason = f"`{found[1]}` is no module of operators: it is `bpy.ops.{new}`"
            yield sight.replace(call.func, f"bpy.ops.{new}", reason)


_OF_WINDOW: Final = ("view_layer", "scene", "workspace")
_ACTIVE: Final = ("object", "active_object")


def context_members(sight: Sight) -> Iterator[TreeEdit]:
    """`bpy.context.scene = other`: a window has the scene and the view layer, and that has the active object."""
    for attribute in sight.attributes(*_OF_WINDOW, *_ACTIVE):
        assign, name, context = sight.assignment_to(attribute), attribute.attr.value, sight.code(attribute.value)
        if assign is None or not (sight.is_a(attribute.value, "Context") or context in {"bpy.context", "context"}):
            continue
        new = f"window.{name}" if name in _OF_WINDOW else "view_layer.objects.active"
        yield sight.rename(attribute, new, f"`context.{name}` is only read: it is set as `context.{new}`")


_OPERATOR: Final = re.compile(r"([A-Z]+\w*)_OT_(\w+)")


def macro_arguments(sight: Sight) -> Iterator[TreeEdit]:
    """`duplicate_move(TRANSFORM_OT_translate={"constraint_orientation": 'LOCAL'})`: arguments of a macro's parts."""
    for argument in sight.all(cst.Arg):
        found = _OPERATOR.fullmatch(argument.keyword.value) if argument.keyword else None
        if found is None or not isinstance(argument.value, cst.Dict):
            continue
        name = f"{found[1].lower()}.{found[2]}"
        operator = sight.manifest.operators.get(name)
        elements = [element for element in argument.value.elements if isinstance(element, cst.DictElement)]
        given = [sight.text_of(element.key) for element in elements]
        if operator is None or len(elements) != len(argument.value.elements) or sight.is_guarded(argument.value):
            continue
        kept: list[str] = []
        changed: list[str] = []
        for element, old in zip(elements, given, strict=True):
            today = new_argument(sight, name, old or "", element.value) if old not in operator.arguments else None
            new, value = today or ("", "")
            if today is None or (new and (new not in operator.arguments or new in given)):
                kept.append(f"{sight.code(element.key)}: {sight.code(element.value)}")
                continue
            changed.append(f"`{old}` is `{new}`" if new else f"`{old}` is left out")
            kept += [f'"{new}": {value}'] if new else []
        if changed:
            reason = f"arguments of `bpy.ops.{name}` have changed: {', '.join(changed)}"
            yield sight.replace(argument.value, f"{{{', '.join(kept)}}}", reason)


def key_interpolation(sight: Sight) -> Iterator[TreeEdit]:
    """`action.interpolation_type(type='LINEAR')` asks for an editor, and sets the selected keys of selected objects."""
    refused = sight.trouble.refused_operator if sight.trouble else None
    names = {"action.interpolation_type": "interpolation", "graph.interpolation_type": "interpolation"}
    if refused not in names or not sight.has("ActionChannelbag", "fcurves"):
        return
    for name, call in sight.operator_calls():
        kind, statement = keyword(call, "type"), sight.alone(call)
        if name != refused or kind is None or statement is None:
            continue
        source = (
            "for action in {ob.animation_data.action for ob in bpy.context.selected_objects if ob.animation_data}:\n"
            "    for strip in [strip for layer in action.layers for strip in layer.strips] if action else []:\n"
            "        for curve in [curve for bag in strip.channelbags for curve in bag.fcurves]:\n"
            "            for key in [key for key in curve.keyframe_points if key.select_control_point]:\n"
            f"                key.{names[name]} = {sight.code(kind.value)}"
        )
        yield sight.instead(statement, source, reason=f"`bpy.ops.{name}` asks for an editor: the keys are set directly")


RULES: Final = (
    Rule("select-by-layer", "2.80: `object.select_by_layer(layers=1)`", select_by_layer),
    Rule("layer-operators", "2.80: `object.move_to_layer(...)`, `view3d.layers(...)`", layer_operators),
    Rule("operator-modules", "an operator without its module: `bpy.ops.select_all()`", operator_modules),
    Rule(
        "context-members",
        "`context.scene = other`, `context.object = other`: members that are only read",
        context_members,
    ),
    Rule("macro-arguments", "arguments in the dictionary of a macro: `TRANSFORM_OT_translate={...}`", macro_arguments),
    Rule("key-interpolation", "`action.interpolation_type(type='LINEAR')` without an editor", key_interpolation),
)
