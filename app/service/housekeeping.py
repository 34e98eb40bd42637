"""Takes up the jobs of the last service, and removes what is not needed any more."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog

from app.checks.scratch import remove_abandoned
from app.jobs.run import JobStatus
from app.jobs.storing import UNWRITABLE
from app.pipeline.state import Tools
from app.service.work import Work
from harness.folders import remove_tree

log = structlog.get_logger()

FORGET_EVERY_S: Final = 3600.0


@dataclass(frozen=True)
class Housekeeping:
    """Keeps the data folder of one service."""

    tools: Tools
    work: Work

    async def take_up(self) -> None:
        """Go on with what the last service left: first what it was killed at, one after another."""
        runs = self.tools.runs
        unfinished = [await runs.job(job_id) for job_id in await runs.unfinished()]
        for job in sorted(unfinished, key=lambda job: job.status is not JobStatus.RUNNING):
            log.info("job taken up again", run_id=job.id)
            self.work.begin(job, alone=job.status is JobStatus.RUNNING, again=True)

    async def sweep(self) -> None:
        """Remove what runs that have ended left behind when the service was killed."""
        unfinished = set(await self.tools.runs.unfinished())
        for folder in (self.tools.settings.data_folder / "work").glob("*"):
            if folder.name not in unfinished:
                await asyncio.to_thread(remove_tree, folder)
        await asyncio.to_thread(remove_abandoned)

    async def forget_failed(self) -> None:
        """Forget old runs that proved nothing, now and every hour."""
        while True:
            try:
                gone = await self.tools.runs.forget_failed(self.tools.settings.failed_run_days)
                await self._forget_pictures()
            except UNWRITABLE as failure:
                log.error("old runs not forgotten", problem=str(failure))
            else:
                if gone:
                    log.info("old runs that proved nothing forgotten", runs=gone)
            await asyncio.sleep(FORGET_EVERY_S)

    async def _forget_pictures(self) -> None:
        # Of runs that begin from here on there are no pictures in these.
        pictured = await asyncio.to_thread(self.tools.pictures.ids)
        known = set(await self.tools.runs.ids())
        await asyncio.to_thread(self.tools.pictures.forget, pictured - known)
