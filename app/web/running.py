"""The page of a run, which is followed live."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.errors import ArtifactNotFound
from app.jobs.run import UNFINISHED
from app.web.asked import scene_bytes, scene_is_gone
from app.web.gallery import similar_to
from app.web.routing import TheService, coloured_markup, page, router
from app.web.show import attempt_views, run_words, snippet_view, steps_of, verdict_view


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
            artifact = await asyncio.to_thread(service.tools.artifacts.read, run.artifact.id)
    return page(
        request,
        "run.html",
        run=run,
        words=run_words(run),
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


@router.get("/page/runs/{run_id}/progress")
async def show_progress(request: Request, service: TheService, run_id: str) -> HTMLResponse:
    """Only the part that changes during a run, for the script of the page."""
    run = await service.tools.runs.summary(run_id)
    return page(request, "progress.html", run=run, steps=steps_of(run), unfinished=run.status in UNFINISHED)
