"""Compares objects with acceptance checks: places, sizes, parts, animation, and changes."""

from __future__ import annotations

from typing import Any

import bpy
import mathutils

from harness.inside.scene.accept_relations import (
    front_of,
    mismatches_of_direction,
    mismatches_of_faces,
    mismatches_of_inputs,
    mismatches_of_instances,
    mismatches_of_kept,
)
from harness.inside.scene.accept_values import (
    NOTHING_CLAIMED,
    bounds_of,
    fits_open,
    mismatch_of_amount,
    mismatches_of_values,
    open_shown,
    same_within,
    shown,
    steps,
    turned_alike,
)
from harness.inside.scene.describe import action_curves
from harness.inside.scene.names import all_called, title
from harness.inside.scene.settings import numbers
from harness.inside.scene.value_paths import STEP

FRAME_TOLERANCE = 0.01
VIEW_TOLERANCE = 0.01
"""Radians allowed between the direction an object looks in and the one it should."""
PLACES = ("location", "rotation", "scale")
ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")
"""The meanings of `rotation` in a path: one of these, whichever mode an object or bone has."""


def object_called(name: str) -> Any:
    """The object of the scene that a description calls by this name."""
    return all_called(name, "scene")[0]


def meant(name: str, kind: str) -> set[str]:
    """The titles of the data blocks of this kind that a check may mean by a name."""
    return {title(block) for block in all_called(name, kind)}


def all_collections() -> list[Any]:
    """Every collection, that of the scene itself included."""
    return [bpy.context.scene.collection, *bpy.data.collections]


def is_of(facts: dict[str, Any], check: dict[str, Any]) -> bool:
    """True if an object is of the type, or of one of the types, that a check names."""
    wanted: Any = check.get("type")
    return wanted is None or facts["type"] in ([wanted] if isinstance(wanted, str) else wanted)


def types_of(check: dict[str, Any]) -> str:
    """The types that a check names, in words."""
    wanted: Any = check.get("type", "")
    return wanted if isinstance(wanted, str) else " or ".join(wanted)


def mismatches_of_object(name: str, facts: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of an object, each beginning with its name."""
    obj = object_called(name)
    near: float = check["tolerance"]
    wrong: list[str] = []
    if not is_of(facts, check):
        wrong.append(f"its type is {facts['type']}, not {types_of(check)}")
    wrong += mismatches_of_place(obj, facts, check)
    if "dimensions" in check and not fits_open(facts["dimensions"], check["dimensions"], near):
        wrong.append(f"its dimensions are {shown(facts['dimensions'])}, not {open_shown(check['dimensions'])}")
    wrong += mismatches_of_geometry(facts, check)
    if "parent" in check and not is_parent(facts["parent"], check["parent"]):
        wrong.append(f"its parent is {facts['parent']}, not {check['parent'] or None}")
    if "looks_at" in check:
        wrong += mismatches_of_view(obj, facts, check["looks_at"], check.get("front"))
    if "direction" in check:
        wrong += mismatches_of_direction(front_of(obj, facts, check.get("front")), check["direction"])
    if "collection" in check and not meant(check["collection"], "collections") & {*facts["collections"]}:
        wrong.append(f"it is in {', '.join(facts['collections'])}, not in {check['collection']}")
    wrong += mismatches_of_slots(facts, check)
    wrong += mismatches_of_parts("modifier", list(obj.modifiers), check.get("modifiers", []), near)
    wrong += mismatches_of_parts("constraint", list(obj.constraints), check.get("constraints", []), near)
    for there in check.get("without", []):
        family, _, part = there.partition(".")
        if part in getattr(obj, family, ()):
            wrong.append(f"it still has {there}")
    if "selected" in check and obj.select_get() != check["selected"]:
        wrong.append(f"it is {'not ' if check['selected'] else ''}selected")
    for bone in check.get("bones", []):
        wrong += mismatches_of_bone(obj, bone, near)
    wrong += mismatches_of_animation(obj, check)
    wrong += mismatches_of_faces(obj, check) + mismatches_of_instances(obj, check) + mismatches_of_kept(obj, check)
    wrong += mismatches_of_values(obj, check["values"], near, check.get("claimed", NOTHING_CLAIMED))
    return [f'object "{name}": {mismatch}' for mismatch in wrong]


def is_parent(seen: str | None, wanted: str) -> bool:
    """True if a parent is the one that a check names; an empty name wants none."""
    return seen in meant(wanted, "objects") if wanted else seen is None


def mismatches_of_place(obj: Any, facts: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of location, rotation and scale, in the world or as the object itself has them."""
    local = check.get("space") == "local"
    near: float = check["tolerance"]
    where = "local, as its properties show it" if local else "in the world"
    wrong: list[str] = []
    for part in PLACES:
        if part not in check:
            continue
        seen: list[float | None] = facts[part]
        if local:
            own = obj.matrix_basis.to_euler() if part == "rotation" else getattr(obj, part)
            seen = numbers(own)
        same = turned_alike if part == "rotation" else fits_open
        if not same(seen, check[part], near):
            wrong.append(f"its {part} is {shown(seen)}, not {open_shown(check[part])} ({where})")
    return wrong


def mismatches_of_geometry(facts: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of the world box, the numbers of vertices and faces, and the shading."""
    wrong: list[str] = []
    if "extent" in check:
        wrong += mismatches_of_extent("its", [facts], check)
    for part in ("vertices", "faces"):
        if part in check:
            mismatch = mismatch_of_amount(f"the number of its {part} is", facts.get(part, 0), check[part])
            # The levels of a modifier may be finer in renders; a check may mean either.
            other = facts.get(f"{part}_in_viewport")
            wrong += [] if other is not None and not mismatch_of_amount("", other, check[part]) else mismatch
    if "smooth" in check:
        faces, smooth = facts.get("faces", 0), facts.get("smooth_faces", 0)
        if (smooth != faces or faces == 0) if check["smooth"] else smooth:
            wrong.append(f"{smooth} of its {faces} faces are smooth")
    return wrong


def mismatches_of_extent(whose: str, things: list[dict[str, Any]], check: dict[str, Any]) -> list[str]:
    """The mismatches of the box in the world around all of these things."""
    if any(thing["has_instances"] and thing.get("instances_left_out") for thing in things):
        return [f"not all of {whose} instances were measured"]
    boxes = [box for thing in things if (box := thing.get("bounds"))]
    if not boxes or any(None in (*box["min"], *box["max"]) for box in boxes):
        return ["it has no extent" if whose == "its" else "they have no extent"]
    low = [min(box["min"][axis] for box in boxes) for axis in range(3)]
    high = [max(box["max"][axis] for box in boxes) for axis in range(3)]
    seen = {"min": low, "max": high, "size": [high[axis] - low[axis] for axis in range(3)]}
    return [
        f"the {part} of {whose} extent is {shown(seen[part])}, not {open_shown(wanted)}"
        for part, wanted in check["extent"].items()
        if not fits_open(seen[part], wanted, check["tolerance"])
    ]


def mismatches_of_contact(name: str, objects: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatch of an object that does not meet the one that it must touch: their boxes in the world are apart."""
    if "touches" not in check:
        return []
    other = next((title for title in sorted(meant(check["touches"], "objects")) if title in objects), None)
    if other is None:
        return [f'object "{name}": there is no object "{check["touches"]}" that it could touch']
    here, there = objects[name].get("bounds"), objects[other].get("bounds")
    if not here or not there:
        return [f'object "{name}": it or "{other}" has no extent, so they cannot touch']
    gaps = [max(here["min"][axis] - there["max"][axis], there["min"][axis] - here["max"][axis]) for axis in range(3)]
    if max(gaps) <= check["tolerance"]:
        return []
    return [f'object "{name}": it is {max(gaps):.3g} m from "{other}" along {"xyz"[gaps.index(max(gaps))]}']


def mismatches_of_slots(facts: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of the materials in its slots."""
    having: list[str | None] = facts["materials"]
    wrong = [
        f'it has no material "{material}" in its slots'
        for material in check.get("materials", [])
        if not meant(material, "materials") & {*having}
    ]
    named = [name or "" for name in having]
    some = check.get("materials_any")
    if some and not any(meant(material, "materials") & {*having} for material in some):
        wrong.append(
            f"it has none of the materials {', '.join(some)} in its slots (it has {', '.join(named) or 'none'})"
        )
    if "slots" in check and not are_slots(named, check["slots"]):
        wrong.append(f"its slots are {shown(list(named))}, not {shown(check['slots'])}")
    return wrong


def are_slots(seen: list[str], wanted: list[str]) -> bool:
    """True if slots hold the materials that a check names, in their order."""
    return len(seen) == len(wanted) and all(
        slot in meant(name, "materials") if name else not slot
        for slot, name in zip(seen, wanted)  # noqa: B905 - same length
    )


def mismatches_of_view(
    obj: Any, facts: dict[str, Any], target: str | list[float], axis: str | None = None
) -> list[str]:
    """The mismatch of an object that does not look at another one or at a place."""
    if isinstance(target, str):
        there = all_called(target, "scene")
        if not there:
            return [f'there is no object "{target}" to look at']
        target = list(there[0].matrix_world.translation)
    if None in (*facts["location"], *facts["rotation"]):
        return ["its place or rotation is no number"]
    view = front_of(obj, facts, axis)
    way = mathutils.Vector(target) - mathutils.Vector(facts["location"])
    if way.length > 0 and view.angle(way) < VIEW_TOLERANCE:
        return []
    return [f"it looks along {shown(list(view))}, not at {shown(target)}"]


def mismatches_of_parts(kind: str, parts: list[Any], wanted: list[dict[str, Any]], near: float) -> list[str]:
    """Modifiers or constraints that are missing or out of order. Among several of a type, the nearest is named."""
    wrong: list[str] = []
    first = 0
    for part_wanted in wanted:
        named = f' "{part_wanted["name"]}"' if "name" in part_wanted else ""
        fitting = [
            (index, part)
            for index, part in enumerate(parts)
            if part.type == part_wanted["type"] and part_wanted.get("name") in (None, part.name)
        ]
        if part_wanted.get("absent"):
            wrong += [f"it has a {part_wanted['type']} {kind}{named}"] if fitting else []
            continue
        judged = [
            (
                mismatches_of_inputs(part, part_wanted, near) + mismatches_of_values(part, part_wanted["values"], near),
                index,
            )
            for index, part in fitting
            if index >= first
        ]
        if not judged:
            having = ", ".join(part.type for part in parts) or "none"
            wrong.append(f"it has no {part_wanted['type']} {kind}{named} there (it has {having})")
            continue
        mismatches, index = min(judged, key=lambda pair: len(pair[0]))
        wrong += [f"its {part_wanted['type']} {kind}: {mismatch}" for mismatch in mismatches]
        first = index + 1
    return wrong


def mismatches_of_bone(obj: Any, wanted: dict[str, Any], near: float) -> list[str]:
    """The mismatches of one bone."""
    bone = obj.pose.bones.get(wanted["name"]) if obj.pose else None
    title = f'bone "{wanted["name"]}"'
    if bone is None or wanted.get("absent"):
        return [] if wanted.get("absent") == (bone is None) else [f"it has {'no' if bone is None else 'a'} {title}"]
    wrong: list[str] = []
    parent = bone.parent.name if bone.parent else ""
    if "parent" in wanted and parent != wanted["parent"]:
        wrong.append(f"its parent is {parent or None}, not {wanted['parent'] or None}")
    wrong += mismatches_of_parts("constraint", list(bone.constraints), wanted.get("constraints", []), near)
    wrong += mismatches_of_values(bone, wanted["values"], near)
    return [f"{title}: {mismatch}" for mismatch in wrong]


def mismatches_of_animation(owner: Any, check: dict[str, Any]) -> list[str]:
    """The mismatches of keyframes and drivers of a data block, and of those below it."""
    wrong: list[str] = []
    for wanted in check.get("keyframes", []):
        wrong += mismatches_of_keyframes(owner, wanted)
    for wanted in check.get("drivers", []):
        wrong += mismatches_of_drivers(owner, wanted)
    return wrong


def animated(owner: Any, path: str) -> tuple[Any, str]:
    """The data block with the animation of a property, and the path of the property from there."""
    found, rest = owner, path
    for step in list(STEP.finditer(path))[:-1]:
        try:
            below = owner.path_resolve(path[: step.end()])
        except ValueError:
            break
        if isinstance(below, bpy.types.ID):
            found, rest = below, path[step.end() :].lstrip(".")
    return found, rest


def same_property(block: Any, path: str, wanted: str) -> bool:
    """True if two paths from a data block lead to the same property, however each names the steps on the way."""
    if path == wanted:
        return True
    if steps(wanted)[-1] == "rotation":
        return any(same_property(block, path, wanted.removesuffix("rotation") + rotation) for rotation in ROTATIONS)
    try:
        return bool(block.path_resolve(path, False) == block.path_resolve(wanted, False))
    except ValueError:
        return False


def mismatches_of_keyframes(owner: Any, wanted: dict[str, Any]) -> list[str]:
    """The mismatches of the keyframes of one property."""
    block, path = animated(owner, wanted["path"])
    animation = block.animation_data
    curves = [
        curve
        for curve in (action_curves(animation) if animation and animation.action else [])
        if same_property(block, curve.data_path, path)
    ]
    points = [point for curve in curves for point in curve.keyframe_points]
    title = f"its {wanted['path']}"
    if wanted.get("absent"):
        told = [point for point in points if not wanted["frames"] or any(is_at(point, at) for at in wanted["frames"])]
        at = f" at {shown(sorted({float(one.co[0]) for one in told}))}" if wanted["frames"] else ""
        return [f"{title} has keyframes{at}"] if told else []
    if not points:
        return [f"{title} has no keyframes"]
    wrong: list[str] = []
    missing = [frame for frame in wanted["frames"] if not any(is_at(point, frame) for point in points)]
    if missing:
        there = sorted({float(point.co[0]) for point in points})
        wrong.append(f"{title} has keyframes at {shown(there)}, not at {shown(missing)}")
    if "interpolation" in wanted:
        asked = [one for one in points if not wanted["frames"] or any(is_at(one, frame) for frame in wanted["frames"])]
        ways = sorted({point.interpolation for point in asked} - {wanted["interpolation"]})
        wrong += [f"{title} has {', '.join(ways)} keyframes, not {wanted['interpolation']}"] if ways else []
    for kind in wanted["modifiers"]:
        without = [curve for curve in curves if kind not in {modifier.type for modifier in curve.modifiers}]
        wrong += [f"{len(without)} of the {len(curves)} curves of {title} have no {kind} modifier"] if without else []
    return wrong


def is_at(point: Any, frame: float) -> bool:
    return bool(abs(frame - point.co[0]) < FRAME_TOLERANCE)


def mismatches_of_drivers(owner: Any, wanted: dict[str, Any]) -> list[str]:
    """The mismatches of the drivers of one property: one of them must be all that is wanted."""
    block, path = animated(owner, wanted["path"])
    curves = [
        curve
        for curve in (block.animation_data.drivers if block.animation_data else ())
        if same_property(block, curve.data_path, path) and wanted.get("index") in (None, curve.array_index)
    ]
    title = f"its {wanted['path']}" + (f"[{wanted['index']}]" if "index" in wanted else "")
    if wanted.get("absent"):
        return [f"{title} has a driver"] if curves else []
    if not curves:
        return [f"{title} has no driver"]
    judged = [mismatches_of_driver(curve.driver, wanted) for curve in curves]
    return [f"the driver of {title}: {mismatch}" for mismatch in min(judged, key=len)]


def mismatches_of_driver(driver: Any, wanted: dict[str, Any]) -> list[str]:
    wrong: list[str] = []
    if wanted.get("type") not in (None, driver.type):
        wrong.append(f"its type is {driver.type}, not {wanted['type']}")
    if "expression" in wanted and "".join(driver.expression.split()) != "".join(wanted["expression"].split()):
        wrong.append(f"its expression is {driver.expression}, not {wanted['expression']}")
    read = {target.id.name for variable in driver.variables for target in variable.targets if target.id}
    return wrong + [f'it reads nothing of "{name}"' for name in wanted["targets"] if name not in read]


def times(factor: Any, then: float) -> Any:
    """A scale that was `then`, times a factor, which may be a range or left open."""
    if not isinstance(factor, dict):
        return None if factor is None else factor * then
    ends = {name: bound * then for name, bound in bounds_of(factor)}
    # A mirrored thing has negative factors, of which the larger bound is the lower one.
    swapped = {"at_least": "at_most", "at_most": "at_least"}
    return {swapped[name]: end for name, end in ends.items()} if then < 0 else ends


def changed_otherwise(before: dict[str, Any], after: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The changes of one object that differ from those a check asks for."""
    near: float = check["tolerance"]
    wrong: list[str] = []
    if "moved" in check:
        moved = [now - then for now, then in zip(after["location"], before["location"], strict=True)]
        if not fits_open(moved, check["moved"], near):
            wrong.append(f"it moved by {shown(moved)}, not {open_shown(check['moved'])}")
    if "turned" in check:
        turn = mathutils.Euler(check["turned"]).to_quaternion() @ mathutils.Euler(before["rotation"]).to_quaternion()
        if not turned_alike(after["rotation"], list(turn.to_euler()), near):
            wrong.append(f"its rotation is {shown(after['rotation'])}, not {shown(list(turn.to_euler()))}")
    if "scaled" in check:
        wanted = [times(factor, then) for then, factor in zip(before["scale"], check["scaled"], strict=True)]
        if not fits_open(after["scale"], wanted, near):
            wrong.append(f"its scale is {shown(after['scale'])}, not {open_shown(wanted)}")
    for part in check.get("lost", []):
        family, _, title = part.partition(".")
        had, has = (any(part["name"] == title for part in facts[family]) for facts in (before, after))
        if has or not had:
            wrong.append(f"it still has {part}" if has else f"it had no {part}")
    if check.get("same_shape") and not same_within(before.get("bounds"), after.get("bounds"), near):
        wrong.append("its bounding box changed")
    if check.get("unchanged"):
        changed = sorted(name for name in {*before, *after} if not same_within(before.get(name), after.get(name), near))
        wrong += [f"{', '.join(changed)} changed"] if changed else []
    return wrong
