"""Examples of acceptance checks of relations: to other things, to the start, and to other moments."""

from __future__ import annotations

from typing import Final

from app.accept.example import example_of as _of
from app.accept.example import part_of as _part

RELATIONS: Final = (
    _of(
        "object",
        "The cap stands on the plinth, which stands between the ring and the slab",
        {"name": "Cap", "on_top_of": "Plinth"},
        {"on_top_of": "Slab"},
        "its lowest point is 0.9 m above the other's highest",
    ),
    _of(
        "object",
        "The plinth is between the ring and the slab",
        {"name": "Plinth", "between": ["Ring", "Slab"]},
        {"between": ["Ring", "Cube"]},
        "from two that are 1.4 m apart",
    ),
    _of(
        "object",
        "The pearl is inside the ring",
        {"name": "Pearl", "inside": "Ring"},
        {"inside": "Plinth"},
        "its box leaves the other's by 5.11 m along x",
    ),
    _of(
        "object",
        "The lamp shines straight down",
        {"name": "Lamp", "direction": [0, 0, -1]},
        {"direction": [0, 0, 1]},
        "it looks along (0, 0, -1), not along (0, 0, 1)",
    ),
    _of(
        "object",
        "Its X points diagonally, and it lies flat",
        {"name": "Slab", "direction": [1, 1, 0], "front": "X", "tilt": 0},
        {"tilt": {"at_least": 1.5}},
        "it is tilted by 0, not at least 1.5",
    ),
    _of(
        "object",
        "After 47 frames it is as it was",
        {"name": "Slab", "frame": 24, "as_at": 71},
        {"as_at": 30},
        "its place, rotation or scale at frame 30 differs",
    ),
    _of(
        "object",
        "At frame 24 it does not move",
        {"name": "Plinth", "frame": 24, "at_rest": True},
        {"name": "Slab"},
        "at frame 23 differs",
    ),
    _of(
        "object",
        "Leave the plinth where it is and as large as it is",
        {"name": "Plinth", "as_before": ["location", "dimensions"]},
        {"name": "Cube"},
        "its location was (0, 0, 0) and is (0, 0, 2)",
    ),
    _of("scene", "Keep the units", {"as_before": ["unit_settings.system"]}, {"as_before": ["frame_end"]}, "was 250"),
    _of(
        "data",
        "Keep the picture Logo",
        {"collection": "images", "name": "Logo", "as_before": ["size"]},
        {"collection": "objects", "name": "Cube", "as_before": ["location"]},
        "its location was (0, 0, 0)",
    ),
    _of(
        "object",
        "The top of the cap is gold",
        {"name": "Cap", "face_materials": {"top": "Gold"}},
        {"face_materials": {"bottom": "Gold"}},
        "the faces of its bottom have no material, not Gold",
    ),
    _of(
        "object",
        "A bead at each of its eight corners",
        {"name": "Pearl", "instances": 8},
        {"instances": {"at_least": 9}},
        "the number of its instances is 8, not at least 9",
    ),
    _of(
        "object",
        "Its geometry nodes have a height of 0.5",
        {"name": "Cap", "modifiers": [{"type": "NODES", "inputs": {"Height": 0.5}}]},
        _part("modifiers", [{"type": "NODES", "inputs": {"Height": 0.6}}]),
        "its Height is 0.5, not 0.6",
    ),
    _of(
        "count",
        "Posts in a row, evenly spaced",
        {"name": "Post*", "exactly": 3, "spacing": "even"},
        {"spacing": 0.6},
        "their neighbours are (0.5, 0.5) m apart, not 0.6",
    ),
    _of(
        "file",
        "The names in the file have that of the ring",
        {"name": "names.txt", "contains": ["Ring"]},
        {"contains": ["Brass"]},
        "names.txt does not contain 'Brass'",
    ),
)
