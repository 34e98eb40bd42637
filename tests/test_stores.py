"""Runs on disk: nothing half written, nothing written twice."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app.artifacts.store.artifact import Provenance
from app.checks.verdict import STAGES, judged, make_verdict
from app.errors import RunNotFound
from app.runs.request import GenerateRequest
from app.runs.run import AcceptanceRecord, Attempt, Retrieved, RunStatus
from app.runs.store import SCHEMA, SCHEMA_VERSION, RunStore

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


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    runs = RunStore(tmp_path / "runs.sqlite")
    run_id = runs.add("validate", "  two\nlines " + "x" * 400, "5.0.1", {"snippet": "1"})
    runs.start(run_id)
    runs.add_attempt(run_id, attempt())
    runs.add_attempt(run_id, attempt())
    runs.finish(run_id, RunStatus.CANCELLED)
    runs.finish(run_id, RunStatus.PROVEN, artifact="a-1")
    runs.close()

    again = RunStore(tmp_path / "runs.sqlite")
    run = again.run(run_id)
    assert (run.status, run.artifact, len(run.attempts), run.snippet) == (
        "cancelled",
        None,
        1,
        "import bpy\n",
    )
    assert run.title.startswith("two lines xxx") and len(run.title) == 200
    assert again.request(run_id) == {"snippet": "1"}
    assert again.unfinished() == []
    assert json.loads(run.model_dump_json())["finished_at"]
    with pytest.raises(RunNotFound):
        again.run("r-0")
    again.close()


def test_old_runs_that_proved_nothing_are_forgotten(tmp_path: Path) -> None:
    runs = RunStore(tmp_path / "runs.sqlite")
    ends = (RunStatus.PROVEN, RunStatus.NOT_PROVEN, RunStatus.REFUSED)
    ids = [runs.add("validate", "1", "5.0.1", {}) for _ in range(4)]
    for run_id, status in zip(ids, ends, strict=False):
        runs.add_attempt(run_id, attempt())
        runs.set_ended_because(run_id, "it is over")
        runs.finish(run_id, status)
    assert (runs.forget_failed(days=1), runs.ids()) == (0, ids)
    assert (runs.forget_failed(days=-1), runs.ids()) == (2, [ids[0], ids[3]])
    assert len(runs.run(ids[0]).attempts) == 1
    assert runs.run(ids[0]).ended_because == "it is over"
    assert [run.id for run in runs.among([ids[0], "r-0"])] == [ids[0]]
    runs.close()
    database = sqlite3.connect(tmp_path / "runs.sqlite")
    assert database.execute("SELECT DISTINCT run FROM records").fetchall() == [(ids[0],)]
    database.close()


def write_schema_1(path: Path) -> None:
    """A file as the first release wrote it: a finished run with its attempt, and one under way."""
    old = json.loads(attempt().model_dump_json())
    del old["symbols"]
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA.replace(",\n    retrieved TEXT NOT NULL DEFAULT '[]'", ""))
        db.execute("PRAGMA user_version = 1")
        for run_id, status, end in ((RUN, "proven", "2026-01-01"), ("r-1", "running", None)):
            db.execute(
                "INSERT INTO runs (id, kind, status, stage, title, blender, request, created_at, finished_at)"
                " VALUES (?, 'generate', ?, 'publish', 'add a cube', '5.0.1', '{\"request\": \"add a cube\"}', '', ?)",
                (run_id, status, end),
            )
        db.execute("INSERT INTO attempts VALUES (?, 1, ?)", (RUN, json.dumps(old)))
    db.close()


def test_the_runs_of_an_older_release_are_read(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    write_schema_1(file)
    for _ in range(2):
        runs = RunStore(file)
        run = runs.run(RUN)
        assert (run.status, run.snippet, run.retrieved, run.attempts[0].symbols) == ("proven", "import bpy\n", [], [])
        assert run.attempts[0] == attempt()
        assert (runs.unfinished(), runs.request("r-1")) == (["r-1"], {"request": "add a cube"})
        runs.close()
    runs = RunStore(file)
    runs.set_retrieved("r-1", [Retrieved(address="bpy.types.Mesh", why="asked")])
    assert [one.address for one in runs.run("r-1").retrieved] == ["bpy.types.Mesh"]
    runs.close()


def test_an_author_of_an_older_release_has_its_name_of_today(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    runs = RunStore(file)
    run_id = runs.add("generate", "add a cube", "5.0.1", {"request": "add a cube", "drafter": "composer"})
    runs.add_attempt(run_id, attempt())
    runs.set_accept(run_id, AcceptanceRecord(author="model", checks=[]))
    runs.close()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE attempts SET attempt = json_set(attempt, '$.author', 'composer')")
        db.execute("UPDATE records SET record = json_set(record, '$.author', 'composer') WHERE kind = 'accept'")
    db.close()
    runs = RunStore(file)
    run = runs.run(run_id)
    assert run.accept is not None
    assert (run.attempts[0].author, run.accept.author) == ("commands", "commands")
    assert GenerateRequest.model_validate(runs.request(run_id)).drafter == "commands"
    runs.close()
    known: dict[str, Any] = {"blendproof": "0", "checks": {}, "index": {}, "model": None, "prompts": {}}
    assert Provenance.model_validate({**known, "author": "composer"}).author == "commands"
    for wrong in ("composr", "Composer", None):
        with pytest.raises(ValidationError):
            Provenance.model_validate({**known, "author": wrong})


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    write_schema_1(file)
    with sqlite3.connect(file) as db:
        db.execute("INSERT INTO attempts VALUES (?, 2, 'cut')", (RUN,))
    db.close()
    with pytest.raises(sqlite3.OperationalError, match="JSON"):
        RunStore(file)
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert "retrieved" not in [column[1] for column in db.execute("PRAGMA table_info(runs)")]
    db.close()


def test_the_runs_of_a_newer_release_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    with sqlite3.connect(file) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    with pytest.raises(sqlite3.DatabaseError, match=f"schema {SCHEMA_VERSION + 1}"):
        RunStore(file)
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION + 1,)
    db.close()
