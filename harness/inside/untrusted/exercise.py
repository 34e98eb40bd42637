"""One snippet before, while and after it runs: its registrations, the functions that Blender calls, their errors."""

from __future__ import annotations

import contextlib
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

import bpy

from harness.inside.scene.drivers import drivers_now
from harness.inside.untrusted.addon import Registrations, hear_timers, remove
from harness.inside.untrusted.claimed import Answer
from harness.inside.untrusted.hooks import hooks_of
from harness.inside.untrusted.overlay import DrawCallbacks
from harness.inside.untrusted.swallowed import SwallowedErrors
from harness.protocol import RunJob

ALL_S = 3.0
"""Most seconds of computing for all provoked calls."""
Facts = dict[str, Any]


class DidNotEnd(BaseException):
    """Raised in a callback that does not end."""


class Exercise:
    """The exercise of one snippet. Without hooks there is nothing to look for, and it costs nothing.

    `seconds` is the time that the snippet computed, `seconds_left` gives those for provoked calls, `module` is the
    add-on, `answers` are those to acceptance checks while it is registered.
    """

    def __init__(self, job: RunJob, source: str, facts_of: Callable[[BaseException, str], Facts]) -> None:
        self.path = job.snippet
        self.accept = job.accept
        self.saved_folder = job.saved_folder
        self.source = source
        self.hooks = hooks_of(source, job.snippet)
        self.swallowed = SwallowedErrors(job.snippet, self.hooks, facts_of)
        self.timers: list[Callable[[], float | None]] = []
        self.overlays = DrawCallbacks()
        self.drivers: dict[str, str] = {}
        self.addon: Facts | None = None
        self.met_before: list[Answer] = []
        self.answers: list[Answer] = []
        self.module = types.ModuleType("none")
        self.seconds = 0.0
        self.seconds_left: Callable[[], float] = lambda: ALL_S
        if self.hooks.tree:
            try:
                self.drivers, self.before = drivers_now(), Registrations()
            except Exception:
                # Our own error, at a start scene that we do not understand: the snippet must not suffer from it.
                traceback.print_exc()
                self.hooks = hooks_of("", job.snippet)

    def begin(self) -> None:
        """Listen to errors from now on, and to new timers and draw callbacks, which cannot be listed."""
        self.swallowed.listen()
        if self.hooks.tree is None:
            return
        self.overlays.listen()
        hear_timers(self.timers)

    def new(self, *kinds: str) -> list[tuple[str, str, Any]]:
        """The registrations of these kinds that were not there before."""
        new = Registrations().beyond(self.before)
        return [thing for thing in new if not kinds or thing[0].endswith(kinds) or thing[0].startswith(kinds)]

    def is_registered(self) -> bool:
        """True if the add-on is registered now."""
        if self.hooks.function("register"):
            return self.hooks.has_registered()
        # Made by `bpy.utils.register_classes_factory`.
        return any(isinstance(thing, type) for _, _, thing in self.new())

    def note(self, hook: str, kind: str, message: str, line: int | None) -> None:
        """Note a fault without an exception, as an error that was swallowed."""
        facts = {"hook": hook, "type": kind, "message": message, "line": line}
        self.swallowed.add({**facts, "phase": self.swallowed.phase, "times": 1})

    def line_of(self, thing: tuple[str, str, Any]) -> int | None:
        """The line of the snippet that defines a registered thing, if that is known."""
        name = thing[1]
        line = next((hook.line for hook in self.hooks.all if hook.name == name), None)
        return line or self.hooks.properties.get(name)

    def forget(self) -> None:
        """Remove all that the snippet registered, as if it had not run."""
        if self.is_registered():
            with contextlib.suppress(Exception):
                sys.modules["__main__"].__dict__["unregister"]()
        remove(self.new())
        for function in self.timers:
            if bpy.app.timers.is_registered(function):
                bpy.app.timers.unregister(function)
        self.timers.clear()
        self.overlays.added.clear()
        self.hooks.forget_registration()
        self.before = Registrations()


def attempt(exercise: Exercise, hook: str, call: Callable[[], Any], line: int | None = None) -> bool:
    """Make the call as Blender would; note its exception. True if it raised nothing."""
    try:
        call()
    except SystemExit:
        return True
    except BaseException as error:
        exercise.swallowed.note(error, hook, line)
        return False
    return True
