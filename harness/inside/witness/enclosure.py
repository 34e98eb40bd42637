"""Finds the opaque, closed object that an object lies wholly inside of, by rays from its surface outward."""

from __future__ import annotations

import array
import bisect
import itertools
from typing import Any

import bpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from harness.inside.scene.geometry import MESHLIKE, coordinates
from harness.inside.witness.materials import is_opaque, shines

OBJECT_LIMIT = 300
"""The most objects that are looked at; the largest come first as surroundings."""
PAIR_LIMIT = 200
FACE_LIMIT = 200_000
POINT_LIMIT = 100
SPREAD = (0.7549, 0.5698)
"""Steps that spread points evenly over a square: powers of the inverse of the plastic number."""
FAR_LARGER = 20.0
"""Surroundings that hold all else, and are this many times as large, are an environment."""
SKEW = Vector((0.013, 0.007, 0.011))
"""Keeps rays off the edges of things that are centred and square."""
DIRECTIONS = [
    (Vector((x, y, z)) + SKEW).normalized()
    for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)
    if abs(x) + abs(y) + abs(z) in (1, 3)
]  # fmt: skip

Box = tuple[list[float], list[float]]


class Enclosures:
    """The objects of a scene that may hide others within them. `names` are those that are shown and stand still."""

    def __init__(self, objects: dict[str, Any], description: dict[str, Any], names: list[str], camera: Any) -> None:
        self._objects = objects
        self._facts = description["objects"]
        self._boxes = {name: box for name in names if (box := self._box_of(name))}
        self._camera = camera
        self._trees: dict[str, Any] = {}
        self._pairs = 0
        by_size = sorted(self._boxes, key=lambda name: -size(self._boxes[name]))
        self._around = [name for name in by_size[:OBJECT_LIMIT] if self._may_hide(name)]

    def around(self, name: str) -> str | None:
        """The name of the object that this one is wholly inside of, or None."""
        facts, inner = self._facts[name], self._boxes.get(name)
        if inner is None or facts["type"] not in MESHLIKE or facts["has_instances"]:
            return None
        points: list[Any] = []
        for outer in self._around:
            if outer == name or self._pairs >= PAIR_LIMIT or not holds(self._boxes[outer], inner):
                continue
            self._pairs += 1
            points = points or surface_points(self._objects[name])
            if points and self._surrounds(outer, points):
                return outer
        return None

    def _box_of(self, name: str) -> Box | None:
        bounds = self._facts[name]["bounds"]
        if not bounds or None in bounds["min"] or None in bounds["max"]:
            return None
        return bounds["min"], bounds["max"]

    def _may_hide(self, name: str) -> bool:
        """True if the object is opaque, and not the world around the scene."""
        obj, facts, box = self._objects[name], self._facts[name], self._boxes[name]
        if facts["type"] not in MESHLIKE or not 0 < facts.get("faces", 0) <= FACE_LIMIT:
            return False
        materials = [slot.material for slot in obj.material_slots]
        if obj.display_type in {"WIRE", "BOUNDS"} or not obj.visible_camera or not all(map(is_opaque, materials)):
            return False
        if self._camera and contains(box, self._camera.matrix_world.translation):
            return False
        others = [self._boxes[other] for other in self._boxes if other != name]
        if not others or not all(holds(box, other) for other in others):
            return True
        lights = [obj for obj in self._objects.values() if obj.type == "LIGHT"]
        lit = any(contains(box, light.matrix_world.translation) for light in lights)
        largest = max(size(other) for other in others)
        return not (lit or size(box) > FAR_LARGER * largest or any(map(shines, materials)))

    def _surrounds(self, name: str, points: list[Any]) -> bool:
        """True if every ray from every point hits the object."""
        if name not in self._trees:
            self._trees[name] = tree_of(self._objects[name])
        tree, inverse = self._trees[name], self._objects[name].matrix_world.inverted_safe()
        if tree is None:
            return False
        return all(
            tree.ray_cast(inverse @ point, direction)[0] is not None for point in points for direction in DIRECTIONS
        )


def tree_of(obj: Any) -> Any:
    """A BVHTree of the faces of an evaluated object, in its own space; None if it has no faces."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    if mesh is None:
        return None
    tree = BVHTree.FromPolygons([vertex.co for vertex in mesh.vertices], [face.vertices for face in mesh.polygons])
    evaluated.to_mesh_clear()
    return tree


def surface_points(obj: Any) -> list[Any]:
    """Points all over the faces of an evaluated object in world space, and its outermost vertices by axis."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    if mesh is None:
        return []
    flat = coordinates(mesh)
    vertices = [Vector(flat[place : place + 3]) for place in range(0, len(flat), 3)]
    chosen = points_on_faces(mesh)
    evaluated.to_mesh_clear()
    for axis in range(3 if vertices else 0):
        chosen += [min(vertices, key=lambda point: point[axis]), max(vertices, key=lambda point: point[axis])]
    matrix = evaluated.matrix_world
    return [matrix @ point for point in chosen]


def points_on_faces(mesh: Any) -> list[Any]:
    """Points spread evenly over the area of the faces, the same each time."""
    mesh.calc_loop_triangles()
    areas = array.array("f", bytes(4 * len(mesh.loop_triangles)))
    mesh.loop_triangles.foreach_get("area", areas)
    sums = list(itertools.accumulate(areas))
    points: list[Any] = []
    for number in range(POINT_LIMIT if sums and sums[-1] > 0 else 0):
        place = bisect.bisect_left(sums, sums[-1] * (number + 0.5) / POINT_LIMIT)
        corners = [mesh.vertices[vertex].co for vertex in mesh.loop_triangles[place].vertices]
        first, second = number * SPREAD[0] % 1, number * SPREAD[1] % 1
        if first + second > 1:
            first, second = 1 - first, 1 - second
        points.append(corners[0] + (corners[1] - corners[0]) * first + (corners[2] - corners[0]) * second)
    return points


def size(box: Box) -> float:
    """The longest edge of a box."""
    return max(high - low for low, high in zip(*box))  # noqa: B905 - same length


def holds(outer: Box, inner: Box) -> bool:
    """True if a box lies within another without touching its sides."""
    for axis in range(3):
        if outer[0][axis] >= inner[0][axis] or inner[1][axis] >= outer[1][axis]:
            return False
    margin = 1e-4 * size(outer)
    return all(
        outer[0][axis] + margin < inner[0][axis] and inner[1][axis] < outer[1][axis] - margin for axis in range(3)
    )


def contains(box: Box, point: Any) -> bool:
    return all(box[0][axis] <= point[axis] <= box[1][axis] for axis in range(3))
