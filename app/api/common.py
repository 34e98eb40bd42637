"""Shared by the routers: the service, the token, the error bodies, and waiting for a run."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from app.api.examples import ARTIFACT_ID, QUEUED, RUN, RUN_ID, json_example
from app.errors import (
    BlenderMissing,
    BlendproofError,
    ErrorBody,
    InvalidRequest,
    KeyReused,
    ModelNotAvailable,
    QuotaSpent,
    RequestNotUnderstood,
    RequestTooLarge,
    RunFailed,
    SandboxMissing,
    ServiceBusy,
    ServiceStopping,
    StorageFailed,
    Unauthorized,
)
from app.http.requests import caller_of, get_service
from app.jobs.run import JobStatus, Run
from app.service.service import Service

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


RunId = Annotated[str, Path(max_length=100, description="Id of a run.", examples=[RUN_ID])]
ArtifactId = Annotated[str, Path(max_length=100, description="Id of an artifact.", examples=[ARTIFACT_ID])]

Prefer = Annotated[
    list[str] | None,
    Header(description="`respond-async` answers 202 at once, with a run to poll.", examples=[["respond-async"]]),
]


async def answer(service: Service, accepted: Run, prefer: list[str] | None, response: Response) -> Run:
    """The finished run, or the accepted one with status 202 when the caller prefers not to wait."""
    preferences = [part.partition(";")[0].strip().lower() for part in ",".join(prefer or []).split(",")]
    if "respond-async" in preferences:
        response.status_code = 202
        response.headers["Preference-Applied"] = "respond-async"
        response.headers["Location"] = f"/runs/{accepted.id}"
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
        200: json_example(RUN, description),
        202: {"model": Run, **json_example(QUEUED, "Accepted; poll the run at `Location`.")},
        **errors(*RUN_ERRORS, *more),
    }


RUN_ERRORS: tuple[type[BlendproofError], ...] = (
    InvalidRequest,
    KeyReused,
    QuotaSpent,
    RequestTooLarge,
    ServiceBusy,
    ServiceStopping,
    BlenderMissing,
    SandboxMissing,
    StorageFailed,
    RunFailed,
)
"""The errors of a request for a run."""


def errors(*kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The error responses of an operation that needs the token, for its documentation."""
    return open_errors(Unauthorized, *kinds)


def open_errors(*kinds: type[BlendproofError]) -> dict[int | str, dict[str, Any]]:
    """The error responses of an operation that needs no token."""
    documented: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        example = ErrorBody(code=kind.code, message="What was wrong, and where.", hint=kind.hint, details={})
        entry = documented.setdefault(
            kind.status,
            {"model": ErrorBody, "description": "", "content": {"application/json": {"examples": {}}}},
        )
        entry["content"]["application/json"]["examples"][kind.code] = {"value": example.model_dump()}
        entry["description"] = " or ".join(filter(None, [entry["description"], f"`{kind.code}`"]))
    return documented
