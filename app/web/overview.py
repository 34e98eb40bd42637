"""The overview of operation: the queue, the runs by their end, durations, and the models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fastapi import Request
from fastapi.responses import HTMLResponse

from app.jobs.kinds import RUNS
from app.service.health import health_of
from app.service.service import Service
from app.verdict.verdict import STAGES
from app.web.figures import Figures, Times
from app.web.routing import TheService, page, router
from harness.engine import WORKER_STATES

ERRORS: Final = {"4": "refused", "5": "failed"}
"""The kinds of failed requests, by the first digit of their status."""


@dataclass(frozen=True)
class ModelRow:
    """A provider with its calls since the start; `problem` is that of the last call."""

    name: str
    problem: str | None
    calls: dict[str, int]
    tokens: dict[str, int]
    dollars: float
    waited: Times | None


@router.get("/page/overview")
async def show_overview(request: Request, service: TheService) -> HTMLResponse:
    """The state of the service and its figures since its start. Needs no script."""
    figures = await asyncio.to_thread(Figures, service.tools.metrics.registry)
    total = figures.total
    return page(
        request,
        "overview.html",
        health=await health_of(service),
        queue=queue_of(figures),
        workers={state: int(total("blendproof_workers", state=state)) for state in WORKER_STATES},
        runs=figures.bars("blendproof_jobs_total", "status"),
        attempts=figures.bars("blendproof_attempts_total", "verdict"),
        executions=figures.bars("blendproof_executions_total", "outcome"),
        run_times=figures.times("blendproof_job_seconds", "kind"),
        stage_times=figures.times("blendproof_stage_seconds", "stage", STAGES),
        models=models_of(service, figures),
        requests=int(total("blendproof_http_requests_total")),
        wrong=wrong_requests(figures),
        artifacts=int(total("blendproof_artifacts")),
        disk=total("blendproof_disk_free_bytes"),
        memory=total("process_resident_memory_bytes"),
        since=datetime.fromtimestamp(total("process_start_time_seconds"), UTC).isoformat(),
        now=datetime.now(UTC).isoformat(),
    )


@dataclass(frozen=True)
class Queue:
    """The places for runs, and the runs that wait for one."""

    places: int
    working: int
    waiting: int


def queue_of(figures: Figures) -> Queue:
    """The queue as the metrics have it."""
    states = ("places", "working", "waiting")
    return Queue(*(int(figures.total(f"blendproof_jobs_{state}", group=RUNS.name)) for state in states))


def wrong_requests(figures: Figures) -> dict[str, int]:
    """The numbers of HTTP requests that were refused, and that failed."""
    metric = "blendproof_http_requests_total"
    counts = dict.fromkeys(ERRORS.values(), 0)
    for status in figures.values_of(metric, "status"):
        if status[0] in ERRORS:
            counts[ERRORS[status[0]]] += int(figures.total(metric, status=status))
    return counts


def models_of(service: Service, figures: Figures) -> list[ModelRow]:
    """The providers that are set up, also those that were not yet asked."""
    waited = {times.name: times for times in figures.times("blendproof_model_seconds", "provider")}
    shown: list[ModelRow] = []
    for name, problem in service.tools.models.states():
        provider = name.partition(" (")[0]

        def counts(metric: str, label: str, values: Sequence[str], provider: str = provider) -> dict[str, int]:
            return {value: int(figures.total(metric, provider=provider, **{label: value})) for value in values}

        calls = counts("blendproof_model_calls_total", "result", ("answered", "failed"))
        tokens = counts("blendproof_model_tokens_total", "direction", ("in", "out"))
        dollars = figures.total("blendproof_model_cost_dollars_total", provider=provider)
        shown.append(ModelRow(name, problem, calls, tokens, dollars, waited.get(provider)))
    return shown
