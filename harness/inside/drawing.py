"""Asks operators, panels and menus whether they can be used, and draws panels and menus without a window."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Generator
from typing import Any

from harness.inside.addon import first_line, name_of
from harness.inside.exercise import Exercise, attempt
from harness.inside.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.overlay import pretending

DRAWING = ("draw_header", "draw_header_preset", "draw")


def draw_all(exercise: Exercise) -> None:
    """Ask operators, panels and menus whether they can be used now; draw all but the operators, and the overlays."""
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
    """Call each draw callback once, with what it is given at each drawing."""
    for callback, args, _ in list(exercise.overlays.added):
        names = getattr(callback, "__globals__", {})
        kind = exercise.hooks.kinds.get(first_line(callback), f"draw callback {name_of(callback)}")
        with pretending(names):
            attempt(exercise, kind, functools.partial(callback, *args))


def vars_of(cls: type) -> set[str]:
    """The names that a class has from Python, be it from its own body or from a base."""
    return {name for base in cls.__mro__ for name in vars(base) if not base.__module__.startswith("bpy")}


def polled(exercise: Exercise, kind: str, name: str, cls: Any) -> bool:
    """Whether the class can be used in this scene, as its `poll` says."""
    if "poll" not in vars_of(cls):
        return True
    view, answers = ContextView(), [False]
    with missing(exercise, view):
        attempt(exercise, f"{kind} {name}.poll", lambda: answers.append(bool(cls.poll(view))))
    return answers[-1]


def draw(exercise: Exercise, hook: str, cls: type, method: str | Callable[[Any, Any], Any]) -> None:
    """Draw with a layout that checks names; note what it does not know and what drawing raises.

    `method` is the name of one of the class, or a function that was appended to it.
    """

    view = ContextView()
    drawing = Drawing(exercise.path, lambda message, line: exercise.note(hook, "unknown name", message, line))
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
    """Tell with each error of the block what the context lacked."""
    known = len(exercise.swallowed.errors)
    yield
    for facts in exercise.swallowed.errors[known:]:
        facts["missed"] = list(dict.fromkeys(view.__dict__["missed"]))
