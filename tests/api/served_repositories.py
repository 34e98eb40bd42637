"""The interface over repositories, without the rest of the service."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import httpx2
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError

from app.api import repositories as routes
from app.errors import BlendproofError
from app.jobs.pictures import RunPictures
from app.jobs.progress import Progress
from app.jobs.sqlite import SqliteJobs
from app.jobs.tables import JobStore
from app.llm.models import Models
from app.main import answer_error, answer_invalid
from app.observing.metrics import Metrics
from app.repositories.allowed import AllowedPlaces
from app.repositories.questions import Asker
from app.repositories.register import Repositories
from app.repositories.repository_service import RepositoryService
from app.service.service import Service
from app.settings import Settings
from harness.readers.host import answer
from harness.readers.workers import WorkerReach, Workers
from harness.sandbox.ladder import strongest

SHOP = 'def sell_ware(ware):\n    """Hand over a ware."""\n    return ware\n\n\ndef open_till():\n    pass\n'
FILES: dict[str, str | bytes] = {"shop.py": SHOP, "README.md": "# Shop\n", "logo.png": b"\0", ".env": "TOKEN=x\n"}

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs


def service_over(
    folder: Path,
    runs: JobStore,
    allowed: AllowedPlaces,
    asker: Asker,
    workers: Workers,
    shared: PostgresJobs | None = None,
) -> Service:
    """A service without a Blender over its data folder."""
    repositories = RepositoryService(Repositories(folder / "data", allowed), workers, asker)
    tools: Any = SimpleNamespace(
        models=asker.models,
        sandbox=strongest(),
        readers=None,
        blenders=[],
        manifests=SimpleNamespace(of=None),
        settings=Settings(data=folder / "data"),
        metrics=Metrics(),
        runs=runs,
        progress=Progress(runs),
        pictures=RunPictures(folder / "data" / "unproven", folder / "data" / "matrix"),
    )
    no_loop: Any = None
    service = Service(tools, no_loop, None, repositories, shared)
    service.admission = cast("Any", SimpleNamespace(check_sandbox=lambda: None))
    return service


class InPlace(Workers):
    """Stands for workers if a test is not about them: starting one takes half a second."""

    def _do(self, place: WorkerReach, order: bytes, limit_s: float, alone: bool) -> bytes:
        function, arguments, _ = pickle.loads(order)
        return answer(function, arguments, "it takes too much")


@contextlib.asynccontextmanager
async def served(
    folder: Path, models: Models | None = None, workers: Workers | None = None, **more: Any
) -> AsyncGenerator[httpx2.AsyncClient, None]:
    """The routes alone; `folder/allowed` is allowed."""
    workers = workers or InPlace(strongest())
    allowed = AllowedPlaces((folder / "allowed",), more.get("urls", ()))
    asker = Asker(models or Models([]), more.get("system"), 20)
    (folder / "data").mkdir(exist_ok=True)
    runs = await SqliteJobs.open(folder / "data" / "runs.sqlite")
    app, service = FastAPI(), service_over(folder, runs, allowed, asker, workers)
    app.state.service, app.state.tokens = service, dict[str, str]()
    app.include_router(routes.router)
    app.add_exception_handler(BlendproofError, answer_error)
    app.add_exception_handler(RequestValidationError, answer_invalid)
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=120) as client:
        yield client
    await service.stop()
    await runs.close()
    workers.close()


async def add(client: httpx2.AsyncClient, root: Path, **more: Any) -> dict[str, Any]:
    response = await client.post("/repositories", json={"path": str(root), **more})
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    return body
