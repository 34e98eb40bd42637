"""The tables of the file of runs: the changes since older releases, and the reading of a row."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from app.errors import ErrorBody
from app.jobs.run import ArtifactLinks

SCHEMA: Final = """
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
    retrieved TEXT NOT NULL DEFAULT '[]',
    caller TEXT NOT NULL DEFAULT '',
    key TEXT,
    digest TEXT,
    cost REAL NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS runs_by_status ON runs (status);
CREATE INDEX IF NOT EXISTS runs_by_caller ON runs (caller, created_at);
CREATE UNIQUE INDEX IF NOT EXISTS runs_by_key ON runs (caller, key) WHERE key IS NOT NULL;
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
SCHEMA_VERSION: Final = 4
SCHEMA_2: Final = """
ALTER TABLE runs ADD COLUMN retrieved TEXT NOT NULL DEFAULT '[]';
UPDATE attempts SET attempt = json_insert(attempt, '$.symbols', json('[]'));
"""
"""The changes that make a file of schema 1 one of schema 2. Schema 3 only adds the table of records."""
SCHEMA_4: Final = """
ALTER TABLE runs ADD COLUMN caller TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN key TEXT;
ALTER TABLE runs ADD COLUMN digest TEXT;
ALTER TABLE runs ADD COLUMN cost REAL NOT NULL DEFAULT 0;
"""
"""The changes that make a file of an older schema one of schema 4."""
SUMMARY: Final = "id, kind, status, stage, title, blender, created_at, started_at, finished_at, artifact, error"
"""The columns of a RunSummary."""
JOURNAL_BYTES: Final = 8 << 20


def open_file(path: Path) -> sqlite3.Connection:
    """The file at `path`, made or brought up to date; raises the errors of sqlite3."""
    # The file may be closed in another thread than the one that opened it; one thread at a time uses it.
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        prepare(db)
    except BaseException:
        db.close()
        raise
    return db


def prepare(db: sqlite3.Connection) -> None:
    """Bring the tables up to date, or leave them as they were."""
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")
    before = db.execute("PRAGMA user_version").fetchone()[0]
    if before > SCHEMA_VERSION:
        raise sqlite3.DatabaseError(f"it has schema {before}, and this program reads up to {SCHEMA_VERSION}")
    changes = (SCHEMA_2 if before == 1 else "") + (SCHEMA_4 if 0 < before < 4 else "")
    # In one transaction, so that an end in the middle leaves the file as it was.
    db.executescript(f"BEGIN; {changes} {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")


@contextmanager
def transaction(db: sqlite3.Connection) -> Generator[None, None, None]:
    """A transaction: all of it is written, or nothing."""
    db.execute("BEGIN")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled it back already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def summary_fields(row: Mapping[str, Any] | sqlite3.Row) -> dict[str, Any]:
    """A row of `runs` as the fields of a RunSummary."""
    names = ("id", "kind", "status", "stage", "title", "blender", "created_at", "started_at", "finished_at")
    return {
        **{name: row[name] for name in names},
        "artifact": ArtifactLinks.of(row["artifact"]) if row["artifact"] else None,
        "error": ErrorBody.model_validate_json(row["error"]) if row["error"] else None,
    }
