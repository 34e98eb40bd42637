"""The differences of a scene in a viewport from its render: descriptions and pictures are the render's."""

from __future__ import annotations

from typing import Any

import bpy

from harness.inside.scene.geometry import GENERATING, RENDERABLE

FINER = {"SUBSURF", "MULTIRES", "OCEAN", "PARTICLE_SYSTEM", "SKIN", "SCREW"}
"""Modifiers that have levels of their own for renders."""
SIZE_KEPT = 0.25
"""Share of its size by which the finer form of a render may differ."""

Glance = tuple[int, int, list[float]]
"""Vertices and faces of an evaluated object, and its size along each axis, without making a mesh of it; nothing of one
whose faces Blender generates."""


def glances(depsgraph: Any) -> dict[int, Glance]:
    """The viewport's view: the forms of the objects that are visible in it, by the address of the original."""
    return {
        obj.as_pointer(): glance(obj, depsgraph)
        for obj in bpy.context.scene.objects
        if obj.type in RENDERABLE and obj.visible_get()
    }


def glance(obj: Any, depsgraph: Any) -> Glance:
    if obj.type in GENERATING:
        return 0, 0, [0.0] * 3
    evaluated = obj.evaluated_get(depsgraph)
    data = evaluated.data
    vertices, faces = (len(data.vertices), len(data.polygons)) if isinstance(data, bpy.types.Mesh) else (0, 0)
    corners = [list(corner) for corner in evaluated.bound_box]
    return vertices, faces, [max(axis) - min(axis) for axis in zip(*corners)]  # noqa: B905 - same length


def other_in_viewport(obj: Any, rendered: Glance, seen: Glance | None) -> str | None:
    """The look of an object in a viewport if it differs from the render, apart from finer levels; else None."""
    if seen is None:
        return "is not shown there"
    if not alike(rendered[2], seen[2]):
        return f"is {lengths(seen[2])} there and {lengths(rendered[2])} in renders"
    # Levels of renders are finer as a rule; if those of the viewport are, the picture lacks what is worked on.
    if seen[:2] != rendered[:2] and not (is_finer(obj) and rendered[0] >= seen[0]):
        return f"has {seen[0]} vertices there and {rendered[0]} in renders"
    return None


def alike(first: list[float], second: list[float]) -> bool:
    """True if two sizes are about the same."""
    near = SIZE_KEPT * max(*first, *second)
    return not any(abs(length - wanted) > near for length, wanted in zip(first, second))  # noqa: B905 - same length


def is_finer(obj: Any) -> bool:
    """True if the object may have more vertices in a render than in a viewport by its levels alone."""
    simple = bpy.context.scene.render.use_simplify
    return simple or obj.type in GENERATING or any(modifier.type in FINER for modifier in obj.modifiers)


def lengths(sizes: list[float]) -> str:
    return " x ".join(f"{size:.3g}" for size in sizes) + " m"
