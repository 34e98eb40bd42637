"""The runs, in one SQLite file. A run is written before its caller hears of it, so none is lost to a crash.

Calls are short and made from the event loop; SQLite answers them in well under a millisecond.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.errors import ErrorBody, RunNotFound
from app.runs.run import (
    UNFINISHED,
    AcceptanceRecord,
    ArtifactLinks,
    Attempt,
    Event,
    EventKind,
    MatrixRow,
    ModelCall,
    Retrieved,
    Run,
    RunKind,
    RunStatus,
    RunSummary,
)

SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    stage TEXT NOT NULL,
    title TEXT NOT NULL,
    blender TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT,
    artifact TEXT,
    error TEXT,
    resumes INTEGER NOT NULL DEFAULT 0,
    retrieved TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
CREATE TABLE IF NOT EXISTS attempts (
    run TEXT NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (run, number)
);
CREATE TABLE IF NOT EXISTS records (
    run TEXT NOT NULL REFERENCES runs (id),
    kind TEXT NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (run, kind, number)
);
"""
SCHEMA_VERSION = 3
SCHEMA_2 = """
ALTER TABLE runs ADD COLUMN retrieved TEXT NOT NULL DEFAULT '[]';
UPDATE attempts SET attempt = json_insert(attempt, '$.symbols', json('[]'));
"""
"""What makes a file of schema 1 one of schema 2. Schema 3 only adds the table of records."""
TITLE_LENGTH = 200
JOURNAL_BYTES = 8 << 20
ROWS_AN_ATTEMPT = 100
SUMMARY = "id, kind, status, stage, title, blender, created_at, started_at, finished_at, artifact, error"


class RunStore:
    """Opens (and creates) the file at `path`; brings one of an older schema up to date, refuses one of a newer."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")
        before = self._db.execute("PRAGMA user_version").fetchone()[0]
        if before > SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"it has schema {before}, and this program reads up to {SCHEMA_VERSION}")
        changes = SCHEMA_2 if before == 1 else ""
        # In one transaction, so that an end in the middle leaves the file as it was.
        self._db.executescript(f"BEGIN; {changes} {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def add(self, kind: RunKind, title: str, blender: str, request: dict[str, Any]) -> str:
        """Write a new queued run and answer its id."""
        run_id = f"r-{secrets.token_hex(8)}"
        self._db.execute(
            "INSERT INTO runs (id, kind, status, stage, title, blender, request, created_at)"
            " VALUES (?, ?, ?, 'queued', ?, ?, ?, ?)",
            (run_id, kind, RunStatus.QUEUED, shorten(title), blender, json.dumps(request), now()),
        )
        return run_id

    def start(self, run_id: str) -> None:
        """The run is being worked on from now."""
        self._db.execute(
            "UPDATE runs SET status = ?, started_at = coalesce(started_at, ?) WHERE id = ?",
            (RunStatus.RUNNING, now(), run_id),
        )

    def set_stage(self, run_id: str, stage: str) -> None:
        """Say what is being done."""
        self._db.execute("UPDATE runs SET stage = ? WHERE id = ?", (stage, run_id))

    def set_retrieved(self, run_id: str, retrieved: list[Retrieved]) -> None:
        """Write down which symbols were found for the request."""
        said = json.dumps([one.model_dump() for one in retrieved])
        self._db.execute("UPDATE runs SET retrieved = ? WHERE id = ?", (said, run_id))

    def add_attempt(self, run_id: str, attempt: Attempt) -> None:
        """Write an attempt. One that a resumed run makes again takes the place of its earlier self."""
        self._db.execute(
            "INSERT OR REPLACE INTO attempts (run, number, attempt) VALUES (?, ?, ?)",
            (run_id, attempt.number, attempt.model_dump_json()),
        )

    def add_call(self, run_id: str, call: ModelCall) -> None:
        """Add one question to a model with its answer."""
        self._add_record(run_id, "call", call.number, call.model_dump_json())

    def calls(self, run_id: str) -> list[ModelCall]:
        """The questions to models so far, in order."""
        return [ModelCall.model_validate_json(record) for record in self._records(run_id, "call")]

    def set_accept(self, run_id: str, accept: AcceptanceRecord) -> AcceptanceRecord:
        """Write down the acceptance checks of a run; the first that are written stay. Answers those."""
        self._add_record(run_id, "accept", 1, accept.model_dump_json())
        return self.accept(run_id) or accept

    def accept(self, run_id: str) -> AcceptanceRecord | None:
        """The acceptance checks of a run, or None where none were written down."""
        return next((AcceptanceRecord.model_validate_json(one) for one in self._records(run_id, "accept")), None)

    def add_row(self, run_id: str, number: int, row: MatrixRow) -> None:
        """Write down what the snippet of an attempt is worth on one Blender, the `number`th of those of the run."""
        self._add_record(run_id, "row", row.attempt * ROWS_AN_ATTEMPT + number, row.model_dump_json())

    def rows(self, run_id: str) -> list[MatrixRow]:
        """What attempts are worth on each Blender, in the order of attempts and Blenders."""
        return [MatrixRow.model_validate_json(record) for record in self._records(run_id, "row")]

    def set_ended_because(self, run_id: str, reason: str) -> None:
        """Write down why no further attempt was made; the first reason stays."""
        self._add_record(run_id, "ended", 1, json.dumps(reason))

    def add_events(self, run_id: str, events: Sequence[tuple[EventKind, dict[str, Any]]]) -> None:
        """Add several things that happened at once, so that they cost one write to the disk."""
        self._db.execute("BEGIN")
        try:
            for kind, facts in events:
                self.add_event(run_id, kind, facts)
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add_event(self, run_id: str, kind: EventKind, facts: dict[str, Any]) -> Event:
        """Add one thing that happened, with the next number."""
        row = self._db.execute("SELECT max(number) FROM records WHERE run = ? AND kind = 'event'", (run_id,)).fetchone()
        event = Event(number=(row[0] or 0) + 1, at=now(), kind=kind, facts=facts)
        self._add_record(run_id, "event", event.number, event.model_dump_json())
        return event

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """What happened in a run after the event of that number."""
        return [Event.model_validate_json(record) for record in self._records(run_id, "event", after)]

    def _add_record(self, run_id: str, kind: str, number: int, record: str) -> None:
        # What is written stays: records are only ever added.
        self._db.execute(
            "INSERT OR IGNORE INTO records (run, kind, number, record) VALUES (?, ?, ?, ?)",
            (run_id, kind, number, record),
        )

    def _records(self, run_id: str, kind: str, after: int = 0) -> list[str]:
        rows = self._db.execute(
            "SELECT record FROM records WHERE run = ? AND kind = ? AND number > ? ORDER BY number",
            (run_id, kind, after),
        )
        return [row["record"] for row in rows]

    def finish(
        self, run_id: str, status: RunStatus, artifact: str | None = None, error: ErrorBody | None = None
    ) -> None:
        """Write how the run ended; the first end that is written stays. The files it brought are needed no more."""
        self._db.execute(
            "UPDATE runs SET status = ?, finished_at = ?, artifact = ?, error = ?,"
            " request = json_remove(request, '$.files', '$.setup.blend')"
            " WHERE id = ? AND finished_at IS NULL",
            (status, now(), artifact, error.model_dump_json() if error else None, run_id),
        )

    def wait_again(self, run_id: str) -> None:
        """The run is not worked on any more, because the service stops in good order."""
        self._db.execute(
            "UPDATE runs SET status = ? WHERE id = ? AND status = ?", (RunStatus.QUEUED, run_id, RunStatus.RUNNING)
        )

    def count_resume(self, run_id: str) -> int:
        """Note that the run is taken up again; answer how often that has happened."""
        row = self._db.execute("UPDATE runs SET resumes = resumes + 1 WHERE id = ? RETURNING resumes", (run_id,))
        return int(row.fetchone()[0])

    def unfinished(self) -> list[str]:
        """Ids of the runs that were queued or under way, oldest first."""
        marks = ", ".join("?" for _ in UNFINISHED)
        rows = self._db.execute(
            f"SELECT id FROM runs WHERE status IN ({marks}) ORDER BY created_at, rowid",
            tuple(UNFINISHED),
        )
        return [row["id"] for row in rows]

    def request(self, run_id: str) -> dict[str, Any]:
        """The request of a run as it was written; raises RunNotFound."""
        return dict(json.loads(self.request_text(run_id)))

    def request_text(self, run_id: str) -> str:
        """The same as JSON; raises RunNotFound."""
        text: str = self._row(run_id, "request")["request"]
        return text

    def summary(self, run_id: str) -> RunSummary:
        """The run without its attempts; raises RunNotFound."""
        return RunSummary(**summary_fields(self._row(run_id, SUMMARY)))

    def run(self, run_id: str) -> Run:
        """The run with its attempts; raises RunNotFound."""
        row = self._row(run_id, f"{SUMMARY}, retrieved")
        fields = summary_fields(row)
        retrieved = [Retrieved.model_validate(one) for one in json.loads(row["retrieved"])]
        rows = self._db.execute("SELECT attempt FROM attempts WHERE run = ? ORDER BY number", (run_id,))
        attempts = [Attempt.model_validate_json(row["attempt"]) for row in rows]
        snippet = attempts[-1].snippet if attempts else None
        ended = self._records(run_id, "ended")
        return Run(
            **fields,
            attempts=attempts,
            snippet=snippet,
            retrieved=retrieved,
            matrix=matrix_of(attempts[-1], attempts, self.rows(run_id)) if attempts else [],
            accept=self.accept(run_id),
            model_calls=self.calls(run_id),
            ended_because=json.loads(ended[0]) if ended else None,
        )

    def page(self, status: RunStatus | None, limit: int, before: str | None) -> list[RunSummary]:
        """The newest runs first: at most `limit`, only older ones than the run `before`, only of that status."""
        conditions, values = ["1"], list[Any]()
        if status is not None:
            conditions.append("status = ?")
            values.append(status)
        if before is not None:
            self._row(before, "id")
            conditions.append("rowid < (SELECT rowid FROM runs WHERE id = ?)")
            values.append(before)
        rows = self._db.execute(
            f"SELECT {SUMMARY} FROM runs WHERE {' AND '.join(conditions)} ORDER BY rowid DESC LIMIT ?",
            (*values, limit),
        )
        return [RunSummary(**summary_fields(row)) for row in rows]

    def forget_failed(self, days: float) -> int:
        """Forget the runs that ended so many days ago and proved nothing; answers how many. Proven ones are kept."""
        before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        old = "SELECT id FROM runs WHERE finished_at < ? AND status != ?"
        self._db.execute("BEGIN")
        try:
            self._db.execute(f"DELETE FROM attempts WHERE run IN ({old})", (before, RunStatus.PROVEN))
            gone = self._db.execute(f"DELETE FROM runs WHERE id IN ({old})", (before, RunStatus.PROVEN)).rowcount
            # What was recorded of them, and of those forgotten earlier.
            self._db.execute("DELETE FROM records WHERE run NOT IN (SELECT id FROM runs)")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")
        return gone

    def ids(self) -> list[str]:
        """The ids of all runs."""
        return [row["id"] for row in self._db.execute("SELECT id FROM runs ORDER BY rowid")]

    def among(self, ids: Sequence[str]) -> list[RunSummary]:
        """Those of these runs that are known."""
        marks = ", ".join("?" for _ in ids)
        rows = self._db.execute(f"SELECT {SUMMARY} FROM runs WHERE id IN ({marks})", tuple(ids))
        return [RunSummary(**summary_fields(row)) for row in rows]

    def _row(self, run_id: str, columns: str) -> sqlite3.Row:
        row = self._db.execute(f"SELECT {columns} FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise RunNotFound(f"There is no run {run_id}.")
        found: sqlite3.Row = row
        return found


def summary_fields(row: sqlite3.Row) -> dict[str, Any]:
    """A row of `runs` as the fields of a RunSummary."""
    names = ("id", "kind", "status", "stage", "title", "blender", "created_at", "started_at", "finished_at")
    return {
        **{name: row[name] for name in names},
        "artifact": ArtifactLinks.of(row["artifact"]) if row["artifact"] else None,
        "error": ErrorBody.model_validate_json(row["error"]) if row["error"] else None,
    }


def matrix_of(attempt: Attempt, attempts: Sequence[Attempt], rows: Sequence[MatrixRow]) -> list[MatrixRow]:
    """The rows of an attempt; one that returns to an earlier one has that one's."""
    same = {one.number for one in attempts if one.snippet == attempt.snippet}
    first = min((row.attempt for row in rows if row.attempt in same), default=None)
    return [row for row in rows if row.attempt == first]


def shorten(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
