"""One execution of a snippet: processes that run it, and the witness, which never does.

    snippet ─> running.py ── save start, after, again ──> kept ─> the witness ─> evidence, pictures
               their words: claims     (out of their reach)       its words: evidence

`endings.py` decides the ending of an execution; `report.py` writes the report on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from pathlib import Path
from typing import Any, Final

from harness import protocol, tracing
from harness.answers import answers, with_claims
from harness.assertions import make_assertions
from harness.blenders import Blender
from harness.claims import ExecutionClaims, read_claims
from harness.display import open_display, why_no_display
from harness.endings import (
    Ending,
    crashed_on_result,
    died_on_repetition,
    end_of_examination,
    end_of_run,
    end_of_setup,
    try_again,
)
from harness.exporting import export_scene
from harness.folders import Folders, WorkFolderGone, passing_place, remove_tree, write_text
from harness.launcher import HarnessFault, ProcessEnd
from harness.needs import need_of_run, needs_of_swallowed
from harness.order import Order
from harness.place import ExecutionPlace, PlaceLender, cold_place
from harness.protocol import AFTER, AGAIN, START, ExamineJob, Outcome
from harness.readers import Readers
from harness.report import Execution, path_cleaner, write_report
from harness.running import Running
from harness.sandbox.ladder import Sandbox, strongest
from harness.shaders import shaders_of

OPEN_S: Final = 60.0
"""Further seconds for each process with a window, which opens it on a busy machine without a graphics card."""
RENDER_SHARE: Final = 0.7
"""Share of the second process's time that its pictures may take: a picture with fewer samples is better than none."""


async def execute(
    blender: Blender,
    order: Order,
    folder: Path,
    sandbox: Sandbox | None = None,
    pool: PlaceLender | None = None,
    readers: Readers | None = None,
) -> dict[str, Any]:
    """Execute the order; its results are in `folder` afterwards, with the pictures in `folder/examine/out`.

    A snippet that turns out to need a window is executed again in one, if this Blender can have one.

    The processes are warm ones of the pool if one is given, otherwise they are started for this order. They run in
    the given sandbox, by default the strongest that this machine allows; the snippet's needs are read by
    `readers`. Returns the report, a JSON object; see `write_report`. If our own parts fail, its outcome is
    `harness_fault`, which says nothing about the snippet. No process of the job remains when this returns or is
    cancelled.
    """
    sandbox = sandbox or strongest()
    report = await execute_without_window(blender, order, folder, sandbox, pool, readers)
    if report["outcome"] == Outcome.NEEDS_WINDOW and blender.kind == "executable" and why_no_display(sandbox) is None:
        with contextlib.suppress(HarnessFault):
            return await execute_in_window(blender, order, folder, sandbox, readers)
    return report


async def execute_in_window(
    blender: Blender, order: Order, folder: Path, sandbox: Sandbox, readers: Readers | None
) -> dict[str, Any]:
    """Execute the order anew, with a window for the snippet: the mouse is over its 3D View. Raises HarnessFault."""
    limits = dataclasses.replace(order.run_limits, wall_s=order.run_limits.wall_s + OPEN_S)
    order = dataclasses.replace(order, run_limits=limits)
    shaders = await shaders_of(blender, sandbox)
    async with passing_place() as screen, open_display(sandbox, screen, shaders) as display:
        # Only now: without a display, the results so far stand.
        await asyncio.to_thread(remove_below, folder)
        with cold_place(blender, sandbox, folder, display) as place:
            return await execute_at(place, blender, order, sandbox, readers, window=True)


def remove_below(folder: Path) -> None:
    for left in list(folder.iterdir()):
        remove_tree(left)


async def execute_without_window(
    blender: Blender, order: Order, folder: Path, sandbox: Sandbox, pool: PlaceLender | None, readers: Readers | None
) -> dict[str, Any]:
    if pool is None:
        with cold_place(blender, sandbox, folder) as place:
            return await execute_at(place, blender, order, sandbox, readers)
    try:
        async with pool.place(blender, folder) as place:
            return await execute_at(place, blender, order, sandbox, readers)
    except HarnessFault as fault:
        return write_report(Execution(blender, order, Folders(folder, folder), sandbox, our_fault(fault)))


async def execute_at(
    place: ExecutionPlace,
    blender: Blender,
    order: Order,
    sandbox: Sandbox,
    readers: Readers | None = None,
    *,
    window: bool = False,
) -> dict[str, Any]:
    """Execute the order at a place, which may have a window, and return the report."""
    done = Execution(blender, order, place.folders, sandbox, window=window)
    try:
        claims = await run_snippet(done, Running(place, blender, order, sandbox), readers)
        if claims is not None:
            examined = await examine(done, place, claims)
            read = asyncio.to_thread(end_of_examination, examined, order, place.folders)
            done.ending, done.evidence = await read
        if claims is not None and done.ending.outcome is Outcome.PASSED:
            asserted = await make_assertions(place, order, sandbox)
            seen = done.evidence["accept"]
            done.accepted = await asyncio.to_thread(answers, order, seen, asserted, claims, place.folders)
            if order.keep_scene:
                await export_scene(place, order, done.evidence["render"]["hidden"], sandbox)
    except HarnessFault as fault:
        done.ending = our_fault(fault)
    except WorkFolderGone:
        done.ending = Ending(Outcome.NO_RESULT, "it removed its work folder, and with it the scene it left")
    return await asyncio.to_thread(write_report, done)


async def run_snippet(done: Execution, running: Running, readers: Readers | None) -> ExecutionClaims | None:
    """Run the snippet, and again in processes of their own if it ended well; `done` then has its ending.

    Returns the claims of these processes; None if it did not pass.
    """
    order, folders = done.order, done.folders
    clean = path_cleaner(done.blender, folders)
    try:
        done.setup = await running.set_up()
    except WorkFolderGone:
        done.ending = Ending(Outcome.SETUP_FAILED, "the setup removed the work folder, or files of the request")
        return None
    failed = end_of_setup(done.setup, order) if done.setup else None
    if failed:
        done.ending = failed
        return None
    done.run = await running.first()
    done.claims = read_claims(done.run, clean)
    need = await need_of_run(readers, order.snippet, done.run, done.claims)
    done.ending = end_of_run(done.run, done.claims, order, folders, need, done.blender.series)
    done.needs = await needs_of_swallowed(readers, order.snippet, done.claims.swallowed)
    if done.ending.outcome is not Outcome.PASSED:
        return None
    done.second, done.calls = await running.second(), await running.calls()
    done.claims = read_claims(done.run, clean, done.second, done.calls)
    if order.asks and done.second:
        raised = dataclasses.replace(done.claims, exception=done.claims.again_exception)
        need = await need_of_run(readers, order.snippet, done.second, raised)
        done.lacks = need if need and need.outcome == "needs_window" else None
    done.needs = await needs_of_swallowed(readers, order.snippet, done.claims.swallowed)
    return done.claims


async def examine(done: Execution, place: ExecutionPlace, claims: ExecutionClaims) -> ProcessEnd:
    """Have the witness look at the saved scenes, a second time if its first end says nothing of the snippet."""
    done.examined = await examine_scene(place, done.order, done.sandbox, claims)
    done.examined_again = try_again(done.examined, done.order)
    if done.examined_again is not None:
        done.crashed_once = crashed_on_result(done.examined)
        without = (AGAIN,) if died_on_repetition(done.examined) else ()
        done.examined = await examine_scene(place, done.order, done.sandbox, claims, without)
    return done.examined


def our_fault(fault: HarnessFault) -> Ending:
    return Ending(Outcome.HARNESS_FAULT, str(fault), "This says nothing about the snippet; try again.")


async def examine_scene(
    place: ExecutionPlace, order: Order, sandbox: Sandbox, claims: ExecutionClaims, without: tuple[str, ...] = ()
) -> ProcessEnd:
    """The witness (`harness.inside.witness.examine`) on all saved scenes but some. The other processes have ended."""
    folders = place.folders
    with folders.beside_the_files(name for name in (START, AFTER, AGAIN) if name not in without) as scenes:

        def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
            job = ExamineJob(
                start_blend=scenes[START],
                after_blend=scenes[AFTER],
                again_blend=scenes.get(AGAIN),
                factory_start=not order.has_setup,
                render=order.render,
                accept=with_claims(order, claims),
                framed=list(order.framed) if order.framed else None,
                view_limit_s=RENDER_SHARE
                * order.examine_limits.wall_s
                / max(1, len(order.render.views) + order.render.frames),
                out_folder=str(folders.inside(folders.examine / "out")),
                call_filter=sandbox.job_filter(),
                channel_fd=channel,
            )
            return write_text(folders.examine / "job.json", protocol.to_json(job))

        with tracing.span("process examine"):
            return await place.launch("examine", write_job, order.examine_limits, lambda _name, _events: None)
