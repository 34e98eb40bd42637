"""POST /addons: check whole add-ons on one Blender or several; see docs/addons.md."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Response

from app.addons.checked import AddonCheck, AddonRequest
from app.api.common import (
    JOB_ERRORS,
    Prefer,
    TheCaller,
    TheService,
    accept,
    answers,
    picture_in,
    prefers_no_wait,
)
from app.api.error_bodies import errors
from app.api.examples import example, file_example, json_example
from app.errors import (
    AddonNotFound,
    AddonsRefused,
    InvalidRequest,
    JobInterrupted,
    RunNotFound,
    error_of,
)
from app.repositories.allowed import RepositoryNotFound

router = APIRouter(prefix="/addons", tags=["add-ons"])

AddonId = Annotated[str, Path(max_length=100, description="Id of a check.", examples=[example("ADDON_ID")])]


@router.post(
    "",
    summary="Check add-ons",
    response_description="The finished check",
    responses={
        200: json_example("ADDON_CHECK", "The finished check; `status` says whether every add-on passed."),
        202: {"model": AddonCheck, **json_example("ADDON_QUEUED", "Accepted; poll the check at `Location`.")},
        **errors(*JOB_ERRORS, AddonsRefused, JobInterrupted, RepositoryNotFound),
    },
)
async def check_addons(
    body: AddonRequest,
    service: TheService,
    caller: TheCaller,
    response: Response,
    prefer: Prefer = None,
) -> AddonCheck:
    """Install add-ons as Blender does, use all that they register, disable them, and enable them again.

    Answers when the check has ended, or at once with 202 when the caller sends `Prefer: respond-async`.
    """
    check = await service.addons.submit(body, service.sending("addon", body, caller))
    if prefers_no_wait(prefer):
        accept(response, f"/addons/{check.id}")
        return check
    job = await service.until_ended(check.id)
    if job.error:
        raise error_of(job.error)
    return await service.addons.get(check.id)


@router.get(
    "/{addon_id}/pictures/{name}.png",
    summary="Get a picture of a check of add-ons",
    response_class=Response,
    responses={200: file_example("image/png", "The picture."), **errors(AddonNotFound, RunNotFound, InvalidRequest)},
)
async def get_window_picture(
    addon_id: AddonId,
    name: Annotated[str, Path(max_length=100, description="Number and Blender.", examples=["1-4.3.2"])],
    service: TheService,
) -> Response:
    """Blender's window while it showed something of an add-on; `pictures` of the check have the addresses."""
    await service.addons.get(addon_id)
    return await picture_in(await asyncio.to_thread(service.tools.pictures.row, addon_id, name))


@router.get(
    "/{addon_id}",
    summary="Get a check of add-ons",
    responses=answers("ADDON_CHECK", "The check as it stands.", AddonNotFound, InvalidRequest),
)
async def get_check(addon_id: AddonId, service: TheService) -> AddonCheck:
    """The results of each add-on on each Blender, the findings, and the rest. DELETE /jobs/{id} cancels a check."""
    return await service.addons.get(addon_id)
