"""Operators and their arguments under another name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight, keyword


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


def renamed_arguments(sight: Sight) -> Iterator[TreeEdit]:
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


def context_dictionary(sight: Sight) -> Iterator[TreeEdit]:
    """An operator that is called with a context dictionary."""
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


def auto_smooth_operator(sight: Sight) -> Iterator[TreeEdit]:
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


def rotate_axis(sight: Sight) -> Iterator[TreeEdit]:
    """`transform.rotate(value=a, axis=(0, 0, 1))`."""
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


RULES: Final = (
    Rule(
        "renamed-operators",
        "operators under another name: `lamp_add`, `import_scene.obj`, `export_mesh.stl` ...",
        renamed_operators,
    ),
    Rule("shade-auto-smooth", "4.1: `shade_smooth(use_auto_smooth=True)`", auto_smooth_operator),
    Rule("rotate-axis", "2.80: `transform.rotate(axis=...)`", rotate_axis),
    Rule(
        "operator-arguments",
        "arguments under another name, doubled, or gone: `radius`, `view_align`, `use_selection` ...",
        renamed_arguments,
    ),
    Rule("context-dictionary", "4.0: an operator called with a context dictionary", context_dictionary),
)
