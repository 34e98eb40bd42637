"""A data folder that release 0.1 wrote opens, and shows everything."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Final

import psycopg
import pytest

from app.jobs.job import JobFilter
from app.jobs.kinds import RUNS
from app.jobs.postgres import PostgresJobs
from app.jobs.run import Event, JobStatus, Run
from app.jobs.sending import Sending
from app.jobs.sqlite import SqliteJobs
from tests.postgres import Server

ARCHIVE: Final = Path(__file__).parent / "data-of-0.1.tar.gz"
"""A run of each status with attempts, events and a question to a model, and a change of each status, one damaged."""
OF_RUNS: Final = [
    JobStatus(status)
    for status in (
        *("queued", "running", "proven", "not_proven", "disputed", "refused"),
        *("cancelled", "interrupted", "failed"),
    )
]
ENDED: Final = {status for status in OF_RUNS if status not in ("queued", "running")}


@pytest.fixture
def older_data(tmp_path: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


async def test_the_runs_of_0_1_are_shown_with_all_that_was_known_of_them(older_data: Path) -> None:
    for _ in range(2):
        runs = await SqliteJobs.open(older_data / "runs.sqlite")
        page, _ = await runs.page(JobFilter(), 100)
        known: dict[JobStatus, Run] = {summary.status: await runs.run(summary.id) for summary in page}
        assert [summary.status for summary in page] == list(reversed(OF_RUNS))
        queued = known.pop(JobStatus.QUEUED)
        assert (queued.attempts, queued.title, len(known)) == ([], "a run that is queued", 8)
        for status, run in known.items():
            assert_is_whole(status, run)
            events = await runs.records(run.id, Event)
            assert [event.number for event in events] == list(range(1, 5 if status in ENDED else 4))
            assert json.loads(await runs.request_text(run.id)) == {"request": f"a run that is {status}"}
            assert ((await runs.job(run.id)).caller, await runs.trace(run.id)) == ("ada", "00-abc")
            sent = Sending(caller="ada", key=f"key-{status}", digest="d")
            assert await runs.sent_before(sent) == run.id
        assert await runs.unfinished() == [queued.id, known[JobStatus.RUNNING].id]
        await runs.close()


def assert_is_whole(status: JobStatus, run: Run) -> None:
    assert [attempt.snippet for attempt in run.attempts] == ["import bpy  # 1\n", "import bpy  # 2\n"]
    assert ([row.blender for row in run.matrix], run.snippet) == (["4.5.1"], "import bpy  # 2\n")
    assert [(call.answer, call.cost) for call in run.model_calls] == [("a", 0.25)]
    assert run.accept and run.accept.checks == [{"kind": "object"}]
    assert [symbol.address for symbol in run.retrieved] == ["bpy.types.Mesh"]
    assert run.ended_because == ("it is over" if status in ENDED else None)
    assert (run.artifact is not None) == (status == JobStatus.PROVEN)
    assert (run.dispute is not None) == (status == JobStatus.DISPUTED)
    assert (run.error is not None) == (status in ("refused", "failed", "interrupted"))
    assert (run.finished_at is not None) == (status in ENDED)
    assert run.kind == ("validate" if status == JobStatus.REFUSED else "generate")


async def test_the_runs_of_0_1_in_postgres_are_shown_and_worked_on(postgres: Server) -> None:
    address = postgres.database()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(ARCHIVE.with_name("postgres-of-0.1.sql").read_bytes())
    for _ in range(2):
        runs = await PostgresJobs.open(address, "here", 15)
        assert [job.id for job in (await runs.page(JobFilter(), 9))[0]] == ["r-2", "r-1"]
        job = await runs.job("r-1")
        assert (job.caller, job.cost, job.artifact and job.artifact.id) == ("ada", 0.25, "a-1")
        assert [event.facts for event in await runs.records("r-1", Event)] == [{"status": "proven"}]
        assert await runs.unfinished() == ["r-2"]
        await runs.close()
    runs = await PostgresJobs.open(address, "here", 15)
    claimed = await runs.claim(RUNS)
    assert claimed and (claimed.id, claimed.suspect) == ("r-2", False)
    await runs.close()
