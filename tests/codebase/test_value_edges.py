"""The edges of Python that follow from what values are: one small repository per trap."""

from __future__ import annotations

import pytest

from tests.codebase.graphs import SHAPES, Trap

TRAPS = {
    "self, super and overriding": Trap(
        {"b.py": SHAPES},
        (
            "b.py:Shape.twice calls b.py:Shape.area exact",
            "b.py:Square.area calls b.py:Shape.area exact",
            "b.py:Square.area overrides b.py:Shape.area exact",
            "b.py:Square inherits b.py:Shape exact",
        ),
        ("b.py:Shape.twice calls b.py:Square.area",),
    ),
    "an instance, its class and its __init__": Trap(
        {"a.py": "import b\ndef run():\n    square = b.Square(2)\n    square.twice()\n", "b.py": SHAPES},
        (
            "a.py:run calls b.py:Square exact",
            "a.py:run calls b.py:Square.__init__ exact",
            "a.py:run calls b.py:Shape.twice exact",
        ),
    ),
    "a name that is assigned twice": Trap(
        {
            "a.py": """\
                from b import Shape, Square
                def straight():
                    x = Shape()
                    x = Square(1)
                    x.area()
                def either(flag):
                    x = Shape()
                    if flag:
                        x = Square(1)
                    x.area()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:straight calls b.py:Square.area exact",
            "a.py:either calls b.py:Square.area inferred",
            "a.py:either calls b.py:Shape.area inferred",
        ),
        ("a.py:straight calls b.py:Shape.area",),
    ),
    "a loop that changes what it uses": Trap(
        {
            "a.py": """\
                from b import Shape, Square
                def run():
                    x = Shape()
                    while True:
                        x.area()
                        x = Square(1)
            """,
            "b.py": SHAPES,
        },
        ("a.py:run calls b.py:Shape.area inferred", "a.py:run calls b.py:Square.area inferred"),
    ),
    "attributes with and without an annotation": Trap(
        {
            "a.py": """\
                from b import Shape, Square
                class Holder:
                    said: Shape
                    def __init__(self, given, typed: Shape):
                        self.made = Square(1)
                        self.typed = typed
                        self.given = given
                    def run(self):
                        self.said.twice()
                        self.made.area()
                        self.typed.area()
                        self.given.unheard_of()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:Holder.run calls b.py:Shape.twice exact",
            "a.py:Holder.run calls b.py:Square.area exact",
            "a.py:Holder.run calls b.py:Shape.area exact",
        ),
        gaps=("a.py:Holder.run unheard_of",),
    ),
    "an attribute that may be two things": Trap(
        {
            "a.py": """\
                from b import Shape, Square
                class Holder:
                    def __init__(self):
                        self.one = None
                        self.two = Shape()
                    def change(self):
                        self.one = Shape()
                        self.two = Square(1)
                    def run(self):
                        self.one.area()
                        self.two.area()
            """,
            "b.py": SHAPES,
        },
        ("a.py:Holder.run calls b.py:Square.area inferred", "a.py:Holder.run calls b.py:Shape.area exact"),
    ),
    "properties, their setters, and what was just assigned": Trap(
        {
            "a.py": """\
                class Lamp:
                    @property
                    def power(self):
                        return Watt()
                    @power.setter
                    def power(self, value):
                        pass
                class Watt:
                    def read(self):
                        pass
                def run(lamp: Lamp):
                    lamp.power = 3
                    lamp.power.read()
            """
        },
        ("a.py:run calls a.py:Lamp.power exact", "a.py:run calls a.py:Watt.read exact"),
    ),
    "class methods, static methods and cls": Trap(
        {
            "a.py": """\
                class A:
                    @classmethod
                    def make(cls):
                        return cls()
                    @staticmethod
                    def count():
                        pass
                    def run(self):
                        A.count()
                        self.make().run()
            """
        },
        ("a.py:A.run calls a.py:A.count exact", "a.py:A.run calls a.py:A.make exact", "a.py:A.make calls a.py:A exact"),
    ),
    "what functions return": Trap(
        {
            "a.py": """\
                from b import Shape
                def said() -> list[Shape]: ...
                def found():
                    return Shape()
                def given(x):
                    return x
                async def later() -> Shape: ...
                async def run():
                    for one in said():
                        one.area()
                    found().twice()
                    given(1).unheard_of()
                    (await later()).area()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:run calls b.py:Shape.area exact",
            "a.py:run calls b.py:Shape.twice exact",
            "a.py:run calls a.py:later exact",
        ),
        gaps=("a.py:run unheard_of",),
    ),
    "containers": Trap(
        {
            "a.py": """\
                from b import Shape
                def run(by_name: dict[str, Shape], pairs: list[tuple[int, Shape]]):
                    for name, shape in by_name.items():
                        shape.area()
                    [shape.twice() for _, shape in enumerate(by_name.values())]
                def other(pairs: list[tuple[int, Shape]]):
                    pairs[0][1].area()
                    for number, shape in pairs:
                        shape.twice()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:run calls b.py:Shape.area exact",
            "a.py:run calls b.py:Shape.twice exact",
            "a.py:other calls b.py:Shape.twice exact",
        ),
    ),
    "a type that was asked for": Trap(
        {
            "a.py": """\
                from b import Shape
                def run(x):
                    if isinstance(x, Shape):
                        x.area()
                    else:
                        x.twice()
            """,
            "b.py": SHAPES,
        },
        ("a.py:run calls b.py:Shape.area exact", "a.py:run calls b.py:Shape.twice by name"),
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_edges(name: str) -> None:
    TRAPS[name].check()
