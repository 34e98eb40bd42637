"""Registers a whole add-on as Blender's preferences do, unregisters it, and registers it again.

All that this process tells are claims: the add-on runs in it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import addon_utils
import bpy

from harness.inside.addon import Registered
from harness.inside.channel import Channel
from harness.inside.overlay import pretending
from harness.inside.run import TEXT_LIMIT, flush, text_of
from harness.inside.signs import forget_modules, put_away
from harness.protocol import AddonJob, Event

REPOSITORY = "user_default"
"""The repository of extensions that every Blender has for those of its user."""
MOST_FRAMES = 20
MOST_LEFT = 50
MOST_LOADED = 1000


def register(job: AddonJob) -> None:
    """Do it, and tell of each of the three steps; one that fails is the last."""
    channel, out, err = map(put_away, (job.channel_fd, job.stdout_fd, job.stderr_fd))
    told = Channel(channel)
    told.send(Event.BOOTED)
    if job.packages:
        sys.path.append(job.packages)
    forget_modules()
    os.dup2(out, 1)
    os.dup2(err, 2)
    name = reachable(job)
    before = Registered()
    with pretending({}):
        do_steps(job, name, before, told)


def do_steps(job: AddonJob, name: str, before: Registered, told: Channel) -> None:
    """Register, unregister, register again, while the functions that need a graphics card only pretend."""
    for step, call in (("register", enabled), ("unregister", disabled), ("register again", enabled)):
        problem = call(name, job.folder)
        left = left_beyond(before) if step == "unregister" and problem is None else []
        flush()
        told.send(Event.ADDON_STEP, step=step, problem=problem, left=left, loaded=loaded_from(job.folder))
        if problem:
            return
    told.send(Event.FINISHED)


def reachable(job: AddonJob) -> str:
    """Have Blender find the add-on; returns the name by which it does."""
    if not job.extension:
        sys.path.insert(0, job.folder)
        return job.module
    repository = next(one for one in bpy.context.preferences.extensions.repos if one.module == REPOSITORY)
    repository.use_custom_directory = True
    repository.custom_directory = job.folder
    repository.enabled = True
    addon_utils.extensions_refresh()
    return f"bl_ext.{REPOSITORY}.{job.module}"


def enabled(name: str, folder: str) -> dict[str, Any] | None:
    """Enable the add-on; returns what went wrong."""
    return attempted(lambda note: addon_utils.enable(name, default_set=True, handle_error=note), folder)


def disabled(name: str, folder: str) -> dict[str, Any] | None:
    """Disable the add-on; returns what went wrong."""
    return attempted(lambda note: addon_utils.disable(name, default_set=True, handle_error=note), folder)


def attempted(call: Callable[[Callable[[BaseException], None]], Any], folder: str) -> dict[str, Any] | None:
    """The first error that Blender meets in this call, or None."""
    errors: list[BaseException] = []
    try:
        call(errors.append)
    except BaseException as error:
        # Such as SystemExit, which Blender lets through.
        errors.append(error)
    return facts_of(errors[0], folder) if errors else None


def facts_of(error: BaseException, folder: str) -> dict[str, Any]:
    """Type, message and frames of an error, outermost first: each with file, line, function and text.

    The files of the add-on are named relative to its folder; others only end the list. `importing` says whether the
    add-on was still being imported.
    """
    frames = traceback.extract_tb(error.__traceback__)
    shown = [own_frame(frame, folder) for frame in frames if frame.filename.startswith(folder + os.sep)]
    if isinstance(error, SyntaxError) and str(error.filename).startswith(folder + os.sep):
        place = os.path.relpath(str(error.filename), folder)
        shown.append({"file": place, "line": error.lineno or 1, "function": "", "text": (error.text or "").strip()})
    return {
        "type": type(error).__name__[:TEXT_LIMIT],
        "message": text_of(error),
        "module": missing_module(error),
        "importing": any(frame.name == "import_module" and "addon_utils" not in frame.filename for frame in frames),
        "frames": shown[-MOST_FRAMES:],
    }


def own_frame(frame: traceback.FrameSummary, folder: str) -> dict[str, Any]:
    place = os.path.relpath(frame.filename, folder)
    return {"file": place, "line": frame.lineno, "function": frame.name, "text": (frame.line or "")[:TEXT_LIMIT]}


def missing_module(error: BaseException) -> str | None:
    """The name of a module that cannot be found."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    return name[:TEXT_LIMIT] if isinstance(name, str) else None


def loaded_from(folder: str) -> list[str]:
    """The files of the add-on that were imported, relative to its folder."""
    files = [str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())]
    return sorted({os.path.relpath(file, folder) for file in files if file.startswith(folder + os.sep)})[:MOST_LOADED]


def left_beyond(before: Registered) -> list[str]:
    """What is still registered, as `kind name`; looking may fail in whatever way the add-on broke it."""
    with contextlib.suppress(Exception):
        return [f"{kind} {name}" for kind, name, _ in Registered().beyond(before)][:MOST_LEFT]
    return []
