"""Makes Blender call what a snippet left to be called, after all is saved: errors that it swallows then are heard.

registration (add-ons) -> timers -> frames and updates -> drivers -> drawing -> unregistration -> a file is loaded

What is not there is left out, so a snippet that leaves nothing to be called costs nothing.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable, Generator
from typing import Any

import bpy

from harness.inside.addon import Registered, name_of, remove
from harness.inside.channel import Channel
from harness.inside.drivers import drivers_now, invalid_drivers
from harness.inside.hooks import hooks_of
from harness.inside.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.swallowed import Swallowed
from harness.protocol import Event, RunJob

ALL_S = 3.0
"""Most seconds for all that is provoked."""
ONE_CALL_S = 1.5
"""Most seconds for one call of one function."""
STUCK_S = 8.0
"""Seconds after which the process is ended, even if Blender itself does not return."""
TICK_S = 0.25
MOST_TOLD = 60
TIMER_CALLS = 2
QUICK_S = 0.7
"""An add-on whose file takes longer than this is not loaded once more."""
OF_FRAMES = ("frame_change_pre", "frame_change_post", "depsgraph_update_pre", "depsgraph_update_post")
OF_LOADING = ("load_pre", "load_post")
DRAWING = ("draw_header", "draw_header_preset", "draw")
Facts = dict[str, Any]


class DidNotEnd(BaseException):
    """Raised in a callback that does not end."""


class Exercise:
    """One snippet before, while and after it runs: what it registers, what of it Blender calls, what goes wrong there.

    `seconds` is how long it ran. Without hooks there is nothing to look for, and it costs nothing.
    """

    def __init__(self, job: RunJob, source: str, facts_of: Callable[[BaseException, str], Facts]) -> None:
        self.path = job.snippet
        self.saved_folder = job.saved_folder
        self.source = source
        self.hooks = hooks_of(source, job.snippet)
        self.swallowed = Swallowed(job.snippet, self.hooks, facts_of)
        self.timers: list[Callable[[], float | None]] = []
        self.drivers: dict[str, str] = {}
        self.addon: Facts | None = None
        self.module = types.ModuleType("none")
        self.seconds = 0.0
        self.left: Callable[[], float] = lambda: ALL_S
        if self.hooks.tree:
            self.drivers = drivers_now()
            self.before = Registered()

    def begin(self) -> None:
        """From now on hear of errors, and of timers, which cannot be listed."""
        self.swallowed.listen()
        if self.hooks.tree is None:
            return
        register = bpy.app.timers.register

        def registering(function: Any, *args: Any, **keywords: Any) -> Any:
            self.timers.append(function)
            return register(function, *args, **keywords)

        bpy.app.timers.register = registering

    def new(self, *kinds: str) -> list[tuple[str, str, Any]]:
        """What is registered and was not before, of these kinds."""
        found = Registered().beyond(self.before)
        return [thing for thing in found if not kinds or thing[0].endswith(kinds) or thing[0].startswith(kinds)]

    def line_of(self, thing: tuple[str, str, Any]) -> int | None:
        """The line of the snippet that defines what is registered, if that is known."""
        name = thing[1]
        line = next((hook.line for hook in self.hooks.found if hook.name == name), None)
        return line or self.hooks.properties.get(name)

    def forget(self) -> None:
        """Take away all that the snippet registered, as if it had not run."""
        if self.hooks.is_registered():
            with contextlib.suppress(Exception):
                sys.modules["__main__"].__dict__["unregister"]()
        remove(self.new())
        for function in self.timers:
            if bpy.app.timers.is_registered(function):
                bpy.app.timers.unregister(function)
        self.timers.clear()
        self.hooks.forget_registration()
        self.before = Registered()


def provoke(exercise: Exercise, channel: Channel) -> None:
    """Go through the steps, each announced, so that a crash or a hang can be told from one of the snippet's own run."""
    hooks = exercise.hooks
    if hooks.tree:
        with watched(exercise.path) as exercise.left:
            for name, step in steps_of(exercise):
                if exercise.left() <= 0:
                    break
                channel.send(Event.PROVOKING, step=name, swallowed=exercise.swallowed.take())
                exercise.swallowed.phase = name
                try:
                    step(exercise)
                except (Exception, DidNotEnd):
                    # Ours, or one of Blender's: what the snippet raised is noted where it is called.
                    traceback.print_exc()
    facts = [[hook.kind, hook.name, hook.line, hooks.has_run(hook)] for hook in hooks.found]
    errors = exercise.swallowed.take()
    channel.send(Event.PROVOKED, swallowed=errors, hooks=facts[:MOST_TOLD], addon=exercise.addon)


def steps_of(exercise: Exercise) -> list[tuple[str, Callable[[Exercise], None]]]:
    """The steps, in order, each with its name."""
    steps = [("timers", run_timers), ("frames", step_frames), ("drivers", evaluate_drivers), ("drawing", draw_all)]
    if exercise.hooks.is_addon() and exercise.seconds < QUICK_S:
        steps = [("registration", register), *steps, ("unregistration", unregister)]
    return [*steps, ("loading", load)]


@contextlib.contextmanager
def watched(path: str) -> Generator[Callable[[], float], None, None]:
    """Raise DidNotEnd in a call of the snippet's that takes too long; yields a function that tells the seconds left.

    The alarm only comes through while Python runs. If Blender itself does not return, the process is ended.
    """
    began = time.monotonic()
    current: list[Any] = [None, began]

    def tick(_signal: int, frame: types.FrameType | None) -> None:
        outermost = None
        while frame is not None:
            outermost = frame if frame.f_code.co_filename == path else outermost
            frame = frame.f_back
        now = time.monotonic()
        if outermost is None or outermost is not current[0]:
            current[:] = [outermost, now]
        elif now - current[1] > ONE_CALL_S:
            current[:] = [None, now]
            raise DidNotEnd(f"it was still running after {ONE_CALL_S:g} s")

    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
    faulthandler.dump_traceback_later(STUCK_S, exit=True, file=2)
    try:
        yield lambda: began + ALL_S - time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def attempt(exercise: Exercise, hook: str, call: Callable[[], Any], line: int | None = None) -> bool:
    """Make the call as Blender would; note what it raises. Returns whether it raised nothing."""
    try:
        call()
    except SystemExit:
        return True
    except BaseException as error:
        exercise.swallowed.note(error, hook, line)
        return False
    return True


def register(exercise: Exercise) -> None:
    """Take away what the runs registered, load the file as an add-on is loaded, and call its `register`."""
    # What registered once in the run itself, and does not now, was not all taken away.
    worked = exercise.hooks.is_registered()
    exercise.forget()
    name = os.path.splitext(os.path.basename(exercise.path))[0]
    module = types.ModuleType(name)
    module.__file__ = exercise.path
    sys.modules[name] = module
    # An add-on finds its preferences under its own name.
    bpy.context.preferences.addons.new().module = name
    try:
        exec(exercise.hooks.code(exercise.source, exercise.path), module.__dict__)
        if worked and not exercise.hooks.is_registered():
            module.__dict__["register"]()
    except (Exception, DidNotEnd):
        return
    if exercise.hooks.is_registered() or attempt(exercise, "register", module.__dict__["register"]):
        exercise.addon = {"registered": told(exercise.new()), "left": None}
        exercise.module = module


def unregister(exercise: Exercise) -> None:
    """Call `unregister`, note what is left, and register once more."""
    if exercise.addon is None:
        return
    names = exercise.module.__dict__
    if callable(names.get("unregister")) and attempt(exercise, "unregister", names["unregister"]):
        left = exercise.new()
        exercise.addon |= {"left": told(left), "line": next(filter(None, map(exercise.line_of, left)), None)}
        exercise.swallowed.phase = "second registration"
        attempt(exercise, "register", names["register"])


def told(things: list[tuple[str, str, Any]]) -> list[list[str]]:
    return sorted([kind, name] for kind, name, _ in things)[:MOST_TOLD]


def run_timers(exercise: Exercise) -> None:
    """Call each timer that is due, as often as it asks for it, up to a few times."""
    for function in dict.fromkeys(exercise.timers):
        for _ in range(TIMER_CALLS):
            if not bpy.app.timers.is_registered(function):
                break
            kind = exercise.hooks.kinds.get(first_line(function), f"timer {name_of(function)}")
            waits: list[Any] = []
            attempt(exercise, kind, lambda call=function, answer=waits.append: answer(call()))
            if waits in ([], [None]):
                with contextlib.suppress(ValueError):
                    bpy.app.timers.unregister(function)


def step_frames(exercise: Exercise) -> None:
    """Set a few frames of the scene's range and change something, if the snippet has a handler that is then called."""
    if not any(kind.split()[0] in OF_FRAMES for kind, _, _ in exercise.new(" handler")):
        return
    scene = bpy.context.scene
    assert scene is not None
    for frame in dict.fromkeys([scene.frame_start, scene.frame_start + 1, scene.frame_end, scene.frame_current]):
        if exercise.left() > 0:
            scene.frame_set(frame)
    for thing in bpy.context.view_layer.objects[:1]:
        thing.update_tag()
    bpy.context.view_layer.update()


def evaluate_drivers(exercise: Exercise) -> None:
    """Evaluate the drivers that the snippet made; note those that Blender cannot evaluate."""
    for wrong in invalid_drivers(exercise.drivers, exercise.swallowed):
        curve, driver = wrong["curve"], wrong["curve"].driver
        facts = {
            "hook": "driver",
            "phase": "drivers",
            "type": "trusted" if wrong["trusted"] else "invalid",
            "message": f"the driver of {wrong['place']}: {wrong['wrong']}",
            "line": wrong["line"] or exercise.hooks.line_of_driver(driver.expression, curve.data_path, curve.array_index),
            "times": 1,
        }
        exercise.swallowed.add(facts)


def draw_all(exercise: Exercise) -> None:
    """Ask each operator, panel and menu whether it can be used now, and draw the latter and the entries in menus."""
    for kind, name, thing in exercise.new("Operator", "Panel", "Menu", "Header", "entry of "):
        if kind == "Operator":
            polled(exercise, kind, name, thing)
        elif kind.startswith("entry of "):
            cls, function = thing
            draw(exercise, f"{kind} {name}", cls, lambda stand_in, view, call=function: call(stand_in, view))
        elif polled(exercise, kind, name, thing):
            for method in (each for each in DRAWING if each in vars_of(thing)):
                hook = f"{kind} {name}.{method}"
                draw(exercise, hook, thing, lambda stand_in, view, each=method: getattr(stand_in, each)(view))


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


def draw(exercise: Exercise, hook: str, cls: type, call: Callable[[Any, Any], Any]) -> None:
    """Draw with a layout that checks names; note what it does not know and what drawing raises."""

    def note(message: str, line: int | None) -> None:
        wrong = {"hook": hook, "phase": "drawing", "type": "unknown name", "message": message, "line": line, "times": 1}
        exercise.swallowed.add(wrong)

    view = ContextView()
    stand_in = StandIn(cls, Layout(Drawing(exercise.path, note)))
    with missing(exercise, view):
        attempt(exercise, hook, lambda: call(stand_in, view))


@contextlib.contextmanager
def missing(exercise: Exercise, view: ContextView) -> Generator[None, None, None]:
    """Tell with each error of the block what the context lacked."""
    known = len(exercise.swallowed.errors)
    yield
    for facts in exercise.swallowed.errors[known:]:
        facts["missed"] = list(dict.fromkeys(view.__dict__["missed"]))


def load(exercise: Exercise) -> None:
    """Save and load a file, if the snippet has a handler that is called then. Nothing comes after it."""
    kinds = [f"{name} handler" for name in OF_LOADING]
    if any(kind in kinds for kind, _, _ in exercise.new(" handler")):
        path = os.path.join(exercise.saved_folder, "loaded.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, check_existing=False)
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)


def first_line(function: Any) -> int:
    """The line at which a function's code begins, or that of the function of a `partial`; 0 if it has none."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    return int(code.co_firstlineno) if code else 0
