"""Finds objects wholly outside the view of a camera."""

from __future__ import annotations

from typing import Any

from mathutils import Vector


def out_of_sight(facts: dict[str, Any], camera: Any, scene: Any) -> bool:
    """True if the whole box of a described object lies beside, behind or beyond the view of the camera.

    The picture is taken for square, so that both its shape and that of our renders are covered.
    """
    bounds = facts["bounds"]
    if not bounds or None in bounds["min"] or None in bounds["max"] or camera.data.type == "PANO":
        return False
    inverse = camera.matrix_world.normalized().inverted_safe()
    ends = (bounds["min"], bounds["max"])
    corners = [inverse @ Vector([ends[corner >> axis & 1][axis] for axis in range(3)]) for corner in range(8)]
    if all(-corner.z < camera.data.clip_start for corner in corners):
        return True
    frame = camera.data.view_frame(scene=scene)
    low = [min(corner[axis] for corner in frame) for axis in range(2)]
    high = [max(corner[axis] for corner in frame) for axis in range(2)]
    half = max(high[axis] - low[axis] for axis in range(2)) / 2
    flat = camera.data.type == "ORTHO"
    depths = [1.0 if flat else corner.z / frame[0].z for corner in corners]
    for axis in range(2):
        centre = (low[axis] + high[axis]) / 2
        ratios = [(corner[axis], depth) for corner, depth in zip(corners, depths)]  # noqa: B905 - same length
        # A point is beyond an edge of the picture if it is beyond that edge at its own depth.
        if all(place > (centre + half) * depth for place, depth in ratios):
            return True
        if all(place < (centre - half) * depth for place, depth in ratios):
            return True
    return False
