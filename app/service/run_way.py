"""Carries out runs: takes each through the loop, and keeps the picture of one that proved nothing."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from app.errors import StorageFailed
from app.jobs.job import JobSummary, run_of
from app.jobs.run import Attempt, Dispute, JobStatus
from app.pipeline.context import RunContext
from app.pipeline.loop import RunLoop
from app.pipeline.state import Tools
from app.service.admission import Admission
from app.service.ways import End, JobWay
from harness.folders import remove_tree


@dataclass(frozen=True)
class RunWay(JobWay):
    """Carries out runs with these tools."""

    tools: Tools
    loop: RunLoop
    admission: Admission

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Take a run to its end."""
        runs = self.tools.runs
        if anew:
            # The pictures of its attempts are not here. The answers of models stay.
            await self.forget(job.id)
            await runs.forget_attempts(job.id)
        self.admission.choose_blender(job.blender)
        # A run that was accepted by an earlier start may be taken up by one that must not run it.
        self.admission.check_sandbox()
        end = await self.loop.run(await RunContext.read(self.tools, run_of(job)))
        attempts = await runs.records(job.id, Attempt)
        if attempts and attempts[-1].verdict.passed:
            return JobStatus.PROVEN, end["artifact"], None
        return JobStatus.DISPUTED if await runs.record(job.id, Dispute) else JobStatus.NOT_PROVEN, end["artifact"], None

    async def keep(self, job_id: str, status: JobStatus) -> None:
        """Keep the picture of a run that proved nothing."""
        if status in (JobStatus.NOT_PROVEN, JobStatus.DISPUTED):
            # One that cannot be kept is no reason not to say how the run ended.
            with contextlib.suppress(OSError, StorageFailed):
                work = self.tools.work_folder(job_id)
                await asyncio.to_thread(self.tools.pictures.keep_unproven, job_id, work)

    async def forget(self, job_id: str) -> None:
        """Forget the checkpoints of a run, and the folder of its work."""
        await self.loop.forget(job_id)
        await asyncio.to_thread(remove_tree, self.tools.work_folder(job_id))
