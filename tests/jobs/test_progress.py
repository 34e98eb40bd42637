"""Following a run: everything that happens, in order, and nothing missed by those who come back."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from app.cli.client import started
from app.jobs.progress import Progress
from app.jobs.run import Attempt, Event, JobStatus
from app.jobs.tables import JobStore
from app.pipeline.judging import say_attempt
from app.settings import Settings
from app.verdict.verdict import STAGES, Finding, Severity, judged, make_verdict


async def read(progress: Progress, run_id: str, after: int, stopping: asyncio.Event) -> list[Event]:
    return [event async for event in progress.follow(run_id, after, stopping)]


async def test_followers_see_what_was_and_what_comes(runs: JobStore) -> None:
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "x"})
    progress, stopping = Progress(runs), asyncio.Event()
    await progress.begin_stage(run_id, "draft")
    early = asyncio.create_task(read(progress, run_id, 0, stopping))
    await asyncio.sleep(0)
    await progress.say(run_id, "attempt", number=1)
    late = asyncio.create_task(read(progress, run_id, 2, stopping))
    await asyncio.sleep(0)
    await progress.end(run_id, JobStatus.PROVEN, None, None)
    first, second = await early, await late
    assert [(event.number, event.kind) for event in first] == [(1, "stage"), (2, "attempt"), (3, "ended")]
    assert [event.kind for event in second] == ["ended"]
    assert (await runs.summary(run_id)).stage == "draft"
    assert [event.kind for event in await read(progress, run_id, 1, stopping)] == ["attempt", "ended"]


@pytest.mark.parametrize("look_s", [0.05, None])
async def test_followers_of_a_shared_store_miss_no_end_of_which_nothing_is_heard(
    runs: JobStore, look_s: float | None
) -> None:
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "x"})
    following = asyncio.create_task(read(Progress(runs, look_s), run_id, 0, asyncio.Event()))
    await asyncio.sleep(0.1)
    await Progress(runs).end(run_id, JobStatus.PROVEN, None, None)
    await asyncio.wait([following], timeout=1)
    assert following.done() == (look_s is not None)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


async def test_who_goes_away_while_he_waits_leaves_nothing_behind(runs: JobStore) -> None:
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "x"})
    before = asyncio.all_tasks()
    reading = asyncio.create_task(read(Progress(runs), run_id, 0, asyncio.Event()))
    await asyncio.sleep(0.05)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    for _ in range(5):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == before


async def test_what_happens_at_once_is_written_at_once_and_numbered_on(runs: JobStore) -> None:
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "x"})
    progress = Progress(runs)
    await progress.say(run_id, "stage", stage="draft")
    await progress.say_all(run_id, [("finding", {"code": "a"}), ("finding", {"code": "b"}), ("attempt", {"number": 1})])
    assert [(one.number, one.kind) for one in await runs.records(run_id, Event)] == [
        (1, "stage"), (2, "finding"), (3, "finding"), (4, "attempt"),
    ]  # fmt: skip


async def test_of_very_many_findings_the_first_are_told_and_the_rest_counted(runs: JobStore) -> None:
    found = [Finding(check="api", code="x", severity=Severity.ERROR, message=str(n)) for n in range(60)]
    tools: Any = SimpleNamespace(progress=Progress(runs))
    for findings in (found, found[:2]):
        verdict = make_verdict([judged(name, findings if name == "api" else []) for name in STAGES], {})
        made = Attempt(number=1, author="caller", notes=[], snippet="x", symbols=[], verdict=verdict, report=None)
        await say_attempt(await runs.add("validate", "x", "5.0.1", {}), made, tools)
    many, few = [await runs.records(run_id, Event) for run_id in await runs.ids()]
    assert (len(many), many[-1].facts["findings_left_out"]) == (51, 10)
    assert (len(few), "findings_left_out" in few[-1].facts) == (3, False)


async def test_followers_are_let_go_when_the_service_stops(runs: JobStore) -> None:
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "x"})
    stopping = asyncio.Event()
    following = asyncio.create_task(read(Progress(runs), run_id, 0, stopping))
    await asyncio.sleep(0)
    stopping.set()
    assert await following == []


@pytest.mark.blender
def test_events_come_while_the_run_is_under_way_and_go_on_after_the_last(settings: Settings) -> None:
    with started(settings) as url, httpx2.Client(base_url=url, timeout=60) as client:
        body = {"snippet": "import bpy, time\ntime.sleep(1)\nbpy.data.objects['Cube'].scale.z = 2\n"}
        response = client.post("/validate", json=body, headers={"Prefer": "respond-async"})
        events = f"{response.headers['Location']}/events"
        seen: list[dict[str, Any]] = []
        under_way: list[str] = []
        with client.stream("GET", events) as stream:
            assert stream.headers["Content-Type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event" and value == "stage":
                    under_way.append(client.get(response.headers["Location"]).json()["status"])
                if name in ("id", "event", "data"):
                    seen.append({name: value})
        numbers = [int(one["id"]) for one in seen if "id" in one]
        kinds = [one["event"] for one in seen if "event" in one]
        assert numbers == list(range(1, len(numbers) + 1))
        assert (kinds[0], kinds[-1], "attempt" in kinds) == ("stage", "ended", True)
        assert "running" in under_way
        assert json.loads(seen[-1]["data"])["status"] == "proven"
        again = client.get(events, headers={"Last-Event-ID": str(numbers[-2])})
        assert [line for line in again.text.splitlines() if line.startswith("event")] == ["event: ended"]
        assert client.get(events, headers={"Last-Event-ID": str(numbers[-1])}).status_code == 204
        wrong = client.get(events, headers={"Last-Event-ID": "first"})
        assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid_request")
        assert client.get("/runs/r-0/events").json()["code"] == "run_not_found"
