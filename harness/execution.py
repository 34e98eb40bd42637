"""One execution of a snippet: two Blender processes, the second of which is the witness.

    snippet ─> process one ── saves start, after, again ──> kept ─> process two ─> evidence, pictures
               its words: claims        (out of its reach)          its words: evidence

`endings.py` decides how an execution ended; `report.py` writes the report on it.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

from harness import protocol
from harness.answers import answers, asked_of_the_first, with_claims
from harness.assertions import make_assertions
from harness.blenders import Blender
from harness.claims import Claims, may_keep, read_claims
from harness.endings import (
    Ending,
    crashed_on_result,
    died_on_repetition,
    end_of_examination,
    end_of_run,
    try_again,
)
from harness.folders import Folders, WorkFolderGone, is_below, write_new, write_text
from harness.launcher import Events, HarnessFault, ProcessEnd
from harness.order import SNIPPET, Order
from harness.packages import site_of
from harness.place import Place, Places, cold_place
from harness.protocol import AFTER, AGAIN, START, ExamineJob, Outcome, RunJob
from harness.report import Execution, path_cleaner, write_report
from harness.sandbox.ladder import Sandbox, strongest

RENDER_SHARE: Final = 0.7
"""Share of the second process's time that its pictures may take: a picture with fewer samples is better than none."""


async def execute(
    blender: Blender, order: Order, folder: Path, sandbox: Sandbox | None = None, pool: Places | None = None
) -> dict[str, Any]:
    """Execute the order; what it leaves is in `folder` afterwards, with the pictures in `folder/examine/out`.

    Both processes are warm ones of the pool if one is given, otherwise they are started for this order. They run in the
    given sandbox, by default the strongest that this machine allows. Returns the report, a JSON object; see
    `write_report`. If our own parts fail, its outcome is `harness_fault`, which says nothing about the snippet. No
    process of the job is left when this returns or is cancelled.
    """
    sandbox = sandbox or strongest()
    if pool is None:
        with cold_place(blender, sandbox, folder) as place:
            return await execute_at(place, blender, order, sandbox)
    try:
        async with pool.place(blender, folder) as place:
            return await execute_at(place, blender, order, sandbox)
    except HarnessFault as fault:
        return write_report(Execution(blender, order, Folders(folder, folder), sandbox, our_fault(fault)))


async def execute_at(place: Place, blender: Blender, order: Order, sandbox: Sandbox) -> dict[str, Any]:
    """Execute the order at a place and return the report."""
    done = Execution(blender, order, place.folders, sandbox)
    try:
        done.run = await run_snippet(place, blender, order, sandbox)
        done.claims = read_claims(done.run, path_cleaner(blender, place.folders))
        done.ending = end_of_run(done.run, done.claims, order, place.folders)
        if done.ending.outcome is Outcome.PASSED:
            done.examined = await examine_scene(place, order, sandbox, done.claims)
            done.examined_again = try_again(done.examined, order)
            if done.examined_again is not None:
                done.crashed_once = crashed_on_result(done.examined)
                without = (AGAIN,) if died_on_repetition(done.examined) else ()
                done.examined = await examine_scene(place, order, sandbox, done.claims, without)
            done.ending, done.evidence = end_of_examination(done.examined, order, place.folders)
        if done.ending.outcome is Outcome.PASSED:
            asserted = await make_assertions(place, order, sandbox)
            files = place.folders.left_files(order.brought_files())
            done.accepted = answers(order, done.evidence["accept"], asserted, done.claims, files)
    except HarnessFault as fault:
        done.ending = our_fault(fault)
    except WorkFolderGone:
        done.ending = Ending(Outcome.NO_RESULT, "it removed its work folder, and with it the scene it left")
    return write_report(done)


def our_fault(fault: HarnessFault) -> Ending:
    return Ending(Outcome.HARNESS_FAULT, str(fault), "This says nothing about the snippet; try again.")


async def run_snippet(place: Place, blender: Blender, order: Order, sandbox: Sandbox) -> ProcessEnd:
    """Process one: see `harness.inside.run`."""
    folders = place.folders
    for name, content in order.files:
        # Checked again here, because the file is written with the rights of the service.
        if not is_below(name):
            raise HarnessFault(f"{name[:100]!r} cannot name a file in the work folder")
        write_new(folders.work / name, content)
    snippet = write_text(folders.work / SNIPPET, order.snippet)
    setup_snippet = setup_blend = None
    if order.setup_snippet is not None:
        setup_snippet = write_text(folders.run / "setup.py", order.setup_snippet)
    if order.setup_blend is not None:
        # In the folder of the caller's files, so that its relative paths lead to them.
        setup_blend = folders.work / order.blend_name
        setup_blend.write_bytes(order.setup_blend)

    def write_job(channel: int, stdout: int, stderr: int) -> Path:
        job = RunJob(
            snippet=str(folders.inside(snippet)),
            arguments=list(order.arguments),
            setup_snippet=str(folders.inside(setup_snippet)) if setup_snippet else None,
            setup_blend=str(folders.inside(setup_blend)) if setup_blend else None,
            saved_folder=str(folders.inside(folders.run / "out")),
            render_limits=protocol.RenderLimits(),
            accept=asked_of_the_first(order),
            packages=str(site_of(blender)) if blender.packages and site_of(blender).is_dir() else "",
            deadline=time.monotonic() + order.run_limits.wall_s,
            call_filter=sandbox.job_filter(),
            channel_fd=channel,
            stdout_fd=stdout,
            stderr_fd=stderr,
        )
        return write_text(folders.run / "job.json", protocol.to_json(job))

    def keep(name: str, events: Events) -> None:
        if may_keep(name, events):
            folders.keep(name)

    return await place.launch("run", write_job, order.run_limits, keep)


async def examine_scene(
    place: Place, order: Order, sandbox: Sandbox, claims: Claims, without: tuple[str, ...] = ()
) -> ProcessEnd:
    """Process two, on all saved scenes but some: see `harness.inside.examine`. Process one has ended."""
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
                view_limit_s=RENDER_SHARE
                * order.examine_limits.wall_s
                / (len(order.render.views) + order.render.frames),
                out_folder=str(folders.inside(folders.examine / "out")),
                call_filter=sandbox.job_filter(),
                channel_fd=channel,
            )
            return write_text(folders.examine / "job.json", protocol.to_json(job))

        return await place.launch("examine", write_job, order.examine_limits, lambda _name, _events: None)
