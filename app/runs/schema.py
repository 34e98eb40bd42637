"""The tables of the file of runs, and what brings those of an older release up to date."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

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
SCHEMA_VERSION: Final = 3
SCHEMA_2: Final = """
ALTER TABLE runs ADD COLUMN retrieved TEXT NOT NULL DEFAULT '[]';
UPDATE attempts SET attempt = json_insert(attempt, '$.symbols', json('[]'));
"""
"""What makes a file of schema 1 one of schema 2. Schema 3 only adds the table of records."""
JOURNAL_BYTES: Final = 8 << 20


def open_file(path: Path) -> sqlite3.Connection:
    """The file at `path`, made or brought up to date; raises the errors of sqlite3."""
    # Whoever opened it may also close it in another thread; one at a time uses it.
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
    changes = SCHEMA_2 if before == 1 else ""
    # In one transaction, so that an end in the middle leaves the file as it was.
    db.executescript(f"BEGIN; {changes} {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
