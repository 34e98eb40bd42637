"""The list of jobs of all kinds, and their cancelling."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import ADDONS, CHANGES, GROUPS, RUNS, JobGroup, JobKind, group_of
from app.jobs.run import UNFINISHED, JobStatus
from app.service.service import Service
from app.web.routing import TheService, check_signed_in, page, router
from app.web.show import place_of, run_words

SHOWN: Final = 60
LISTS: Final[dict[str, tuple[JobGroup, ...]]] = {"jobs": GROUPS, "runs": (RUNS,), "changes": (CHANGES,)}
"""The lists by the last part of their address."""
ADDRESSES: Final = {RUNS.name: "/page/runs/", CHANGES.name: "/page/changes/", ADDONS.name: "/page/addons/"}
"""The pages of jobs by their group; the others are shown as the JSON interface has them."""


@router.get("/page/jobs")
@router.get("/page/runs")
@router.get("/page/changes")
async def show_jobs(
    request: Request,
    service: TheService,
    kind: Annotated[JobKind | Literal[""], Query()] = "",
    status: Annotated[JobStatus | Literal[""], Query()] = "",
    before: Annotated[str | None, Query(max_length=40)] = None,
) -> HTMLResponse:
    """The jobs, the newest first, including those that came to nothing."""
    name = request.scope["path"].rpartition("/")[2]
    groups = LISTS[name]
    kinds: list[JobKind] = [one for group in groups for one in group.kinds]
    chosen: list[JobKind] = kinds if not kind else [kind] if kind in kinds else []
    wanted = JobFilter(kinds=chosen, status=status or None)
    jobs, older = await service.jobs.page(wanted, check_signed_in(request), SHOWN, before)
    return page(
        request,
        "jobs.html",
        name=name,
        jobs=jobs,
        older=older,
        words=run_words,
        address=address_of,
        pictured=await asyncio.to_thread(jobs_with_pictures, service, jobs),
        newest=before is None,
        unfinished={job.id: job.kind in RUNS.kinds and place_of(job) for job in jobs if job.status in UNFINISHED},
        working=sum(map(service.work.working, groups)),
        waiting=sum(map(service.work.waiting, groups)),
        chosen={"kind": kind, "status": status},
        options={"kind": kinds, "status": list(JobStatus)},
    )


def address_of(job: JobSummary) -> str:
    """The address of a job's own page."""
    return ADDRESSES.get(group_of(job.kind).name, "/jobs/") + job.id


def jobs_with_pictures(service: Service, jobs: list[JobSummary]) -> set[str]:
    """The ids of the jobs whose artifacts are there."""
    return {job.id for job in jobs if job.artifact and service.tools.artifacts.has(job.artifact.id)}


@router.post("/page/runs/{job_id}/cancel")
@router.post("/page/changes/{job_id}/cancel")
@router.post("/page/addons/{job_id}/cancel")
async def cancel_job(request: Request, service: TheService, job_id: str) -> RedirectResponse:
    """End a job now."""
    await service.jobs.get(job_id)
    await service.cancel_job(job_id)
    return RedirectResponse(request.scope["path"].removesuffix("/cancel"), 303)
