"""Requests for things built from parts, and where each part is then: its middle and the size of its mesh, in metres.

The numbers were worked out from the words, and compared with pictures of what Blender made.
"""

from __future__ import annotations

from typing import Final

Number = tuple[float, float, float]
Parts = dict[str, tuple[Number, Number]]


def four(name: str, x: float, y: float, z: float, size: Number) -> Parts:
    """Four copies around the middle, the one with the least x and y first."""
    places = [(-x, -y), (x, -y), (-x, y), (x, y)]
    return {f"{name} {number + 1}": ((*place, z), size) for number, place in enumerate(places)}


BUILT: Final[list[tuple[str, Parts]]] = [
    (
        "Make a table: a top of 1.6 x 0.8 m, 4 cm thick, with its upper side at z = 0.75, and four legs of 6 x 6 "
        "cm below its corners. The top is brown, the legs black.",
        {"Top": ((0, 0, 0.73), (1.6, 0.8, 0.04)), **four("Leg", 0.77, 0.37, 0.355, (0.06, 0.06, 0.71))},
    ),
    (
        "Build a stool from simple parts. The seat is a cylinder with a radius of 20 cm, 4 cm thick. Three legs "
        "of 3 cm radius and 45 cm height stand in a ring of radius 12 cm below the seat.",
        {
            "Seat": ((0, 0, 0.47), (0.4, 0.4, 0.04)),
            "Leg 1": ((0.12, 0, 0.225), (0.06, 0.06, 0.45)),
            "Leg 2": ((-0.06, 0.1039, 0.225), (0.06, 0.06, 0.45)),
        },
    ),
    (
        "Build a bench out of boxes: a seat of 1.5 m x 40 cm x 5 cm, two legs of 5 x 35 cm, 40 cm tall, below "
        "both ends, 10 cm in from the ends. All parts are wood.",
        {
            "Seat": ((0, 0, 0.425), (1.5, 0.4, 0.05)),
            "Leg 1": ((-0.625, 0, 0.2), (0.05, 0.35, 0.4)),
            "Leg 2": ((0.625, 0, 0.2), (0.05, 0.35, 0.4)),
        },
    ),
    (
        "Build a shelf with two side panels, 2 cm thick, 30 cm deep and 1.8 m tall, 76 cm apart, and five boards,"
        " 2 cm thick, between them.",
        {
            "Side Panel 1": ((-0.38, 0, 0.9), (0.02, 0.3, 1.8)),
            "Board 1": ((0, 0, 0.01), (0.74, 0.3, 0.02)),
            "Board 2": ((0, 0, 0.455), (0.74, 0.3, 0.02)),
            "Board 5": ((0, 0, 1.79), (0.74, 0.3, 0.02)),
        },
    ),
    (
        "Make a sign: a post 8 cm square and 2 m tall, a board 80 cm wide, 40 cm high and 2 cm thick on the front"
        " of the post at a height of 1.6 m.",
        {"Post": ((0, 0, 1), (0.08, 0.08, 2)), "Board": ((0, -0.05, 1.6), (0.8, 0.02, 0.4))},
    ),
    (
        "Build a car from simple parts: a body of 4 x 1.8 x 0.6 m, 30 cm above the ground, a cabin of 2 x 1.6 x "
        "0.5 m on top of the body, and four wheels of radius 35 cm, 20 cm wide, at its corners.",
        {
            "Body": ((0, 0, 0.6), (4, 1.8, 0.6)),
            "Cabin": ((0, 0, 1.15), (2, 1.6, 0.5)),
            **four("Wheel", 1.65, 1, 0.35, (0.7, 0.7, 0.2)),
        },
    ),
    (
        "Model a dining chair. The seat is 45 x 45 x 4 cm and its top is at 46 cm. Four legs, 4 cm square, stand "
        "under the corners of the seat. The backrest is 45 cm wide, 40 cm high and 3 cm thick and stands on the "
        "back edge of the seat. Paint everything dark wood.",
        {
            "Seat": ((0, 0, 0.44), (0.45, 0.45, 0.04)),
            "Backrest": ((0, 0.21, 0.66), (0.45, 0.03, 0.4)),
            **four("Leg", 0.205, 0.205, 0.21, (0.04, 0.04, 0.42)),
        },
    ),
    (
        "I need a gate: two posts of 20 x 20 cm, 2.4 m tall, 3 m apart, and a beam 3.4 m long, 20 cm deep and 25 "
        "cm high on top of them. The posts are gray stone and the beam is dark wood. Put all parts in a "
        "collection called Gate.",
        {"Post 2": ((1.5, 0, 1.2), (0.2, 0.2, 2.4)), "Beam": ((0, 0, 2.525), (3.4, 0.2, 0.25))},
    ),
    (
        "Build a traffic light. A pole of radius 6 cm is 2.2 m tall. On top of it sits a housing of 30 x 25 x 90 "
        "cm. On the front of the housing are three lamps, spheres of radius 10 cm, stacked with a gap of 5 cm."
        " The pole is dark gray metal, the housing black, the lamps glossy green.",
        {
            "Pole": ((0, 0, 1.1), (0.12, 0.12, 2.2)),
            "Housing": ((0, 0, 2.65), (0.3, 0.25, 0.9)),
            "Lamp 1": ((0, -0.225, 2.4), (0.2, 0.2, 0.2)),
            "Lamp 3": ((0, -0.225, 2.9), (0.2, 0.2, 0.2)),
        },
    ),
    (
        "A small shed please: walls as one box 3 m wide, 2 m deep and 2.2 m high, a gable roof 80 cm high "
        "overhanging 20 cm on every side, and a red door 0.9 m by 2 m on the front. Delete the default cube.",
        {
            "Walls": ((0, 0, 1.1), (3, 2, 2.2)),
            "Roof": ((0, 0, 2.6), (3.4, 2.4, 0.8)),
            "Door": ((0, -1.025, 1), (0.9, 0.05, 2)),
        },
    ),
    (
        "Build a table with a round top of radius 60 cm, 3 cm thick, on a column with a radius of 5 cm and a "
        "height of 70 cm. The column stands on a base of radius 30 cm, 4 cm thick.",
        {
            "Base": ((0, 0, 0.02), (0.6, 0.6, 0.04)),
            "Column": ((0, 0, 0.39), (0.1, 0.1, 0.7)),
            "Top": ((0, 0, 0.755), (1.2, 1.2, 0.03)),
        },
    ),
    (
        "Make a dumbbell from a bar of radius 2 cm, 40 cm long, lying along X, and a sphere of radius 8 cm at "
        "each end.",
        {"Bar": ((0, 0, 0.08), (0.04, 0.04, 0.4)), "Sphere 2": ((0.28, 0, 0.08), (0.16, 0.16, 0.16))},
    ),
    (
        "Build a bridge: the deck is 12 x 3 x 0.3 m with its underside 4 m above the ground, three pillars of 60 "
        "cm radius stand under the deck in a row along X, 4 m apart. Railings, 12 m long, 5 cm thick and 1 m "
        "high, run along the front and the back edge of the deck.",
        {
            "Deck": ((0, 0, 4.15), (12, 3, 0.3)),
            "Pillar 1": ((-4, 0, 2), (1.2, 1.2, 4)),
            "Railing 2": ((0, 1.475, 4.8), (12, 0.05, 1)),
        },
    ),
    (
        "Please build a coffee table. The top is a dark wood slab, 1.1 m long, 60 cm wide and 4 cm thick. It "
        "rests on four black metal legs, 4 x 4 cm, 38 cm high, set 5 cm in from the edges at each corner.",
        {"Top": ((0, 0, 0.4), (1.1, 0.6, 0.04)), **four("Leg", 0.48, 0.23, 0.19, (0.04, 0.04, 0.38))},
    ),
    (
        "Model a coffee table using a glass disc 90 cm in diameter and 2 cm thick, resting on three metal "
        "cylinders 5 cm across and 40 cm tall, spaced evenly in a circle of 35 cm radius.",
        {"Disc": ((0, 0, 0.41), (0.9, 0.9, 0.02)), "Cylinder 1": ((0.35, 0, 0.2), (0.05, 0.05, 0.4))},
    ),
    (
        "Make a lantern called Lantern: a box of 20 x 20 x 30 cm and a pyramid of 24 x 24 x 10 cm on top of it.",
        {"Box": ((0, 0, 0.15), (0.2, 0.2, 0.3)), "Pyramid": ((0, 0, 0.35), (0.24, 0.24, 0.1))},
    ),
    (
        "Build a fence: two rails 8 cm high, 3 cm deep and 4 m long at heights 40 cm and 1 m, and three posts of "
        "10 x 10 cm, 1.2 m tall, in a row along X, 1.5 m apart.",
        {
            "Rail 1": ((0, 0, 0.4), (4, 0.03, 0.08)),
            "Rail 2": ((0, 0, 1), (4, 0.03, 0.08)),
            "Post 3": ((1.5, 0, 0.6), (0.1, 0.1, 1.2)),
        },
    ),
    (
        "Make a toy car: a body of 30 x 14 x 6 cm and four wheels of radius 3.5 cm, 2.5 cm wide, at the corners. "
        "Name the wheels Wheel_FL, Wheel_FR, Wheel_RL and Wheel_RR. The wheels touch the ground.",
        {"Body": ((0, 0, 0.065), (0.3, 0.14, 0.06)), "Wheel_RR": ((0.115, 0.0825, 0.035), (0.07, 0.07, 0.025))},
    ),
    (
        "Put together a road sign from a gray post 2.5 m high and 6 cm in diameter and a blue square plate, 60 cm wide"
        " and 1 cm thick, fixed to the front side with its top level with the post top.",
        {"Post": ((0, 0, 1.25), (0.06, 0.06, 2.5)), "Plate": ((0, -0.035, 2.2), (0.6, 0.01, 0.6))},
    ),
    (
        "Build a wooden deck: seven planks, 120 cm long, 10 cm wide and 2 cm thick, side by side with gaps of 2 cm.",
        {"Plank 1": ((0, -0.36, 0.01), (1.2, 0.1, 0.02)), "Plank 7": ((0, 0.36, 0.01), (1.2, 0.1, 0.02))},
    ),
    (
        "Build a bed: a frame 2 m long, 1.4 m wide and 30 cm high, and a white mattress of the same footprint, 20 cm"
        " thick, on top.",
        {"Frame": ((0, 0, 0.15), (2, 1.4, 0.3)), "Mattress": ((0, 0, 0.4), (2, 1.4, 0.2))},
    ),
    (
        "Make a bird bath. A round foot of radius 20 cm, 5 cm thick, carries a column of radius 6 cm, 70 cm tall. The"
        " column carries a bowl, a cylinder of radius 30 cm and 10 cm high.",
        {
            "Foot": ((0, 0, 0.025), (0.4, 0.4, 0.05)),
            "Column": ((0, 0, 0.4), (0.12, 0.12, 0.7)),
            "Bowl": ((0, 0, 0.8), (0.6, 0.6, 0.1)),
        },
    ),
    (
        "Set up a gate with two stone pillars, each 50 cm square and 2 m high, leaving a 3 m opening between them."
        " Place a ball of 40 cm diameter on each pillar and one crossbar 8 cm thick between them at 1 m.",
        {
            "Pillar 1": ((-1.75, 0, 1), (0.5, 0.5, 2)),
            "Ball 2": ((1.75, 0, 2.2), (0.4, 0.4, 0.4)),
            "Crossbar": ((0, 0, 1), (3, 0.5, 0.08)),
        },
    ),
    (
        "I want a ring of twelve standing stones, each 0.8 m wide, 0.4 m thick and 2.5 m tall, on a circle with a"
        " radius of 6 m, and a flat altar stone of 2 x 1 x 0.5 m in the middle. Everything is gray.",
        {"Stone 1": ((6, 0, 1.25), (0.8, 0.4, 2.5)), "Altar Stone": ((0, 0, 0.25), (2, 1, 0.5))},
    ),
]

REFUSED: Final[list[tuple[str, str]]] = [
    (
        "Build a well: a hollow box of 1 x 1 x 0.8 m and two posts of 10 x 10 cm, 2 m tall, 1.2 m apart.",
        "Build a well: a stone box of 1 x 1 x 0.8 m and two posts of 10 x 10 cm, 2 m tall, 1.2 m apart.",
    ),
    (
        "Build a pallet: three crosswise beams, 80 cm long, 10 cm wide, 8 cm high, in a row with gaps of 20 cm.",
        "Build a pallet: three beams, 80 cm long, 10 cm wide, 8 cm high, in a row with gaps of 20 cm.",
    ),
    (
        "Make a table: a top of 1.6 x 0.8 m with its upper side at z = 0.75, and four legs of 6 x 6 cm below its "
        "corners.",
        "Make a table: a top of 1.6 x 0.8 m, 4 cm thick, with its upper side at z = 0.75, and four legs of 6 x 6 "
        "cm below its corners.",
    ),
    (
        "Build a lamp: a base of 30 x 30 x 4 cm and a pole of radius 2 cm, 1.5 m tall.",
        "Build a lamp: a base of 30 x 30 x 4 cm and a pole of radius 2 cm, 1.5 m tall, on it.",
    ),
    (
        "Build a shelf with two side panels, 2 cm thick, 30 cm deep and 1.8 m tall, and five boards, 2 cm thick, "
        "between them.",
        "Build a shelf with two side panels, 2 cm thick, 30 cm deep and 1.8 m tall, 76 cm apart, and five boards,"
        " 2 cm thick, between them.",
    ),
    (
        "Build a bench: a seat of 1.5 x 0.4 x 0.05 m, two legs of 5 x 35 cm below its corners.",
        "Build a bench: a seat of 1.5 x 0.4 x 0.05 m, 40 cm above the ground, two legs of 5 x 35 cm below both ends.",
    ),
    (
        "Make a toy: a body of 30 x 14 x 6 cm and a cone of radius 3 cm, 8 cm tall, on the chimney.",
        "Make a toy: a body of 30 x 14 x 6 cm and a cone of radius 3 cm, 8 cm tall, on the body.",
    ),
    (
        "Make a toy: a body of 30 x 14 x 6 cm, 5 cm above the ground, and four wheels of radius 3 cm, 2 cm wide, "
        "at its corners. The body touches the ground.",
        "Make a toy: a body of 30 x 14 x 6 cm, 5 cm above the ground, and four wheels of radius 3 cm, 2 cm wide, "
        "at its corners. The wheels touch the ground.",
    ),
    (
        "Build a dumbbell: a bar of radius 2 cm, 40 cm long, lying along X, and at each end two discs of radius 6"
        " cm, 3 cm high, stacked.",
        "Build a dumbbell: a bar of radius 2 cm, 40 cm long, lying along X, and at each end a disc of radius 6 "
        "cm, 3 cm high.",
    ),
    (
        "Make a small table, 50 cm wide overall: a top of 1 x 0.8 x 0.04 m with its top at 70 cm and four legs of"
        " 5 x 5 cm below its corners.",
        "Make a small table, 1 m wide overall: a top of 1 x 0.8 x 0.04 m with its top at 70 cm and four legs of 5"
        " x 5 cm below its corners.",
    ),
    (
        "Build a desk with drawers: a top of 140 x 70 x 3 cm and four legs of 5 x 5 cm, 72 cm tall, below its corners.",
        "Build a desk with legs: a top of 140 x 70 x 3 cm and four legs of 5 x 5 cm, 72 cm tall, below its corners.",
    ),
    (
        "Desk. A recipe of a table. The top is 140 x 70 x 3 cm.",
        "Make a desk: a top of 140 x 70 x 3 cm with its upper side at 74 cm.",
    ),
]
"""What is not clear about parts, and a near twin that is."""
