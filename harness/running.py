"""The processes of an execution that run untrusted code, each of which sees nothing of the one before it.

setup ── start ──> first ── after ──> second ── again ──>      each saved scene is out of reach at once
                     │
                                     start ──> calls                             only if the snippet leaves callbacks

See `harness.inside.untrusted.run` for their work, and `folders.unused` for the folders that they get.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import shutil
import time
from pathlib import Path
from typing import Final

from harness import protocol, tracing
from harness.answers import asked_of_the_first
from harness.blenders import Blender
from harness.claims import may_keep
from harness.folders import CODE, WorkFolderGone, is_below, remove_tree, write_new, write_text
from harness.launcher import Events, HarnessFault, ProcessEnd, ProcessLimits
from harness.order import SNIPPET, Order
from harness.packages import site_of
from harness.place import ExecutionPlace
from harness.protocol import AFTER, START, RunJob, RunPart
from harness.sandbox.keeper import file_sizes
from harness.sandbox.ladder import Sandbox

SETUP: Final = "setup.py"
UNNAMED: Final = "scene.blend"
"""A scene to begin with that has not been saved as far as the snippet can see."""
LEAST_S: Final = 1.0
"""A process that has less time than this is not begun."""


@dataclasses.dataclass
class Running:
    """Starts the processes of one execution that run untrusted code, one after another."""

    place: ExecutionPlace
    blender: Blender
    order: Order
    sandbox: Sandbox
    spent_s: float = 0.0
    """Seconds that the processes which run the snippet took so far; they share one limit."""

    async def set_up(self) -> ProcessEnd | None:
        """Run the setup snippet, and have its scene as the start; None if there is none."""
        self._bring_files()
        folders, brought = self.place.folders, None
        if self.order.setup_blend is not None:
            brought = self._scene_at()
            brought.write_bytes(self.order.setup_blend)
        if self.order.setup_snippet is None:
            return None
        source = write_text(folders.run / SETUP, self.order.setup_snippet)
        end = await self._launch(RunPart.SETUP, source, brought, self.order.run_limits.wall_s)
        if start := folders.kept_file(START):
            folders.forget_code()
            await asyncio.to_thread(folders.keep_files_of_setup)
            self._bring_files(again=True)
            start.replace(self._scene_at())
        return end

    async def first(self) -> ProcessEnd:
        """Run the snippet on the start, which is open or a file by now."""
        limits = self.order.run_limits
        scene = self._scene_at() if self.order.has_setup else None
        return await self._run(RunPart.FIRST, scene, limits.wall_s)

    async def second(self) -> ProcessEnd | None:
        """Run it on the scene of the first process; None if no time remains.

        A snippet that asks where it runs is run on the start instead, and answered as elsewhere.
        """
        return await self._run_alone(RunPart.SECOND, START if self.order.asks else AFTER)

    async def calls(self) -> ProcessEnd | None:
        """Run it on the start once more, and provoke its callbacks; None if there are none, or it is late."""
        if not protocol.MAY_LEAVE_HOOKS.search(self.order.snippet):
            return None
        return await self._run_alone(RunPart.CALLS, START)

    async def _run_alone(self, part: str, kept: str) -> ProcessEnd | None:
        """Run the snippet on a kept scene in folders that no process has seen; None if no time remains."""
        left_s = self.order.run_limits.wall_s - self.spent_s
        saved = self.place.folders.kept_file(kept)
        if left_s < LEAST_S or saved is None:
            return None
        async with self.place.folders.unused("run"):
            self._bring_files(again=await asyncio.to_thread(self.place.folders.bring_files_of_setup))
            scene = None
            if kept != START or self.order.has_setup:
                scene = self._scene_at()
                shutil.copyfile(saved, scene)
            return await self._run(part, scene, left_s)

    async def _run(self, part: str, scene: Path | None, wall_s: float) -> ProcessEnd:
        source = write_text(self.place.folders.work / SNIPPET, self.order.snippet)
        end = await self._launch(part, source, scene, wall_s)
        self.spent_s += end.wall_s
        return end

    def _bring_files(self, again: bool = False) -> None:
        """Write the files of the request to the work folder; `again` only those that a setup may have spoilt.

        Raises WorkFolderGone if the setup put something else into their place.
        """
        work = self.place.folders.work
        for name, content in self.order.files:
            # Checked again here, because the file is written with the rights of the service.
            if not is_below(name):
                raise HarnessFault(f"{name[:100]!r} cannot name a file in the work folder")
            if not again:
                write_new(work / name, content)
            elif name.endswith(CODE):
                try:
                    write_new(work / name, content)
                except OSError as error:
                    raise WorkFolderGone from error
        if again:
            for name in (SNIPPET, self.order.blend_name):
                remove_tree(work / name)

    def _scene_at(self) -> Path:
        """The path of the scene to begin with: that of the caller's .blend, if there is one.

        That is among the caller's files, so that its relative paths lead to them.
        """
        folders = self.place.folders
        named = self.order.setup_blend is not None
        return folders.work / self.order.blend_name if named else folders.run / UNNAMED

    def _limits(self, wall_s: float) -> ProcessLimits:
        """The limits of one process, without the room of the files that it is given."""
        limits, given = self.order.run_limits, list[int]()
        # A folder that cannot be read ends the process.
        with contextlib.suppress(OSError):
            given = list(file_sizes(str(self.place.folders.run)))
        disk_bytes, files = limits.disk_bytes + sum(given), limits.files + len(given)
        return dataclasses.replace(limits, wall_s=wall_s, disk_bytes=disk_bytes, files=files)

    async def _launch(self, part: str, source: Path, scene: Path | None, wall_s: float) -> ProcessEnd:
        folders, order = self.place.folders, self.order
        packages = site_of(self.blender) if self.blender.packages else None
        limits = self._limits(wall_s)

        def write_job(channel: int, stdout: int, stderr: int) -> Path:
            job = RunJob(
                part=part,
                snippet=str(folders.inside(source)),
                arguments=[] if part == RunPart.SETUP else list(order.arguments),
                scene=str(folders.inside(scene)) if scene else "",
                named=order.setup_blend is not None,
                elsewhere=order.asks and part == RunPart.SECOND,
                saved_folder=str(folders.inside(folders.run / "out")),
                render_limits=protocol.RenderLimits(),
                accept=asked_of_the_first(order),
                packages=str(packages) if packages and packages.is_dir() else "",
                deadline=time.monotonic() + wall_s,
                call_filter=self.sandbox.job_filter(),
                channel_fd=channel,
                stdout_fd=stdout,
                stderr_fd=stderr,
            )
            return write_text(folders.run / "job.json", protocol.to_json(job))

        def keep(name: str, events: Events) -> None:
            if may_keep(name, events, part):
                folders.keep(name)

        with tracing.span(f"process {part}"):
            return await self.place.launch("run", write_job, limits, keep)
