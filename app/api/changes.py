"""The changes of repositories: ask for one, follow it, cancel it; see docs/changes.md."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Body, Header, Path, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from app.api.change_examples import CHANGE, CHANGE_EVENTS, CHANGE_ID, CHANGE_QUEUED, CHANGE_SUMMARY, REQUESTS
from app.api.common import TheCaller, TheService, errors
from app.api.examples import json_example
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
from app.repositories.changing.record import UNFINISHED, Change, ChangeRequest, ChangeSummary

router = APIRouter(tags=["changes"])

ChangeId = Annotated[str, Path(max_length=100, description="Id of a change.", examples=[CHANGE_ID])]


class ChangePage(BaseModel):
    """Some changes, the newest first. `next` is the `before` of the next page, null on the last."""

    changes: list[ChangeSummary]
    next: str | None


@router.post(
    "/repositories/{name}/changes",
    status_code=202,
    summary="Change a repository",
    responses={
        202: json_example(CHANGE_QUEUED, "Accepted; poll the change at `Location`."),
        **errors(
            RepositoryNotFound,
            InvalidRequest,
            ModelNotAvailable,
            SandboxMissing,
            QuotaSpent,
            ServiceBusy,
            StorageFailed,
        ),
    },
)
async def begin_change(
    service: TheService,
    caller: TheCaller,
    name: Name,
    body: Annotated[ChangeRequest, Body(examples=REQUESTS)],
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
    responses={
        200: json_example({"changes": [CHANGE_SUMMARY], "next": None}, "One page."),
        **errors(InvalidRequest, RepositoryNotFound, ChangeNotFound),
    },
)
async def list_changes(
    service: TheService,
    caller: TheCaller,
    repository: Annotated[str | None, Query(max_length=100, description="Only those of this repository.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="Most changes per page.")] = 50,
    before: Annotated[str | None, Query(max_length=100, description="Only older ones.", examples=[CHANGE_ID])] = None,
) -> ChangePage:
    """The changes, the newest first, without plan and patch."""
    found = await service.changes.page(caller or None, repository, limit + 1, before)
    page = found[:limit]
    return ChangePage(changes=page, next=page[-1].id if len(found) > limit else None)


@router.get(
    "/changes/{change_id}",
    summary="Get a change",
    responses={200: json_example(CHANGE, "The change as it stands."), **errors(ChangeNotFound, InvalidRequest)},
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
    responses={
        200: {
            "description": "Server-sent events until the change has ended, each with a number to continue after.",
            "content": {"text/event-stream": {"example": CHANGE_EVENTS}},
        },
        204: {"description": "The change has ended, and nothing came after that event."},
        **errors(ChangeNotFound, InvalidRequest),
    },
)
async def follow_change(
    change_id: ChangeId,
    service: TheService,
    last_event_id: Annotated[int | None, Header(ge=0, le=2**63 - 1, description="Only events after this one.")] = None,
) -> Response:
    """The events of a change as they happen: `stage` begun, `ended`; `text` says it in words.

    A client that loses the connection sends `Last-Event-ID` and misses nothing.
    """
    after = last_event_id or 0
    made = await service.changes.get(change_id)
    if made.status not in UNFINISHED and not [event for event in made.events if event.number > after]:
        # This status tells a browser not to reconnect.
        return Response(status_code=204)

    async def messages() -> AsyncGenerator[ServerSentEvent, None]:
        async for event in service.changes.follow(change_id, after):
            data = json.dumps({"at": event.at, "text": event.text})
            yield ServerSentEvent(id=str(event.number), event=event.kind, data=data)

    return EventSourceResponse(messages())


@router.delete(
    "/changes/{change_id}",
    summary="Cancel a change",
    responses={
        200: json_example({**CHANGE_QUEUED, "status": "cancelled"}, "The cancelled change."),
        **errors(ChangeNotFound, ChangeFinished, InvalidRequest),
    },
)
async def cancel_change(change_id: ChangeId, service: TheService) -> Change:
    """End a change now and kill every process it started. Its record is kept."""
    await service.changes.check(change_id)
    try:
        await service.cancel_job(change_id)
    except RunFinished as error:
        raise ChangeFinished(error.message.replace("Job", "Change")) from None
    return await service.changes.get(change_id)
