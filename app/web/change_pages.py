"""The pages of the changes of repositories: all of them, and one with its plan, patches, tests and verdict."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.addons.report import GUESSED
from app.repositories.changing.record import UNFINISHED
from app.web.routing import TheService, check_signed_in, page, router
from app.web.show import diff_lines

SHOWN: Final = 60
NAMES: Final = {"queued": "waiting", "working": "under way", "nothing_to_change": "nothing to change"}
"""The words for states of changes that are not shown as they are stored."""


@router.get("/page/changes")
async def show_changes(
    request: Request, service: TheService, before: Annotated[str | None, Query(max_length=40)] = None
) -> HTMLResponse:
    """The changes, the newest first."""
    found = await service.changes.page(check_signed_in(request) or None, None, SHOWN + 1, before)
    older = found[SHOWN - 1].id if len(found) > SHOWN else None
    return page(request, "changes.html", changes=found[:SHOWN], older=older, names=NAMES)


@router.get("/page/changes/{change_id}")
async def show_change(request: Request, service: TheService, change_id: str) -> HTMLResponse:
    """One change as it stands."""
    made = await service.changes.get(change_id)
    patches = [diff_lines(attempt.patch) for attempt in made.attempts]
    return page(
        request,
        "change.html",
        change=made,
        unfinished=made.status in UNFINISHED,
        attempts=list(zip(made.attempts, patches, strict=True)),
        patch=diff_lines(made.patch),
        names=NAMES,
        guessed=GUESSED,
    )


@router.post("/page/changes/{change_id}/cancel")
async def cancel_change(service: TheService, change_id: str) -> RedirectResponse:
    """End a change now."""
    await service.changes.check(change_id)
    await service.cancel_job(change_id)
    return RedirectResponse(f"/page/changes/{change_id}", 303)
