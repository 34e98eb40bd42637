"""The page of a run, which is followed live."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from difflib import unified_diff
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.errors import ArtifactNotFound, InvalidRequest, RunNotFound
from app.jobs.run import UNFINISHED, Run
from app.service.continuing import origin_of
from app.service.service import Service
from app.web.asked import scene_bytes, scene_is_gone
from app.web.gallery import similar_to
from app.web.routing import TheService, check_signed_in, coloured_markup, page, router
from app.web.show import attempt_views, diff_lines, run_words, snippet_view, steps_of, verdict_view


@router.get("/page/runs/{run_id}")
async def show_run(request: Request, service: TheService, run_id: str) -> HTMLResponse:
    """One run: its current stage, or how it ended."""
    run = await service.tools.runs.run(run_id)
    unfinished = run.status in UNFINISHED
    last = run.attempts[-1] if run.attempts else None
    artifact = None
    if run.artifact:
        # The run is shown even if its artifact is gone or damaged.
        with contextlib.suppress(ArtifactNotFound):
            artifact = await asyncio.to_thread(service.tools.artifacts.details, run.artifact.id)
    before = await before_of(service, run, check_signed_in(request))
    return page(
        request,
        "run.html",
        run=run,
        words=run.title if before else run_words(run),
        before=before,
        unfinished=unfinished,
        steps=steps_of(run),
        last=last,
        artifact=artifact,
        similar=await similar_to(service, artifact.id) if artifact else [],
        verdict=verdict_view(last.verdict) if last else None,
        snippet=snippet_view(last.snippet, await coloured_markup(service, last.snippet), last.verdict.findings())
        if last
        else None,
        attempts=attempt_views(run.attempts),
        scene_again=last is not None and not unfinished and await scene_is_gone(service.tools.runs, run_id),
        scene_bytes=scene_bytes(service.tools.settings.max_body_bytes),
        unproven=await asyncio.to_thread(service.tools.pictures.has_unproven, run.id),
    )


@dataclass(frozen=True)
class BeforeRun:
    """The run that a run goes on from: its words, the difference of the snippets, and the pictures of both, if any."""

    run: Run
    words: str
    lines: list[tuple[str, str]]
    pictures: list[str]
    one_camera: bool


async def before_of(service: Service, run: Run, caller: str) -> BeforeRun | None:
    """The run that this one goes on from; None if there is none, or the caller may not see it."""
    origin = await origin_of(service.tools.runs, run.id)
    if origin is None or not await service.sees(origin, caller):
        return None
    try:
        earlier = await service.tools.runs.run(origin)
    except RunNotFound:
        return None
    taken = await asyncio.to_thread(service.tools.pictures.beside, run.id)
    own = [one.artifact.picture for one in (earlier, run) if one.artifact]
    was, now = ((one.snippet or "").splitlines() for one in (earlier, run))
    lines = diff_lines("\n".join(list(unified_diff(was, now, n=2, lineterm=""))[2:]))
    return BeforeRun(earlier, run_words(earlier), lines, taken or own * (len(own) == 2), bool(taken))


@router.post("/page/runs/{run_id}/beside")
async def set_beside(
    service: TheService, caller: Annotated[str, Depends(check_signed_in)], run_id: str
) -> RedirectResponse:
    """Take pictures of the run and of the one it goes on from through one camera, and show them."""
    run = await service.tools.runs.run(run_id)
    before = await before_of(service, run, caller)
    if before is None:
        raise InvalidRequest(f"Run {run_id} goes on from no other run.", "Edit or change a snippet first.")
    await service.set_beside(run, before.run, caller)
    return RedirectResponse(f"/page/runs/{run_id}", 303)


@router.get("/page/runs/{run_id}/progress")
async def show_progress(request: Request, service: TheService, run_id: str) -> HTMLResponse:
    """Only the part that changes during a run, for the script of the page."""
    run = await service.tools.runs.summary(run_id)
    return page(request, "progress.html", run=run, steps=steps_of(run), unfinished=run.status in UNFINISHED)
