"""A warm place: a folder with the workers for one execution at a time.

One worker for both processes of the execution if its Blender can be forked, and one for each otherwise. Both are held
to the sandbox as cold ones are; see `harness/place.py`.
"""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Final

from harness.blenders import Blender
from harness.folders import Folders, Phase, remove_tree, write_text
from harness.launcher import ProcessEnd, ProcessLimits, bounds_of, lines, listening
from harness.place import ColdPlace, OnSaved, WriteJob, reach
from harness.pool.worker import Worker, WorkerState
from harness.protocol import FORKING_ENVIRONMENT, JOB_FDS, WaitJob, to_json
from harness.sandbox.keeper import WarmJob, WarmSpec
from harness.sandbox.ladder import Sandbox

OURS: Final = {"home", "tmp", "wait-both.json", "wait-run.json", "wait-examine.json"}
"""The contents of the folder of a warm place that stay from one execution to the next."""


@dataclasses.dataclass
class WarmPlace:
    """A folder with the warm workers for one execution at a time. The folders are made anew for each."""

    blender: Blender
    sandbox: Sandbox
    folder: Path
    workers: dict[Phase, Worker]
    folders: Folders = dataclasses.field(init=False)
    lent: bool = False
    accepted: bool = False
    """True if the pool looked at its workers once they were warm, and keeps it."""

    @property
    def forks(self) -> bool:
        """True if one worker does the jobs of both phases."""
        return self.workers["run"] is self.workers["examine"]

    @property
    def free(self) -> bool:
        """True if an execution can begin here now."""
        return (
            self.accepted
            and not self.lent
            and all(worker.state is WorkerState.IDLE for worker in self.workers.values())
        )

    @property
    def ended(self) -> bool:
        """True if no execution can begin here any more."""
        return any(worker.spent or worker.state is WorkerState.ENDED for worker in self.workers.values())

    async def start(self) -> None:
        """Make the folders and start the workers; raises HarnessFault or OSError."""
        for name in ("home", "tmp"):
            (self.folder / name).mkdir(parents=True)
        self.folders = Folders.make(self.folder, self.sandbox.place_of(self.folder))
        specs = {worker: self.spec(phase) for phase, worker in self.workers.items()}
        await asyncio.gather(*(worker.start(spec) for worker, spec in specs.items()))

    def spec(self, phase: Phase) -> WarmSpec:
        """The process for a phase. A process that forks is held to the place; its children hold themselves to more.

        Landlock forbids nothing to a forking one that its namespaces do not: it is for its children.
        """
        folders, place = self.folders, str(self.folder)
        shared = [*(str(folders.inside(folder)) for folder in self.shared()), *self.sandbox.scratch()]
        name = "both" if self.forks else phase
        job_file = write_text(self.folder / f"wait-{name}.json", to_json(WaitJob(self.forks, shared)))
        own = self.folder if self.forks else folders.of(phase)
        command = self.blender.command(folders.inside(own), folders.place_inside)
        if self.forks:
            jail = self.sandbox.waiting_jail(self.blender.readable(), [place], place)
        else:
            readable, writable = reach(self.blender, folders, phase)
            jail = self.sandbox.jail([*readable, str(job_file)], writable, place)
        environment = command.environment | (FORKING_ENVIRONMENT if self.forks else {})
        arguments = [*command.arguments, str(folders.inside(job_file))]
        return WarmSpec(arguments, environment, str(command.folder), self.forks, jail)

    def shared(self) -> list[Path]:
        """The folders of its own that one forked job after another can write."""
        return [self.folder / name for name in ("home", "tmp")]

    async def launch(self, phase: Phase, write_job: WriteJob, limits: ProcessLimits, on_saved: OnSaved) -> ProcessEnd:
        """Have the warm worker of this phase do the job; one that has none left starts a cold one."""
        worker = self.workers["run"] if self.forks else self.workers.get(phase)
        if worker is None or (worker.spent and not self.forks):
            return await ColdPlace(self.blender, self.sandbox, self.folders).launch(phase, write_job, limits, on_saved)
        folders = self.folders
        readable, writable = reach(self.blender, folders, phase)
        shared = self.shared() if self.forks else []
        jail = self.sandbox.forked_jail(readable, [*writable, *map(str, shared)], str(self.folder))
        with lines() as (ours, theirs):
            job = WarmJob(
                job=str(folders.inside(write_job(*JOB_FDS))),
                folder=str(folders.inside(folders.work)),
                bounds=bounds_of(limits, [folders.of(phase), *shared]),
                jail=jail if self.forks else None,
            )
            return await worker.do(job, theirs, lambda on_flood: listening(ours, limits, on_saved, on_flood), limits)

    def hand_over(self, folder: Path) -> None:
        """Put the results of the execution into `folder`, and be ready for another; raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        folders = self.folders
        for part in (folders.run, folders.kept, folders.examine, folders.asserting):
            # Modes that a job set are no reason to copy: a folder that may not be written cannot be moved.
            part.chmod(0o700)
            part.rename(folder / part.name)
        if {entry.name for entry in self.folder.iterdir()} - OURS:
            # No job can leave files here; if one did, no other may meet them.
            self.retire()
        self.folders = Folders.make(self.folder, folders.place_inside)

    def retire(self) -> None:
        """Take no further execution."""
        for worker in self.workers.values():
            worker.spent = True

    async def end(self) -> None:
        """Remove all of it."""
        await asyncio.gather(*(worker.end() for worker in set(self.workers.values())))
        await asyncio.to_thread(remove_tree, self.folder)
