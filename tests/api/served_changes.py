"""The routes of changes over one repository, with a model that gives written answers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from app.api import changes as change_routes
from app.api import repositories as routes
from app.errors import BlendproofError
from app.llm.models import Models
from app.main import answer_error, answer_invalid
from app.observing.metrics import Metrics
from app.repositories.allowed import Allowed
from app.repositories.changing.change_files import ChangeStore
from app.repositories.changing.record import Change
from app.repositories.questions import Asker
from app.repositories.register import Repositories
from app.repositories.repository_service import RepositoryService
from app.service.changes import Changes
from app.service.changing import Changer
from app.settings import Settings
from app.web import routing
from harness.readers.workers import Workers
from harness.sandbox.ladder import strongest
from tests.api.served_repositories import InPlace
from tests.model_server import Reply, model_server, models_at

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"
WANTED = {"request": "price(-1) must raise"}
Ends = Callable[[Change, Callable[[str], None]], Any]


class ServedService:
    """What the routes need of a service."""

    def __init__(self, folder: Path, models: Models, workers: Workers) -> None:
        repositories = Repositories(folder / "data", Allowed((folder / "allowed",)))
        self.repositories = RepositoryService(repositories, workers, Asker(models, None, 20))
        tools: Any = SimpleNamespace(
            models=models,
            sandbox=strongest(),
            readers=None,
            blenders=[],
            settings=Settings(data=folder / "data"),
            metrics=Metrics(),
        )
        self.tools = tools
        self.admission = SimpleNamespace(check_sandbox=lambda: None)
        self.stopping = asyncio.Event()
        changer = Changer(tools, self.repositories)
        self.changes = Changes(changer, ChangeStore(folder / "data" / "repositories"), self.stopping)


@contextlib.asynccontextmanager
async def served(
    folder: Path, answers: Sequence[Reply] = (), workers: Workers | None = None
) -> AsyncGenerator[tuple[httpx2.AsyncClient, ServedService], None]:
    """The routes over a repository `shop`, with a model that gives these answers."""
    with model_server(*answers) as server:
        models = models_at(server.url)
        workers = workers or InPlace(strongest())
        app, service = FastAPI(), ServedService(folder, models, workers)
        app.state.service = service
        app.state.tokens = dict[str, str]()
        app.include_router(routes.router)
        app.include_router(change_routes.router)
        app.include_router(routing.router)
        app.add_exception_handler(BlendproofError, answer_error)
        app.add_exception_handler(RequestValidationError, answer_invalid)
        await service.changes.take_up()
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=120) as client:
            root = folder / "allowed" / "shop"
            if root.is_dir():
                assert (await client.post("/repositories", json={"path": str(root)})).status_code == 201
            yield client, service
        service.stopping.set()
        await service.changes.stop()
        await models.close()
        workers.close()


def ending(monkeypatch: pytest.MonkeyPatch, end: Ends) -> None:
    """Have changes end so, in the place of their work."""

    async def carry_out(_changer: Changer, made: Change, say: Callable[[str], None]) -> None:
        say("planning")
        await end(made, say)

    monkeypatch.setattr(Changer, "carry_out", carry_out)


async def accepted(made: Change, _say: Callable[[str], None]) -> None:
    made.status, made.patch = "accepted", "+ a line\n"


async def endless(_made: Change, _say: Callable[[str], None]) -> None:
    await asyncio.Event().wait()


def nothing(*_given: object) -> None:
    """Do nothing."""


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
