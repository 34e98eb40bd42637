"""The harness's camera sees the whole subject, from every side, and little else."""

from __future__ import annotations

import math

import pytest

from harness.inside.witness import framing
from harness.inside.witness.framing import Box
from harness.protocol import VIEWS

BOXES: list[Box] = [
    ([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]),
    ([100.0, -3.0, 5.0], [101.0, 40.0, 5.001]),
    ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ([-1e-4, -1e-4, 0.0], [1e-4, 1e-4, 1e-3]),
]


def seen(points: list[list[float]], view: str) -> list[tuple[float, float]]:
    """Where points are in the picture of the camera that was placed for them; -1 and 1 are its edges."""
    location = framing.place(framing.reach_of(points, view), view)
    right, up, back = framing.axes(view)
    places: list[tuple[float, float]] = []
    for point in points:
        offset = [point[axis] - location[axis] for axis in range(3)]
        reach = -framing.dot(offset, back) * math.tan(framing.ANGLE / 2)
        assert reach > 0
        places.append((framing.dot(offset, right) / reach, framing.dot(offset, up) / reach))
    return places


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("box", BOXES)
def test_every_corner_is_in_the_picture(view: str, box: Box) -> None:
    assert all(abs(value) <= 1 for place in seen(framing.corners(*box), view) for value in place)


@pytest.mark.parametrize("view", VIEWS)
def test_the_subject_fills_the_picture_and_is_in_its_middle(view: str) -> None:
    points = [[0.0, 0.0, 0.0], [3.0, 0.1, 0.2], [0.3, 2.0, 0.1], [0.2, 0.4, 1.0], [5.0, 4.0, 3.0]]
    ends = [(min(places), max(places)) for places in zip(*seen(points, view), strict=True)]
    assert all(low >= -framing.FILL and high <= framing.FILL for low, high in ends)
    assert (-framing.FILL, framing.FILL) in [pytest.approx(end, abs=1e-3) for end in ends]


@pytest.mark.parametrize(
    ("high", "view"),
    [([1.0, 1.0, 1.0], "front"), ([4.0, 2.0, 1.5], "front"), ([3.0, 2.0, 0.01], "top"), ([0.0, 2.0, 2.0], "right")],
)
def test_the_face_is_the_front_unless_that_shows_next_to_nothing(high: list[float], view: str) -> None:
    assert framing.face(([0.0, 0.0, 0.0], high)) == view


def test_what_is_in_the_frame_is_the_mean_over_things_and_what_they_fill() -> None:
    inside = [(0.1, 0.1), (0.9, 0.9)]
    for points, counts, seen, filled in (([inside, []], [2, 2], 0.5, 0.77), ([[(0.5, 0.5)], []], [4, 4], 0.125, 0.004)):
        share, area = framing.in_frame(points, counts)
        assert share == seen and abs(area - filled) < 0.1 * filled + 0.01
    assert framing.in_frame([], []) == (0.0, 0.0)
