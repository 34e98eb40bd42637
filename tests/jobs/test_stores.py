"""Runs on disk: nothing half written, nothing written twice."""

from __future__ import annotations

import asyncio
import inspect
import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from pydantic import ValidationError
from sqlalchemy import Connection, select, text

from app.artifacts.store.artifact import Provenance
from app.errors import JobNotFound, RunNotFound
from app.jobs.database import HEAD
from app.jobs.request import GenerateRequest
from app.jobs.run import AcceptanceRecord, Attempt, Event, JobStatus, Retrieved
from app.jobs.schema import metadata, records
from app.jobs.sqlite import SqliteJobs
from app.jobs.storing import Occurrence
from app.jobs.tables import JobStore
from app.verdict.verdict import STAGES, judged, make_verdict
from tests.jobs.conftest import Opening

RUN = "r-0123456789abcdef"


def attempt(number: int = 1) -> Attempt:
    report: dict[str, Any] = {
        "blender": {"version": "5.0.1"},
        "evidence": {
            "render": {
                "nothing_to_render": False,
                "size_px": 8,
                "pictures": [{"view": "front", "file": "front.png"}, {"view": "top", "file": "top.png"}],
            }
        },
    }
    verdict = make_verdict([judged(name, []) for name in STAGES], {})
    return Attempt(
        number=number, author="caller", notes=[], symbols=[], snippet="import bpy\n", verdict=verdict, report=report
    )


@pytest.mark.parametrize(
    ("status", "artifact", "says"),
    [(JobStatus.PROVEN, None, True), (JobStatus.PROVEN, "a-1", False), (JobStatus.NOT_PROVEN, None, False)],
)
async def test_only_a_proven_run_without_an_artifact_says_why(
    status: JobStatus, artifact: str | None, says: bool, runs: JobStore
) -> None:
    run_id = await runs.add("validate", "title", "5.0.1", {})
    await runs.add_attempt(run_id, attempt())
    await runs.finish(run_id, status, artifact=artifact)
    assert ((await runs.run(run_id)).no_artifact_because is not None) == says


async def test_a_run_is_read_as_it_was_written(opening: Opening) -> None:
    runs = await opening()
    run_id = await runs.add("validate", "  two\nlines " + "x" * 400, "5.0.1", {"snippet": "1"})
    await runs.start(run_id)
    await runs.add_attempt(run_id, attempt())
    await runs.add_attempt(run_id, attempt())
    await runs.finish(run_id, JobStatus.CANCELLED)
    await runs.finish(run_id, JobStatus.PROVEN, artifact="a-1")
    await runs.close()

    again = await opening()
    run = await again.run(run_id)
    assert (run.status, run.artifact, len(run.attempts), run.snippet) == (
        "cancelled",
        None,
        1,
        "import bpy\n",
    )
    assert run.title.startswith("two lines xxx") and len(run.title) == 200
    assert json.loads(await again.request_text(run_id)) == {"snippet": "1"}
    assert await again.unfinished() == []
    assert json.loads(run.model_dump_json())["finished_at"]
    with pytest.raises(RunNotFound):
        await again.run("r-0")
    await again.close()


async def test_old_runs_that_proved_nothing_are_forgotten(runs: JobStore) -> None:
    ends = (JobStatus.PROVEN, JobStatus.NOT_PROVEN, JobStatus.REFUSED)
    ids = [await runs.add("validate", "1", "5.0.1", {}) for _ in range(4)]
    for run_id, status in zip(ids, ends, strict=False):
        await runs.add_attempt(run_id, attempt())
        await runs.set_ended_because(run_id, "it is over")
        await runs.finish(run_id, status)
    assert (await runs.forget_failed(days=1), await runs.ids()) == (0, ids)
    assert (await runs.forget_failed(days=-1), await runs.ids()) == (2, [ids[0], ids[3]])
    assert len((await runs.run(ids[0])).attempts) == 1
    assert (await runs.run(ids[0])).ended_because == "it is over"
    assert [run.id for run in await runs.among([ids[0], "r-0"])] == [ids[0]]
    kept = select(records.c.job).distinct()
    assert await runs._do(lambda db: list(db.scalars(kept))) == [ids[0]]  # pyright: ignore[reportPrivateUsage]


SCHEMA_1 = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL, stage TEXT NOT NULL, title TEXT NOT NULL,
    blender TEXT NOT NULL, request TEXT NOT NULL, created_at TEXT NOT NULL, started_at TEXT, finished_at TEXT,
    artifact TEXT, error TEXT, resumes INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE attempts (
    run TEXT NOT NULL REFERENCES runs (id), number INTEGER NOT NULL, attempt TEXT NOT NULL, PRIMARY KEY (run, number)
);
PRAGMA user_version = 1;
"""


def write_schema_1(path: Path) -> None:
    """A file as the first release wrote it: a finished run with its attempt, and one under way."""
    old = json.loads(attempt().model_dump_json())
    del old["symbols"]
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA_1)
        for run_id, status, end in ((RUN, "proven", "2026-01-01"), ("r-1", "running", None)):
            db.execute(
                "INSERT INTO runs (id, kind, status, stage, title, blender, request, created_at, finished_at)"
                " VALUES (?, 'generate', ?, 'publish', 'add a cube', '5.0.1', '{\"request\": \"add a cube\"}', '', ?)",
                (run_id, status, end),
            )
        db.execute("INSERT INTO attempts VALUES (?, 1, ?)", (RUN, json.dumps(old)))
    db.close()


async def test_the_runs_of_an_older_release_are_read(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    write_schema_1(file)
    for _ in range(2):
        runs = await SqliteJobs.open(file)
        run = await runs.run(RUN)
        assert (run.status, run.snippet, run.retrieved, run.attempts[0].symbols) == ("proven", "import bpy\n", [], [])
        assert run.attempts[0] == attempt()
        assert (await runs.unfinished(), json.loads(await runs.request_text("r-1"))) == (
            ["r-1"],
            {"request": "add a cube"},
        )
        await runs.close()
    runs = await SqliteJobs.open(file)
    await runs.set_retrieved("r-1", [Retrieved(address="bpy.types.Mesh", why="asked")])
    assert [one.address for one in (await runs.run("r-1")).retrieved] == ["bpy.types.Mesh"]
    await runs.close()


async def test_an_author_of_an_older_release_has_its_name_of_today(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    runs = await SqliteJobs.open(file)
    run_id = await runs.add("generate", "add a cube", "5.0.1", {"request": "add a cube", "drafter": "composer"})
    await runs.add_attempt(run_id, attempt())
    await runs.keep(run_id, AcceptanceRecord(author="model", checks=[]))
    await runs.close()
    with sqlite3.connect(file) as db:
        both = "kind IN ('attempt', 'accept')"
        db.execute(f"UPDATE job_records SET record = json_set(record, '$.author', 'composer') WHERE {both}")
    db.close()
    runs = await SqliteJobs.open(file)
    run = await runs.run(run_id)
    assert run.accept is not None
    assert (run.attempts[0].author, run.accept.author) == ("commands", "commands")
    assert GenerateRequest.model_validate_json(await runs.request_text(run_id)).drafter == "commands"
    await runs.close()
    known: dict[str, Any] = {"blendproof": "0", "checks": {}, "index": {}, "model": None, "prompts": {}}
    assert Provenance.model_validate({**known, "author": "composer"}).author == "commands"
    for wrong in ("composr", "Composer", None):
        with pytest.raises(ValidationError):
            Provenance.model_validate({**known, "author": wrong})


async def test_an_upgrade_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    write_schema_1(file)
    with sqlite3.connect(file) as db:
        db.execute("INSERT INTO attempts VALUES (?, 2, 'cut')", (RUN,))
    db.close()
    with pytest.raises(sqlite3.OperationalError, match="JSON"):
        await SqliteJobs.open(file)
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert "retrieved" not in [column[1] for column in db.execute("PRAGMA table_info(runs)")]
    db.close()


async def test_the_runs_of_a_newer_release_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    await (await SqliteJobs.open(file)).close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE alembic_version SET version_num = 'jobs_99'")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match="schema jobs_99"):
        await SqliteJobs.open(file)
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT version_num FROM alembic_version").fetchall() == [("jobs_99",)]
    db.close()


async def test_the_changes_of_the_tables_lead_to_the_tables_of_the_program(opening: Opening) -> None:
    jobs = await opening()

    def differences(db: Connection) -> tuple[str | None, list[Any]]:
        found = MigrationContext.configure(db)
        return found.get_current_revision(), compare_metadata(found, metadata)

    assert await jobs._do(differences) == (HEAD, [])  # pyright: ignore[reportPrivateUsage]
    await jobs._do(lambda db: db.execute(text("DROP INDEX jobs_served")))  # pyright: ignore[reportPrivateUsage]
    _, (lacking,) = await jobs._do(differences)  # pyright: ignore[reportPrivateUsage]
    assert lacking[0] == "add_index"
    await jobs.close()


async def test_every_call_of_the_store_is_awaited(runs: JobStore) -> None:
    promised = {name for name, value in vars(JobStore).items() if inspect.isfunction(value) and name[0] != "_"}
    assert {name for name in promised if not inspect.iscoroutinefunction(getattr(runs, name))} == set()
    assert {"add", "finish", "add_events", "run"} <= promised
    threads: set[int] = set()
    for _ in range(3):
        threads.add(await runs._in_thread(threading.get_ident))  # pyright: ignore[reportPrivateUsage]
    assert len(threads) == 1 and threading.get_ident() not in threads


async def test_whoever_is_cancelled_in_the_middle_of_a_write_leaves_a_whole_record(runs: JobStore) -> None:
    run_id = await runs.add("validate", "1", "5.0.1", {})
    told: list[Occurrence] = [("finding", {"code": str(number)}) for number in range(100)]
    for _ in range(5):
        writing = asyncio.create_task(runs.add_events(run_id, [*told, ("attempt", {})]))
        await asyncio.sleep(0)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    # What is asked after it is answered after it.
    events = await runs.records(run_id, Event)
    assert [event.number for event in events] == list(range(1, 506))
    assert [event.kind for event in events[100::101]] == ["attempt"] * 5


async def test_an_end_and_the_event_of_it_are_written_together_or_not_at_all(runs: JobStore) -> None:
    run_id = await runs.add("validate", "1", "5.0.1", {})
    unwritable: Any = object()
    with pytest.raises(ValueError, match="serialize"):
        await runs.finish(run_id, JobStatus.PROVEN, events=[("ended", {"status": unwritable})])
    assert ((await runs.summary(run_id)).status, await runs.records(run_id, Event)) == (JobStatus.QUEUED, [])
    await runs.finish(run_id, JobStatus.PROVEN, events=[("ended", {"status": "proven"})])
    assert (await runs.summary(run_id)).status is JobStatus.PROVEN
    assert [event.kind for event in await runs.records(run_id, Event)] == ["ended"]


@pytest.mark.parametrize("snippet", ["import bpy\n\0", "import bpy\n"])
async def test_a_request_with_a_nul_is_kept_and_ended_as_any_other(snippet: str, runs: JobStore) -> None:
    run_id = await runs.add("validate", snippet, "5.0.1", {"snippet": snippet})
    await runs.finish(run_id, JobStatus.NOT_PROVEN)
    run = await runs.summary(run_id)
    assert (run.status, "\0" in run.title, "\ufffd" in run.title) == (JobStatus.NOT_PROVEN, False, "\0" in snippet)
    assert json.loads(await runs.request_text(run_id)) == {"snippet": snippet}
    assert (await runs.job(run_id)).id == run_id
    with pytest.raises(RunNotFound):
        await runs.job("r-\0")


async def test_of_a_request_that_has_ended_the_rest_is_kept(runs: JobStore) -> None:
    said: dict[str, Any] = {"name": "shed", "setup": {"snippet": "1", "blend": "Mg=="}, "archive": "MQ==", "files": [1]}
    job_id = await runs.add("addon", "shed", "", said)
    assert json.loads(await runs.request_text(job_id)) == said
    await runs.finish(job_id, JobStatus.PROVEN)
    assert json.loads(await runs.request_text(job_id)) == {"name": "shed", "setup": {"snippet": "1"}}


async def test_what_has_ended_is_not_begun_again(runs: JobStore) -> None:
    ended, waits = [await runs.add("validate", "1", "5.0.1", {}) for _ in range(2)]
    await runs.finish(ended, JobStatus.PROVEN)
    for run_id in (ended, waits):
        await runs.start(run_id)
    assert (await runs.summary(ended)).status is JobStatus.PROVEN
    assert (await runs.summary(waits)).status is JobStatus.RUNNING


async def test_an_id_that_is_none_of_a_run_is_an_unknown_run(runs: JobStore) -> None:
    job_id = await runs.add("addon", "shed", "", {})
    assert (await runs.job(job_id)).id == job_id
    for unknown in ("resp_r-0123456789abcdef", "foo", job_id):
        with pytest.raises(RunNotFound, match=unknown):
            await runs.run(unknown)
        with pytest.raises(RunNotFound, match=unknown):
            await runs.summary(unknown)
    with pytest.raises(JobNotFound, match="foo"):
        await runs.job("foo")


async def test_the_jobs_of_a_repository_are_those_on_it_and_no_others(runs: JobStore) -> None:
    shop = ("shop", "/srv/shop")
    of_it, ended = [await runs.add("change", "x", "", {"request": "x"}, repository=shop) for _ in range(2)]
    await runs.finish(ended, JobStatus.ACCEPTED)
    archive = await runs.add("addon", "x", "", {"name": "x"})
    namesake = await runs.add("change", "x", "", {"request": "x"}, repository=("shop", "/srv/another"))
    assert await runs.unfinished_of(*shop) == [of_it]
    await runs.forget_of(*shop)
    titles = [(await runs.job(job_id)).title for job_id in (of_it, ended, archive, namesake)]
    assert titles == ["", "", "x", "x"]
