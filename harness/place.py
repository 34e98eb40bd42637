"""The place of an execution: its folders, and the Blender processes that work in them."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import shutil
from collections.abc import Callable, Generator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from harness.blenders import Blender
from harness.display import SHADERS, Display
from harness.folders import Folders, Phase
from harness.launcher import KEEPER_LOST, Events, HarnessFault, ProcessEnd, ProcessLimits, launch
from harness.sandbox.ladder import Sandbox

WriteJob = Callable[[int, int, int], Path]
OnSaved = Callable[[str, Events], None]


class ExecutionPlace(Protocol):
    """The folders of one execution, and the way to run a process in them."""

    @property
    def folders(self) -> Folders: ...

    async def launch(self, phase: Phase, write_job: WriteJob, limits: ProcessLimits, on_saved: OnSaved) -> ProcessEnd:
        """Have the process of this phase do the job that `write_job` writes; see `harness.launcher.launch`."""
        ...


class PlaceLender(Protocol):
    """The lender of places for executions: the pool of warm Blenders."""

    def place(self, blender: Blender, folder: Path) -> AbstractAsyncContextManager[ExecutionPlace]:
        """A place for one execution, whose results are in `folder` in the end; raises HarnessFault."""
        ...


@dataclasses.dataclass(frozen=True)
class ColdPlace:
    """A place that starts each process when it is needed."""

    blender: Blender
    sandbox: Sandbox
    folders: Folders
    display: Display | None = None

    async def launch(self, phase: Phase, write_job: WriteJob, limits: ProcessLimits, on_saved: OnSaved) -> ProcessEnd:
        """Start a Blender for this job alone."""
        folders = self.folders
        display = self.display if phase == "run" else None
        command = self.blender.command(folders.inside(folders.of(phase)), folders.inside(folders.work))
        if display:
            shaders = folders.of(phase) / SHADERS
            await asyncio.to_thread(bring, display.shaders, shaders)
            command = display.shows(command, folders.inside(shaders))
        jail = self.sandbox.jail(*reach(self.blender, folders, phase), str(folders.place))
        if jail and display:
            jail = self.sandbox.at_a_display(jail, str(display.sockets))
        command = dataclasses.replace(command, jail=jail)

        def write_inside(channel: int, out: int, err: int) -> Path:
            return folders.inside(write_job(channel, out, err))

        end = await launch(command, write_inside, limits, folders.of(phase), on_saved)
        if jail and end.stopped_by == KEEPER_LOST:
            # Nothing in the jail can reach the keeper.
            raise HarnessFault("the process that watches over Blender is lost")
        return end


def bring(kept: Path | None, folder: Path) -> None:
    """Have a copy of the kept shaders in a new folder; it is empty if there are none, or none can be copied."""
    try:
        if kept:
            shutil.copytree(kept, folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(exist_ok=True)


@contextlib.contextmanager
def cold_place(
    blender: Blender, sandbox: Sandbox, folder: Path, display: Display | None = None
) -> Generator[ColdPlace, None, None]:
    """A place in `folder`, which is created; with a `display` its processes have a window."""
    yield ColdPlace(blender, sandbox, Folders.make(folder, sandbox.place_of(folder)), display)


def reach(blender: Blender, folders: Folders, phase: Phase) -> tuple[list[str], list[str]]:
    """The paths that the process of a phase may read, and those it may write, in addition to the system's own.

    The witness may read the files that the snippet left next to the scene, but not change them.
    """
    readable = blender.readable() if phase == "run" else [*blender.readable(), str(folders.work)]
    return readable, [str(folders.of(phase))]
