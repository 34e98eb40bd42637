"""Places a camera so that a box fills the picture. Plain arithmetic; no Blender needed."""

from __future__ import annotations

import math

DIRECTIONS: dict[str, tuple[float, float, float]] = {
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

MARGIN = 1.06
SMALLEST_RADIUS = 1e-6


def rotation(view: str) -> tuple[float, float, float]:
    """Euler angles (XYZ, radians) of a camera that looks at the subject from this side."""
    x, y, z = DIRECTIONS[view]
    flat = math.hypot(x, y)
    around = math.atan2(x, -y) if flat > 0 else 0.0
    return (math.atan2(flat, z), 0.0, around)


def axes(
    view: str,
) -> tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]:
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


def place(low: list[float], high: list[float], view: str) -> tuple[tuple[float, float, float], float]:
    """The camera's place (metres, world space) to see the whole box, and its distance from the centre."""
    centre = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    right, up, back = axes(view)
    distance = SMALLEST_RADIUS
    for corner in corners(low, high):
        offset = [corner[axis] - centre[axis] for axis in range(3)]
        across = max(abs(dot(offset, right)), abs(dot(offset, up)))
        distance = max(distance, across * MARGIN / math.tan(ANGLE / 2) + dot(offset, back))
    return (
        centre[0] + back[0] * distance,
        centre[1] + back[1] * distance,
        centre[2] + back[2] * distance,
    ), distance


def corners(low: list[float], high: list[float]) -> list[list[float]]:
    """The eight corners of a box."""
    return [[(low, high)[i & 1][0], (low, high)[i >> 1 & 1][1], (low, high)[i >> 2 & 1][2]] for i in range(8)]


def union(
    boxes: list[tuple[list[float], list[float]]],
) -> tuple[list[float], list[float]]:
    """The box around all boxes. There must be at least one."""
    lows, highs = [low for low, _ in boxes], [high for _, high in boxes]
    return (
        [min(low[axis] for low in lows) for axis in range(3)],
        [max(high[axis] for high in highs) for axis in range(3)],
    )


def dot(a: list[float] | tuple[float, float, float], b: tuple[float, float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def without_floors(
    boxes: list[tuple[list[float], list[float]]],
) -> list[tuple[list[float], list[float]]]:
    """The boxes without the flat ones far larger than the rest, so that a floor does not shrink its subject."""
    solid = [box for box in boxes if min(sizes(box)) > 0.01 * max(sizes(box))]
    if not solid:
        return boxes
    reach = max(sizes(union(solid)))
    return [box for box in boxes if box in solid or max(sizes(box)) <= 2 * reach]


def sizes(box: tuple[list[float], list[float]]) -> list[float]:
    """Edge lengths of a box."""
    return [b - a for a, b in zip(*box, strict=True)]
