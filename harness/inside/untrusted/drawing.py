"""Polls operators, panels and menus, and draws panels and menus without a window."""

from __future__ import annotations

import contextlib
import functools
import re
import types
from collections.abc import Callable, Generator
from typing import Any

import bpy

from harness.inside.untrusted.addon import first_line, name_of
from harness.inside.untrusted.exercise import Exercise, attempt
from harness.inside.untrusted.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.untrusted.overlay import pretending

DRAWING = ("draw_header", "draw_header_preset", "draw")
DATA = (
    "Mesh", "Curve", "TextCurve", "SurfaceCurve", "MetaBall", "Armature", "Lattice", "Camera", "PointLight", "SunLight",
    "SpotLight", "AreaLight", "GreasePencil", "GreasePencilv3", "Curves", "PointCloud", "Volume", "Speaker",
)  # fmt: skip
"""The types of data that an object may have."""
FAMILIES = ("Space", "Modifier", "Constraint", "Texture", "ShaderNode", "NodeInternal", "Node", "NodeSocketStandard")


def draw_all(exercise: Exercise) -> None:
    """Poll operators, panels and menus; draw all but the operators, and the overlays."""
    for kind, name, thing in exercise.new("Operator", "Panel", "Menu", "Header", "entry of "):
        if kind == "Operator":
            polled(exercise, kind, name, thing)
        elif kind.startswith("entry of "):
            cls, function = thing
            draw(exercise, f"{kind} {name}", cls, function)
        elif polled(exercise, kind, name, thing):
            for method in (each for each in DRAWING if each in vars_of(thing)):
                hook = f"{kind} {name}.{method}"
                draw(exercise, hook, thing, method)
    draw_overlays(exercise)


def draw_overlays(exercise: Exercise) -> None:
    """Call each draw callback once, with the arguments of a drawing."""
    for callback, args, _ in list(exercise.overlays.added):
        names = getattr(callback, "__globals__", {})
        kind = exercise.hooks.kinds.get(first_line(callback), f"draw callback {name_of(callback)}")
        with pretending(names):
            attempt(exercise, kind, functools.partial(callback, *args))


def vars_of(cls: type) -> set[str]:
    """The names that a class has from Python, be it from its own body or from a base."""
    return {name for base in cls.__mro__ for name in vars(base) if not base.__module__.startswith("bpy")}


def is_usable(cls: Any, view: ContextView) -> bool:
    """True if the class can be used in this scene, as its `poll` says, and a panel below another one if that can.

    Raises the exceptions of `poll`.
    """
    parent = getattr(bpy.types, getattr(cls, "bl_parent_id", ""), None)
    if parent is not None and parent is not cls and not is_usable(parent, view):
        return False
    return "poll" not in vars_of(cls) or bool(cls.poll(view))


def polled(exercise: Exercise, kind: str, name: str, cls: Any) -> bool:
    """The same; an exception of `poll` is noted, and then it cannot be used."""
    view, answers = ContextView(), [False]
    with missing(exercise, view):
        attempt(exercise, f"{kind} {name}.poll", lambda: answers.append(is_usable(cls, view)))
    return answers[-1]


def draw(exercise: Exercise, hook: str, cls: type, method: str | Callable[[Any, Any], Any]) -> None:
    """Draw with a layout that checks names; note the names that it does not know, and exceptions.

    `method` is the name of a method of the class, or a function that was appended to it.
    """
    view = ContextView()

    def note(message: str, frame: types.FrameType | None) -> None:
        exercise.note(hook, "unknown name", message, frame.f_lineno if frame else None)

    drawing = Drawing(exercise.path, note)
    stand_in = StandIn(cls, Layout(drawing))

    def call() -> None:
        if isinstance(method, str):
            getattr(stand_in, method)(view)
        else:
            method(stand_in, view)

    with missing(exercise, view):
        attempt(exercise, hook, call)


@contextlib.contextmanager
def missing(exercise: Exercise, view: ContextView) -> Generator[None, None, None]:
    """Add to errors of the block the members that the context lacked, and true if the active object's kind has them."""
    known = len(exercise.swallowed.errors)
    yield
    for facts in exercise.swallowed.errors[known:]:
        facts["missed"] = list(dict.fromkeys(view.__dict__["missed"]))
        if of_other_data(facts["message"]):
            facts["phase"] = "other scene"


def of_other_data(message: str) -> bool:
    """True if a thing lacks a member because it is a mesh, say, and not a curve, or one modifier and no other."""
    found = re.search(r"'?(\w+)'? (?:object )?has no (?:attribute|property) ['\"](\w+)['\"]", message)
    cls = getattr(bpy.types, found[1], None) if found else None
    if found is None or cls is None:
        return False
    alike: list[Any]
    if found[1] in DATA:
        alike = [getattr(bpy.types, kind) for kind in DATA if hasattr(bpy.types, kind)]
    else:
        alike = cls.__base__.__subclasses__() if cls.__base__.__name__ in FAMILIES else []
    return any(found[2] in kind.bl_rna.properties for kind in alike)
