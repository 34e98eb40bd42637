"""The jobs of a service, as its callers may see them."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from app.errors import JobNotFound, NotFound
from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import JobGroup
from app.jobs.run import Event, JobStatus
from app.pipeline.state import Tools
from app.repositories.changing.change_files import ChangeFiles
from app.repositories.changing.record import SAID_ONCE, Change, ChangeRequest
from app.repositories.repository_service import RepositoryService

ENDED_EARLY: Final = "The service ended while it worked on this change. Nothing was committed; ask for it again."


@dataclass(frozen=True)
class SeenJobs:
    """The jobs of a service, without those on repositories that lie where nothing is allowed now."""

    tools: Tools
    repositories: RepositoryService
    taking_in: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, job_id: str) -> JobSummary:
        """A job of any kind. Raises JobNotFound."""
        await self.take_in()
        try:
            job = await self.tools.runs.job(job_id)
        except NotFound:
            raise JobNotFound(f"There is no job {job_id}.") from None
        if job.repository is not None and job.repository not in await self.names():
            raise JobNotFound(f"There is no job {job_id}.")
        return job

    async def of_group(self, job_id: str, group: JobGroup, missing: type[NotFound], what: str) -> JobSummary:
        """A job of a group, by the words of its callers. Raises `missing` if there is no such job."""
        with contextlib.suppress(JobNotFound):
            job = await self.get(job_id)
            if job.kind in group.kinds:
                return job
        raise missing(f"There is no {what} {job_id}.")

    async def page(
        self, wanted: JobFilter, caller: str, limit: int, before: str | None = None
    ) -> tuple[list[JobSummary], str | None]:
        """The jobs that a caller may see and wants, as `JobStore.page` answers them."""
        await self.take_in()
        seen = await self.names()
        asked = wanted.repositories
        repositories = seen if asked is None else seen.intersection(asked)
        return await self.tools.runs.page(
            replace(wanted, caller=caller or wanted.caller, repositories=repositories), limit, before
        )

    async def names(self) -> set[str]:
        """The names of the repositories that are allowed."""
        return {repository.name for repository in await self.repositories.all()}

    async def take_in(self) -> None:
        """Take in the changes that the command line made, or release 0.1 kept, each in a file."""
        files = ChangeFiles(self.tools.settings.data_folder / "repositories")
        async with self.taking_in:
            if kept := await asyncio.to_thread(lambda: list(files.all())):
                origins = {repository.name: repository.origin for repository in await self.repositories.all()}
                for file, made in kept:
                    await self._take_in(file, made, origins)

    async def _take_in(self, file: Path, made: Change, origins: dict[str, str]) -> None:
        if made.status == "working":
            made.status, made.note = "interrupted", ENDED_EARLY
        waits = made.status == "queued"
        request = made.model_dump_json(include=set(ChangeRequest.model_fields))
        last = made.events[-1].at if made.events else made.created_at
        said = [(one, "stage" if one.kind == "stage" else "status") for one in made.events]
        events = [Event(number=one.number, at=one.at, kind=one.kind, facts={name: one.text}) for one, name in said]
        job = JobSummary(
            **{name: getattr(made, name) for name in ("id", "kind", "title", "repository", "created_at")},
            status=JobStatus(made.status),
            stage="",
            blender="",
            caller="",
            cost=0.0,
            started_at=None if waits else made.created_at,
            finished_at=None if waits else last,
            artifact=None,
            branch=made.branch,
            error=None,
        )
        result = made.model_dump_json(exclude=SAID_ONCE)
        await self.tools.runs.take_in(job, origins.get(made.repository), request, result, events)
        await asyncio.to_thread(file.unlink, missing_ok=True)
