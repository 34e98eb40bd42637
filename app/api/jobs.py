"""The jobs of all kinds: list them, follow one, cancel one."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from app.api.common import Before, LastEventId, Limit, TheCaller, TheService, answers, event_responses
from app.api.examples import example
from app.errors import InvalidRequest, JobNotFound, RunFinished, RunNotFound
from app.jobs.brief import event_line
from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import JobKind
from app.jobs.run import UNFINISHED, Event, JobStatus, ModelCall

router = APIRouter(prefix="/jobs", tags=["jobs"])

JobId = Annotated[str, Path(max_length=100, description="Id of a job.", examples=[example("JOB_ID")])]


class JobPage(BaseModel):
    """Some jobs, the newest first. `next` is the `before` of the next page, null on the last."""

    jobs: list[JobSummary]
    next: str | None


class JobRecord(JobSummary):
    """A job with its questions to models, and its result unless it is a run."""

    model_calls: list[ModelCall]
    """The questions to models and their answers, in order."""
    result: dict[str, Any] | list[Any] | None
    """The answer to a question, or the record of a change; null for a run, which GET /runs/{id} shows."""


@router.get(
    "",
    summary="List the jobs",
    responses=answers("JOB_PAGE", "One page.", InvalidRequest, RunNotFound, JobNotFound),
)
async def list_jobs(
    service: TheService,
    caller: TheCaller,
    kind: Annotated[list[JobKind] | None, Query(description="Only jobs of these kinds.")] = None,
    status: Annotated[JobStatus | None, Query(description="Only jobs in this state.")] = None,
    mine: Annotated[bool, Query(description="Only those of this token; other callers see no others.")] = False,
    limit: Limit = 50,
    before: Before = None,
) -> JobPage:
    """The jobs of all kinds, the newest first: runs, changes, and questions to models about repositories."""
    wanted = JobFilter(kinds=kind, status=status, caller=caller if mine else None)
    found, following = await service.jobs.page(wanted, caller, limit, before)
    return JobPage(jobs=found, next=following)


@router.get(
    "/{job_id}",
    summary="Get a job",
    responses=answers("JOB_RECORD", "The job as it stands.", JobNotFound, InvalidRequest),
)
async def get_job(job_id: JobId, service: TheService) -> JobRecord:
    """A job of any kind, with everything that a model was told for it."""
    job, runs = await service.jobs.get(job_id), service.tools.runs
    result = json.loads(await runs.result(job_id) or "null")
    return JobRecord(**job.model_dump(), model_calls=await runs.records(job_id, ModelCall), result=result)


@router.get(
    "/{job_id}/events",
    summary="Follow a job",
    response_class=EventSourceResponse,
    responses=event_responses("JOB_EVENTS", JobNotFound, InvalidRequest),
)
async def follow_job(job_id: JobId, service: TheService, last_event_id: LastEventId = None) -> Response:
    """The events of a job as they happen, as GET /runs/{id}/events has those of a run."""
    return await event_stream(service, await service.jobs.get(job_id), last_event_id or 0)


async def event_stream(
    service: TheService, job: JobSummary, after: int, in_words: Callable[[Event], str | None] = event_line
) -> Response:
    """The events of a job after that one, as server-sent events."""
    if job.status not in UNFINISHED and not await service.tools.runs.records(job.id, Event, after):
        # This status tells a browser not to reconnect.
        return Response(status_code=204)

    async def messages() -> AsyncGenerator[ServerSentEvent, None]:
        async for event in service.follow(job.id, after):
            data = {"at": event.at, **event.facts, "text": in_words(event)}
            yield ServerSentEvent(id=str(event.number), event=event.kind, data=json.dumps(data))

    return EventSourceResponse(messages())


@router.delete(
    "/{job_id}",
    summary="Cancel a job",
    responses=answers("JOB_CANCELLED", "The cancelled job.", JobNotFound, RunFinished, InvalidRequest),
)
async def cancel_job(job_id: JobId, service: TheService) -> JobSummary:
    """End a job now and kill every process it started. The job itself is kept."""
    await service.jobs.get(job_id)
    return await service.cancel_job(job_id)
