"""The routes of changes over one repository, with a model that gives written answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError

from app.api import addons as addon_routes
from app.api import changes as change_routes
from app.api import jobs as job_routes
from app.api import repositories as routes
from app.api.common import check_token
from app.errors import BlendproofError
from app.http.requests import check_own
from app.jobs.spending import Spending
from app.jobs.sqlite import SqliteJobs
from app.llm.models import Models
from app.main import answer_error, answer_invalid
from app.repositories.allowed import AllowedPlaces
from app.repositories.changing.record import Change
from app.repositories.questions import Asker
from app.service.change_way import ChangeWay, ChangeWriting
from app.service.housekeeping import Housekeeping
from app.service.service import Service
from app.web import routing
from harness.readers.workers import Workers
from harness.sandbox.ladder import strongest
from tests.api.served_repositories import InPlace, service_over
from tests.model_server import Reply, model_server, models_at

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
WANTED = {"request": "price(-1) must raise"}
Ends = Callable[[Change, Callable[[str], None]], Any]


@contextlib.asynccontextmanager
async def served(
    folder: Path,
    answers: Sequence[Reply] = (),
    workers: Workers | None = None,
    tokens: dict[str, str] | None = None,
    models: Models | None = None,
) -> AsyncGenerator[tuple[httpx2.AsyncClient, Service], None]:
    """The routes over a repository `shop`, with a model that gives these answers."""
    with model_server(*answers) as server:
        models = models or models_at(server.url)
        workers = workers or InPlace(strongest())
        (folder / "data").mkdir(exist_ok=True)
        runs = await SqliteJobs.open(folder / "data" / "runs.sqlite")
        allowed = AllowedPlaces((folder / "allowed",))
        app, service = FastAPI(), service_over(folder, runs, allowed, Asker(models, None, 20), workers)
        app.state.service = service
        app.state.tokens = tokens or {}
        for router in (routes.router, change_routes.router, addon_routes.router, job_routes.router):
            app.include_router(router, dependencies=[Depends(check_token), Depends(check_own)])
        app.include_router(routing.router)
        app.add_exception_handler(BlendproofError, answer_error)
        app.add_exception_handler(RequestValidationError, answer_invalid)
        await service.jobs.take_in()
        await Housekeeping(service.tools, service.work).take_up()
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=120) as client:
            root = folder / "allowed" / "shop"
            if root.is_dir():
                known = {"Authorization": f"Bearer {tokens['']}"} if tokens else {}
                added = await client.post("/repositories", json={"path": str(root)}, headers=known)
                assert added.status_code == 201
            yield client, service
        await service.stop()
        await runs.close()
        await models.close()
        workers.close()


def ending(monkeypatch: pytest.MonkeyPatch, end: Ends) -> None:
    """Have changes end so, in the place of their work."""

    async def carry_out(_way: ChangeWay, made: Change, writing: ChangeWriting, _spending: Spending) -> None:
        writing.say("planning")
        await end(made, writing.say)

    monkeypatch.setattr(ChangeWay, "carry_out", carry_out)


async def accepted(made: Change, _say: Callable[[str], None]) -> None:
    made.status, made.patch = "accepted", "+ a line\n"


async def endless(_made: Change, _say: Callable[[str], None]) -> None:
    await asyncio.Event().wait()


async def begin(client: httpx2.AsyncClient, **body: Any) -> str:
    answer = await client.post("/repositories/shop/changes", json={**WANTED, **body})
    assert answer.status_code == 202, answer.text
    id: str = answer.json()["id"]
    assert answer.headers["location"] == f"/changes/{id}"
    return id


async def ended(client: httpx2.AsyncClient, id: str) -> dict[str, Any]:
    """A change when it has ended, as its events tell it."""
    told = (await client.get(f"/changes/{id}/events")).text
    assert "event: ended" in told, told
    made: dict[str, Any] = (await client.get(f"/changes/{id}")).json()
    return made
