"""Operators and their arguments, and calls that no Blender takes, in closed forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, keyword


@rule("operators under another name: `lamp_add`, `import_scene.obj`, `export_mesh.stl` ...")
def renamed_operators(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        row = sight.book.rows.get(f"bpy.ops.{name}")
        new, _, given = (row.becomes if row else "").partition("(")
        if new and name not in sight.manifest.operators and new in sight.manifest.operators:
            reason = f"`bpy.ops.{name}` is `bpy.ops.{new}` in Blender {sight.manifest.series}"
            if given and not call.args:
                yield sight.replace(call, f"bpy.ops.{new}({given}", reason)
            elif not given:
                yield sight.replace(call.func, f"bpy.ops.{new}", reason)


@rule("4.1: `shade_smooth(use_auto_smooth=True)`")
def shade_auto_smooth(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        flag, angle = keyword(call, "use_auto_smooth"), keyword(call, "auto_smooth_angle")
        if name == "object.shade_smooth" and "object.shade_auto_smooth" in sight.manifest.operators:
            if "use_auto_smooth" in sight.manifest.operators[name].arguments:
                continue
            if flag is None or sight.code(flag.value) not in {"True", "1"}:
                continue
            rest = f"angle={sight.code(angle.value)}" if angle else ""
            reason = "smoothing by angle is an operator of its own since 4.1"
            yield sight.replace(call, f"bpy.ops.object.shade_auto_smooth({rest})", reason)


@rule("2.80: `transform.rotate(value=a, axis=(0, 0, 1))`")
def rotate_axis(sight: Sight) -> Iterator[TreeEdit]:
    axes: dict[tuple[float, ...], str] = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}
    for name, call in sight.operator_calls():
        axis = keyword(call, "axis") if name == "transform.rotate" else None
        if axis is None or not isinstance(axis.value, cst.Tuple):
            continue
        try:
            along = tuple(float(sight.code(part.value)) for part in axis.value.elements)
        except ValueError:
            continue
        reason = "the axis to rotate about has a name since 2.80"
        against, value = tuple(-part + 0.0 for part in along), keyword(call, "value")
        if along in axes:
            yield sight.argument(axis, f"orient_axis='{axes[along]}'", reason)
        elif against in axes and value:
            yield sight.argument(axis, f"orient_axis='{axes[against]}'", reason)
            yield sight.argument(value, f"value=-{sight.operand(value.value)}", "it turned the opposite way")


@rule("arguments under another name, doubled, or gone: `radius`, `view_align`, `use_selection` ...")
def operator_arguments(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        operator = sight.manifest.operators.get(name)
        if operator is None:
            continue
        for argument in call.args:
            if argument.keyword is None or argument.keyword.value in operator.arguments:
                continue
            old = argument.keyword.value
            changed = new_argument(sight, name, old, argument.value)
            if changed is None:
                continue
            new, value = changed
            source = f"{new}={value}" if new else ""
            if new and (new not in operator.arguments or keyword(call, new)):
                continue
            done = f"write `{source}`" if source else "it is left out"
            yield sight.argument(argument, source, f"`bpy.ops.{name}` no longer takes `{old}`: {done}")


def new_argument(sight: Sight, operator: str, old: str, value: cst.BaseExpression) -> tuple[str, str] | None:
    """Name and source of an argument today; both empty if it is left out, None if that is not known."""
    found = sight.book.find(f"bpy.ops.{operator}({old})", f"*({old})")
    if found is None or found[1].drop:
        return found and ("", "")
    source = found[1].value_of(sight.code(value), sight.text_of(value))
    return None if source is None else (found[1].becomes if source else "", source)


@rule("4.0: an operator that is called with a context dictionary")
def context_dictionary(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        statement = _whole(sight, call)
        first = call.args[0] if call.args else None
        if first is None or first.keyword or first.star or statement is None or sight.text_of(first.value) is not None:
            continue
        if isinstance(first.value, cst.Integer | cst.Float | cst.Tuple | cst.List):
            continue
        if isinstance(first.value, cst.Name) and not _is_dictionary(sight, first.value):
            continue
        rest = ", ".join(sight.code(argument).rstrip(",").rstrip() for argument in call.args[1:])
        override = sight.code(first.value)
        given = f"**{override}" if isinstance(first.value, cst.Name | cst.Call | cst.Dict | cst.Attribute) else ""
        if not given:
            continue
        reason = f"`bpy.ops.{name}` takes no dictionary for its context since 4.0: `context.temp_override`"
        done = sight.code(statement).replace(sight.code(call), f"{sight.code(call.func)}({rest})", 1)
        block = f"with bpy.context.temp_override({given}):\n    {done}"
        yield sight.instead(statement, block, reason=reason)


def _is_dictionary(sight: Sight, name: cst.Name) -> bool:
    """True if a variable holds a dictionary and not the execution context or undo flag: it is assigned one, or keys, or
    Blender refused it in this function."""
    if sight.trouble and "args execution context is supported" in sight.trouble.message:
        for _, call in sight.operator_calls():
            refused = bool(call.args) and sight.code(call.args[0].value) == name.value and sight.fails_at(call)
            if refused and sight.function(call) is sight.function(name):
                return True
    for assign in sight.all(cst.Assign):
        for target in assign.targets:
            stored = target.target
            if isinstance(stored, cst.Subscript) and sight.code(stored.value) == name.value:
                return True
            if sight.code(stored) == name.value:
                value = assign.value
                called = sight.code(value.func) if isinstance(value, cst.Call) else ""
                if isinstance(value, cst.Dict) or called == "dict" or called.endswith(".copy"):
                    return True
    return False


def _whole(sight: Sight, call: cst.Call) -> cst.BaseSmallStatement | None:
    """The statement that consists of the call, or assigns its result."""
    parent = sight.parent(call)
    assigned = isinstance(parent, cst.Assign | cst.Return) and parent.value is call
    return parent if assigned and isinstance(parent, cst.Assign | cst.Return) else sight.alone(call)


@rule("2.80: `object.select_by_layer(layers=1)` selected all of the first layer, which is where everything was made")
def select_by_layer(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        layers = keyword(call, "layers")
        first = layers is None or sight.code(layers.value) == "1"
        if name == "object.select_by_layer" and name not in sight.manifest.operators and first:
            reason = "numbered layers are gone since 2.80: everything that was on the first one is selected"
            yield sight.replace(call, "bpy.ops.object.select_all(action='SELECT')", reason)


@rule("2.80: `object.move_to_layer(layers=...)`, `view3d.layers(nr=1)`")
def layer_operators(sight: Sight) -> Iterator[TreeEdit]:
    for name, call in sight.operator_calls():
        statement = sight.alone(call)
        gone = name in {"object.move_to_layer", "view3d.layers"} and name not in sight.manifest.operators
        if gone and statement:
            yield sight.instead(statement, reason="the numbered layers are gone: everything in a collection is visible")


_ALONE: Final = re.compile(r"bpy\.ops\.(\w+)")


@rule("`bpy.ops.select_all()`: an operator without its module is one for objects, or the only one of that name")
def operator_modules(sight: Sight) -> Iterator[TreeEdit]:
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


@rule("`bpy.context.scene = other`: a window has the scene and the view layer, and that has the active object")
def context_members(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes(*_OF_WINDOW, *_ACTIVE):
        assign, name, context = sight.assignment_to(attribute), attribute.attr.value, sight.code(attribute.value)
        if assign is None or not (sight.is_a(attribute.value, "Context") or context in {"bpy.context", "context"}):
            continue
        new = f"window.{name}" if name in _OF_WINDOW else "view_layer.objects.active"
        yield sight.rename(attribute, new, f"`context.{name}` is only read: it is set as `context.{new}`")


_OPERATOR: Final = re.compile(r"([A-Z]+\w*)_OT_(\w+)")


@rule("`duplicate_move(TRANSFORM_OT_translate={\"constraint_orientation\": 'LOCAL'})`: arguments of a macro's parts")
def macro_arguments(sight: Sight) -> Iterator[TreeEdit]:
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


@rule("`action.interpolation_type(type='LINEAR')` asks for an editor, and sets the selected keys of selected objects")
def key_interpolation(sight: Sight) -> Iterator[TreeEdit]:
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


@rule("2.80: `bpy.ops.mesh.delete.get_rna().bl_rna` is `.get_rna_type()`")
def type_of_operator(sight: Sight) -> Iterator[TreeEdit]:
    for call, owner in sight.methods("get_rna"):
        outer = sight.parent(call)
        if isinstance(outer, cst.Attribute) and outer.attr.value in ("bl_rna", "rna_type") and not call.args:
            yield sight.replace(outer, f"{sight.code(owner)}.get_rna_type()", "`get_rna` is gone since 2.80")
