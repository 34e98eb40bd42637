"""The changes of repositories, as views of their jobs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from app.errors import ChangeNotFound
from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import CHANGES
from app.jobs.run import Event, JobStatus
from app.jobs.sending import Sending
from app.repositories.changing.record import Change, ChangeEvent, ChangeRequest, ChangeSummary, Status
from app.service.change_way import ChangeWay
from app.service.seen_jobs import ENDED_EARLY, SeenJobs
from app.service.work import Work


@dataclass(frozen=True)
class Changes:
    """The changes of a service. Calls are made from the event loop."""

    way: ChangeWay
    work: Work
    jobs: SeenJobs

    async def submit(self, name: str, request: ChangeRequest, sent: Sending) -> Change:
        """Accept a change of a repository; it is kept before this answers.

        Raises RepositoryNotFound, InvalidRequest, ModelNotAvailable, QuotaSpent, ServiceBusy and StorageFailed.
        """
        repository = await self.way.repositories.get(name)
        self.way.check(request)
        shown = Change(id="", repository=name, created_at="", **request.model_dump())
        place = (name, repository.origin)
        job = await self.work.take(request.kind, shown.title, "", request.model_dump(mode="json"), sent, place)
        return await self.get(job.id)

    async def get(self, id: str) -> Change:
        """A change as it stands. Raises ChangeNotFound, also if its repository lies where nothing is allowed now."""
        job, runs = await self.job(id), self.way.tools.runs
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
            events=[event_of(event) for event in await runs.records(id, Event) if event.kind in ("stage", "ended")],
        )

    async def job(self, id: str) -> JobSummary:
        """The job of a change. Raises ChangeNotFound."""
        return await self.jobs.of_group(id, CHANGES, ChangeNotFound, "change")

    async def page(
        self, caller: str, repository: str | None, limit: int, before: str | None = None
    ) -> tuple[list[ChangeSummary], str | None]:
        """The changes of a caller, or of all callers, the newest first, and the last one if there are more."""
        names = None if repository is None else {(await self.way.repositories.get(repository)).name}
        if before is not None:
            await self.job(before)
        wanted = JobFilter(kinds=CHANGES.kinds, repositories=names)
        found, following = await self.jobs.page(wanted, caller, limit, before)
        return [summary_of(job) for job in found], following


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
    return ChangeEvent(number=event.number, at=event.at, kind=kind, text=text_of(event))


def text_of(event: Event) -> str:
    """An event of a change in words."""
    return str(event.facts.get("stage") or event.facts.get("status"))
