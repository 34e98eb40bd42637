"""Move, rotate, scale, aim and parent in world coordinates, for any parents and rotation modes.

Places are read and written through `matrix_world`. Blender computes it only for objects that are neither excluded nor
disabled; the snippet refuses all others when it runs.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Generator, Sequence
from typing import Any, Final, Literal

from app.accept import ChangeCheck
from app.drafting.commands import operations as op
from app.drafting.commands.checks import PLACED
from app.drafting.commands.script import WIDTH, Script
from app.drafting.commands.subject import Subject
from app.drafting.commands.values import in_units, vector
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood

PLACES: Final[dict[str, Literal["move", "rotate", "scale"]]] = {
    "location": "move", "position": "move", "rotation": "rotate", "euler rotation": "rotate",
    "rotation euler": "rotate", "scale": "scale",
}  # fmt: skip
"""Settings of objects that place them in the world."""
_AXES: Final = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
DEPSGRAPH: Final = "bpy.context.evaluated_depsgraph_get()"


@writes("move", "rotate", "scale")
def write_transform(context: Context, operation: op.Transform) -> None:
    """Move, rotate or scale each object."""
    transform(context, context.subjects.objects(operation.things), operation)


def transform(context: Context, subjects: Sequence[Subject], operation: op.Transform) -> None:
    """Move, rotate or scale objects, and check where they are then, or the change if nobody knows where they were."""
    checks, do, by = context.script.checks, operation.do, operation.how == "by"
    change = _change_of(operation) if by else {}
    parts = (_ABSOLUTE[do], *change)
    known = [checks.known(subject.where, *parts) for subject in subjects]
    moved = [checks.placed(None if context.subjects.parented else subject.where, *parts) for subject in subjects]
    for subject in subjects:
        if context.subjects.parented or subject.items:
            checks.drop_places()
        else:
            checks.drop_places(subject.where, CHANNELS[do])
    with placement(context.script, subjects) as (code, was):
        if by:
            _transform_by(context.script, code, was, operation)
        else:
            transform_to(context.script, code, was, do, operation.value)
    for place, subject in enumerate(subjects):
        if not by:
            context.script.expect(subject.where.has({}, **goal_of(do, operation.value)))
        elif earlier := known[place]:
            part, value = earlier
            [amount] = change.values()
            if (total := _sum_of(do, value, amount)) and part in change:
                expect_change(context, subject, **{part: total})
            elif total:
                context.script.expect(subject.where.has({}, **{part: total}))
        elif not moved[place]:
            # After an earlier move, the start no longer tells the change.
            expect_change(context, subject, **change)


def _sum_of(do: str, before: list[float], amount: list[float]) -> list[float] | None:
    """The place, rotation or scale after a further change; None for turns around several axes."""
    if do == "scale":
        return [one * other for one, other in zip(before, amount, strict=True)]
    total = [one + other for one, other in zip(before, amount, strict=True)]
    if do == "move":
        return total
    axes = [axis for axis in range(3) if before[axis] or amount[axis]]
    return [math.remainder(angle, math.tau) for angle in total] if len(axes) == 1 else None


_ABSOLUTE: Final = {"move": "location", "rotate": "rotation", "scale": "scale"}
CHANNELS: Final = {
    "move": frozenset({"location", "looks_at", "moved", "same_shape"}),
    "rotate": frozenset({"rotation", "looks_at", "turned", "same_shape"}),
    "scale": frozenset({"scale", "scaled", "dimensions", "same_shape"}),
}
"""The parts of acceptance checks that each operation invalidates; for children it invalidates all of them."""


@contextlib.contextmanager
def placement(script: Script, subjects: Sequence[Subject]) -> Generator[tuple[str, str]]:
    """The expressions for each object and for its earlier matrix; parents come before their children."""
    if len(subjects) == 1 and not subjects[0].items:
        [subject] = subjects
        if not subject.made:
            reason = f"{subject.name or 'it'} is excluded or disabled"
            script.line(f"assert {subject.code}.evaluated_get({DEPSGRAPH}).is_evaluated, {script.literal(reason)}")
        elif script.stale:
            script.settle()
        yield subject.code, f"{subject.code}.matrix_world"
    else:
        parts = ", ".join(f"*{subject.items}" if subject.items else subject.code for subject in subjects)
        several = subjects[0].items if len(subjects) == 1 else f"[{parts}]"
        objects, was = script.variable("objects"), script.variable("was")
        script.line("# Parents come before their children, so that nothing is moved twice.")
        script.line(f"{objects} = sorted({several}, key=lambda one: -len(one.children_recursive))")
        depsgraph = script.variable("depsgraph")
        script.line(f"{depsgraph} = {DEPSGRAPH}")
        evaluated = f"all(one.evaluated_get({depsgraph}).is_evaluated for one in {objects})"
        script.line(f'assert {evaluated}, "one is excluded or disabled"')
        code = subjects[0].code if subjects[0].items else script.variable("obj")
        with script.block(f"for {code}, {was} in [(one, one.matrix_world.copy()) for one in {objects}]:"):
            yield code, was
            script.line(f"{script.view_layer()}.update()")
    script.stale = True


def transform_to(script: Script, code: str, was: str, do: str, value: op.Value) -> None:
    """Write the lines that move, turn or scale an object to a value in the world."""
    if do == "move":
        at = script.literal(vector(value))
        if was == f"{code}.matrix_world":
            script.line(f"{code}.matrix_world.translation = {at}")
            return
        script.imports("from mathutils import Vector")
        parts = [f"Vector({at})", "TURN", "SIZE"]
    elif do == "rotate":
        script.imports("from mathutils import Euler")
        parts = ["PLACE", f"Euler({script.literal(vector(value, angle=True))}).to_quaternion()", "SIZE"]
    else:
        script.imports("from mathutils import Vector")
        parts = ["PLACE", "TURN", f"Vector({script.literal(_three(value))})"]
    _recompose(script, code, was, parts)


def _recompose(script: Script, code: str, was: str, parts: Sequence[str]) -> None:
    """Write the matrix of an object from its parts, some of them new."""
    script.imports("from mathutils import Matrix")
    kept = {"PLACE": f"{was}.to_translation()", "TURN": f"{was}.to_quaternion()", "SIZE": f"{was}.to_scale()"}
    written = [functools.reduce(lambda text, name: text.replace(name, kept[name]), kept, part) for part in parts]
    line = f"{code}.matrix_world = Matrix.LocRotScale({', '.join(written)})"
    if len(line) <= WIDTH:
        script.line(line)
        return
    script.line(f"{code}.matrix_world = Matrix.LocRotScale(")
    for part in written:
        script.line(f"    {part},")
    script.line(")")


def goal_of(do: str, value: op.Value) -> dict[str, Any]:
    """The acceptance check of a place, rotation or scale in the world."""
    if do == "rotate":
        return {"rotation": [float(angle) for angle in vector(value, angle=True)]}
    return {"location": list(vector(value))} if do == "move" else {"scale": list(_three(value))}


def _three(value: op.Value) -> tuple[float, float, float]:
    if isinstance(value, op.Number):
        factor = in_units(value, kinds="factor share")
        x, y, z = factor, factor, factor
    else:
        x, y, z = vector(value)
    if 0 in (x, y, z):
        raise NotUnderstood(["0"], "A scale of 0 leaves nothing to see, and loses the rotation.")
    return x, y, z


def _transform_by(script: Script, code: str, was: str, operation: op.Transform) -> None:
    """Write the lines that move, turn or scale an object by an amount."""
    single = was == f"{code}.matrix_world"
    if operation.do == "move":
        script.imports("from mathutils import Vector")
        offset = f"Vector({script.literal(vector(operation.value))})"
        if single:
            script.line(f"{code}.matrix_world.translation += {offset}")
            return
        parts = [f"PLACE + {offset}", "TURN", "SIZE"]
    elif operation.do == "rotate":
        script.imports("from mathutils import Quaternion")
        turn = f"Quaternion({script.literal(_AXES[operation.axis or 'Z'])}, {script.literal(_angle(operation))})"
        parts = ["PLACE", f"{turn} @ TURN", "SIZE"]
    else:
        script.imports("from mathutils import Vector")
        parts = ["PLACE", "TURN", f"SIZE * Vector({script.literal(_factors(operation))})"]
    _recompose(script, code, was, parts)


def _angle(operation: op.Transform) -> float:
    if not isinstance(operation.value, op.Number):
        raise NotUnderstood([], 'Give the angle and the axis: "by 45 degrees around Z".')
    return in_units(operation.value, angle=True)


def _factors(operation: op.Transform) -> tuple[float, float, float]:
    if operation.axis and isinstance(operation.value, op.Number):
        factor = in_units(operation.value, kinds="factor share")
        x, y, z = (factor if axis == operation.axis else 1.0 for axis in _AXES)
        return x, y, z
    return _three(operation.value)


def _change_of(operation: op.Transform) -> dict[str, list[float]]:
    if operation.do == "move":
        return {"moved": list(vector(operation.value))}
    if operation.do == "scale":
        return {"scaled": list(_factors(operation))}
    return {"turned": [math.remainder(_angle(operation), math.tau) * part for part in _AXES[operation.axis or "Z"]]}


def expect_change(context: Context, subject: Subject, **change: Any) -> None:
    """Check the change of an object that exists at the start."""
    if known := context.subjects.start_of(subject):
        context.script.expect(ChangeCheck.model_validate(known | change))


@writes("aim")
def write_aim(context: Context, operation: op.Aim) -> None:
    """Turn things towards a place: cameras and lights along -Z, everything else along -Y with Z up."""
    script = context.script
    goal = context.subjects.object(operation.at) if isinstance(operation.at, op.Mention) else None
    subjects = context.subjects.objects(operation.things)
    if goal is not None and (goal.items or goal.code in {subject.code for subject in subjects}):
        raise NotUnderstood([], "Aim things at one other object.")
    if goal is None and isinstance(operation.at, op.Vector):
        script.imports("from mathutils import Vector")
        target = f"Vector({script.literal(vector(operation.at))})"
        looks_at: Any = list(vector(operation.at))
    else:
        target = f"{goal.code if goal else ''}.matrix_world.translation"
        looks_at = goal.name if goal else ""
    with placement(script, subjects) as (code, was):
        data = {subject.data for subject in subjects}
        if all(kind == "Camera" or kind.endswith("Light") for kind in data):
            turn = f'({target} - PLACE).to_track_quat("-Z", "Y")'
        else:
            script.line(f'front, up = ("-Z", "Y") if {code}.type in {{"CAMERA", "LIGHT"}} else ("-Y", "Z")')
            turn = f"({target} - PLACE).to_track_quat(front, up)"
        _recompose(script, code, was, ["PLACE", turn, "SIZE"])
    for subject in subjects:
        script.checks.drop_places(subject.where, CHANNELS["rotate"])
        if looks_at:
            script.expect(subject.where.has({}, looks_at=looks_at))


@writes("parent")
def write_parent(context: Context, operation: op.Parent) -> None:
    """Parent objects to another or to none; they stay where they are in the world."""
    script = context.script
    parent = context.subjects.object(operation.to) if operation.to else None
    subjects = context.subjects.objects(operation.things)
    if parent is not None and (parent.items or parent.code in {subject.code for subject in subjects}):
        raise NotUnderstood([], "An object has one parent, which is another object.")
    with placement(script, subjects) as (code, was):
        if parent is not None and any(subject.items for subject in subjects):
            with script.block(f"if {code} == {parent.code}:"):
                script.line("continue")
        place_was = was
        if was == f"{code}.matrix_world":
            place_was = script.variable("was")
            script.line(f"{place_was} = {was}.copy()")
        script.line(f"{code}.parent = {parent.code if parent else None}")
        if parent is not None:
            script.line(f"{code}.matrix_parent_inverse = {parent.code}.matrix_world.inverted()")
        script.line(f"{code}.matrix_world = {place_was}")
    for subject in subjects:
        if parent is None or (parent.name and not subject.items):
            script.expect(subject.where.has({}, parent=parent.name if parent else ""))
        if not script.checks.placed(subject.where, *PLACED):
            expect_change(context, subject, moved=[0.0, 0.0, 0.0])
    context.subjects.parented = True
