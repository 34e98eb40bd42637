"""The runs: list them, follow one, cancel one."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse

from app.api.common import (
    Before,
    LastEventId,
    Limit,
    RunId,
    TheCaller,
    TheService,
    answers,
    event_responses,
    picture_in,
)
from app.api.error_bodies import errors
from app.api.examples import file_example
from app.api.jobs import event_stream
from app.errors import InvalidRequest, RunFinished, RunNotFound
from app.jobs.brief import Brief, brief_of
from app.jobs.job import JobFilter, run_of
from app.jobs.kinds import RUNS
from app.jobs.request import MAX_SNIPPET
from app.jobs.run import JobStatus, Run, RunSummary

router = APIRouter(prefix="/runs", tags=["runs"])


class RunPage(BaseModel):
    """Some runs, the newest first. `next` is the `before` of the next page, null on the last."""

    runs: list[RunSummary]
    next: str | None


@router.get(
    "",
    summary="List the runs",
    responses=answers("RUN_PAGE", "One page.", InvalidRequest, RunNotFound),
)
async def list_runs(
    service: TheService,
    caller: TheCaller,
    status: Annotated[JobStatus | None, Query(description="Only runs in this state.")] = None,
    limit: Limit = 50,
    before: Before = None,
) -> RunPage:
    """The runs, the newest first, without their attempts."""
    wanted = JobFilter(kinds=RUNS.kinds, status=status, caller=caller or None)
    found, following = await service.tools.runs.page(wanted, limit, before)
    return RunPage(runs=[run_of(job) for job in found], next=following)


@router.get(
    "/{run_id}",
    summary="Get a run",
    responses=answers("RUN", "The run as it stands.", RunNotFound, InvalidRequest),
)
async def get_run(run_id: RunId, service: TheService) -> Run:
    """The run with every attempt so far. The shape is the same from the first poll to the last."""
    return await service.tools.runs.run(run_id)


@router.get(
    "/{run_id}/brief",
    summary="Get a run in short",
    responses=answers("BRIEF", "The run in short.", RunNotFound, InvalidRequest),
)
async def get_brief(
    run_id: RunId,
    service: TheService,
    length: Annotated[int, Query(ge=0, le=2 * MAX_SNIPPET, description="About how many characters.")] = 3500,
) -> Brief:
    """The end of a run, its reason, and the beginning of the snippet: for readers with little room, such as a model."""
    return brief_of(await service.tools.runs.run(run_id), length)


@router.get(
    "/{run_id}/events",
    summary="Follow a run",
    response_class=EventSourceResponse,
    responses=event_responses("EVENTS", RunNotFound, InvalidRequest),
)
async def follow_run(run_id: RunId, service: TheService, last_event_id: LastEventId = None) -> Response:
    """The events of a run, as they happen: `stage` begun, `finding`, `attempt` finished, `healed` with the reason,
    `matrix` with the result on one Blender, `model` asked and answered, `ended`. `text` says it in words, if there is
    something to say. A client that loses the connection sends `Last-Event-ID` and misses nothing.
    """
    await service.tools.runs.summary(run_id)
    return await event_stream(service, await service.tools.runs.job(run_id), last_event_id or 0)


@router.get(
    "/{run_id}/picture.png",
    summary="Get the picture of a run that proved nothing",
    response_class=Response,
    responses={200: file_example("image/png", "The picture."), **errors(RunNotFound, InvalidRequest)},
)
async def get_unproven_picture(run_id: RunId, service: TheService) -> Response:
    """The render of the last attempt, which was not proven. It is kept as long as the run."""
    return await picture_in(await asyncio.to_thread(service.tools.pictures.unproven, run_id))


@router.get(
    "/{run_id}/matrix/{name}.png",
    summary="Get a picture of a matrix",
    response_class=Response,
    responses={200: file_example("image/png", "The picture."), **errors(RunNotFound, InvalidRequest)},
)
async def get_matrix_picture(
    run_id: RunId,
    name: Annotated[str, Path(max_length=100, description="Attempt and Blender.", examples=["1-4.5.15"])],
    service: TheService,
) -> Response:
    """The picture of an attempt on one of the Blenders that it was judged on; `matrix` of the run has the address."""
    return await picture_in(await asyncio.to_thread(service.tools.pictures.row, run_id, name))


@router.delete(
    "/{run_id}",
    summary="Cancel a run",
    responses=answers("CANCELLED", "The cancelled run.", RunNotFound, RunFinished, InvalidRequest),
)
async def cancel_run(run_id: RunId, service: TheService) -> Run:
    """End a run now and kill every process it started. The run itself is kept."""
    return await service.cancel(run_id)
