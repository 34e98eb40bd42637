"""Registers a whole add-on as Blender's preferences do, unregisters it, registers it again, and uses it.

All reports of this process are claims: the add-on runs in it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator
from typing import Any

import addon_utils
import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.addon import Registrations, hear_timers, name_of
from harness.inside.untrusted.coverage import Coverage, in_messages
from harness.inside.untrusted.faults import facts_of
from harness.inside.untrusted.manifests import problems_of_manifest, unpack_wheels
from harness.inside.untrusted.output import flush
from harness.inside.untrusted.overlay import DrawCallbacks, pretending
from harness.inside.untrusted.signs import forget_modules, put_away
from harness.inside.untrusted.using import use_all
from harness.inside.untrusted.window import as_in_a_window
from harness.protocol import AddonJob, EventName

REPOSITORY = "user_default"
"""The repository of extensions that every Blender has for those of its user."""
MOST_LEFT = 50
MOST_LOADED = 1000


def register(job: AddonJob) -> Generator[None, None, None]:
    """Do the job, and report each of the three steps; a failed step is the last. Later uses cannot undo them.

    The uses are made as the result is iterated; at each of its steps a window is drawn.
    """
    descriptor, out, err = map(put_away, (job.channel_fd, job.stdout_fd, job.stderr_fd))
    channel = Channel(descriptor)
    channel.send(EventName.BOOTED)
    if job.packages:
        sys.path.append(job.packages)
    forget_modules()
    os.dup2(out, 1)
    os.dup2(err, 2)
    read_manifest(job, channel)
    name = reachable(job)
    before = Registrations()
    coverage = Coverage(job.folder) if job.thorough else None
    callbacks = DrawCallbacks()
    if job.pictures:
        callbacks.listen()
    timers: list[Any] = []
    hear_timers(timers)
    if coverage:
        coverage.begin()
    # Functions that need a graphics card only pretend, unless there is a window.
    with contextlib.nullcontext() if job.pictures else pretending({}), as_in_a_window():
        if do_steps(job, name, before, timers, channel) and job.skip is not None:
            new = Registrations().beyond(before)
            window = callbacks if job.pictures else None
            yield from use_all(new, job.folder, job.skip, channel, coverage, timers, window)
    if coverage:
        coverage.pause()
        for files in in_messages(coverage.facts()):
            channel.send(EventName.COVERED, files=files)


def read_manifest(job: AddonJob, channel: Channel) -> None:
    """Report the problems of an extension's manifest, and have its wheels found."""
    if not job.extension:
        return
    own = os.path.join(job.folder, job.module)
    site = os.path.join(os.path.dirname(job.folder), "wheels")
    others = unpack_wheels(own, site)
    if os.path.isdir(site):
        sys.path.append(site)
    channel.send(EventName.MANIFEST, problems=problems_of_manifest(own) if job.thorough else [], others=others)


def do_steps(job: AddonJob, name: str, before: Registrations, timers: list[Any], channel: Channel) -> bool:
    """Register, unregister, register again; True if all three passed."""
    threads = threading.enumerate()
    for step, call in (("register", enabled), ("unregister", disabled), ("register again", enabled)):
        problem = call(name, job.folder)
        left: list[str] = []
        if step == "unregister" and problem is None:
            left = remaining_registrations(before)
            running = [timer for timer in dict.fromkeys(timers) if bpy.app.timers.is_registered(timer)]
            left += [f"timer {name_of(timer)}" for timer in running]
            left += [f"thread {thread.name}" for thread in threading.enumerate() if thread not in threads]
        flush()
        channel.send(
            EventName.ADDON_STEP, step=step, problem=problem, left=left[:MOST_LEFT], loaded=loaded_from(job.folder)
        )
        if problem:
            return False
    channel.send(EventName.FINISHED)
    return True


def reachable(job: AddonJob) -> str:
    """Have Blender find the add-on; returns the name by which it does."""
    if not job.extension:
        sys.path.insert(0, job.folder)
        # An add-on may look itself up among those that are installed, for its version.
        listing: Any = addon_utils
        installed = listing.paths
        listing.paths = lambda: [*installed(), job.folder]
        if job.module in sys.modules:
            # Blender brings and enables one of the same name.
            addon_utils.disable(job.module)
            for name in [each for each in sys.modules if each.partition(".")[0] == job.module]:
                del sys.modules[name]
        return job.module
    repository = next(repo for repo in bpy.context.preferences.extensions.repos if repo.module == REPOSITORY)
    repository.use_custom_directory = True
    repository.custom_directory = job.folder
    repository.enabled = True
    addon_utils.extensions_refresh()
    return f"bl_ext.{REPOSITORY}.{job.module}"


def enabled(name: str, folder: str) -> dict[str, Any] | None:
    """Enable the add-on; returns the error, if any."""
    return first_error(lambda note: addon_utils.enable(name, default_set=True, handle_error=note), folder)


def disabled(name: str, folder: str) -> dict[str, Any] | None:
    """Disable the add-on; returns the error, if any."""
    return first_error(lambda note: addon_utils.disable(name, default_set=True, handle_error=note), folder)


def first_error(call: Callable[[Callable[[BaseException], None]], Any], folder: str) -> dict[str, Any] | None:
    """The first error that Blender meets in this call, or None."""
    errors: list[BaseException] = []
    try:
        call(errors.append)
    except BaseException as error:
        # Such as SystemExit, which Blender lets through.
        errors.append(error)
    return facts_of(errors[0], folder) if errors else None


def loaded_from(folder: str) -> list[str]:
    """The files of the add-on that were imported, relative to its folder."""
    files = [str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())]
    return sorted({os.path.relpath(file, folder) for file in files if file.startswith(folder + os.sep)})[:MOST_LOADED]


def remaining_registrations(before: Registrations) -> list[str]:
    """The remaining registrations, as `kind name`; looking may fail in whatever way the add-on broke it."""
    with contextlib.suppress(Exception):
        return [f"{kind} {name}" for kind, name, _ in Registrations().beyond(before)][:MOST_LEFT]
    return []
