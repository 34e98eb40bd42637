"""The page of a check of add-ons: a row per Blender, the findings, and what was not used."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.jobs.run import UNFINISHED
from app.web.routing import TheService, page, router


@router.get("/page/addons/{addon_id}")
async def show_check(request: Request, service: TheService, addon_id: str) -> HTMLResponse:
    """One check as it stands."""
    check = await service.addons.get(addon_id)
    return page(request, "addon.html", check=check, unfinished=check.status in UNFINISHED)
