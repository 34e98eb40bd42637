"""Answers a snippet's questions as a user's own Blender would, as far as a process without a window can.

For the second execution of a snippet that asks where it runs: if it does something else there, that shows.
"""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import bpy

USER = "user"
ENVIRONMENT = {
    "USER": USER,
    "LOGNAME": USER,
    "USERNAME": USER,
    "SHELL": "/bin/bash",
    "DISPLAY": ":0",
    "XDG_SESSION_TYPE": "x11",
    "DESKTOP_SESSION": "gnome",
}
NUMBERS = {"getuid": 1000, "geteuid": 1000, "getgid": 1000, "getegid": 1000, "getppid": 4242}
ADD_ON = "bl_ext.user_default.own_tools"


def answer_as_elsewhere(path: str) -> None:
    """Change the answers; `path` is that of the snippet, below which no frame is told of."""
    sys.argv[:1] = ["blender", "--python", path]
    os.environ.update(ENVIRONMENT)
    for name, number in NUMBERS.items():
        setattr(os, name, lambda number=number: number)
    os.getlogin = lambda: USER
    bpy.context.preferences.addons.new().module = ADD_ON
    # It is a module too, for `from bpy.app import background`.
    bpy.__dict__["app"] = sys.modules["bpy.app"] = WithWindow(bpy.app)  # type: ignore[assignment]
    sys.__dict__["_getframe"] = above(path, sys.__dict__["_getframe"])


class WithWindow:
    """`bpy.app` of a Blender that has a window."""

    background = False

    def __init__(self, app: Any) -> None:
        self._app = app

    def __getattr__(self, name: str) -> Any:
        return getattr(self._app, name)


def above(path: str, real: Any) -> Any:
    """`sys._getframe` that finds the stack at its end below the snippet, which Blender's text editor starts."""

    def getframe(depth: int = 0) -> types.FrameType:
        frame: types.FrameType = real(1)
        for _ in range(depth):
            if frame.f_code.co_filename == path and frame.f_code.co_name == "<module>":
                raise ValueError("call stack is not deep enough")
            frame = frame.f_back or frame
        return frame

    return getframe
