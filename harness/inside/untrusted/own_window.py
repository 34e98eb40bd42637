"""Blender's own window, if it has one: a job begins when it is open, and Blender draws it between the job's steps."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import bpy

VIEW = "VIEW_3D"
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
            with over_the_view():
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


def over_the_view() -> Any:
    """The context of a user whose mouse is over the 3D View; without a window, the context as it is."""
    if bpy.app.background:
        return contextlib.nullcontext()
    window = bpy.context.window_manager.windows[0]
    area = next((area for area in window.screen.areas if area.type == VIEW), None)
    region = next((region for region in area.regions if region.type == "WINDOW"), None) if area else None
    return bpy.context.temp_override(window=window, area=area, region=region)
