"""Tests a scene against acceptance checks (`app/checks/accept.py` defines their form). Runs in process two, on the
saved scene that the snippet left.

Answers per check whether it is met and what was seen, in words. It skips `python` checks.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import math
from collections.abc import Callable, Iterable
from typing import Any, cast

import bpy
import mathutils

from harness.inside.describe import action_curves
from harness.inside.settings import numbers, plain

SEEN_LIMIT = 600
FRAME_TOLERANCE = 0.01
VIEW_TOLERANCE = 0.01
"""Radians allowed between the direction an object looks in and the one it should."""


@dataclasses.dataclass(frozen=True)
class Scenes:
    """Descriptions of the scene before the snippet and of the one it left, which is open."""

    start: dict[str, Any]
    after: dict[str, Any]


def look_at(checks: list[dict[str, Any]], start: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any] | None]:
    """The answers, in the order of the checks: `{"met": bool, "seen": str}`, null for `python`.

    `after` describes the open scene, `start` the scene before the snippet.
    """
    scenes = Scenes(start, after)
    return [None if check["check"] == "python" else answer(look(check, scenes)) for check in checks]


def look(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches of one check. If an odd scene makes the check itself fail, the failure is the mismatch."""
    try:
        return at_frame(check, scenes) if "frame" in check else LOOKS[check["check"]](check, scenes)
    except Exception as error:
        return [f"the check failed: {type(error).__name__}: {error}"]


def answer(wrong: list[str]) -> dict[str, Any]:
    """The answer to one check, which is met if nothing is wrong."""
    return {"met": not wrong, "seen": "; ".join(wrong)[:SEEN_LIMIT]}


def look_at_object(check: dict[str, Any], scenes: Scenes) -> list[str]:
    objects = scenes.after["objects"]
    name = check.get("name")
    if name is not None and name not in objects:
        return [f'there is no object "{name}"']
    names = meant(check, scenes.after) if name is None else [name]
    if check.get("added"):
        names = [one for one in names if one not in scenes.start["objects"]]
    if not names:
        added = " that the start did not have" if check.get("added") else ""
        return [f"there is no {check.get('which', '')} {check.get('type', '')} object{added}".replace("  ", " ")]
    judged = [mismatches_of_object(one, objects[one], check) for one in names]
    if check.get("which") in {"selected", "every"} and not check.get("added"):
        return [one for wrong in judged for one in wrong]
    return nearest(judged)


def at_frame(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches at another frame, with the place, rotation and scale that the objects have there."""
    scene = bpy.context.scene
    kept = scene.frame_current
    frame = check["frame"]
    scene.frame_set(int(frame // 1), subframe=frame % 1)
    try:
        objects = {
            name: {
                **facts,
                "location": numbers(scene.objects[name].matrix_world.translation),
                "rotation": numbers(scene.objects[name].matrix_world.to_euler()),
                "scale": numbers(scene.objects[name].matrix_world.to_scale()),
            }
            for name, facts in scenes.after["objects"].items()
        }
        wanted = {part: value for part, value in check.items() if part != "frame"}
        found = LOOKS[check["check"]](wanted, Scenes(scenes.start, {**scenes.after, "objects": objects}))
    finally:
        scene.frame_set(kept)
    return [f"at frame {frame:g}: {one}" for one in found]


def meant(check: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    """Names of the objects that a check without a name refers to."""
    which, kind = check.get("which"), check.get("type")
    names = list(facts["objects"])
    if which in {"active", "camera"}:
        names = [facts["scene"]["active_object" if which == "active" else "camera"]]
    elif which == "selected":
        names = facts["scene"]["selected"]
    return [name for name in names if name in facts["objects"] and kind in (None, facts["objects"][name]["type"])]


def look_at_change(check: dict[str, Any], scenes: Scenes) -> list[str]:
    """The mismatches of what became of objects of the start."""
    start, after = scenes.start["objects"], scenes.after["objects"]
    names = [check["name"]] if "name" in check else meant(check, scenes.start)
    if not names or names[0] not in start:
        return [f'the start has no object "{names[0]}"' if names else f"the start has no {check['which']} object"]
    wrong: list[str] = []
    for name in names:
        if "gone" in check and check["gone"] == (name in after):
            wrong.append(f'object "{name}" is {"still" if check["gone"] else "not"} there')
        if name in after:
            wrong += [f'object "{name}": {one}' for one in changed_otherwise(start[name], after[name], check)]
        elif not check.get("gone"):
            wrong.append(f'object "{name}" is gone')
    return wrong


def changed_otherwise(before: dict[str, Any], after: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The changes of one object that differ from those a check asks for."""
    near: float = check["tolerance"]
    wrong: list[str] = []
    if "moved" in check:
        moved = [now - then for now, then in zip(after["location"], before["location"], strict=True)]
        if not fits(moved, check["moved"], near):
            wrong.append(f"it moved by {shown(moved)}, not {shown(check['moved'])}")
    if "turned" in check:
        turn = mathutils.Euler(check["turned"]).to_quaternion() @ mathutils.Euler(before["rotation"]).to_quaternion()
        if not turned_alike(after["rotation"], list(turn.to_euler()), near):
            wrong.append(f"its rotation is {shown(after['rotation'])}, not {shown(list(turn.to_euler()))}")
    if "scaled" in check:
        wanted = [then * factor for then, factor in zip(before["scale"], check["scaled"], strict=True)]
        if not fits(after["scale"], wanted, near):
            wrong.append(f"its scale is {shown(after['scale'])}, not {shown(wanted)}")
    for part in check.get("lost", []):
        family, _, title = part.partition(".")
        had, has = (any(one["name"] == title for one in facts[family]) for facts in (before, after))
        if has or not had:
            wrong.append(f"it still has {part}" if has else f"it had no {part}")
    if check.get("same_shape") and before.get("bounds") != after.get("bounds"):
        wrong.append("its bounding box changed")
    return wrong


def nearest(candidates: Iterable[list[str]]) -> list[str]:
    """The mismatches of the candidate with the fewest."""
    return min(candidates, key=len)


def mismatches_of_object(name: str, found: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of an object, each beginning with its name."""
    obj = bpy.context.scene.objects[name]
    near: float = check["tolerance"]
    wrong: list[str] = []
    if "type" in check and found["type"] != check["type"]:
        wrong.append(f"its type is {found['type']}, not {check['type']}")
    for part in ("location", "scale", "dimensions"):
        if part in check and not fits(found[part], check[part], near):
            is_or_are = "are" if part == "dimensions" else "is"
            wrong.append(f"its {part} {is_or_are} {shown(found[part])}, not {shown(check[part])}")
    if "rotation" in check and not turned_alike(found["rotation"], check["rotation"], near):
        wrong.append(f"its rotation is {shown(found['rotation'])}, not {shown(check['rotation'])}")
    if "parent" in check and (found["parent"] or "") != check["parent"]:
        wrong.append(f"its parent is {found['parent']}, not {check['parent'] or None}")
    if "looks_at" in check:
        wrong += mismatches_of_view(obj, found, check["looks_at"])
    if "collection" in check and check["collection"] not in found["collections"]:
        wrong.append(f"it is in {', '.join(found['collections'])}, not in {check['collection']}")
    for material in check.get("materials", []):
        if material not in found["materials"]:
            wrong.append(f'it has no material "{material}" in its slots')
    if "smooth" in check:
        faces, smooth = found.get("faces", 0), found.get("smooth_faces", 0)
        if (smooth != faces or faces == 0) if check["smooth"] else smooth:
            wrong.append(f"{smooth} of its {faces} faces are smooth")
    wrong += mismatches_of_parts("modifier", list(obj.modifiers), check.get("modifiers", []), near)
    wrong += mismatches_of_parts("constraint", list(obj.constraints), check.get("constraints", []), near)
    for there in check.get("without", []):
        family, _, part = there.partition(".")
        if part in getattr(obj, family, ()):
            wrong.append(f"it still has {there}")
    if "selected" in check and obj.select_get() != check["selected"]:
        wrong.append(f"it is {'not ' if check['selected'] else ''}selected")
    for wanted in check.get("keyframes", []):
        wrong += mismatches_of_keyframes(obj, wanted)
    wrong += mismatches_of_values(obj, check["values"], near)
    return [f'object "{name}": {one}' for one in wrong]


def mismatches_of_view(obj: Any, found: dict[str, Any], target: str | list[float]) -> list[str]:
    """The mismatch of an object that does not look at another one or at a place."""
    if isinstance(target, str):
        if target not in bpy.context.scene.objects:
            return [f'there is no object "{target}" to look at']
        target = list(bpy.context.scene.objects[target].matrix_world.translation)
    front = mathutils.Vector((0, 0, -1) if obj.type in {"CAMERA", "LIGHT"} else (0, -1, 0))
    view = mathutils.Euler(found["rotation"]).to_matrix() @ front
    way = mathutils.Vector(target) - mathutils.Vector(found["location"])
    if way.length > 0 and view.angle(way) < VIEW_TOLERANCE:
        return []
    return [f"it looks along {shown(list(view))}, not at {shown(target)}"]


def mismatches_of_parts(kind: str, parts: list[Any], wanted: list[dict[str, Any]], near: float) -> list[str]:
    """Modifiers or constraints that are missing or out of order. Among several of a type, the nearest is named."""
    wrong: list[str] = []
    first = 0
    for one in wanted:
        fitting = [
            (index, part)
            for index, part in enumerate(parts[first:], first)
            if part.type == one["type"] and one.get("name") in (None, part.name)
        ]
        if not fitting:
            having = ", ".join(part.type for part in parts) or "none"
            named = f' "{one["name"]}"' if "name" in one else ""
            wrong.append(f"it has no {one['type']} {kind}{named} there (it has {having})")
            continue
        judged = [(mismatches_of_values(part, one["values"], near), index) for index, part in fitting]
        mismatches, index = min(judged, key=lambda pair: len(pair[0]))
        wrong += [f"its {one['type']} {kind}: {mismatch}" for mismatch in mismatches]
        first = index + 1
    return wrong


def mismatches_of_keyframes(obj: Any, wanted: dict[str, Any]) -> list[str]:
    owner, path = obj, wanted["path"]
    if path.startswith("data.") and obj.data is not None:
        owner, path = obj.data, path.removeprefix("data.")
    animation = owner.animation_data
    curves = action_curves(animation) if animation and animation.action else []
    frames = sorted(
        {float(point.co[0]) for curve in curves if curve.data_path == path for point in curve.keyframe_points}
    )
    if not frames:
        return [f"its {wanted['path']} has no keyframes"]
    missing = [frame for frame in wanted["frames"] if not any(abs(frame - one) < FRAME_TOLERANCE for one in frames)]
    if missing:
        return [f"its {wanted['path']} has keyframes at {shown(frames)}, not at {shown(missing)}"]
    return []


def mismatches_of_values(owner: Any, values: dict[str, Any], near: float) -> list[str]:
    """Properties that are missing or hold another value."""
    wrong: list[str] = []
    for path, wanted in values.items():
        try:
            seen = linked_from(owner, path) if path.endswith(".linked_from") else plain(owner.path_resolve(path))
        except Exception:
            # The exception of a wrong path depends on where the path goes wrong.
            wrong.append(f"it has no property {path}")
            continue
        if not fits(seen, wanted, near):
            wrong.append(f"{path} is {shown(seen)}, not {shown(wanted)}")
    return wrong


def linked_from(owner: Any, path: str) -> str | None:
    """The node and output that an input of a node is linked to."""
    socket = owner.path_resolve(path.removesuffix(".linked_from"))
    return next((f"{link.from_node.name}.{link.from_socket.name}" for link in socket.links), None)


def look_at_count(check: dict[str, Any], scenes: Scenes) -> list[str]:
    pattern = check.get("name", "*")
    count = sum(
        fnmatch.fnmatchcase(name, pattern)
        and check.get("type") in (None, found["type"])
        and (check.get("collection") is None or check["collection"] in found["collections"])
        for name, found in scenes.after["objects"].items()
    )
    count += scenes.after["objects_left_out"] if set(check) <= {"check", "at_least", "at_most"} else 0
    words = ["is" if count == 1 else "are", str(count), check.get("type"), "object" if count == 1 else "objects"]
    words += [f"called {pattern}" if "name" in check else None]
    words += [f"in {check['collection']}" if "collection" in check else None]
    said = " ".join(filter(None, words))
    if count < check.get("at_least", 0):
        return [f"there {said}, not at least {check['at_least']}"]
    if count > check.get("at_most", count):
        return [f"there {said}, not at most {check['at_most']}"]
    return []


def look_at_material(check: dict[str, Any], scenes: Scenes) -> list[str]:
    candidates = list(bpy.data.materials)
    if "on" in check:
        if check["on"] not in scenes.after["objects"]:
            return [f'there is no object "{check["on"]}"']
        worn = scenes.after["objects"][check["on"]]["materials"]
        candidates = [material for material in candidates if material.name in worn]
    if "name" in check:
        candidates = [material for material in candidates if material.name == check["name"]]
    if not candidates:
        named = f' "{check["name"]}"' if "name" in check else ""
        return [f"there is no material{named}" + (f' on "{check["on"]}"' if "on" in check else "")]
    return nearest(mismatches_of_material(material, check) for material in candidates)


def mismatches_of_material(material: Any, check: dict[str, Any]) -> list[str]:
    nodes = list(material.node_tree.nodes) if material.use_nodes and material.node_tree else []
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    types = {node.bl_idname for node in nodes}
    wrong = [f"it has no node {kind}" for kind in check["nodes"] if kind not in types]
    if check["inputs"] and shader is None:
        wrong.append("it has no Principled BSDF")
    for name, wanted in check["inputs"].items():
        if shader is None:
            break
        socket = shader.inputs.get(name)
        if socket is None:
            wrong.append(f'its Principled BSDF has no input "{name}"')
        elif not fits(plain(socket.default_value), wanted, check["tolerance"], colour=True):
            wrong.append(f"its {name} is {shown(plain(socket.default_value))}, not {shown(wanted)}")
    return [f'material "{material.name}": {one}' for one in wrong]


def look_at_collection(check: dict[str, Any], scenes: Scenes) -> list[str]:
    collection = bpy.data.collections.get(check["name"])
    if collection is None:
        return [f'there is no collection "{check["name"]}"']
    own = bpy.context.scene.collection
    wrong: list[str] = []
    if "parent" in check:
        parents = [one.name for one in [own, *bpy.data.collections] if collection.name in one.children]
        if check["parent"] not in parents:
            wrong.append(f"it is in {', '.join(parents) or 'no collection'}, not in {check['parent']}")
    having = {obj.name for obj in collection.objects}
    wrong += [f'it has no object "{name}"' for name in check["objects"] if name not in having]
    return [f'collection "{collection.name}": {one}' for one in wrong]


def look_at_scene(check: dict[str, Any], scenes: Scenes) -> list[str]:
    return [f"scene: {one}" for one in mismatches_of_values(bpy.context.scene, check["values"], check["tolerance"])]


def look_at_data(check: dict[str, Any], scenes: Scenes) -> list[str]:
    blocks = getattr(bpy.data, check["collection"], None)
    if blocks is None:
        return [f"bpy.data has no {check['collection']}"]
    block = blocks.get(check["name"])
    title = f"{check['name']!r} of bpy.data.{check['collection']}"
    if check["absent"] or block is None:
        return [] if check["absent"] == (block is None) else [f"{title} is {'missing' if block is None else 'there'}"]
    return [f"{title}: {one}" for one in mismatches_of_values(block, check["values"], check["tolerance"])]


LOOKS: dict[str, Callable[[dict[str, Any], Scenes], list[str]]] = {
    "object": look_at_object,
    "change": look_at_change,
    "data": look_at_data,
    "count": look_at_count,
    "material": look_at_material,
    "collection": look_at_collection,
    "scene": look_at_scene,
}


def fits(seen: Any, wanted: Any, near: float, colour: bool = False) -> bool:
    """Whether a value is the wanted one; numbers within `near`, as a share of it for those above 1."""
    if isinstance(wanted, bool) or isinstance(seen, bool):
        return seen in (0, 1) and wanted in (0, 1) and bool(seen) == bool(wanted)
    if isinstance(wanted, (int, float)):
        return isinstance(seen, (int, float)) and abs(seen - wanted) <= near * max(1.0, abs(wanted))
    if isinstance(wanted, list):
        parts = items(seen)
        whole = parts[:3] if colour and len(parts) == 4 and len(items(wanted)) == 3 else parts
        return len(whole) == len(items(wanted)) and all(map(fits, whole, items(wanted), [near] * len(whole)))
    return bool(seen == wanted)


def items(value: Any) -> list[Any]:
    """The parts of a list; none of any other value."""
    return cast("list[Any]", value) if isinstance(value, list) else []  # type: ignore[redundant-cast]


def turned_alike(seen: list[float | None], wanted: list[float], near: float) -> bool:
    """Whether two Euler rotations are the same turn: half a circle about x equals half a circle about both y and z."""
    angles = [angle for angle in seen if angle is not None]
    if len(angles) != 3:
        return False
    turn = mathutils.Euler(angles).to_quaternion().rotation_difference(mathutils.Euler(wanted).to_quaternion())
    return bool(min(turn.angle, abs(2 * math.pi - turn.angle)) <= max(near, 1e-3))


def shown(value: Any) -> str:
    """A value in words, with numbers in their shortest form."""
    if isinstance(value, list):
        return f"({', '.join(shown(one) for one in items(value))})"
    return f"{value:g}" if isinstance(value, float) else str(value)
