"""What an operator sees: whether the service is alive and ready, its figures, its log."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from app.errors import StorageFailed
from app.observing.logs import configure_log
from app.service import health
from app.settings import Settings
from harness.blenders import Blender
from tests.api.error_bodies import assert_error
from tests.fixtures import serving
from tests.traces import CALLER, TRACE, TRACEPARENT, Receiver, receiver

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


async def samples(client: httpx2.AsyncClient) -> Samples:
    """Every figure, by its name and labels."""
    response = await client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def figure(found: Samples, name: str, **labels: str) -> float:
    return found[name, tuple(sorted(labels.items()))]


async def test_without_a_blender_it_is_alive_and_not_ready(tmp_path: Path) -> None:
    async with serving(Settings(home=tmp_path)) as client:
        alive = await client.get("/health")
        error = assert_error(await client.get("/ready"), 503, "not_ready")
    assert (alive.status_code, alive.json()["status"]) == (200, "down")
    assert "blendproof blenders install" in error["message"]
    assert error["details"]["parts"]["blender"]["state"] == "down"


@pytest.mark.parametrize("name", ["artifacts", "matrix"])
async def test_a_start_that_fails_leaves_nothing_open(name: str, tmp_path: Path) -> None:
    """A thread that is left would keep the process alive for ever."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).touch()
    with pytest.raises(StorageFailed, match=name) as failed:
        async with serving(Settings(home=tmp_path)):
            pass
    assert "Move away the file" in failed.value.shown_hint
    assert [thread.name for thread in threading.enumerate() if "_connection_worker" in thread.name] == []


async def test_ready_means_that_a_run_would_be_worked_on(settings: Settings, blender: Blender) -> None:
    async with serving(settings) as client:
        ready = await client.get("/ready")
    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    assert set(ready.json()["parts"]) == {"queue", "blender", "sandbox", "workers", "store", "index"}


async def test_a_full_disk_is_not_ready(settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LOW_DISK_BYTES", 1 << 60)
    monkeypatch.setattr(health, "NO_DISK_BYTES", 1 << 59)
    async with serving(settings) as client:
        error = assert_error(await client.get("/ready"), 503, "not_ready")
    assert "store (" in error["message"] and "blender (" not in error["message"]


async def test_a_full_queue_is_not_ready(settings: Settings, blender: Blender) -> None:
    narrow = settings.model_copy(update={"parallel_runs": 1, "waiting_runs": 1, "warm_workers": 0})
    body = {"snippet": "while True:\n    if not True: break\n", "time_limit": 30}
    async with serving(narrow) as client:
        accepted = [await client.post("/validate", json=body, headers={"Prefer": "respond-async"}) for _ in range(2)]
        await asyncio.sleep(0)
        error = assert_error(await client.get("/ready"), 503, "not_ready")
        found = await samples(client)
        for response in accepted:
            await client.delete(response.headers["Location"])
        again = await client.get("/ready")
    assert "queue (" in error["message"]
    states = ("waiting", "working")
    assert sum(figure(found, f"blendproof_jobs_{state}", group="runs") for state in states) == 2
    assert again.status_code == 200


async def test_probes_need_no_token_and_are_told_little(settings: Settings, tmp_path: Path) -> None:
    guarded = settings.model_copy(update={"token": SecretStr("s3cret"), "home": tmp_path})
    known = {"Authorization": "Bearer s3cret"}
    async with serving(guarded) as client:
        assert_error(await client.get("/metrics"), 401, "unauthorized")
        assert (await client.get("/metrics", headers=known)).status_code == 200
        alive, whole = await client.get("/health"), await client.get("/health", headers=known)
        unready = assert_error(await client.get("/ready"), 503, "not_ready")
        explained = assert_error(await client.get("/ready", headers=known), 503, "not_ready")
    assert alive.json() == {**alive.json(), "parts": {}, "blenders": [], "workers": [], "unfinished_runs": None}
    assert "blender" in whole.json()["parts"]
    assert "blendproof blenders install" in str(explained) and "blendproof blenders install" not in str(unready)


async def test_requests_are_counted_by_their_pattern(client: httpx2.AsyncClient) -> None:
    for path in ("/runs/r-1", "/runs/r-2", "/nowhere/1", "/nowhere/2"):
        await client.get(path)
    await client.request("BREW", "/runs")
    found = await samples(client)
    count = "blendproof_http_requests_total"
    assert figure(found, count, method="GET", route="/runs/{run_id}", status="404") == 2
    assert figure(found, count, method="GET", route="other", status="404") == 2
    assert figure(found, count, method="other", route="/runs", status="405") == 1
    assert not any("r-1" in str(key) or "nowhere" in str(key) for key in found)


async def test_each_service_counts_for_itself(tmp_path: Path) -> None:
    async with serving(Settings(home=tmp_path / "one")) as one, serving(Settings(home=tmp_path / "two")) as two:
        await one.get("/runs")
        assert not any(name == "blendproof_http_requests_total" for name, _ in await samples(two))
        assert figure(await samples(one), "blendproof_http_requests_total", method="GET", route="/runs", status="200")


@pytest.mark.blender
async def test_a_run_is_counted_and_traced_and_each_of_its_lines_carries_its_id(
    settings: Settings, blender: Blender, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_log("debug", "json")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20abc")
    body, sent = {"snippet": "import bpy\nbpy.data.meshes.new('a')\n"}, {"traceparent": TRACEPARENT}
    try:
        with receiver() as received:
            async with serving(settings.model_copy(update={"tracing": received.address})) as client:
                run = (await client.post("/validate", json=body, headers=sent)).json()
                await client.get("/runs/r-1", headers={"traceparent": "nonsense"})
                found = await samples(client)
    finally:
        structlog.reset_defaults()
        logging.basicConfig(handlers=[], force=True)
    lines: list[dict[str, Any]] = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    of_run = [line for line in lines if line["event"] in ("attempt judged", "job ended")]
    assert [line["run_id"] for line in of_run] == [run["id"]] * 2
    version = blender.version
    assert figure(found, "blendproof_jobs_total", kind="validate", status=run["status"], blender=version) == 1
    assert figure(found, "blendproof_executions_total", outcome="passed", blender=version) == 1
    assert figure(found, "blendproof_stage_seconds_count", stage="execute") == 1
    assert figure(found, "blendproof_job_seconds_count", kind="validate") == 1
    assert figure(found, "blendproof_disk_free_bytes") > 0
    assert_traced(received, run, version)


def assert_traced(received: Receiver, run: dict[str, Any], version: str) -> None:
    """Assert that the request of a run was traced to the processes of Blender, within the trace of its caller."""
    execution = "POST /validate > run > step execute > execution"
    processes = {f"{execution} > process {name}" for name in ("first", "second", "examine")}
    steps = {"POST /validate > run > step check", "POST /validate > run > step judge"}
    # Probes are not traced.
    assert processes | steps | {"GET /runs/{run_id}"} <= received.paths()
    assert not any("metrics" in path for path in received.paths())
    assert received.facts("run") == {
        "blendproof.run": run["id"],
        "blendproof.kind": "validate",
        "blendproof.status": run["status"],
    }
    assert received.facts("execution") == {"blendproof.blender": version, "blendproof.outcome": "passed"}
    (first,) = (span for span in received.spans if span.name == "POST /validate")
    assert first.parent_span_id.hex() == CALLER
    # A trace that cannot be read is none.
    names = {span.name for span in received.spans if span.trace_id.hex() == TRACE}
    assert "process examine" in names and "GET /runs/{run_id}" not in names
    assert (received.services, received.keys) == ({"blendproof"}, {"Basic abc"})


def test_what_libraries_log_is_json_too(capfd: pytest.CaptureFixture[str]) -> None:
    configure_log("info", "json")
    try:
        with structlog.contextvars.bound_contextvars(run_id="r-1"):
            logging.getLogger("some.library").warning("the %s is odd", "answer")
            logging.getLogger("some.library").info("not told")
    finally:
        structlog.reset_defaults()
        logging.basicConfig(handlers=[], force=True)
    (line,) = capfd.readouterr().err.splitlines()
    said = json.loads(line)
    assert (said["event"], said["level"], said["run_id"]) == ("the answer is odd", "warning", "r-1")


async def test_every_figure_is_explained(client: httpx2.AsyncClient) -> None:
    page = (Path(__file__).parents[2] / "docs" / "operating.md").read_text()
    listed = dict(re.findall(r"^\| `(blendproof_\w+)` \| (.*?) \|", page, re.MULTILINE))
    text = (await client.get("/metrics")).text
    found = set(re.findall(r"^# TYPE (blendproof_\w+) ", text, re.MULTILINE))
    assert set(listed) == {name for name in found if not name.endswith("_created")}
