"""A service without a Blender: its loop ends every run at once, and its disk may be full."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app.errors import ArtifactNotFound, StorageFailed
from app.jobs.pictures import RunPictures
from app.jobs.postgres import PostgresJobs
from app.jobs.progress import Progress
from app.jobs.sqlite import SqliteJobs
from app.jobs.tables import JobStore
from app.pipeline.context import RunContext
from app.pipeline.state import State, first_state
from app.service.service import Service
from app.settings import Settings

BLENDER: Any = SimpleNamespace(
    name="5.0.1", version="5.0.1", series="5.0", build_hash="abc", kind="module", python="3.11.2"
)


class StandingLoop:
    """Ends every run at once, not proven; waits before that for what it is given."""

    def __init__(self, until: asyncio.Event | None = None) -> None:
        self.until = until
        self.seen: list[RunContext] = []

    async def run(self, context: RunContext) -> State:
        self.seen.append(context)
        if self.until:
            await self.until.wait()
        return first_state()

    async def forget(self, _run_id: str) -> None:
        """Nothing was kept."""


class FullDisk(JobStore):
    """Cannot write the ends of runs while it is full."""

    full = False
    takes_s = 0.0
    problem: Exception = sqlite3.OperationalError("database or disk is full")

    async def finish(self, *given: Any, **more: Any) -> None:
        await asyncio.sleep(self.takes_s)
        if self.full:
            raise self.problem
        await super().finish(*given, **more)

    async def wait_again(self, job_id: str) -> None:
        if self.full:
            raise self.problem
        await super().wait_again(job_id)


class FullFile(FullDisk, SqliteJobs):
    """The file of one service."""


class FullServer(FullDisk, PostgresJobs):
    """A database that is not shared."""

    problem = StorageFailed("The database cannot be reached.")


def no_metrics(*_: object) -> None:
    """Counts nothing."""


def takes_all(_blender: object) -> None:
    """Refuses no order."""


def a_service(
    runs: JobStore, tmp_path: Path, loop: StandingLoop, shared: PostgresJobs | None = None, **more: Any
) -> Service:
    def read(artifact_id: str) -> None:
        if artifact_id != "a-0000000000000000":
            raise ArtifactNotFound("There is none.")

    tools: Any = SimpleNamespace(
        settings=Settings(home=tmp_path, data=tmp_path / "data", parallel_runs=1, waiting_runs=1),
        blenders=[BLENDER],
        sandbox=SimpleNamespace(serves=True, why_not=[]),
        models=None,
        runs=runs,
        progress=Progress(runs),
        pictures=RunPictures(tmp_path / "unproven", tmp_path / "matrix"),
        work_folder=(tmp_path / "work").joinpath,
        metrics=SimpleNamespace(job_ended=no_metrics, judged=no_metrics),
        artifacts=SimpleNamespace(read=read),
        engine=SimpleNamespace(refusal=takes_all),
        **more,
    )
    standing: Any = loop
    no_repositories: Any = None
    return Service(tools, standing, None, no_repositories, shared)


async def until(true: Callable[[], object]) -> None:
    for _ in range(1000):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came to that")
