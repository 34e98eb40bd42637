"""The evaluated geometry of objects: places, vertices and the boxes around them, in world space."""

from __future__ import annotations

import array
import hashlib
import math
from typing import Any

from mathutils import Matrix

from harness.inside.scene.names import title
from harness.inside.scene.settings import numbers

INSTANCE_LIMIT = 20000
GENERATING = {"CURVE", "SURFACE", "META", "FONT"}
"""Types whose faces Blender generates, and lists like an instance of the object in itself."""
MESHLIKE = GENERATING | {"MESH"}
RENDERABLE = MESHLIKE | {"CURVES", "POINTCLOUD", "VOLUME", "GPENCIL", "GREASEPENCIL", "HAIR"}

FARTHEST = 1e18
"""Metres; Blender makes the largest of its numbers of infinity, and cannot square numbers above this."""

Box = tuple[list[float], list[float]]
"""Minimum and maximum by axis."""


def evaluated_objects(depsgraph: Any) -> set[int]:
    """The addresses of the objects that Blender has evaluated: asking by name takes longer the more there are."""
    return {obj.original.as_pointer() for obj in depsgraph.objects}


def world_matrix(obj: Any, evaluated: set[int]) -> Any:
    """The object's world matrix, even if it is hidden from evaluation and Blender has not computed it."""
    local = Matrix.Identity(4)
    while obj.as_pointer() not in evaluated and not (obj.parent and obj.parent_type != "OBJECT"):
        if obj.parent is None:
            return obj.matrix_basis @ local
        local = obj.matrix_parent_inverse @ obj.matrix_basis @ local
        obj = obj.parent
    return obj.matrix_world @ local


def describe_geometry(obj: Any, depsgraph: Any, matrix: Any) -> tuple[dict[str, Any], Box | None]:
    """Evaluated vertices and faces of an object with a mesh form, and the exact world box of its vertices.

    `finite` is false if a coordinate is not a number; `shape` is a short hash of the local coordinates. `dimensions` is
    there if the faces are generated: in a render, Blender has those of the control points.
    """
    if obj.type not in MESHLIKE:
        return {}, None
    evaluated = obj.evaluated_get(depsgraph)
    try:
        mesh = evaluated.to_mesh()
    except RuntimeError:
        mesh = None
    if mesh is None:
        # A curve without splines, a lesser metaball of a family, an object whose evaluation is off.
        return {"vertices": 0, "faces": 0, "smooth_faces": 0, "finite": True, "shape": None}, None
    local = coordinates(mesh)
    smooth = array.array("b", bytes(len(mesh.polygons)))
    mesh.polygons.foreach_get("use_smooth", smooth)
    facts: dict[str, Any] = {
        "vertices": len(mesh.vertices),
        "faces": len(mesh.polygons),
        "smooth_faces": sum(smooth),
        "finite": math.isfinite(sum(local)),
        "shape": hashlib.sha256(local.tobytes()).hexdigest()[:16],
    }
    own = box_of(local) if obj.type in GENERATING else None
    if own:
        facts["dimensions"] = sizes_of(own, matrix)
    mesh.transform(matrix)
    world = coordinates(mesh)
    evaluated.to_mesh_clear()
    return facts, box_of(world)


def sizes_of(box: Box, matrix: Any) -> list[float | None]:
    """The lengths of a local box along its own axes, in the world's metres."""
    return numbers(
        (high - low) * abs(scale)
        for low, high, scale in zip(*box, matrix.to_scale())  # noqa: B905 - same length
    )


def coordinates(mesh: Any) -> array.array[float]:
    """x, y and z of every vertex, in one flat array."""
    values = array.array("f", bytes(12 * len(mesh.vertices)))
    mesh.vertices.foreach_get("co", values)
    return values


def box_of(points: array.array[float]) -> Box | None:
    """The box around points in one flat array; None if there are none, or one is not finite."""
    if not points or not math.isfinite(sum(points)):
        return None
    return [min(points[axis::3]) for axis in range(3)], [max(points[axis::3]) for axis in range(3)]


def as_bounds(box: Box | None) -> dict[str, Any] | None:
    """A box in the form of the description."""
    return {"min": numbers(box[0]), "max": numbers(box[1])} if box else None


def world_boxes(depsgraph: Any) -> tuple[dict[str, Box], set[str], set[str], bool]:
    """The box of each object that renders, by title; the titles of those with instances; of those with an instance at
    no finite place; and True if there are more instances than were looked at.

    The box of an object with instances encloses the instances. One that Blender turns into faces is left out: its box
    is that of its faces, which `describe_geometry` knows.
    """
    instancers: set[str] = set()
    not_finite: set[str] = set()
    boxes: dict[str, Box] = {}
    locals_: dict[int, Box | None] = {}
    for index, instance in enumerate(depsgraph.object_instances):
        if index >= INSTANCE_LIMIT:
            return boxes, instancers, not_finite, True
        if instance.object.type not in RENDERABLE - GENERATING or is_own_piece(instance):
            continue
        owner = title(instance.parent if instance.is_instance else instance.object)
        if instance.is_instance:
            instancers.add(owner)
        if not are_finite(*instance.matrix_world):
            not_finite.add(owner)
            continue
        local = local_box(instance.object, locals_)
        if local:
            widen(boxes.setdefault(owner, ([math.inf] * 3, [-math.inf] * 3)), instance.matrix_world, local)
    return boxes, instancers, not_finite, False


def are_finite(*rows: Any) -> bool:
    """True if all numbers of all rows are finite, and small enough for Blender to compute with."""
    return all(-FARTHEST < value < FARTHEST for row in rows for value in row)


def finite_points(evaluated: Any) -> bool:
    """True if the points of things without faces, such as hair and point clouds, are at finite places."""
    if evaluated.type in MESHLIKE or evaluated.type not in RENDERABLE:
        return True
    places = getattr(evaluated.data, "attributes", {}).get("position")
    if places is None:
        return True
    values = array.array("f", bytes(12 * len(places.data)))
    places.data.foreach_get("vector", values)
    return math.isfinite(sum(values))


def is_own_piece(instance: Any) -> bool:
    """True if it is the generated faces of its own object, and no instance."""
    parent = instance.parent
    return bool(
        instance.is_instance
        and parent.type in GENERATING
        and instance.object.original == parent.original
        and instance.matrix_world == parent.matrix_world
    )


def local_box(obj: Any, known: dict[int, Box | None]) -> Box | None:
    """The box of an evaluated object in its own space: exact for a mesh, otherwise Blender's own."""
    if obj.type != "MESH" or obj.data is None:
        corners = [list(corner) for corner in obj.bound_box]
        return [min(axis) for axis in zip(*corners)], [max(axis) for axis in zip(*corners)]  # noqa: B905 - same length
    address = obj.data.as_pointer()
    if address not in known:
        known[address] = box_of(coordinates(obj.data))
    return known[address]


def widen(box: Box, matrix: Any, local: Box) -> None:
    """Have a world box enclose the corners of a local one."""
    low, high = box
    rows = [list(row) for row in matrix[:3]]
    for corner in range(8):
        point = [local[corner >> axis & 1][axis] for axis in range(3)]
        for axis, row in enumerate(rows):
            value = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3]
            low[axis] = min(low[axis], value)
            high[axis] = max(high[axis], value)
