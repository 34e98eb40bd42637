"""Shared by the routers: the service, the token, the error bodies, and waiting for a run."""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.api.error_bodies import errors
from app.api.examples import events_example, example, json_example
from app.errors import (
    BlenderMissing,
    BlendproofError,
    InvalidRequest,
    KeyReused,
    ModelNotAvailable,
    QuotaSpent,
    RequestNotUnderstood,
    RequestTooLarge,
    RunFailed,
    RunNotFound,
    SandboxMissing,
    ServiceBusy,
    ServiceStopping,
    StorageFailed,
    Unauthorized,
)
from app.http.requests import caller_of, get_service
from app.jobs.run import JobStatus, Run
from app.service.service import Service

T = TypeVar("T")
bearer = HTTPBearer(auto_error=False, description="The token of this service, if it has one.")


TheService = Annotated[Service, Depends(get_service)]


def caller_with(
    request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
) -> str | None:
    """The name of the caller whose token or cookie a request has; None if it has none and the service has tokens."""
    return caller_of(request, f"Bearer {credentials.credentials}" if credentials else "")


CallerOrNone = Annotated[str | None, Depends(caller_with)]


def is_let_in(caller: CallerOrNone) -> bool:
    """True if a request has a token or the page's cookie for it, or the service has no token."""
    return caller is not None


LetIn = Annotated[bool, Depends(is_let_in)]


def check_token(caller: CallerOrNone) -> str:
    """The name of the caller; refuses a request without the token."""
    if caller is None:
        raise Unauthorized("The token of this service is missing or wrong.")
    return caller


TheCaller = Annotated[str, Depends(check_token)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        description="A key of your own for this request: sent again with the same key, it is not run twice.",
        examples=["order-4711"],
    ),
]


RunId = Annotated[str, Path(max_length=100, description="Id of a run.", examples=[example("RUN_ID")])]
ArtifactId = Annotated[str, Path(max_length=100, description="Id of an artifact.", examples=[example("ARTIFACT_ID")])]

Limit = Annotated[int, Query(ge=1, le=200, description="Most entries of a page.")]
Before = Annotated[
    str | None,
    Query(max_length=100, description="Only older ones than the one with this id.", examples=[example("RUN_ID")]),
]
LastEventId = Annotated[int | None, Header(ge=0, le=2**63 - 1, description="Only events after this one.")]
Prefer = Annotated[
    list[str] | None,
    Header(description="`respond-async` answers 202 at once, with a run to poll.", examples=[["respond-async"]]),
]


def prefers_no_wait(prefer: list[str] | None) -> bool:
    """True if a caller asks for an answer at once."""
    preferences = [part.partition(";")[0].strip().lower() for part in ",".join(prefer or []).split(",")]
    return "respond-async" in preferences


def accept(response: Response, place: str) -> None:
    """Answer 202, with the place to poll."""
    response.status_code = 202
    response.headers["Preference-Applied"] = "respond-async"
    response.headers["Location"] = place


async def answer(service: Service, accepted: Run, prefer: list[str] | None, response: Response) -> Run:
    """The finished run, or the accepted one with status 202 when the caller prefers not to wait."""
    if prefers_no_wait(prefer):
        accept(response, f"/runs/{accepted.id}")
        return accepted
    return await run_when_ended(service, accepted.id)


async def run_when_ended(service: Service, run_id: str) -> Run:
    """The run when it has ended; raises the error of a run that was refused or failed."""
    run = await service.finished(run_id)
    if run.error and run.status in (JobStatus.REFUSED, JobStatus.FAILED):
        kinds = {kind.code: kind for kind in (RequestNotUnderstood, ModelNotAvailable, StorageFailed)}
        kind = kinds.get(run.error.code, RunFailed)
        raise kind(run.error.message, run.error.hint, {**run.error.details, "run": run.id})
    return run


def run_responses(description: str, *more: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The responses of an operation that begins a run."""
    return {
        200: json_example("RUN", description),
        202: {"model": Run, **json_example("QUEUED", "Accepted; poll the run at `Location`.")},
        **errors(*RUN_ERRORS, *more),
    }


def answers(
    shown: str | dict[str, Any], description: str, *kinds: type[BlendproofError], status: int = 200
) -> dict[int | str, dict[str, Any]]:
    """The responses of an operation that needs the token: an example, by its name or whole, and these errors."""
    return {status: json_example(shown, description), **errors(*kinds)}


def event_responses(example_name: str, *kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The responses of an operation that follows a job."""
    return {
        200: {
            "description": "Server-sent events until the job has ended, each with a number to continue after.",
            "content": {"text/event-stream": {"example": events_example(example_name)}},
        },
        204: {"description": "The job has ended, and nothing came after that event."},
        **errors(*kinds),
    }


JOB_ERRORS: tuple[type[BlendproofError], ...] = (
    InvalidRequest,
    QuotaSpent,
    RequestTooLarge,
    ServiceBusy,
    ServiceStopping,
    BlenderMissing,
    SandboxMissing,
    StorageFailed,
    RunFailed,
)
"""The errors of a request for a job that runs something in Blender."""
RUN_ERRORS: tuple[type[BlendproofError], ...] = (*JOB_ERRORS, KeyReused)
"""The errors of a request for a run."""


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of this work; None if the client goes away before, which ends it."""
    working, gone = asyncio.create_task(work), asyncio.create_task(until_gone(request))
    try:
        await asyncio.wait([working, gone], return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        gone.cancel()
        working.cancel()


async def until_gone(request: Request) -> None:
    """Wait until the client goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def picture_in(file: pathlib.Path) -> Response:
    """A picture of a job, which may be forgotten before it is read; raises RunNotFound."""
    try:
        return Response(await asyncio.to_thread(file.read_bytes), media_type="image/png")
    except OSError as error:
        raise RunNotFound("The picture is not kept any more.") from error
