"""Key: keyframes of any property that can be animated; places are keyed in world coordinates."""

from __future__ import annotations

import dataclasses

from app.accept.check_values import LAST_FRAME
from app.drafting.commands import operations as op
from app.drafting.commands.literals import literal
from app.drafting.commands.names import item_of
from app.drafting.commands.subject import Subject, each
from app.drafting.commands.values import take, vector
from app.drafting.commands.words import plain
from app.drafting.commands.write.placing import CHANNELS, DEPSGRAPH, PLACES, goal_of
from app.drafting.commands.write.setting import locate, socket_value
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood, ValueOutOfRange


@writes("key")
def write_key(context: Context, operation: op.Key) -> None:
    """Set a property at each frame and key it."""
    for subject in context.subjects.resolve(operation.of):
        # Parents come before their children, whose places are in world coordinates.
        ordered = f"sorted({subject.items}, key=lambda one: -len(one.children_recursive))" if subject.items else ""
        with each(context.script, dataclasses.replace(subject, items=ordered)) as single:
            if single.is_object and plain(operation.property) in PLACES:
                keyed, channel = single.code, _key_place(context, single, PLACES[plain(operation.property)], operation)
            else:
                keyed, channel = _key_property(context, single, operation)
            if operation.interpolation:
                _interpolate(context, keyed, channel, operation.interpolation)


def _key_place(context: Context, subject: Subject, do: str, operation: op.Key) -> str:
    """Key the place, rotation or scale of an object in the world at each frame."""
    script, code = context.script, subject.code
    rows = [(_frame(key.frame), next(iter(goal_of(do, key.value).values()))) for key in operation.keys]
    scene = script.scene()
    channel = {"move": "location", "rotate": "rotation_euler", "scale": "scale"}[do]
    frames = ", ".join(
        f"({row[0]}, {script.literal(_value(do, key.value))})" for row, key in zip(rows, operation.keys, strict=True)
    )
    if not subject.made:
        script.line(f'assert {code}.evaluated_get({DEPSGRAPH}).is_evaluated, "it is excluded or disabled"')
    script.line(f"now = {scene}.frame_current")
    if do == "rotate":
        script.line(f'{code}.rotation_mode = "XYZ"  # so that these angles are what turns it')
        script.line(f'assert {code}.parent is None, "angles of what has a parent are not those of the world"')
    with script.block(f"for frame, value in ({frames}{',' if len(rows) == 1 else ''}):"):
        script.line(f"{scene}.frame_set(frame)")
        if do == "move":
            script.line(f"{code}.matrix_world.translation = value")
        elif do == "rotate":
            script.line(f"{code}.rotation_euler = value")
        else:
            script.imports("from mathutils import Matrix, Vector")
            script.line(f"place, turn, _ = {code}.matrix_world.decompose()")
            script.line(f"{code}.matrix_world = Matrix.LocRotScale(place, turn, Vector(value))")
        script.line(f'{code}.keyframe_insert("{channel}", frame=frame)')
    script.line(f"{scene}.frame_set(now)")
    script.checks.drop_places(subject.where, CHANNELS[do])
    names = {"move": "location", "rotate": "rotation", "scale": "scale"}
    for frame, goal in rows:
        keyed = [{"path": channel, "frames": [frame]}]
        script.expect(subject.where.has({}, **{names[do]: goal}, frame=frame, keyframes=keyed))
    script.stale = True
    return channel


def _value(do: str, value: op.Value) -> tuple[float, ...]:
    """The value of a place, rotation or scale as the snippet writes it."""
    return vector(value, angle=True) if do == "rotate" else tuple(next(iter(goal_of(do, value).values())))


def _key_property(context: Context, subject: Subject, operation: op.Key) -> tuple[str, str]:
    """Key any other property; returns the expression for its owner, and its name there."""
    script = context.script
    owner, found = locate(context, subject, operation.property, operation.keys[0].value)
    if isinstance(found, str):
        values = [socket_value(context.names, owner.type, found, key.value) for key in operation.keys]
        target, last = f"{owner.code}.inputs[{script.literal(found)}]", "default_value"
        path = f"inputs[{literal(found)}].default_value"
    else:
        values = [take(context.names, found, key.value) for key in operation.keys]
        if found.prop.type in {"STRING", "POINTER"}:
            raise NotUnderstood([operation.property], f"{found.prop.label} cannot be animated.")
        holder = context.subjects.struct(owner, found.path[:-1])
        target, last, path = holder.code, found.path[-1], found.dotted_path
    index = "" if isinstance(found, str) or found.index is None else f"[{found.index}]"
    rows = [(_frame(key.frame), value) for key, value in zip(operation.keys, values, strict=True)]
    listed = ", ".join(f"({frame}, {script.literal(value)})" for frame, value in rows)
    with script.block(f"for frame, value in ({listed}{',' if len(rows) == 1 else ''}):"):
        script.line(f"{target}.{last}{index} = value")
        at = f", index={index[1:-1]}" if index else ""
        script.line(f'{target}.keyframe_insert("{last}"{at}, frame=frame)')
    for frame, value in rows:
        script.expect(owner.where.has({path: value}, frame=frame))
    return target, last


def _frame(frame: float) -> int | float:
    if abs(frame) > LAST_FRAME:
        raise ValueOutOfRange([f"{frame:.0f}"], f"The last frame of Blender is {LAST_FRAME}.")
    return int(frame) if frame == int(frame) else frame


def _interpolate(context: Context, keyed: str, channel: str, words: str) -> None:
    """Set the interpolation of the keys in one channel."""
    prop = context.names.property("Keyframe", "interpolation")
    items = prop.items if prop else ()
    item = item_of(items, words)
    if item is None:
        raise NotUnderstood([words], f"Interpolations are: {', '.join(option.identifier for option in items)}.")
    script = context.script
    script.imports("from typing import Any")
    owner, animation, curves = (script.variable(name) for name in ("owner", "animation", "curves"))
    script.line(f"{owner}: Any = {keyed}.id_data")
    script.line(f"{animation} = {owner}.animation_data")
    if "fcurves" in context.names.manifest.types["Action"].properties:
        script.line(f"{curves} = {animation}.action.fcurves")
    else:
        script.imports("from bpy_extras import anim_utils")
        script.line("channelbag: Any = anim_utils.action_get_channelbag_for_slot")
        script.line(f"{curves} = channelbag({animation}.action, {animation}.action_slot).fcurves")
    path = f'{keyed}.path_from_id("{channel}")'
    points = f"p for curve in {curves} if curve.data_path == {path} for p in curve.keyframe_points"
    with script.block(f"for point in [{points}]:"):
        script.line(f'point.interpolation = "{item}"')
