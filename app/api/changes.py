"""The changes of repositories: ask for one, follow it, cancel it; see docs/changes.md."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse

from app.api.common import Before, LastEventId, Limit, TheCaller, TheService, answers, event_responses
from app.api.examples import example
from app.api.jobs import event_stream
from app.api.repositories import Name
from app.errors import (
    ChangeFinished,
    ChangeNotFound,
    InvalidRequest,
    ModelNotAvailable,
    QuotaSpent,
    RunFinished,
    SandboxMissing,
    ServiceBusy,
    StorageFailed,
)
from app.repositories.allowed import RepositoryNotFound
from app.repositories.changing.record import Change, ChangeRequest, ChangeSummary
from app.service.changes import text_of

router = APIRouter(tags=["changes"])

ChangeId = Annotated[str, Path(max_length=100, description="Id of a change.", examples=[example("CHANGE_ID")])]


class ChangePage(BaseModel):
    """Some changes, the newest first. `next` is the `before` of the next page, null on the last."""

    changes: list[ChangeSummary]
    next: str | None


@router.post(
    "/repositories/{name}/changes",
    status_code=202,
    summary="Change a repository",
    responses=answers(
        "CHANGE_QUEUED",
        "Accepted; poll the change at `Location`.",
        RepositoryNotFound,
        InvalidRequest,
        ModelNotAvailable,
        SandboxMissing,
        QuotaSpent,
        ServiceBusy,
        StorageFailed,
        status=202,
    ),
)
async def begin_change(
    service: TheService,
    caller: TheCaller,
    name: Name,
    body: Annotated[ChangeRequest, Body(examples=example("REQUESTS"))],
    response: Response,
) -> Change:
    """Have a model change a repository with tests as evidence, have it edit files, or port the add-ons by rules.

    Changes are worked on one at a time, in the order in which they came; 16 of a caller may wait or be worked
    on.

    Nothing is written but a branch `blendproof/<id>`, and that only with the evidence.
    """
    service.admission.check_sandbox()
    made = await service.changes.submit(name, body, service.sending(body.kind, body, caller))
    response.headers["Location"] = f"/changes/{made.id}"
    return made


@router.get(
    "/changes",
    summary="List the changes",
    responses=answers("CHANGE_PAGE", "One page.", InvalidRequest, RepositoryNotFound, ChangeNotFound),
)
async def list_changes(
    service: TheService,
    caller: TheCaller,
    repository: Annotated[str | None, Query(max_length=100, description="Only those of this repository.")] = None,
    limit: Limit = 50,
    before: Before = None,
) -> ChangePage:
    """The changes, the newest first, without plan and patch."""
    found, following = await service.changes.page(caller, repository, limit, before)
    return ChangePage(changes=found, next=following)


@router.get(
    "/changes/{change_id}",
    summary="Get a change",
    responses=answers("CHANGE", "The change as it stands.", ChangeNotFound, InvalidRequest),
)
async def get_change(change_id: ChangeId, service: TheService) -> Change:
    """Its plan, each patch with the tests before and after, the review, the tokens, and the branch.

    The shape is the same from the first poll to the last.
    """
    return await service.changes.get(change_id)


@router.get(
    "/changes/{change_id}/events",
    summary="Follow a change",
    response_class=EventSourceResponse,
    responses=event_responses("CHANGE_EVENTS", ChangeNotFound, InvalidRequest),
)
async def follow_change(change_id: ChangeId, service: TheService, last_event_id: LastEventId = None) -> Response:
    """The events of a change as they happen: `stage` begun, `ended`; `text` says it in words.

    A client that loses the connection sends `Last-Event-ID` and misses nothing.
    """
    return await event_stream(service, await service.changes.job(change_id), last_event_id or 0, text_of)


@router.delete(
    "/changes/{change_id}",
    summary="Cancel a change",
    responses=answers("CHANGE_CANCELLED", "The cancelled change.", ChangeNotFound, ChangeFinished, InvalidRequest),
)
async def cancel_change(change_id: ChangeId, service: TheService) -> Change:
    """End a change now and kill every process it started. Its record is kept."""
    await service.changes.job(change_id)
    try:
        await service.cancel_job(change_id)
    except RunFinished as error:
        raise ChangeFinished(error.message.replace("Job", "Change")) from None
    return await service.changes.get(change_id)
