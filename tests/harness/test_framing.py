"""The harness's camera sees the whole subject, from every side."""

from __future__ import annotations

import math

import pytest

from harness.inside import framing
from harness.protocol import VIEWS

BOXES = [
    ([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]),
    ([100.0, -3.0, 5.0], [101.0, 40.0, 5.001]),
    ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
    ([-1e-4, -1e-4, 0.0], [1e-4, 1e-4, 1e-3]),
]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("box", BOXES)
def test_every_corner_is_in_the_picture(view: str, box: tuple[list[float], list[float]]) -> None:
    location, distance = framing.place(*box, view)
    right, up, back = framing.axes(view)
    assert distance > 0
    for corner in framing.corners(*box):
        seen = [corner[axis] - location[axis] for axis in range(3)]
        depth = -framing.dot(seen, back)
        reach = math.tan(framing.ANGLE / 2) * depth
        assert depth > 0
        assert abs(framing.dot(seen, right)) <= reach
        assert abs(framing.dot(seen, up)) <= reach


def test_the_subject_fills_the_picture() -> None:
    _, distance = framing.place([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0], "front")
    assert 1 / math.tan(framing.ANGLE / 2) < distance - 1 < 1.2 / math.tan(framing.ANGLE / 2)


def test_a_floor_does_not_shrink_its_subject() -> None:
    cube = ([-1.0, -1.0, 0.0], [1.0, 1.0, 2.0])
    floor = ([-50.0, -50.0, 0.0], [50.0, 50.0, 0.0])
    table_top = ([-2.0, -2.0, 0.0], [2.0, 2.0, 0.0])
    assert framing.without_floors([cube, floor]) == [cube]
    assert framing.without_floors([cube, table_top]) == [cube, table_top]
    assert framing.without_floors([floor]) == [floor]
