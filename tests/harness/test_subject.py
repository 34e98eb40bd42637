"""What belongs to the subject of a picture and what surrounds it: each kind with a twin that is no surroundings."""

from __future__ import annotations

import pytest

from harness.inside.witness.framing import Box, Vector3
from harness.inside.witness.subject import RenderedThing, surroundings


def box(x: float, y: float, z: float, at: Vector3 = (0.0, 0.0, 0.0)) -> Box:
    """A box of these edge lengths around a place."""
    return [at[i] - (x, y, z)[i] / 2 for i in range(3)], [at[i] + (x, y, z)[i] / 2 for i in range(3)]


def mesh(x: float, y: float, z: float, at: Vector3 = (0.0, 0.0, 0.0)) -> RenderedThing:
    return RenderedThing(box(x, y, z, at), "MESH")


CHAIR = mesh(0.5, 0.5, 1.0, (0.0, 0.0, 0.5))
LAMP = mesh(0.3, 0.3, 1.6, (1.0, 0.0, 0.8))
TUFT = RenderedThing(box(0.1, 0.1, 0.3, (30.0, 0.0, 0.0)), "MESH", is_source=True)
SHELL, BENT, TERRAIN = "xXyYz", "Y", "xXyY"
"""Where from the middle there is something of a thing: to the sides, and above."""

CASES: dict[str, tuple[dict[str, RenderedThing], dict[str, str], dict[str, str]]] = {
    "a plane under it": ({"Chair": CHAIR, "P": mesh(20, 20, 0)}, {}, {"P": "ground"}),
    "a plane a little above its feet": ({"Chair": CHAIR, "P": mesh(20, 20, 0, (0, 0, 0.1))}, {}, {"P": "ground"}),
    "a wide slab under it": ({"Chair": CHAIR, "P": mesh(8, 8, 0.1, (0, 0, -0.05))}, {}, {"P": "ground"}),
    "a tray under it": ({"Chair": CHAIR, "P": mesh(2, 1.5, 0.05, (0, 0, -0.02))}, {}, {}),
    "a plane not much larger": ({"Chair": CHAIR, "P": mesh(1.5, 1.5, 0)}, {}, {}),
    "a plane above": ({"Chair": CHAIR, "P": mesh(20, 20, 0, (0, 0, 3))}, {}, {}),
    "a plane elsewhere": ({"Chair": CHAIR, "P": mesh(6, 6, 0, (9, 0, 0))}, {}, {}),
    "a strip under it": ({"Chair": CHAIR, "P": mesh(9, 0.5, 0)}, {}, {}),
    "a plane alone": ({"P": mesh(20, 20, 0)}, {}, {}),
    "a flat rug on a floor": ({"Rug": mesh(2, 1, 0.01), "P": mesh(20, 20, 0)}, {}, {}),
    "lettering under it": ({"Chair": CHAIR, "T": RenderedThing(box(9, 9, 0), "FONT")}, {}, {}),
    "a wall behind it": ({"Chair": CHAIR, "W": mesh(8, 0, 5, (0, 2, 2))}, {}, {"W": "backdrop"}),
    "a screen through its middle": ({"Chair": CHAIR, "W": mesh(8, 0, 5, (0, 0, 2))}, {}, {}),
    "a floor and two walls": (
        {"Chair": CHAIR, "F": mesh(9, 9, 0), "W": mesh(9, 0, 5, (0, 4.5, 2.5)), "V": mesh(0, 9, 5, (-4.5, 0, 2.5))},
        {},
        {"F": "ground", "W": "backdrop", "V": "backdrop"},
    ),
    "a bent sheet": ({"Chair": CHAIR, "S": mesh(8, 6, 4, (0, 1, 2))}, {"S": BENT}, {"S": "backdrop"}),
    "a terrain all around": ({"Chair": CHAIR, "S": mesh(30, 30, 9, (0, 0, 2))}, {"S": TERRAIN}, {}),
    "a sky": ({"Chair": CHAIR, "S": mesh(90, 90, 90)}, {"S": SHELL}, {"S": "enclosure"}),
    "a sky over a field": (
        {"Chair": CHAIR, "S": mesh(90, 90, 90), "F": mesh(80, 80, 0)},
        {"S": SHELL},
        {"S": "enclosure", "F": "ground"},
    ),
    "a glass case around it": ({"Chair": CHAIR, "S": mesh(2, 2, 2)}, {"S": SHELL}, {}),
    "a large thing and a small one": ({"House": mesh(9, 9, 9), "Cat": mesh(0.4, 0.3, 0.3, (7, 0, 0))}, {}, {}),
    "a source that was put away": ({"Meadow": mesh(4, 4, 0.1), "Tuft": TUFT}, {}, {"Tuft": "instance source"}),
    "a source that was put away under a sky": (
        {"Meadow": mesh(4, 4, 0.5), "Tuft": TUFT, "S": mesh(90, 90, 90)},
        {"S": SHELL},
        {"Tuft": "instance source", "S": "enclosure"},
    ),
    "a thing far away": ({"Meadow": mesh(4, 4, 0.1), "Tuft": mesh(0.1, 0.1, 0.3, (30, 0, 0))}, {}, {}),
    "a source among its copies": (
        {"Meadow": mesh(4, 4, 0.5), "Tuft": RenderedThing(box(0.1, 0.1, 0.3), "MESH", is_source=True)},
        {},
        {},
    ),
    "nothing but sources": ({"Tuft": TUFT}, {}, {}),
    "two things": ({"Chair": CHAIR, "Lamp": LAMP}, {}, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_surroundings_are_told_from_the_subject(case: str) -> None:
    things, shapes, expected = CASES[case]
    letters: dict[Vector3, str] = {
        (1.0, 0, 0): "x",
        (-1.0, 0, 0): "X",
        (0, 1.0, 0): "Y",
        (0, -1.0, 0): "y",
        (0, 0, 1.0): "z",
    }

    def hits(name: str, _origin: Vector3, direction: Vector3) -> bool:
        return letters[direction] in shapes.get(name, "")

    assert surroundings(things, hits) == expected
