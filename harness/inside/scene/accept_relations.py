"""Compares things with each other, with the start, and with other moments, as acceptance checks ask."""

from __future__ import annotations

import itertools
import math
from typing import Any

import bpy
import mathutils

from harness.inside.scene.accept_values import fits, mismatch_of_amount, shown, value_at
from harness.inside.scene.names import all_called, title_or_none
from harness.inside.scene.settings import modifier_inputs, plain

DIRECTION_TOLERANCE = 0.01
"""Radians allowed between two directions."""
AXES = {"X": (1, 0, 0), "Y": (0, 1, 0), "Z": (0, 0, 1), "-X": (-1, 0, 0), "-Y": (0, -1, 0), "-Z": (0, 0, -1)}
SIDES = {"right": "X", "left": "-X", "back": "Y", "front": "-Y", "top": "Z", "bottom": "-Z"}
LOOKS_THERE = math.cos(math.radians(45))


def front_of(obj: Any, facts: dict[str, Any], axis: str | None = None) -> Any:
    """The way in the world in which an object looks, by this axis of its own."""
    usual = "-Z" if obj.type in {"CAMERA", "LIGHT"} else "-Y"
    return mathutils.Euler(facts["rotation"]).to_matrix() @ mathutils.Vector(AXES[axis or usual])


def mismatches_of_direction(seen: Any, wanted: list[float]) -> list[str]:
    way = mathutils.Vector(wanted)
    if way.length > 0 and seen.angle(way) < DIRECTION_TOLERANCE:
        return []
    return [f"it looks along {shown(plain(seen))}, not along {shown(wanted)} (in the world)"]


def mismatches_of_relations(name: str, objects: dict[str, Any], check: dict[str, Any]) -> list[str]:
    """The mismatches of an object's place among others: on top, inside, between, and its tilt."""
    facts, near = objects[name], check["tolerance"]
    wrong: list[str] = []
    for relation, mismatch in (("on_top_of", stands_on), ("inside", is_in)):
        if relation in check:
            other = objects.get(check[relation])
            wrong.append(mismatch(facts, other, near) if other else f'there is no object "{check[relation]}"')
    if "between" in check:
        ends = [objects[other] for other in check["between"] if other in objects]
        missing = f"not both of {', '.join(check['between'])} are there"
        wrong.append(lies_between(facts, ends[0], ends[1]) if len(ends) == 2 else missing)
    if "tilt" in check:
        tilt = mathutils.Vector(AXES["Z"]).angle(
            mathutils.Euler(facts["rotation"]).to_matrix() @ mathutils.Vector(AXES["Z"])
        )
        right = fits(tilt, check["tilt"], max(near, DIRECTION_TOLERANCE))
        wrong.append("" if right else f"it is tilted by {tilt:.4g}, not {shown(check['tilt'])}")
    return [f'object "{name}": {one}' for one in wrong if one]


def stands_on(facts: dict[str, Any], other: dict[str, Any], near: float) -> str:
    """The mismatch of a thing that does not stand on another."""
    here, there = facts.get("bounds"), other.get("bounds")
    if not here or not there:
        return "one of the two has no extent"
    gap = here["min"][2] - there["max"][2]
    if abs(gap) > near:
        return f"its lowest point is {gap:.3g} m above the other's highest"
    middle = [(here["min"][axis] + here["max"][axis]) / 2 for axis in (0, 1)]
    over = all(there["min"][axis] - near <= middle[axis] <= there["max"][axis] + near for axis in (0, 1))
    return "" if over else "its middle is not above the other"


def is_in(facts: dict[str, Any], other: dict[str, Any], near: float) -> str:
    """The mismatch of a thing whose box leaves that of another."""
    here, there = facts.get("bounds"), other.get("bounds")
    if not here or not there:
        return "one of the two has no extent"
    out = [max(there["min"][axis] - here["min"][axis], here["max"][axis] - there["max"][axis]) for axis in range(3)]
    return (
        "" if max(out) <= near else f"its box leaves the other's by {max(out):.3g} m along {'xyz'[out.index(max(out))]}"
    )


def lies_between(facts: dict[str, Any], begin: dict[str, Any], end: dict[str, Any]) -> str:
    """The mismatch of a thing that is not nearer to two others than these are to each other."""
    here, there, beyond = facts["location"], begin["location"], end["location"]
    apart = math.dist(there, beyond)
    off = [math.dist(here, there), math.dist(here, beyond)]
    return "" if max(off) < apart else f"it is {off[0]:.3g} m and {off[1]:.3g} m from two that are {apart:.3g} m apart"


def mismatches_of_spacing(places: list[list[float]], check: dict[str, Any]) -> list[str]:
    """The mismatches of the distances of neighbours, in order from one end of their row."""
    if "spacing" not in check:
        return []
    if len(places) < 2:
        return ["there are not two of them, so nothing is between them"]
    first = max(places, key=lambda place: math.dist(place, places[0]))
    row = sorted(places, key=lambda place: math.dist(place, first))
    gaps = [math.dist(one, other) for one, other in itertools.pairwise(row)]
    wanted = sum(gaps) / len(gaps) if check["spacing"] == "even" else check["spacing"]
    if all(fits(gap, wanted, check["tolerance"]) for gap in gaps):
        return []
    return [
        f"their neighbours are {shown([float(f'{gap:.4g}') for gap in gaps])} m apart, not {shown(check['spacing'])}"
    ]


def mismatches_of_faces(obj: Any, check: dict[str, Any]) -> list[str]:
    """The mismatches of the materials of the faces that look to a side."""
    wanted: dict[str, str] = check.get("face_materials", {})
    if not wanted:
        return []
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh() if obj.type in {"MESH", "CURVE", "SURFACE", "FONT", "META"} else None
    turn = evaluated.matrix_world.to_3x3().inverted_safe().transposed()
    worn: dict[str, set[str | None]] = {side: set() for side in wanted}
    for face in mesh.polygons if mesh else ():
        normal = (turn @ face.normal).normalized()
        slots = evaluated.material_slots
        material = slots[face.material_index].material if face.material_index < len(slots) else None
        for side, seen in worn.items():
            if normal.dot(mathutils.Vector(AXES[SIDES[side]])) > LOOKS_THERE:
                seen.add(title_or_none(material))
    evaluated.to_mesh_clear()
    said = {side: ", ".join(sorted(name or "no material" for name in names)) for side, names in worn.items()}
    return [
        f"the faces of its {side} have {said[side]}, not {name}" if said[side] else f"no face of it looks to the {side}"
        for side, name in wanted.items()
        if worn[side] != {name}
    ]


def mismatches_of_instances(obj: Any, check: dict[str, Any]) -> list[str]:
    """The mismatch of the number of instances that an object makes."""
    if "instances" not in check:
        return []
    made = bpy.context.evaluated_depsgraph_get().object_instances
    count = sum(one.is_instance and one.parent is not None and one.parent.original == obj for one in made)
    return mismatch_of_amount("the number of its instances is", count, check["instances"])


def mismatches_of_inputs(modifier: Any, wanted: dict[str, Any], near: float) -> list[str]:
    """The mismatches of the inputs of a geometry nodes modifier, by the names of its group."""
    asked: dict[str, Any] = wanted.get("inputs", {})
    inputs = modifier_inputs(modifier) if asked else {}
    wrong: list[str] = []
    for name, value in asked.items():
        if name not in inputs:
            wrong.append(f'it has no input "{name}"; it has {", ".join(inputs) or "none"}')
        elif not fits(inputs[name], value, near, colour=True):
            wrong.append(f"its {name} is {shown(inputs[name])}, not {shown(value)}")
    return wrong


def mismatches_of_kept(owner: Any, check: dict[str, Any]) -> list[str]:
    """The properties that are not as the start has them; while that is looked at, they are written down in `kept`."""
    wrong: list[str] = []
    for path in check.get("as_before", ()):
        try:
            seen = plain(value_at(owner, path))
        except Exception:
            wrong.append(f"it has no property {path}")
            continue
        if "was" not in check:
            check["kept"][path] = seen
        elif path not in check["was"]:
            wrong.append(f"the start has no {path} of it")
        elif not fits(seen, check["was"][path], check["tolerance"]):
            wrong.append(f"its {path} was {shown(check['was'][path])} and is {shown(seen)}")
    return wrong


def world_of(name: str) -> list[float]:
    """The numbers of the world matrix of an object at this frame."""
    obj = all_called(name, "scene")[0]
    matrix = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    return [number for row in matrix for number in row]
