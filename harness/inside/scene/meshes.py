"""Finds the meshes on which Blender crashes by luck: those whose faces and edges name missing vertices or corners.

Reading their numbers is safe; evaluating, saving or rendering them is not, so each is put right once it is reported.
"""

from __future__ import annotations

import array
import math
from collections.abc import Callable
from typing import Any

import bpy

CORNER_LIMIT = 8_000_000
"""Corners of faces above which a mesh is not looked through, and the scene is not proven."""
NAMES_LIMIT = 20
LARGEST = 3
LARGE = 50_000
"""Vertices below which no mesh is named."""


def validate_meshes() -> list[dict[str, str]]:
    """Each unsound mesh of the file, as `mesh` and `problem`, after putting it right as `Mesh.validate` does."""
    found: list[dict[str, str]] = []
    for mesh in bpy.data.meshes:
        problem = first_missing(mesh) if len(mesh.loops) <= CORNER_LIMIT else None
        if problem is None:
            continue
        # A copy first: a mesh that cannot even be copied and put right must not take the scene with it.
        copy = mesh.copy()
        copy.validate()
        bpy.data.meshes.remove(copy)
        mesh.validate()
        mesh.update()
        found.append({"mesh": mesh.name, "problem": problem})
    return found[:NAMES_LIMIT]


def too_large_to_read() -> list[str]:
    """The meshes that `validate_meshes` did not look through, by name."""
    return [mesh.name for mesh in bpy.data.meshes if len(mesh.loops) > CORNER_LIMIT][:NAMES_LIMIT]


def first_missing(mesh: Any) -> str | None:
    """The first missing thing that a face or an edge of the mesh names; None if all of it is there."""
    vertices, edges, corners = len(mesh.vertices), len(mesh.edges), len(mesh.loops)
    checks = (
        ("a face names vertex", numbers_of(mesh.loops, "vertex_index", corners), vertices, "vertices"),
        ("an edge names vertex", numbers_of(mesh.edges, "vertices", 2 * edges), vertices, "vertices"),
        ("a face names edge", numbers_of(mesh.loops, "edge_index", corners), edges, "edges"),
    )
    for says, named, there, of in checks:
        wrong = out_of_range(named, there)
        if wrong is not None:
            return f"{says} {wrong}, and there are {there} {of}"
    return wrong_face(mesh, corners)


def numbers_of(items: Any, name: str, count: int) -> array.array[int]:
    """One whole number of each item, or two of them."""
    values = array.array("i", bytes(4 * count))
    items.foreach_get(name, values)
    return values


def out_of_range(numbers: array.array[int], there: int) -> int | None:
    """A number that is out of range, or None."""
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    return low if low < 0 else high if high >= there else None


def wrong_face(mesh: Any, corners: int) -> str | None:
    """The first fault of the corners that a face claims, or None."""
    faces = len(mesh.polygons)
    starts, totals = (numbers_of(mesh.polygons, name, faces) for name in ("loop_start", "loop_total"))
    for face, (start, total) in enumerate(zip(starts, totals)):  # noqa: B905 - same length
        if start < 0 or total < 0 or start + total > corners:
            return f"face {face} has the corners {start} to {start + total - 1}, and there are {corners} corners"
    return None


def largest_meshes() -> list[list[Any]]:
    """Name, vertices and faces of the meshes with the most vertices, without those that are small beside them."""
    sizes = [[mesh.name, len(mesh.vertices), len(mesh.polygons)] for mesh in bpy.data.meshes]
    return without_small(sorted(sizes, key=lambda size: -size[1]), lambda size: size[1])


def largest_objects() -> list[list[Any]]:
    """The same of the objects that are likely the largest once modifiers have been applied, and those modifiers."""
    sizes: list[tuple[float, list[Any]]] = []
    for obj in bpy.context.scene.objects:
        if obj.type == "MESH" and obj.data:
            names = [modifier.name for modifier in obj.modifiers]
            weight = len(obj.data.vertices) * math.prod(map(growth, obj.modifiers))
            sizes.append((weight, [obj.name, len(obj.data.vertices), len(obj.data.polygons), names]))
    sizes.sort(key=lambda size: -size[0])
    return [size for _, size in without_small(sizes, lambda size: size[0])]


def growth(modifier: Any) -> float:
    """The factor by which a modifier multiplies vertices, roughly."""
    if modifier.type in {"SUBSURF", "MULTIRES"}:
        return float(4 ** max(modifier.levels, modifier.render_levels))
    return float(modifier.count) if modifier.type == "ARRAY" else 1.0


def without_small(largest: list[Any], size: Callable[[Any], float]) -> list[Any]:
    """The first of a list that is sorted by size, without those below a tenth of the first."""
    return [item for item in largest[:LARGEST] if size(item) >= max(LARGE, size(largest[0]) / 10)]
