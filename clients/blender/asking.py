"""The requests to the service, in a thread, and the work on their answers, on the main thread."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from . import scene, texts
from .client import ExtensionProblem, Json, ServiceClient
from .jobs import Job
from .preferences import preferences, service
from .state import jobs, picture, redraw, remember, shown

RUNS_LISTED: Final = 20
STOPPED: Final = "Stopped."
OTHER_SERVICE: Final = "The service may be of another version than this extension."


def start(work: Callable[[Job], Any], done: Callable[[Any], None]) -> None:
    """Work in a thread; the panels show how it goes. Raises ExtensionProblem if something is under way."""
    if jobs.current:
        raise ExtensionProblem("Something is under way.", "Wait for it, or stop it.")
    shown.problem, shown.note = None, ""
    jobs.start(work, lambda result: finish(done, result), failed, redraw)


def finish(done: Callable[[Any], None], result: Any) -> None:
    """Take in an answer, and say so if that fails: a timer that raises is heard by nobody."""
    try:
        done(result)
    except ExtensionProblem as problem:
        shown.problem = problem
    except Exception as error:
        shown.problem = ExtensionProblem(
            f"The answer cannot be taken in: {type(error).__name__}: {error}", OTHER_SERVICE
        )


def failed(problem: ExtensionProblem | None) -> None:
    """Show why there is no answer."""
    shown.problem, shown.note = problem, "" if problem else STOPPED


def ask_for_run(path: str, body: Json, *, on_scene: bool, done: Callable[[Json], None]) -> None:
    """Send a request, on a copy of the open scene if wanted; then show its run and call `done`.

    Raises ExtensionProblem.
    """
    own, there = preferences(), service()
    if jobs.current:
        raise ExtensionProblem("A run is under way.", "Wait for it, or stop it.")
    copy = scene.save_copy(own.scene_mib) if on_scene else None
    asked = {**body, "keep_scene": own.keep_scene, **({"blender": own.blender.strip()} if own.blender.strip() else {})}

    def work(job: Job) -> tuple[Json, bytes | None]:
        start_scene = {"setup": {"blend": taken(copy)}} if copy else {}
        run = there.run(path, {**asked, **start_scene}, job.say, job.stopped)
        return run, picture_of(there, run)

    start(work, lambda answer: show(answer, done))


def taken(copy: Path) -> str:
    """The content of a file in base64; the file is removed."""
    try:
        return base64.b64encode(copy.read_bytes()).decode("ascii")
    finally:
        copy.unlink()


def picture_of(there: ServiceClient, run: Json) -> bytes | None:
    """The picture of a run; None if it has none."""
    path = run["artifact"]["picture"] if run["artifact"] else f"/runs/{run['id']}/picture.png"
    try:
        return there.download(path)
    except ExtensionProblem:
        return None


def show(answer: tuple[Json, bytes | None], done: Callable[[Json], None]) -> None:
    """Show a run that has ended, with its picture."""
    run, png = answer
    shown.show(run)
    picture.show(png)
    done(run)


def land(run: Json, name: str) -> None:
    """Put the snippet of a run into a text of its own. It is never executed."""
    if run["snippet"] is not None:
        shown.text = texts.new_text(name, run["snippet"]).name
        remember("Blendproof: new text")


def land_asked(run: Json) -> None:
    """Keep what was asked for."""
    land(run, texts.name_for(run["title"]))


def land_judged(run: Json, sent: str, content: str) -> None:
    """Keep what was repaired; what was only judged is in the text that was sent."""
    if run["snippet"] in (None, content):
        shown.text = sent
        return
    land(run, texts.healed_name(sent))
    shown.asked = sent


def list_runs() -> None:
    """Show the newest runs of the service. Raises ExtensionProblem."""
    there = service()

    def done(page: Json) -> None:
        shown.history = page["runs"]

    start(lambda _job: there.read(f"/runs?limit={RUNS_LISTED}"), done)


def show_run(run_id: str) -> None:
    """Show an earlier run. Raises ExtensionProblem."""
    there = service()

    def work(_job: Job) -> tuple[Json, bytes | None]:
        run = there.read(f"/runs/{run_id}")
        return run, picture_of(there, run)

    start(work, lambda answer: show(answer, lambda _run: None))


def append_objects(artifact: str, collection: Any) -> None:
    """Take the objects of a proven artifact into a collection of the open file. Raises ExtensionProblem."""
    there, name = service(), collection.name

    def work(job: Job) -> tuple[list[str], bytes]:
        job.say("fetching the scene")
        return there.read(f"/artifacts/{artifact}")["objects"], there.download(f"/artifacts/{artifact}.blend")

    def done(answer: tuple[list[str], bytes]) -> None:
        names, blend = answer
        found = scene.take_in(blend, names, scene.collection_named(name))
        remember("Blendproof: append")
        shown.note = f"Appended: {', '.join(found)}" if found else "It left no object to append."

    start(work, done)
