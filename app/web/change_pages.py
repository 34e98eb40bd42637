"""The page of a change of a repository, with its plan, patches, tests and verdict."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.addons.report import GUESSED
from app.repositories.changing.record import UNFINISHED
from app.web.routing import TheService, page, router
from app.web.show import diff_lines


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
        guessed=GUESSED,
    )
