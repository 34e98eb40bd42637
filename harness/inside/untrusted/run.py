"""The processes that run untrusted code, one for each part of an execution. Everything they report is a claim.

setup   factory settings or the caller's .blend -> run the caller's setup -> save start
first   start -> save start -> run the snippet -> save after
second  after -> run the snippet, in a process that has seen nothing of the first -> save again
        start -> the same with the answers of a user's own Blender, if the snippet asks where it runs
calls   start -> run the snippet -> provoke its callbacks
"""

from __future__ import annotations

import dataclasses
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.addon import all_handlers, name_of, registered_classes
from harness.inside.untrusted.claimed import answers_here
from harness.inside.untrusted.elsewhere import answer_as_elsewhere
from harness.inside.untrusted.exceptions import exception_facts, exit_code
from harness.inside.untrusted.exercise import Exercise
from harness.inside.untrusted.leftovers import keep_pixels, known_objects, leftovers
from harness.inside.untrusted.output import captured, flush
from harness.inside.untrusted.own_window import over_the_view
from harness.inside.untrusted.provoke import provoke
from harness.inside.untrusted.renders import limit_renders
from harness.inside.untrusted.signs import forget_modules, put_away
from harness.inside.untrusted.tracing import traced
from harness.protocol import AFTER, AGAIN, START, EventName, RunJob, RunPart


def run(job: RunJob) -> None:
    """Do the whole job. A scene that cannot be opened or saved, or a snippet that raises, ends it early."""
    channel, out, err = map(put_away, (job.channel_fd, job.stdout_fd, job.stderr_fd))
    job = dataclasses.replace(job, stdout_fd=out, stderr_fd=err)
    do_part(job, Channel(channel))


def do_part(job: RunJob, channel: Channel) -> None:
    """Do the part of the job, and report it."""
    channel.send(EventName.BOOTED)
    source = read(job.snippet)
    if job.packages:
        sys.path.append(job.packages)
    forget_modules()
    with captured(job):
        problem = open_scene(job)
        if problem is None and job.part == RunPart.SETUP:
            problem = run_snippet(source, job.snippet, [])["exception"]
    if problem:
        channel.send(EventName.SETUP_FAILED, **problem)
        return
    if job.part in (RunPart.SETUP, RunPart.FIRST):
        save(job, START, channel)
    if job.part == RunPart.SETUP:
        channel.send(EventName.FINISHED)
        return
    exercise = Exercise(job, source, exception_facts)
    run_it = {RunPart.FIRST: run_first, RunPart.SECOND: run_again, RunPart.CALLS: run_to_provoke}[job.part]
    if run_it(job, exercise, channel):
        channel.send(EventName.FINISHED, swallowed=exercise.swallowed.take())


def run_first(job: RunJob, exercise: Exercise, channel: Channel) -> bool:
    """Run the snippet and save its scene; True if it ended well."""
    before, known, met_before = registered_names(), known_objects(), answers_here(job.accept)
    exercise.swallowed.listen()
    with captured(job), limit_renders(job.render_limits), traced(job):
        ended = run_snippet(exercise.source, job.snippet, job.arguments)
    ended["registered"] = newly_registered(before)
    ended["answers"] = answers_here(job.accept, met_before)
    ended["left"] = leftovers(known)
    channel.send(EventName.SNIPPET_ENDED, **ended, swallowed=exercise.swallowed.take())
    if ended["exception"] is not None:
        return False
    exercise.swallowed.phase = "saving"
    keep_pixels()
    save(job, AFTER, channel)
    return True


def run_again(job: RunJob, exercise: Exercise, channel: Channel) -> bool:
    """Run the snippet on the scene that it left in another process, and save the result, even if it raised."""
    exercise.swallowed.listen()
    exercise.swallowed.phase = "second run"
    with limit_renders(job.render_limits):
        code_of = compiled_elsewhere if job.elsewhere else compiled
        again = run_snippet(exercise.source, job.snippet, job.arguments, code_of)
    channel.send(EventName.AGAIN_ENDED, **again, swallowed=exercise.swallowed.take())
    exercise.swallowed.phase = "saving"
    keep_pixels()
    save(job, AGAIN, channel)
    return True


def run_to_provoke(job: RunJob, exercise: Exercise, channel: Channel) -> bool:
    """Run the snippet as in the first process, which has reported that run, and provoke its callbacks."""
    exercise.met_before = answers_here(job.accept)
    exercise.begin()
    began = time.process_time()
    with limit_renders(job.render_limits):
        run_snippet(exercise.source, job.snippet, job.arguments, exercise.hooks.code)
        exercise.seconds = time.process_time() - began
        exercise.swallowed.forget_known()
        provoke(exercise, channel)
    return True


def open_scene(job: RunJob) -> dict[str, Any] | None:
    """Open the scene to begin with, if there is one; return the exception if that fails."""
    if not job.scene:
        return None
    try:
        if job.named:
            bpy.ops.wm.open_mainfile(filepath=job.scene, load_ui=False, use_scripts=False)
        else:
            bpy.ops.wm.read_homefile(filepath=job.scene, load_ui=False, use_splash=False)
    except RuntimeError as error:
        return exception_facts(error, job.scene)
    if not job.named:
        os.remove(job.scene)
    return None


def read(path: str) -> str:
    """The text of a file as it was sent. Python itself refuses invalid text."""
    with open(path, encoding="utf-8", errors="surrogatepass", newline="") as file:
        return file.read()


def save(job: RunJob, name: str, channel: Channel) -> None:
    """Save the scene as a copy, so that the snippet's current file and its paths stay the same.

    Without handlers: the saved scene is the snippet's, not the result of the handlers.
    """
    path = os.path.join(job.saved_folder, name)
    bpy.app.handlers.save_pre.clear()
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, check_existing=False, relative_remap=False)
    channel.send_saved(name)


def compiled(source: str, path: str) -> types.CodeType:
    return compile(source, path, "exec", dont_inherit=True)


def compiled_elsewhere(source: str, path: str) -> types.CodeType:
    answer_as_elsewhere(path)
    return compiled(source, path)


def run_snippet(
    source: str, path: str, arguments: list[str], code_of: Callable[[str, str], types.CodeType] = compiled
) -> dict[str, Any]:
    """Run the source as `__main__`; return its exception (or null) and its exit code (or null)."""
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    sys.argv[:] = [path, "--", *arguments]
    folder = os.path.dirname(path)
    if folder in sys.path:
        sys.path.remove(folder)
    sys.path.insert(0, folder)
    try:
        with over_the_view():
            exec(code_of(source, path), module.__dict__)
    except SystemExit as error:
        status = exit_code(error)
        return {"exception": exception_facts(error, path) if status else None, "exit_code": status}
    except BaseException as error:
        return {"exception": exception_facts(error, path), "exit_code": None}
    finally:
        # No trace function of the snippet is called in our own code.
        sys.settrace(None)
        sys.setprofile(None)
        flush()
    return {"exception": None, "exit_code": None}


def registered_names() -> set[tuple[str, str]]:
    """Registered classes and handlers, which a .blend does not keep, as (kind, name)."""
    found = {(kind, cls.__name__) for kind, cls in registered_classes()}
    for name, handlers in all_handlers():
        found |= {("handler " + name, name_of(handler)) for handler in handlers}
    return found


def newly_registered(before: set[tuple[str, str]]) -> list[list[str]]:
    """The classes and handlers that the snippet registered, as [kind, name]; empty if it broke the lookup itself."""
    try:
        return sorted([kind, name] for kind, name in registered_names() - before)[:200]
    except Exception:
        return []
