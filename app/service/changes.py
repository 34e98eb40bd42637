"""The changes of repositories, as views of their jobs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final, cast

from app.errors import ChangeNotFound, NotFound
from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import CHANGES
from app.jobs.run import Event, JobStatus
from app.jobs.sending import Sending
from app.pipeline.state import Tools
from app.repositories.changing.change_files import ChangeFiles
from app.repositories.changing.record import (
    SAID_ONCE,
    Change,
    ChangeEvent,
    ChangeRequest,
    ChangeSummary,
    Status,
)
from app.repositories.repository_service import RepositoryService
from app.service.change_way import ChangeWay
from app.service.work import Work

ENDED_EARLY: Final = "The service ended while it worked on this change. Nothing was committed; ask for it again."


class Changes:
    """The changes of a service. Calls are made from the event loop."""

    def __init__(
        self, tools: Tools, repositories: RepositoryService, way: ChangeWay, work: Work, stopping: asyncio.Event
    ) -> None:
        self._tools = tools
        self._repositories = repositories
        self._way = way
        self._work = work
        self._stopping = stopping
        self._taking_in = asyncio.Lock()

    async def submit(self, name: str, request: ChangeRequest, sent: Sending) -> Change:
        """Accept a change of a repository; it is kept before this answers.

        Raises RepositoryNotFound, InvalidRequest, ModelNotAvailable, QuotaSpent, ServiceBusy and StorageFailed.
        """
        repository = await self._repositories.get(name)
        self._way.check(request)
        shown = Change(id="", repository=name, created_at="", **request.model_dump())
        place = (name, repository.origin)
        job = await self._work.take(request.kind, shown.title, "", request.model_dump(mode="json"), sent, place)
        return await self.get(job.id)

    async def get(self, id: str) -> Change:
        """A change as it stands. Raises ChangeNotFound, also if its repository lies where nothing is allowed now."""
        job = await self._job(id)
        runs = self._tools.runs
        request: dict[str, Any] = json.loads(await runs.request_text(id))
        result: dict[str, Any] = json.loads(await runs.result(id) or "{}")
        note = result.pop("note", "") or note_of(job)
        return Change(
            **{name: request[name] for name in ChangeRequest.model_fields if name in request},
            **result,
            id=id,
            repository=job.repository or "",
            created_at=job.created_at,
            status=status_of(job),
            note=note,
            events=[event_of(event) for event in await runs.events(id) if event.kind in ("stage", "ended")],
        )

    async def _job(self, id: str) -> JobSummary:
        await self.take_in()
        try:
            job = await self._tools.runs.job(id)
        except NotFound:
            raise ChangeNotFound(f"There is no change {id}.") from None
        if job.kind not in CHANGES.kinds or job.repository not in await self.names():
            raise ChangeNotFound(f"There is no change {id}.")
        return job

    async def page(
        self, caller: str | None, repository: str | None, limit: int, before: str | None = None
    ) -> list[ChangeSummary]:
        """The changes of a caller, or of all callers, on the repositories that are allowed, the newest first."""
        await self.take_in()
        names = await self.names() if repository is None else {(await self._repositories.get(repository)).name}
        if before is not None:
            await self._job(before)
        wanted = JobFilter(kinds=CHANGES.kinds, caller=caller, repositories=names, of_repositories=True)
        return [summary_of(job) for job in await self._tools.runs.page(wanted, limit, before)]

    async def names(self) -> set[str]:
        """The names of the repositories that are allowed."""
        return {repository.name for repository in await self._repositories.all()}

    async def check(self, id: str) -> None:
        """Raises ChangeNotFound if there is no such change."""
        await self._job(id)

    async def follow(self, id: str, after: int) -> AsyncGenerator[ChangeEvent, None]:
        """The events of a change after that one, until it ends or the service stops. Raises ChangeNotFound."""
        await self._job(id)
        async for event in self._tools.progress.follow(id, after, self._stopping):
            yield event_of(event)

    async def take_in(self) -> None:
        """Take in the changes that the command line made, or release 0.1 kept, each in a file."""
        files = ChangeFiles(self._tools.settings.data_folder / "repositories")
        async with self._taking_in:
            if kept := await asyncio.to_thread(lambda: list(files.all())):
                origins = {repository.name: repository.origin for repository in await self._repositories.all()}
                for file, made in kept:
                    await self._take_in(file, made, origins)

    async def _take_in(self, file: Path, made: Change, origins: dict[str, str]) -> None:
        if made.status == "working":
            made.status, made.note = "interrupted", ENDED_EARLY
        waits = made.status == "queued"
        request = made.model_dump_json(include=set(ChangeRequest.model_fields))
        last = made.events[-1].at if made.events else made.created_at
        events = [Event(number=one.number, at=one.at, kind=one.kind, facts=facts_of(one)) for one in made.events]
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
        await self._tools.runs.take_in(job, origins.get(made.repository), request, result, events)
        await asyncio.to_thread(file.unlink, missing_ok=True)


def status_of(job: JobSummary) -> Status:
    """The status of a job in the words of changes."""
    return cast("Status", "working" if job.status == JobStatus.RUNNING else job.status.value)


def note_of(job: JobSummary) -> str:
    """The note of a change that could not write its own."""
    if job.status == JobStatus.INTERRUPTED:
        return ENDED_EARLY
    return job.stage if job.stage.startswith("waits for") else ""


def summary_of(job: JobSummary) -> ChangeSummary:
    """A change in short."""
    return ChangeSummary.model_validate({**job.model_dump(), "status": status_of(job)})


def event_of(event: Event) -> ChangeEvent:
    """An event of a job in the words of changes."""
    kind: Any = event.kind
    text = str(event.facts.get("stage") or event.facts.get("status"))
    return ChangeEvent(number=event.number, at=event.at, kind=kind, text=text)


def facts_of(event: ChangeEvent) -> dict[str, Any]:
    """The facts of an event, which a change has in words."""
    return {"stage" if event.kind == "stage" else "status": event.text}
