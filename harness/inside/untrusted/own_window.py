"""Blender's own window, if it has one: a job begins when it is open, and Blender draws it between the job's steps."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator

import bpy

OPEN_S = 0.2
STEP_S = 0.05


def when_open(begin: Callable[[], Iterable[None]], end: Callable[[], None]) -> None:
    """Take the steps of a job as soon as the window is open, one after each time that Blender draws it, then end."""
    preferences = bpy.context.preferences
    preferences.view.show_splash = False
    preferences.view.smooth_view = 0
    # Without a graphics card it takes most of the time of drawing.
    preferences.system.viewport_aa = "OFF"
    steps: list[Iterator[None]] = []

    def take() -> float:
        try:
            with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
                if not steps:
                    steps.append(iter(begin()))
                next(steps[0])
        except BaseException as error:
            if not isinstance(error, StopIteration):
                traceback.print_exception(error)
            end()
        return STEP_S

    # A file that is opened would end it otherwise.
    bpy.app.timers.register(take, first_interval=OPEN_S, persistent=True)
