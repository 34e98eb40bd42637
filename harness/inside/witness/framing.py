"""Places a camera so that a subject fills the picture. Plain arithmetic; no Blender needed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = Sequence[float]
Box = tuple[list[float], list[float]]
"""The least and the greatest coordinates of something, by axis (metres, world space)."""
Reach = tuple[float, float, float, float]
"""The extent of something to the right, left, top and bottom of a view; see `directions`."""
Vector3 = tuple[float, float, float]

DIRECTIONS: dict[str, Vector3] = {
    "three_quarter": (0.62, -0.68, 0.42),
    "front": (0.0, -1.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "back": (0.0, 1.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "top": (0.0, 0.0, 1.0),
}
"""From the subject to the camera, by view, in Blender's axes (Z up, front is -Y)."""

ANGLE = math.radians(40.0)
"""Field of view of the harness's camera, horizontally and vertically."""
FILL = 0.88
"""Share of the picture's edge that the subject takes up, along the longer of its two dimensions there."""
SLOPE = FILL * math.tan(ANGLE / 2)
SMALLEST_RADIUS = 1e-6
MORE = 3.0
"""The factor by which another side must show more than the front to be taken for the face."""


def rotation(view: str) -> Vector3:
    """Euler angles (XYZ, radians) of a camera that looks at the subject from this side."""
    x, y, z = DIRECTIONS[view]
    flat = math.hypot(x, y)
    around = math.atan2(x, -y) if flat > 0 else 0.0
    return (math.atan2(flat, z), 0.0, around)


def axes(view: str) -> tuple[Vector3, Vector3, Vector3]:
    """Unit vectors of that camera in world space: right, up, and back from the subject towards the camera."""
    tilt, _, around = rotation(view)
    right = (math.cos(around), math.sin(around), 0.0)
    back = (math.sin(tilt) * math.sin(around), -math.sin(tilt) * math.cos(around), math.cos(tilt))
    up = (
        back[1] * right[2] - back[2] * right[1],
        back[2] * right[0] - back[0] * right[2],
        back[0] * right[1] - back[1] * right[0],
    )
    return right, up, back


def directions(view: str) -> list[Vector3]:
    """Four directions, each upright on one slanted side of the view of a camera: right, left, top, bottom.

    The least extent along all of them lies on the axis of the view, and far from its camera.
    """
    right, up, back = axes(view)
    return [
        (sign * side[0] + SLOPE * back[0], sign * side[1] + SLOPE * back[1], sign * side[2] + SLOPE * back[2])
        for side in (right, up)
        for sign in (1, -1)
    ]


def reach_of(points: Iterable[Point], view: str) -> Reach:
    """The extent of these points in a view. There must be at least one."""
    sides, points = directions(view), list(points)
    right, left, top, bottom = (max(dot(point, side) for point in points) for side in sides)
    return right, left, top, bottom


def furthest(reaches: Sequence[Reach]) -> Reach:
    """The extent of things together. There must be at least one."""
    right, left, top, bottom = (max(reach[side] for reach in reaches) for side in range(4))
    return right, left, top, bottom


def place(reach: Reach, view: str) -> Vector3:
    """The place (metres, world space) of the nearest camera that sees all of this extent, in the middle."""
    right, left, top, bottom = reach
    across, along = (right - left) / 2, (top - bottom) / 2
    away = max(right + left, top + bottom) / (2 * SLOPE) + SMALLEST_RADIUS
    x, y, z = axes(view)
    return (
        across * x[0] + along * y[0] + away * z[0],
        across * x[1] + along * y[1] + away * z[1],
        across * x[2] + along * y[2] + away * z[2],
    )


def face(box: Box) -> str:
    """The view that shows most of something: the front, unless it lies flat or stands sideways."""
    wide, deep, high = sizes(box)
    shown = {"front": MORE * wide * high, "top": wide * deep, "right": deep * high}
    return max(shown, key=lambda view: shown[view])


def corners(low: Point, high: Point) -> list[list[float]]:
    """The eight corners of a box."""
    return [[(low, high)[i & 1][0], (low, high)[i >> 1 & 1][1], (low, high)[i >> 2 & 1][2]] for i in range(8)]


def grid(box: Box, steps: int = 5) -> list[list[float]]:
    """Points spread evenly through a box, its corners included."""
    parts = [[low + (high - low) * i / (steps - 1) for i in range(steps)] for low, high in zip(*box, strict=True)]
    return [[x, y, z] for x in parts[0] for y in parts[1] for z in parts[2]]


def union(boxes: Iterable[Box]) -> Box:
    """The box around all boxes. There must be at least one."""
    lows, highs = zip(*boxes, strict=True)
    return (
        [min(low[axis] for low in lows) for axis in range(3)],
        [max(high[axis] for high in highs) for axis in range(3)],
    )


def sizes(box: Box) -> list[float]:
    """Edge lengths of a box."""
    return [b - a for a, b in zip(*box, strict=True)]


def centre(box: Box) -> Vector3:
    """The middle of a box."""
    x, y, z = ((a + b) / 2 for a, b in zip(*box, strict=True))
    return x, y, z


def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


CELLS = 16
"""Cells along an edge of the picture, to measure how much of it is filled."""


def in_frame(seen: Sequence[Sequence[tuple[float, float]]], counts: Sequence[int]) -> tuple[float, float]:
    """The mean share of each thing that is in the picture, and the share of the picture that all things fill.

    `seen` holds, for each thing, its points that are in the picture: their places, 0 to 1 across and along;
    `counts` the numbers of all its points.
    """
    if not seen:
        return 0.0, 0.0
    shares = [len(points) / count for points, count in zip(seen, counts, strict=True)]
    filled: set[tuple[int, int]] = set()
    for points in seen:
        if points:
            columns, rows = ([min(CELLS - 1, int(point[axis] * CELLS)) for point in points] for axis in (0, 1))
            filled |= {
                (column, row)
                for column in range(min(columns), max(columns) + 1)
                for row in range(min(rows), max(rows) + 1)
            }
    return round(sum(shares) / len(shares), 3), round(len(filled) / CELLS**2, 3)
