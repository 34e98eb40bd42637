"""POST /check: the fast half of a validation, which reads a snippet and executes nothing."""

from __future__ import annotations

from fastapi import APIRouter

from app.api.common import TheCaller, TheService, answers
from app.errors import BlenderMissing, InvalidRequest, RequestTooLarge
from app.pipeline.fast_check import CheckReport, CheckRequest, check_fast

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
