"""POST /check: the fast half of a validation, which reads a snippet and executes nothing.

POST /check/place: one place of a snippet, for editors.
"""

from __future__ import annotations

import contextlib
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Request, Response

from app.api.common import TheCaller, TheService, answers, unless_gone
from app.errors import BlenderMissing, BlendproofError, InvalidRequest, RequestTooLarge, ServiceBusy
from app.pipeline.fast_check import CheckReport, CheckRequest, check_fast
from app.pipeline.looking_at import NamedThere, PlaceRequest, look_at
from app.service.service import Service
from harness.blenders import Blender, BlenderNotAvailable

router = APIRouter(tags=["runs"])

T = TypeVar("T")

ERRORS: Final[tuple[type[BlendproofError], ...]] = (InvalidRequest, BlenderMissing, RequestTooLarge, ServiceBusy)


@router.post(
    "/check",
    summary="Check a snippet without executing it",
    response_description="The stages on each Blender",
    response_model=CheckReport,
    responses=answers("CHECK", "The stages on each Blender.", *ERRORS),
)
async def check(
    asked: CheckRequest, request: Request, service: TheService, caller: TheCaller
) -> CheckReport | Response:
    """Parse a snippet, and check its policy, lint, types and use of the Blender API. Nothing is executed or kept.

    With `fixes`, the sure rules say what they would change, with their reasons. A client that goes away ends the check.
    """
    work = check_fast(service.tools, asked, blenders_of(service, asked))
    return await in_turn(request, service, caller, work)


@router.post(
    "/check/place",
    summary="Look at a place of a snippet",
    response_description="What is named there, or what may be written there",
    response_model=NamedThere,
    responses=answers("PLACE", "The entry of the API.", *ERRORS),
)
async def place(asked: PlaceRequest, request: Request, service: TheService, caller: TheCaller) -> NamedThere | Response:
    """The entry of the Blender API that is named at a place, compared with further Blenders, for an editor.

    With `offers`, what may be written there instead: members, arguments, items, node types and sockets.
    """
    work = look_at(service.tools, asked, blenders_of(service, asked))
    try:
        return await in_turn(request, service, caller, work)
    except BlenderNotAvailable as error:
        raise BlenderMissing(str(error)) from error


def blenders_of(service: Service, asked: CheckRequest | PlaceRequest) -> list[Blender]:
    """The Blender of a request and the further ones, each once. Raises BlenderMissing and InvalidRequest."""
    target = service.admission.choose_blender(asked.blender)
    return [target, *service.admission.other_blenders(target, asked.verify_on)]


async def in_turn(request: Request, service: Service, caller: str, work: Coroutine[Any, Any, T]) -> T | Response:
    """The result of this work, when it is the caller's turn; status 499 if the client goes away before."""

    async def worked() -> T:
        with contextlib.closing(work):
            async with service.quick_checks.place(caller):
                return await work

    done = await unless_gone(request, worked())
    return Response(status_code=499) if done is None else done
