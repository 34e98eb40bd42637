"""Whole runs of a service while its database restarts and its object store is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

import app.jobs.database as job_database
from app.artifacts.store.shared import SharedArtifacts
from app.jobs import shelf as shelves
from app.jobs.run import Attempt
from app.jobs.shelf import Shelf
from app.pipeline.context import RunContext
from app.pipeline.loop import RunLoop
from app.pipeline.state import State, first_state
from app.settings import Settings
from tests.fixtures import serving
from tests.objects import Gate, ObjectServer
from tests.postgres import Server
from tests.quick_service import publish
from tests.verdicts import PASSED

pytestmark = pytest.mark.blender
SNIPPET = "import bpy\n"
KEY = {"Idempotency-Key": "one"}


@pytest.fixture
def gate(objects: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """The way to the object store, which is open."""
    gate = Gate(objects.address)
    for name, value in {**objects.environment, "AWS_ENDPOINT": gate.address}.items():
        monkeypatch.setenv(name, value)
    gate.open()
    yield gate
    gate.close()


@pytest.fixture
def patience_s() -> float:
    """How long an object store is waited for."""
    return 60.0


@pytest.fixture
async def client(
    gate: Gate,
    postgres: Server,
    settings: Settings,
    tmp_path: Path,
    patience_s: float,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[httpx2.AsyncClient]:
    """A service that finds every snippet proven, and publishes it as usual."""

    async def run(_loop: RunLoop, context: RunContext) -> State:
        attempt: dict[str, Any] = {"author": "caller", "notes": [], "symbols": [], "verdict": PASSED, "report": None}
        await context.tools.runs.add_attempt(context.run_id, Attempt(number=1, snippet=SNIPPET, **attempt))
        await context.tools.progress.begin_stage(context.run_id, "publish")
        words = f"add a ball, {context.run_id}"
        artifact = await asyncio.to_thread(publish, context, words, f"# {words}\n{SNIPPET}", tmp_path / "data")
        return {**first_state(), "artifact": artifact}

    monkeypatch.setattr(RunLoop, "run", run)
    monkeypatch.setattr(shelves, "PATIENCE", timedelta(seconds=patience_s))
    monkeypatch.setattr(job_database, "AGAIN_S", 0.05)
    given = {"database": postgres.database(), "artifacts": f"s3://tests/{tmp_path.name}", "warm_workers": 0}
    async with serving(Settings.model_validate({**settings.model_dump(exclude_unset=True), **given})) as client:
        yield client


async def begun(client: httpx2.AsyncClient) -> str:
    """The address of a run that publishes."""
    sent = await client.post("/validate", json={"snippet": SNIPPET}, headers={"Prefer": "respond-async", **KEY})
    path = f"/runs/{sent.json()['id']}"
    async with asyncio.timeout(30):
        while (await client.get(path)).json()["stage"] != "publish":  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)
    return path


async def ended(client: httpx2.AsyncClient, path: str) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while (run := (await client.get(path)).json())["status"] in ("queued", "running"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    found: dict[str, Any] = run
    return found


async def test_a_run_waits_for_the_object_store_and_for_postgres(
    client: httpx2.AsyncClient, gate: Gate, postgres: Server, tmp_path: Path
) -> None:
    gate.close()
    path = await begun(client)
    for change in (postgres.stop, postgres.start):
        await asyncio.to_thread(change)
    assert (await client.get(path)).json()["status"] == "running"
    gate.open()
    run = await ended(client, path)
    assert run["status"] == "proven", run["error"]
    assert (await client.get(run["artifact"]["picture"])).content.startswith(b"\x89PNG")
    store = SharedArtifacts(tmp_path / "other", Shelf(f"s3://tests/{tmp_path.name}"))
    assert store.ids() == {run["artifact"]["id"]} and store.is_whole(run["artifact"]["id"])


@pytest.mark.parametrize("patience_s", [0.5])
async def test_a_run_whose_object_store_stays_away_ends_with_a_clear_error(
    client: httpx2.AsyncClient, gate: Gate, tmp_path: Path
) -> None:
    gate.close()
    run = await ended(client, await begun(client))
    assert (run["status"], run["error"]["code"], run["artifact"]) == ("failed", "storage_failed", None)
    assert "BLENDPROOF_ARTIFACTS" in run["error"]["hint"]
    # Who waits for the run is told the same.
    told = await client.post("/validate", json={"snippet": SNIPPET}, headers=KEY)
    assert (told.status_code, told.json()["code"], told.json()["details"]["run"]) == (503, "storage_failed", run["id"])
    gate.open()
    assert SharedArtifacts(tmp_path / "other", Shelf(f"s3://tests/{tmp_path.name}")).ids() == set()
