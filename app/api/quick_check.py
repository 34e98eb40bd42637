"""POST /check: the fast half of a validation, which reads a snippet and executes nothing.

POST /check/place: one place of a snippet, for editors.
"""

from __future__ import annotations

from fastapi import APIRouter

from app.api.common import TheCaller, TheService, answers
from app.errors import BlenderMissing, InvalidRequest, RequestTooLarge
from app.pipeline.fast_check import CheckReport, CheckRequest, check_fast
from app.pipeline.looking_at import NamedThere, PlaceRequest, look_at
from harness.blenders import BlenderNotAvailable

router = APIRouter(tags=["runs"])


@router.post(
    "/check",
    summary="Check a snippet without executing it",
    response_description="The stages on each Blender",
    responses=answers("CHECK", "The stages on each Blender.", InvalidRequest, BlenderMissing, RequestTooLarge),
)
async def check(asked: CheckRequest, service: TheService, _caller: TheCaller) -> CheckReport:
    """Parse a snippet, and check its policy, lint, types and use of the Blender API. Nothing is executed or kept.

    With `fixes`, the sure rules say what they would change, with their reasons.
    """
    target = service.admission.choose_blender(asked.blender)
    others = service.admission.other_blenders(target, asked.verify_on)
    return await check_fast(service.tools, asked, [target, *others])


@router.post(
    "/check/place",
    summary="Look at a place of a snippet",
    response_description="What is named there, or what may be written there",
    responses=answers("PLACE", "The entry of the API.", InvalidRequest, BlenderMissing, RequestTooLarge),
)
async def place(asked: PlaceRequest, service: TheService, _caller: TheCaller) -> NamedThere:
    """The entry of the Blender API that is named at a place, compared with further Blenders, for an editor.

    With `offers`, what may be written there instead: members, arguments, items, node types and sockets.
    """
    target = service.admission.choose_blender(asked.blender)
    others = service.admission.other_blenders(target, asked.verify_on)
    try:
        return await look_at(service.tools, asked, [target, *others])
    except BlenderNotAvailable as error:
        raise BlenderMissing(str(error)) from error
