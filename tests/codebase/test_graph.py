"""The edges of Python by names, imports and classes: one small repository per trap."""

from __future__ import annotations

import pytest

from tests.codebase.graphs import SHAPES, Trap, code_of, edges_in

TWO = "def f():\n    pass\n\ndef g():\n    pass\n"
TRAPS = {
    "a function of another module": Trap(
        {"a.py": "from b import f\ndef run():\n    f()\n", "b.py": TWO},
        ("a.py:run calls b.py:f exact", "a.py: imports b.py:f exact"),
        ("b.py:g",),
    ),
    "a module by another name": Trap(
        {"a.py": "import b as other\ndef run():\n    other.g()\n", "b.py": TWO + "x = 1\n"},
        ("a.py:run calls b.py:g exact", "a.py: imports b.py: exact"),
    ),
    "a name that is passed on by a package": Trap(
        {"a.py": "import p\np.h()\n", "p/__init__.py": "from .m import f as h\n", "p/m.py": TWO},
        ("a.py: calls p/m.py:f exact",),
    ),
    "relative imports in folders without __init__": Trap(
        {
            "x/y/a.py": "from ..z.b import f\nfrom . import c\ndef run():\n    f()\n    c.f()\n",
            "x/z/b.py": TWO,
            "x/y/c.py": TWO,
        },
        ("x/y/a.py:run calls x/z/b.py:f exact", "x/y/a.py:run calls x/y/c.py:f exact"),
    ),
    "a folder of sources": Trap(
        {"src/p/__init__.py": "", "src/p/m.py": TWO, "tests/test_m.py": "from p.m import f\ndef test_f():\n    f()\n"},
        ("tests/test_m.py:test_f calls src/p/m.py:f exact", "tests/test_m.py:test_f tests src/p/m.py:f exact"),
    ),
    "a repository that is itself the package": Trap(
        {
            "__init__.py": "from . import ops\n",
            "ops.py": TWO,
            "ui.py": "from my_addon.ops import f\ndef draw():\n    f()\n",
        },
        ("ui.py:draw calls ops.py:f inferred",),
    ),
    "a module of Python's own with the name of a file elsewhere": Trap(
        {"a.py": "import json\ndef run():\n    json.dumps({})\n", "tools/deep/json.py": "def dumps(x):\n    pass\n"},
        (),
        ("tools/deep/json.py",),
    ),
    "star imports and __all__": Trap(
        {
            "a.py": "from b import *\ndef run():\n    f()\n    _hidden()\n    g()\n",
            "b.py": TWO + "def _hidden():\n    pass\n__all__ = ['f']\n",
        },
        ("a.py:run calls b.py:f exact",),
        ("a.py:run calls b.py:g", "a.py:run calls b.py:_hidden"),
    ),
    "a name that star imports pass on by many ways": Trap(
        {
            "a.py": "from m0 import *\ndef run():\n    f()\n    none()\n",
            **{f"m{n}.py": f"from m{n + 1} import *\nfrom n{n + 1} import *\n" for n in range(100)},
            **{f"n{n}.py": f"from m{n + 1} import *\nfrom n{n + 1} import *\n" for n in range(100)},
            "m100.py": "from m0 import *\n",
            "n100.py": TWO,
        },
        ("a.py:run calls n100.py:f exact",),
        ("a.py:run calls n100.py:g",),
    ),
    "operators in place": Trap(
        {
            "a.py": """\
                class Both:
                    def __sub__(self, other): ...
                    def __isub__(self, other): ...
                    def __truediv__(self, other): ...
                    def __ior__(self, other): ...
                class Plain:
                    def __sub__(self, other): ...
                def one(a: Both):
                    a /= 2
                def two(a: Both):
                    a |= 2
                def three(a: Both):
                    a -= 2
                def four(a: Plain):
                    a -= 2
            """,
        },
        (
            *("a.py:one calls a.py:Both.__truediv__ exact", "a.py:two calls a.py:Both.__ior__ exact"),
            *("a.py:three calls a.py:Both.__isub__ exact", "a.py:four calls a.py:Plain.__sub__ exact"),
        ),
        ("one calls a.py:Both.__isub__", "two calls a.py:Both.__isub__", "three calls a.py:Both.__sub__"),
    ),
    "a star import past one from outside": Trap(
        {"a.py": "from b import *\nf()\n", "b.py": "from outside import *\nfrom c import *\n", "c.py": TWO},
        ("a.py: calls c.py:f exact",),
    ),
    "one of two imports": Trap(
        {
            "a.py": "try:\n    from b import f\nexcept ImportError:\n    from c import f\ndef run():\n    f()\n",
            "b.py": TWO,
            "c.py": TWO,
        },
        ("a.py:run calls b.py:f inferred", "a.py:run calls c.py:f inferred"),
    ),
    "an import for annotations alone": Trap(
        {
            "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from b import Shape\n"
            "def run(shape: 'Shape | None'):\n    shape.area()\n",
            "b.py": SHAPES,
        },
        ("a.py:run calls b.py:Shape.area exact",),
    ),
    "modules that import each other": Trap(
        {"a.py": "import b\ndef f():\n    b.f()\n", "b.py": "import a\ndef f():\n    a.f()\n"},
        ("a.py:f calls b.py:f exact", "b.py:f calls a.py:f exact"),
    ),
    "functions inside functions": Trap(
        {
            "a.py": """\
                from b import Shape
                def outer():
                    shape = Shape()
                    def inner():
                        shape.area()
                        later()
                    def later():
                        pass
                    return inner
                def run():
                    outer()()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:outer.inner calls b.py:Shape.area exact",
            "a.py:outer.inner calls a.py:outer.later exact",
            "a.py:run calls a.py:outer.inner exact",
        ),
    ),
    "a local name hides one of the module": Trap(
        {"a.py": "def f():\n    pass\ndef run(f):\n    f()\ndef other():\n    f = 1\n    f()\n"},
        (),
        ("calls a.py:f",),
        ("a.py:run a value",),
    ),
    "a method is not a name of the module": Trap(
        {"a.py": "class A:\n    def f(self):\n        f()\n    f2 = f\ndef f():\n    pass\n"},
        ("a.py:A.f calls a.py:f exact",),
        ("calls a.py:A.f ",),
    ),
    "decorators": Trap(
        {
            "a.py": """\
                import functools
                def mark(function):
                    return function
                def keep(size):
                    return mark
                @mark
                @keep(3)
                @functools.cache
                def f():
                    pass
                def run():
                    f()
            """
        },
        ("a.py: calls a.py:mark exact", "a.py: calls a.py:keep exact", "a.py:run calls a.py:f exact"),
    ),
    "a decorator that makes an object": Trap(
        {
            "a.py": """\
                from typing import Callable
                class Command:
                    def option(self):
                        pass
                def command() -> Callable[..., Command]: ...
                @command()
                def f():
                    pass
                def run():
                    f.option()
                    print(f)
            """
        },
        ("a.py:run calls a.py:Command.option exact", "a.py:run uses a.py:f exact"),
    ),
    "overloads": Trap(
        {
            "a.py": """\
                from typing import overload
                @overload
                def f(x: int) -> int: ...
                @overload
                def f(x: str) -> str: ...
                def f(x):
                    return helper(x)
                def helper(x): ...
                def run():
                    f(1)
            """
        },
        ("a.py:run calls a.py:f exact", "a.py:f calls a.py:helper exact"),
    ),
    "dataclasses, enums and named tuples": Trap(
        {
            "a.py": """\
                import enum
                from dataclasses import dataclass, field
                from b import Shape
                @dataclass
                class Scene:
                    main: Shape
                    others: list[Shape] = field(default_factory=list)
                class Mode(enum.Enum):
                    FAST = 1
                    def apply(self):
                        pass
                def run(scene: Scene):
                    scene.main.area()
                    scene.others[0].twice()
                    Mode.FAST.apply()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:run calls b.py:Shape.area exact",
            "a.py:run calls b.py:Shape.twice exact",
            "a.py:run calls a.py:Mode.apply exact",
        ),
    ),
    "with, operators and calls of objects": Trap(
        {
            "a.py": """\
                import contextlib
                from b import Shape
                class Box:
                    def __enter__(self):
                        return self
                    def __exit__(self, *_):
                        pass
                    def __add__(self, other):
                        return Box()
                    def __call__(self):
                        pass
                    def __getitem__(self, key) -> Shape: ...
                @contextlib.contextmanager
                def held():
                    yield Shape()
                def run():
                    with Box() as box, held() as shape:
                        (box + box)()
                        box[1].area()
                        shape.twice()
            """,
            "b.py": SHAPES,
        },
        (
            "a.py:run calls a.py:Box.__enter__ exact",
            "a.py:run calls a.py:Box.__exit__ exact",
            "a.py:run calls a.py:Box.__add__ exact",
            "a.py:run calls a.py:Box.__call__ exact",
            "a.py:run calls a.py:Box.__getitem__ exact",
            "a.py:run calls b.py:Shape.area exact",
            "a.py:run calls b.py:Shape.twice exact",
        ),
    ),
    "bases of several kinds": Trap(
        {
            "a.py": """\
                import bpy
                class Mixin:
                    def poll(self):
                        self.report()
                        self.missing()
                class Operator(Mixin, bpy.types.Operator):
                    def execute(self):
                        self.poll()
                        self.report()
                def report():
                    pass
            """
        },
        ("a.py:Operator.execute calls a.py:Mixin.poll exact",),
        ("calls a.py:report",),
        ("a.py:Mixin.poll missing",),
    ),
    "a function that is handed on": Trap(
        {"a.py": "import bpy\ndef tick():\n    pass\ndef register():\n    bpy.app.timers.register(tick)\n"},
        ("a.py:register uses a.py:tick exact",),
        ("calls a.py:tick",),
    ),
    "what only running can tell": Trap(
        {
            "a.py": """\
                def one(): ...
                def two(): ...
                TABLE = {"one": one, "two": two}
                def run(name, thing):
                    TABLE[name]()
                    getattr(thing, name)()
                    getattr(thing, "paint")()
                class A:
                    def paint(self): ...
            """
        },
        ("a.py: uses a.py:one exact", "a.py:run calls a.py:A.paint by name"),
        ("run calls a.py:one", "run calls a.py:two"),
        ("a.py:run getattr",),
    ),
    "a method that only its name tells": Trap(
        {
            "a.py": "def run(x, y):\n    x.polish()\n    y.append(1)\n    'text'.polish()\n",
            "b.py": "class B:\n    def polish(self): ...\n    def append(self, x): ...\n",
        },
        ("a.py:run calls b.py:B.polish by name",),
        ("B.append",),
        ("a.py:run polish", "a.py:run append"),
    ),
    "a method of what comes from outside": Trap(
        {
            "a.py": "import bpy\ndef run():\n    bpy.context.object.polish()\n",
            "b.py": "class B:\n    def polish(self): ...\n",
        },
        (),
        ("B.polish",),
    ),
    "a test that is named after what it tests": Trap(
        {
            "m.py": "def paint():\n    pass\ndef wash():\n    pass\nclass Brush:\n    pass\n",
            "tests/test_m.py": "import m\ndef test_paint(run):\n    run('paint')\nclass TestBrush:\n    x = 1\n",
        },
        ("tests/test_m.py:test_paint tests m.py:paint by name", "tests/test_m.py:TestBrush tests m.py:Brush by name"),
        ("m.py:wash",),
    ),
    "a file that Python cannot parse": Trap(
        {"a.py": "x = 1\ndef f(:\n", "b.py": "from a import f\ndef run():\n    f()\n"},
        ("b.py: imports a.py: exact",),
        ("a.py:f",),
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_edges(name: str) -> None:
    TRAPS[name].check()


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 80 + ")" * 80,
        "x = " + "+".join(["a"] * 3000) + "\ndef f(): pass\nf()\n",
        "x = a" + ".b" * 3000 + "\n",
        "\n".join(f"x{n + 1} = (x{n}, x{n}, [x{n}], {{x{n}: x{n}}})" for n in range(60)) + "\nx0 = 1\nx60[0]()\n",
        "def f():\n    return [f(), f()]\nf()[0][1]()\n",
        "class A(A): pass\nclass B(C): pass\nclass C(B): pass\nC().x()\n",
        "x = x.x\nx()\n",
        "def f(a=f, *b: f, c: 'f[' = 1, **d: f()) -> f: yield from f\n",
        "if a:\n " + "\nelif a:\n ".join(f"x{n} = {n}" for n in range(1500)) + "\n",
        "list(" * 60 + "x" + ")" * 60,
    ],
)
def test_no_text_is_too_strange(text: str) -> None:
    edges, _gaps = edges_in({"a.py": text, "b.py": "import c\n", "c.py": "y = 1\n"})
    # The others are read as if it was not there.
    assert "b.py: imports c.py: exact" in edges


def test_an_edge_says_its_line() -> None:
    from codebase.graph.build import edges_of

    code = code_of({"a.py": "def f():\n    pass\n\ndef run():\n    x = (1,\n         f())\n"})
    edges, _ = edges_of(code)
    assert [edge.line for edge in edges if edge.kind == "calls"] == [6]
