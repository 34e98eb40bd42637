"""One execution of a snippet: two Blender processes, one of which is the witness.

    snippet ─> process one ── saves start, after, again ──> kept ─> process two ─> evidence, pictures
               its words: claims        (out of its reach)          its words: evidence

What becomes of an execution is said in `endings.py`; the report on it is written in `report.py`.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from harness import protocol
from harness.blenders import Blender
from harness.claims import may_keep, read_claims
from harness.endings import Ending, end_of_examination, end_of_run
from harness.folders import Folders, write_text
from harness.launcher import Command, Events, HarnessFault, ProcessEnd, launch
from harness.order import SNIPPET, Order
from harness.protocol import AFTER, AGAIN, START, ExamineJob, Outcome, RunJob
from harness.report import Execution, path_cleaner, write_report
from harness.sandbox.ladder import Sandbox, strongest

RENDER_SHARE: Final = 0.7
"""Share of the second process's time that its pictures may take; a picture with less samples is better than none."""


async def execute(blender: Blender, order: Order, folder: Path, sandbox: Sandbox | None = None) -> dict[str, Any]:
    """Execute the order in `folder`, which is made; pictures are left in `folder/examine/out`.

    Both processes are held to the sandbox, the strongest this machine allows unless another is given. Answers the
    report, a JSON object; see `write_report`. When our own parts fail its outcome is `harness_fault` and it says
    nothing of the snippet. No process is left when this returns or is cancelled.
    """
    folders = Folders.make(folder)
    sandbox = sandbox or strongest()
    done = Execution(blender, order, folders, sandbox)
    try:
        done.run = await run_snippet(blender, order, folders, sandbox)
        done.claims = read_claims(done.run, path_cleaner(blender, folders))
        done.ending = end_of_run(done.run, done.claims, order, folders)
        if done.ending.outcome is Outcome.PASSED:
            done.examined = await examine_scene(blender, order, folders, sandbox)
            done.ending, done.evidence = end_of_examination(done.examined, order, folders)
    except HarnessFault as fault:
        done.ending = Ending(Outcome.HARNESS_FAULT, str(fault), "This says nothing of the snippet; try again.")
    return write_report(done)


async def run_snippet(blender: Blender, order: Order, folders: Folders, sandbox: Sandbox) -> ProcessEnd:
    """Process one: see `harness.inside.run`."""
    for name, content in order.files:
        (folders.work / name).write_bytes(content)
    snippet = write_text(folders.work / SNIPPET, order.snippet)
    setup_snippet = setup_blend = None
    if order.setup_snippet is not None:
        setup_snippet = write_text(folders.run / "setup.py", order.setup_snippet)
    if order.setup_blend is not None:
        # Beside the caller's files, so that its relative paths lead to them.
        setup_blend = folders.work / order.blend_name
        setup_blend.write_bytes(order.setup_blend)

    def write_job(channel: int, stdout: int, stderr: int) -> Path:
        job = RunJob(
            snippet=str(snippet),
            arguments=list(order.arguments),
            setup_snippet=str(setup_snippet) if setup_snippet else None,
            setup_blend=str(setup_blend) if setup_blend else None,
            saved_folder=str(folders.run / "out"),
            repeat=order.repeat,
            render_limits=protocol.RenderLimits(),
            channel_fd=channel,
            stdout_fd=stdout,
            stderr_fd=stderr,
        )
        return write_text(folders.run / "job.json", protocol.to_json(job))

    def keep(name: str, events: Events) -> None:
        if may_keep(name, events):
            folders.keep(name)

    command = jailed(blender, sandbox, folders.run, folders.work)
    return await launch(command, write_job, order.run_limits, folders.run, keep)


async def examine_scene(blender: Blender, order: Order, folders: Folders, sandbox: Sandbox) -> ProcessEnd:
    """Process two: see `harness.inside.examine`. Process one has ended."""
    with folders.beside_the_files((START, AFTER, AGAIN)) as scenes:

        def write_job(channel: int, _stdout: int, _stderr: int) -> Path:
            job = ExamineJob(
                start_blend=scenes[START],
                after_blend=scenes[AFTER],
                again_blend=scenes.get(AGAIN),
                factory_start=not order.has_setup,
                render=order.render,
                view_limit_s=RENDER_SHARE
                * order.examine_limits.wall_s
                / (len(order.render.views) + order.render.frames),
                out_folder=str(folders.examine / "out"),
                channel_fd=channel,
            )
            return write_text(folders.examine / "job.json", protocol.to_json(job))

        # What the snippet left beside the scene can be looked at by the witness, and not be changed by it.
        command = jailed(blender, sandbox, folders.examine, folders.work, [str(folders.work)])
        return await launch(command, write_job, order.examine_limits, folders.examine, lambda _name, _events: None)


def jailed(
    blender: Blender, sandbox: Sandbox, folder: Path, current_folder: Path, also_readable: list[str] | None = None
) -> Command:
    """The command that does one job, held to its own folder."""
    jail = sandbox.jail([*blender.readable(), *(also_readable or [])], [str(folder)])
    return dataclasses.replace(blender.command(folder, current_folder), jail=jail)
