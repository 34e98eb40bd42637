"""The parts of stored jobs that need no database: events with their numbers, rows of a matrix, errors of a store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from app.errors import JobNotFound, NotFound, RunNotFound, StorageFailed
from app.jobs.kinds import RUNS
from app.jobs.run import Attempt, Event, EventKind, MatrixRow

Occurrence = tuple[EventKind, dict[str, Any]]
"""The kind of an event, and its facts."""

TITLE_LENGTH: Final = 200
JOURNAL_BYTES: Final = 8 << 20
"""The most that the journal of an SQLite file keeps."""
UNWRITABLE: Final = (sqlite3.OperationalError, StorageFailed)
"""The errors of a store that cannot be written for now: its disk is full, or its server is away."""


def matrix_of(attempt: Attempt, attempts: Sequence[Attempt], rows: Sequence[MatrixRow]) -> list[MatrixRow]:
    """The rows of an attempt; an attempt that returns to an earlier one has the rows of that one."""
    same = {earlier.number for earlier in attempts if earlier.snippet == attempt.snippet}
    first = min((row.attempt for row in rows if row.attempt in same), default=None)
    return [row for row in rows if row.attempt == first]


class EventBatch:
    """Events to write. They keep their numbers, so that a second writing after an interruption adds nothing."""

    def __init__(self, occurrences: Sequence[Occurrence]) -> None:
        self._occurrences: Final = occurrences
        self._events: list[Event] = []

    def numbered(self, first: int) -> list[Event]:
        """The events with their numbers, which are `first` and the next ones unless they have some already."""
        if not self._events:
            numbered = enumerate(self._occurrences, first)
            self._events = [
                Event(number=number, at=now(), kind=kind, facts=facts) for number, (kind, facts) in numbered
            ]
        return self._events


def shorten(title: str) -> str:
    # Postgres keeps no NUL.
    line = " ".join(title.replace("\0", "\ufffd").split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


def without_files(request: str) -> str:
    """A request as JSON without the files that it brought."""
    # By Python, because Postgres reads no JSON with a NUL in it.
    kept: dict[str, Any] = json.loads(request)
    for brought in ("files", "archive"):
        kept.pop(brought, None)
    if setup := kept.get("setup"):
        setup.pop("blend", None)
    return json.dumps(kept)


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def not_found(job_id: str) -> NotFound:
    """The error of a job that is not there, which is a run if its id says so."""
    is_run = job_id.startswith(f"{RUNS.letter}-")
    return RunNotFound(f"There is no run {job_id}.") if is_run else JobNotFound(f"There is no job {job_id}.")
