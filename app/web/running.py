"""The runs: their list, and each one live."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Final

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.artifacts.store.store import ArtifactStore
from app.errors import ArtifactNotFound
from app.jobs.job import JobFilter, run_of
from app.jobs.kinds import RUNS
from app.jobs.run import UNFINISHED, RunSummary
from app.web.asked import scene_bytes, scene_is_gone
from app.web.gallery import similar_to
from app.web.routing import TheService, check_signed_in, coloured_markup, page, router
from app.web.show import attempt_views, place_of, run_words, snippet_view, steps_of, verdict_view

RUNS_SHOWN: Final = 60


@router.get("/page/runs")
async def show_runs(
    request: Request, service: TheService, before: Annotated[str | None, Query(max_length=40)] = None
) -> HTMLResponse:
    """The runs, the newest first, including those that proved nothing."""
    wanted = JobFilter(kinds=RUNS.kinds, caller=check_signed_in(request) or None)
    found = [run_of(job) for job in await service.tools.runs.page(wanted, RUNS_SHOWN + 1, before)]
    runs = found[:RUNS_SHOWN]
    older = runs[-1].id if len(found) > RUNS_SHOWN else None
    return page(
        request,
        "runs.html",
        runs=runs,
        older=older,
        words=run_words,
        pictured=await asyncio.to_thread(runs_with_pictures, service.tools.artifacts, runs),
        newest=before is None,
        unfinished={run.id: place_of(run) for run in runs if run.status in UNFINISHED},
        working=service.work.working(),
        waiting=service.work.waiting(),
    )


def runs_with_pictures(artifacts: ArtifactStore, runs: list[RunSummary]) -> set[str]:
    """The ids of the runs whose artifacts are there."""
    return {run.id for run in runs if run.artifact and artifacts.has(run.artifact.id)}


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


@router.post("/page/runs/{run_id}/cancel")
async def cancel_run(service: TheService, run_id: str) -> RedirectResponse:
    """End a run now."""
    await service.cancel(run_id)
    return RedirectResponse(f"/page/runs/{run_id}", 303)
