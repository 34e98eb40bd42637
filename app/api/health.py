"""GET /health: the state of each part of the service. GET /ready: whether a run would find all it needs."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

from app.api.common import LetIn, TheService
from app.api.error_bodies import open_errors
from app.api.examples import json_example
from app.errors import BlendproofError, NotReady
from app.service.health import (
    Health,
    PartHealth,
    Ready,
    blender_part,
    health_of,
    index_part,
    queue_part,
    sandbox_part,
    store_part,
    workers_part,
)

router = APIRouter(tags=["service"])

WITHHELD = "send the token to read it"


@router.get(
    "/health",
    summary="Get the state of the service",
    responses={
        200: json_example("HEALTH", "The state of each part; `status` alone without the token."),
        **open_errors(BlendproofError),
    },
)
async def get_health(service: TheService, let_in: LetIn) -> Health:
    """That the service is alive, and the state of each part. Answers 200 in every state."""
    whole = await health_of(service)
    if not let_in:
        return Health(status=whole.status, parts={}, blenders=[], workers=[], unfinished_runs=None)
    return whole


@router.get(
    "/ready",
    summary="Ask whether the service is ready for a run",
    responses={200: json_example("READY", "It is ready."), **open_errors(NotReady)},
)
async def get_ready(service: TheService, let_in: LetIn) -> Ready:
    """200 if a run sent now would find all that it needs, otherwise 503; for probes and load balancers.

    Needs no token; without one the answer names the parts, but not their problems.
    """
    parts = {
        "queue": queue_part(service),
        "blender": blender_part(service),
        "sandbox": sandbox_part(service),
        "workers": workers_part(service),
        "store": await asyncio.to_thread(store_part, service),
        "index": index_part(service),
    }
    if not let_in:
        parts = {name: PartHealth(state=part.state, message=WITHHELD) for name, part in parts.items()}
    missing = [f"{name} ({part.message})" for name, part in parts.items() if part.state == "down"]
    if missing:
        details = {"parts": {name: part.model_dump() for name, part in parts.items()}}
        raise NotReady(f"A run would not find all that it needs: {'; '.join(missing)}.", details=details)
    return Ready(ready=True, parts=parts)
