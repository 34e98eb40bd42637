"""Makes Blender call the snippet's callbacks, after all is saved: errors that it swallows then are heard.

registration (add-ons) -> timers -> frames and updates -> drivers -> drawing -> unregistration -> saving, loading

Steps without a callback are left out, so a snippet without callbacks costs nothing.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import os
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable, Generator
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.addon import first_line, name_of
from harness.inside.untrusted.claimed import answers_here
from harness.inside.untrusted.drawing import draw_all
from harness.inside.untrusted.exercise import ALL_S, DidNotEnd, Exercise, attempt
from harness.inside.untrusted.invalid_drivers import invalid_drivers
from harness.protocol import EventName

ONE_CALL_S = 1.5
"""Most seconds of computing for one call of one function: a busy machine is no fault of the snippet's."""
ONE_WAIT_S = 5.0
"""Most seconds on the clock for one call."""
ALL_WAIT_S = 8.0
STUCK_S = 15.0
"""Seconds after which the process is ended, even if Blender itself does not return."""
TICK_S = 0.25
MOST_LISTED = 60
TIMER_CALLS = 2
QUICK_S = 0.7
"""An add-on whose file takes longer than this is not loaded once more."""
OF_FRAMES = ("frame_change_pre", "frame_change_post", "depsgraph_update_pre", "depsgraph_update_post")
OF_FILES = ("save_pre", "save_post", "load_pre", "load_post")


def provoke(exercise: Exercise, channel: Channel) -> None:
    """Go through the steps, each announced, so that a crash or a hang is told apart from one of the snippet's run."""
    hooks = exercise.hooks
    if hooks.tree:
        with watched(exercise.path) as exercise.seconds_left:
            for name, step in steps_of(exercise):
                if exercise.seconds_left() <= 0:
                    break
                channel.send(EventName.PROVOKING, step=name, swallowed=exercise.swallowed.take())
                exercise.swallowed.phase = name
                try:
                    step(exercise)
                except (Exception, DidNotEnd):
                    # Our own error, or one of Blender's: the snippet's errors are noted at their calls.
                    traceback.print_exc()
        note_what_is_missing(exercise)
    facts = [[hook.kind, hook.name, hook.line, hooks.has_run(hook)] for hook in hooks.all]
    errors = exercise.swallowed.take()
    said = {"hooks": facts[:MOST_LISTED], "addon": exercise.addon, "answers": exercise.answers}
    channel.send(EventName.PROVOKED, swallowed=errors, **said)


def note_what_is_missing(exercise: Exercise) -> None:
    """Note the functions that Blender calls to enable and disable an add-on, if the snippet says that it is one."""
    line_of = exercise.hooks.line_of_name
    for name in ("register", "unregister"):
        if line_of("bl_info") and line_of(name) is None:
            exercise.note(
                "bl_info", "incomplete", f"it has `bl_info`, but no `{name}` without arguments", line_of("bl_info")
            )


def steps_of(exercise: Exercise) -> list[tuple[str, Callable[[Exercise], None]]]:
    """The steps, in order, each with its name."""
    steps = [("timers", run_timers), ("frames", step_frames), ("drivers", evaluate_drivers), ("drawing", draw_all)]
    if exercise.hooks.line_of_name("register") and exercise.seconds < QUICK_S:
        steps = [("registration", register), *steps, ("unregistration", unregister)]
    return [*steps, ("loading", load)]


def times() -> tuple[float, float]:
    """Seconds that this process has computed, and seconds on the clock."""
    return time.process_time(), time.monotonic()


@contextlib.contextmanager
def watched(path: str) -> Generator[Callable[[], float], None, None]:
    """Raise DidNotEnd in a call of the snippet's that takes too long; yields a function that gives the seconds left.

    The alarm only comes through while Python runs. If Blender itself does not return, the process is ended.
    """
    began = times()
    current: list[Any] = [None, began]

    def tick(_signal: int, frame: types.FrameType | None) -> None:
        outermost = None
        while frame is not None:
            outermost = frame if frame.f_code.co_filename == path else outermost
            frame = frame.f_back
        computed, waited = (now - then for now, then in zip(times(), current[1], strict=True))
        if outermost is None or outermost is not current[0]:
            current[:] = [outermost, times()]
        elif computed > ONE_CALL_S or waited > ONE_WAIT_S:
            current[:] = [None, times()]
            raise DidNotEnd(f"it was still running after {computed:.1f} s of computing and {waited:.1f} s in all")

    def seconds_left() -> float:
        computed, waited = (now - then for now, then in zip(times(), began, strict=True))
        return min(ALL_S - computed, ALL_WAIT_S - waited)

    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
    faulthandler.dump_traceback_later(STUCK_S, exit=True, file=2)
    try:
        yield seconds_left
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def register(exercise: Exercise) -> None:
    """Remove the registrations of the runs, load the file as an add-on is loaded, and call its `register`."""
    # If something was registered by the run itself, and is not now, not all of it was removed.
    worked = exercise.is_registered()
    exercise.forget()
    name = os.path.splitext(os.path.basename(exercise.path))[0]
    module = types.ModuleType(name)
    module.__file__ = exercise.path
    sys.modules[name] = module
    # An add-on finds its preferences under its own name.
    bpy.context.preferences.addons.new().module = name
    try:
        exec(exercise.hooks.code(exercise.source, exercise.path), module.__dict__)
        if worked and not exercise.is_registered():
            module.__dict__["register"]()
    except (Exception, DidNotEnd):
        return
    line = exercise.hooks.line_of_name("register")
    if exercise.is_registered() or attempt(exercise, "register", module.__dict__["register"], line):
        exercise.addon = {"registered": rows_of(exercise.new()), "left": None}
        exercise.answers = answers_here(exercise.accept, exercise.met_before)
        exercise.module = module


def unregister(exercise: Exercise) -> None:
    """Call `unregister`, note the remaining registrations, and register once more."""
    if exercise.addon is None:
        return
    names, line_of = exercise.module.__dict__, exercise.hooks.line_of_name
    if callable(names.get("unregister")) and attempt(
        exercise, "unregister", names["unregister"], line_of("unregister")
    ):
        remaining = exercise.new()
        remaining += [("draw callback", name_of(each[0]), None) for each in exercise.overlays.added]
        lines = filter(None, map(exercise.line_of, remaining))
        exercise.addon |= {"left": rows_of(remaining), "line": next(lines, None)}
        exercise.swallowed.phase = "second registration"
        attempt(exercise, "register", names["register"], line_of("register"))


def rows_of(things: list[tuple[str, str, Any]]) -> list[list[str]]:
    return sorted([kind, name] for kind, name, _ in things)[:MOST_LISTED]


def run_timers(exercise: Exercise) -> None:
    """Call each timer that is due, as often as it asks for it, up to a few times."""
    for function in dict.fromkeys(exercise.timers):
        for _ in range(TIMER_CALLS):
            if not bpy.app.timers.is_registered(function):
                break
            kind = exercise.hooks.kinds.get(first_line(function), f"timer {name_of(function)}")
            waits: list[Any] = []
            attempt(exercise, kind, functools.partial(append_answer, waits, function))
            if waits in ([], [None]):
                with contextlib.suppress(ValueError):
                    bpy.app.timers.unregister(function)


def append_answer(answers: list[Any], call: Callable[[], Any]) -> None:
    answers.append(call())


def step_frames(exercise: Exercise) -> None:
    """Set a few frames of the scene's range and change something, if the snippet has a handler that is then called."""
    if not any(kind.split()[0] in OF_FRAMES for kind, _, _ in exercise.new(" handler")):
        return
    scene = bpy.context.scene
    assert scene is not None
    for frame in dict.fromkeys([scene.frame_start, scene.frame_start + 1, scene.frame_end, scene.frame_current]):
        if exercise.seconds_left() > 0:
            scene.frame_set(frame)
    for thing in bpy.context.view_layer.objects[:1]:
        thing.update_tag()
    bpy.context.view_layer.update()


def evaluate_drivers(exercise: Exercise) -> None:
    """Evaluate the drivers that the snippet made; note those that Blender cannot evaluate."""
    for wrong in invalid_drivers(exercise.drivers, exercise.swallowed):
        curve = wrong["curve"]
        line = exercise.hooks.line_of_driver(curve.driver.expression, curve.data_path, curve.array_index)
        kind = "trusted" if wrong["trusted"] else "invalid"
        exercise.note("driver", kind, f"the driver of {wrong['place']}: {wrong['wrong']}", wrong["line"] or line)


def load(exercise: Exercise) -> None:
    """Save and load a file, if the snippet has a handler that is called then. Nothing comes after it."""
    kinds = [f"{name} handler" for name in OF_FILES]
    if any(kind in kinds for kind, _, _ in exercise.new(" handler")):
        path = os.path.join(exercise.saved_folder, "loaded.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, check_existing=False)
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False, use_scripts=False)
