"""Values that lead to each other, or too far: each question ends, and near twins are followed as before."""

from __future__ import annotations

import itertools

import pytest

from codebase.graph.build import edges_of
from codebase.graph.outline.steps import MOST_DEEP, MOST_STEPS, StepBudget
from tests.codebase.frames import makes
from tests.codebase.graphs import code_of, gap_said

ADD_ON = """\
import bpy
from other import *

class OBJECT_OT_paint(bpy.types.Operator):
    bl_idname = "object.paint"

ONE = "object.paint"
TWO = ONE
def name():
    return TWO
CLASSES = [OBJECT_OT_paint]
ALL = [*CLASSES]
def every():
    return [*ALL]
def draw(layout):
    layout.operator(name())
def register():
    for cls in every():
        bpy.utils.register_class(cls)
"""
RUNS = ("runs", "a.py::OBJECT_OT_paint", "exact")
REGISTERS = ("registers", "a.py::OBJECT_OT_paint", "exact")
RINGS = {
    "functions that loop over each other": (
        "def f(x):\n    return [part for one in g(x) for part in g(one)] or h(x)\n"
        "def g(x):\n    return [part for one in h(x) for part in h(one)] or f(x)\n"
        "def h(x):\n    return [part for one in f(x) for part in f(one)] or g(x)\n",
        "f(layout)[0].text",
    ),
    "lists that hold each other": ("f = [*g, *g]\ng = [*h, *h]\nh = [*f, *f]\n", "[one for one in f]"),
    "lists that are added to each other": ("f = g + h\ng = h + f\nh = f + g\n", "f[0]"),
    "names of each other": ("f = g or h\ng = h or f\nh = f or g\n", "f"),
    "texts of each other": ('f = f"{g}{h}"\ng = f"{f}{h}"\nh = f"{f}{g}"\n', "f"),
    "bases of each other": (
        "class f(g):\n    x = g.x\nclass g(h):\n    x = h.x\nclass h(f):\n    x = f.x\n",
        "f().x.x",
    ),
    "properties of each other": (
        "class f:\n    @property\n    def x(self):\n        return f().y.x\n"
        "    @property\n    def y(self):\n        return f().x.y\n",
        "f().x.y",
    ),
    "groups of each other": (
        "class f(bpy.types.PropertyGroup):\n    x: bpy.props.PointerProperty(type=g)\n"
        "class g(f):\n    y: bpy.props.PointerProperty(type=f().x.y)\n",
        "f().x.y.x",
    ),
    "star imports of each other": ("", "missing"),
    "a ring that somebody leaves": ("f = g or ONE\ng = f or ONE\n", "g"),
}
"""What the module has besides, and what is passed to an operator."""


@pytest.mark.parametrize("name", RINGS)
def test_a_ring_ends_and_its_twin_is_followed(name: str) -> None:
    ring, passed = RINGS[name]
    text = f"{ADD_ON}{ring}def too(layout):\n    layout.operator({passed})\n    {passed}.more\n"
    files = {"a.py": text, "other.py": "from a import *\n"}
    assert RUNS in makes(files, "a.py::draw") and REGISTERS in makes(files, "a.py::register")
    assert (RUNS in makes(files, "a.py::too")) == ("leaves" in name)
    assert "leads too far" not in {gap.name for gap in edges_of(code_of(files))[1]}


DJANGO = """\
from django.urls import include, path
from rest_framework.routers import DefaultRouter
from shop import views
router = DefaultRouter()
router.register("wares", views.Wares)
more = [path("home", views.home)]
urlpatterns = [*more] + router.urls
"""


@pytest.mark.parametrize(
    "ring",
    [
        "",
        "f = g + h\ng = h + f\nh = f + g\nurlpatterns += f\n",
        "f = [*g, *g]\ng = [*f, *f]\nurlpatterns += f\n",
        "f = wrap(g, g)\ng = wrap(f, f)\nurlpatterns += [path('x', f)]\n",
        "f = g.urls\ng = f.urls\nf.register('x', g)\nurlpatterns += f\n",
        "urlpatterns += [path(x, include('shop.urls')) for x in y] + [path('x', include('shop.urls'))] * 9\n",
        "".join(f"urlpatterns += [path('{n}', include('shop.urls'))]\n" for n in range(9)),
    ],
)
def test_a_ring_of_routes_ends_and_its_twin_is_followed(ring: str) -> None:
    files = {
        "shop/urls.py": DJANGO + ring,
        "shop/views.py": "def home(request):\n    pass\nclass Wares:\n    pass\n",
    }
    routes = {("routes", "shop/views.py::home", "exact"), ("routes", "shop/views.py::Wares", "exact")}
    assert makes(files, "shop/urls.py::") - {("routes", "shop/urls.py::", "exact")} == routes


def chain(links: int) -> str:
    """An add-on with an operator whose name is passed on so many times."""
    names = "".join(f"N{n} = N{n - 1}\n" for n in range(1, links))
    return f"{ADD_ON}N0 = ONE\n{names}def far(layout):\n    layout.operator(N{links - 1})\n"


def test_a_chain_is_followed_as_far_as_the_budget_goes_and_its_end_is_said() -> None:
    for links, found, said in ((20, True, set[str]()), (2000, False, {"a.py:far leads too far"})):
        files = {"a.py": chain(links)}
        code = code_of(files)
        assert (RUNS in makes(files, "a.py::far")) == found
        assert {gap_said(code, gap) for gap in edges_of(code)[1] if "far" in gap.name} == said


def test_what_doubles_at_each_step_is_not_followed_to_its_end() -> None:
    names = "".join(f"def f{n}(x):\n    return [*f{n - 1}(x), *f{n - 1}(x)]\n" for n in range(1, 25))
    text = f"{ADD_ON}def f0(x):\n    return ALL\n{names}"
    text += "def far():\n    for c in f24(1):\n        bpy.utils.register_class(c)\n"
    code = code_of({"a.py": text})
    assert "a.py:far leads too far" in {gap_said(code, gap) for gap in edges_of(code)[1]}
    assert REGISTERS in makes({"a.py": text}, "a.py::register")


def test_all_ways_spend_one_budget() -> None:
    budget = StepBudget()
    assert budget.enter("a") and not budget.enter("a") and budget.enter("b") and not budget.enter("a")
    assert [budget.leave(), budget.leave()] == [False, True], "there is more to b than was read inside of a"
    assert all(budget.enter(number) for number in range(MOST_DEEP)) and not budget.enter("deeper")
    assert not any(budget.leave() for _ in range(MOST_DEEP))
    assert budget.enter("again")
    steps = itertools.takewhile(lambda number: budget.enter(number) and (budget.leave() or True), itertools.count())
    assert (len(list(steps)), budget.times) == (MOST_STEPS - 1, 2)


LANGUAGE = {
    "functions that return each other": "def f{n}(x):\n    return f{m}(x).g\n",
    "methods of each other": "class F{n}:\n    def go(self):\n        return F{m}().go().go()\n",
    "super of each other": "class F{n}(F{m}):\n    def go(self):\n        return super().go().go()\n",
    "properties of each other": "class F{n}:\n    @property\n    def go(self):\n        return F{m}().go.go\n",
    "items of each other": "def f{n}(x):\n    return [one for one in f{m}(x)][0]\n",
    "annotations of each other": "def f{n}(x: 'list[F{m}]') -> 'F{m}':\n    return x[0].go()\nclass F{n}(F{m}): pass\n",
    "decorators of each other": "@f{m}\ndef f{n}(x):\n    def g():\n        return f{m}(x)()\n    return g\n",
    "names of each other": "f{n} = f{m} or f{m}()\n",
}


@pytest.mark.parametrize("size", [3, 100])
@pytest.mark.parametrize("name", LANGUAGE)
def test_a_ring_of_the_language_ends(name: str, size: int) -> None:
    text = "".join(LANGUAGE[name].format(n=n, m=(n + 1) % size) for n in range(size))
    edges, _ = edges_of(code_of({"a.py": f"{text}def f():\n    pass\ndef run():\n    f()\n"}))
    code = code_of({"a.py": f"{text}def f():\n    pass\ndef run():\n    f()\n"})
    assert ("run", "f") in {(code.units[edge.source].name, code.units[edge.target].name) for edge in edges}
