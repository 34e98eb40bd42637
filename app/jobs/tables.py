"""The runs in tables of a database, whichever it is.

    event loop ── await ──> one thread, which alone has the connection ──> database

A call is one job of that thread, so what one job reads or writes is whole, and jobs are done in the order of the calls.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, Protocol, TypeVar

from app.errors import ErrorBody, KeyReused, RunNotFound
from app.jobs.run import (
    UNFINISHED,
    AcceptanceRecord,
    Attempt,
    Dispute,
    Event,
    MatrixRow,
    ModelCall,
    Retrieved,
    Run,
    RunKind,
    RunStatus,
    RunSummary,
)
from app.jobs.run_store import Occurrence, RunStore, matrix_of
from app.jobs.schema import SUMMARY, summary_fields
from app.jobs.sending import NOBODY, Sending, SentBefore, check_quotas
from app.jobs.unpictured import why_no_picture

Answer = TypeVar("Answer")
Row = Mapping[str, Any]

TITLE_LENGTH: Final = 200
ROWS_PER_ATTEMPT: Final = 100


class Cursor(Protocol):
    """The outcome of a statement: its rows, by the names of their columns."""

    def __iter__(self) -> Iterator[Any]:
        """The rows."""
        ...

    @property
    def rowcount(self) -> int:
        """The number of rows that were written."""
        ...

    def fetchone(self) -> Any:
        """The next row; None if there is none."""
        ...

    def fetchall(self) -> Any:
        """All rows."""
        ...


class RunDatabase(Protocol):
    """A connection. Statements have a question mark per value."""

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        """Do one statement."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All that is done in it is written, or nothing."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...


class TableRuns(RunStore):
    """A `RunStore` over a connection that only its thread uses. Databases differ in a few fragments of SQL."""

    PLACE: ClassVar[str]
    """The column with the order in which runs were written."""
    WITHOUT_FILES: ClassVar[str]
    """The column `request` without the files of the request."""
    LOCK: ClassVar[str] = ""
    """The statement that makes other processes wait if they add a run of the same caller."""
    OWN: str = ""
    """The condition that no other process works on a run."""

    def __init__(self, thread: ThreadPoolExecutor, db: RunDatabase) -> None:
        self._thread: Final = thread
        self._db: Final = db

    async def close(self) -> None:
        await self._do(self._db.close)
        self._thread.shutdown()

    async def _do(self, job: Callable[[], Answer]) -> Answer:
        """Have a job done in the thread of the file, even if the waiting caller is cancelled."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, job))

    async def _write(self, statement: str, values: Sequence[Any]) -> None:
        def job() -> None:
            self._db.execute(statement, values)

        await self._do(job)

    async def _read(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        return await self._do(lambda: self._db.execute(statement, values).fetchall())

    # --- the life of a run ---

    async def add(
        self, kind: RunKind, title: str, blender: str, request: dict[str, Any], sent: Sending = NOBODY
    ) -> str:
        run_id = f"r-{secrets.token_hex(8)}"

        def job() -> None:
            with self._db.transaction():
                if self.LOCK and sent.is_limited:
                    self._db.execute(self.LOCK, (sent.caller,))
                if known := self._known(sent):
                    raise SentBefore(known)
                check_quotas(self._db, sent)
                # The files of a request may take a while to write as JSON.
                self._db.execute(
                    "INSERT INTO runs (id, kind, status, stage, title, blender, request, created_at, caller, key,"
                    " digest) VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                    (
                        run_id,
                        kind,
                        RunStatus.QUEUED,
                        shorten(title),
                        blender,
                        json.dumps(request),
                        now(),
                        sent.caller,
                        sent.key,
                        sent.digest,
                    ),
                )
                if sent.trace:
                    self._add_record(run_id, "trace", 1, sent.trace)
                self._added(run_id)

        await self._do(job)
        return run_id

    def _added(self, run_id: str) -> None:
        """Announce in the transaction that there is another run to work on."""

    async def caller(self, run_id: str) -> str:
        caller: str = (await self._do(lambda: self._row(run_id, "caller")))["caller"]
        return caller

    async def trace(self, run_id: str) -> str | None:
        return next(iter(await self._do(lambda: self._records(run_id, "trace"))), None)

    async def start(self, run_id: str) -> None:
        statement = "UPDATE runs SET status = ?, started_at = coalesce(started_at, ?) WHERE id = ?"
        await self._write(statement, (RunStatus.RUNNING, now(), run_id))

    async def finish(
        self,
        run_id: str,
        status: RunStatus,
        artifact: str | None = None,
        error: ErrorBody | None = None,
        events: Sequence[Occurrence] = (),
    ) -> None:
        batch = EventBatch(events)

        def job() -> None:
            with self._db.transaction():
                ended = self._db.execute(
                    "UPDATE runs SET status = ?, finished_at = ?, artifact = ?, error = ?,"
                    f" request = {self.WITHOUT_FILES}"
                    f" WHERE id = ? AND finished_at IS NULL{self.OWN}",
                    (status, now(), artifact, error.model_dump_json() if error else None, run_id),
                )
                if ended.rowcount:
                    self._add_events(run_id, batch)

        await self._do(job)

    async def wait_again(self, run_id: str) -> None:
        statement = "UPDATE runs SET status = ? WHERE id = ? AND status = ?"
        await self._write(statement, (RunStatus.QUEUED, run_id, RunStatus.RUNNING))

    async def count_resume(self, run_id: str) -> int:
        rows = await self._read("UPDATE runs SET resumes = resumes + 1 WHERE id = ? RETURNING resumes", (run_id,))
        return int(rows[0]["resumes"])

    async def forget_failed(self, days: float) -> int:
        before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        old = "SELECT id FROM runs WHERE finished_at < ? AND status != ?"

        def job() -> int:
            with self._db.transaction():
                self._db.execute(f"DELETE FROM attempts WHERE run IN ({old})", (before, RunStatus.PROVEN))
                gone = self._db.execute(f"DELETE FROM runs WHERE id IN ({old})", (before, RunStatus.PROVEN)).rowcount
                # The records of these runs, and of those forgotten earlier.
                self._db.execute("DELETE FROM records WHERE run NOT IN (SELECT id FROM runs)")
            return gone

        return await self._do(job)

    # --- records of a run under way ---

    async def begin_stage(self, run_id: str, stage: str) -> None:
        events = EventBatch([("stage", {"stage": stage})])

        def job() -> None:
            with self._db.transaction():
                self._db.execute("UPDATE runs SET stage = ? WHERE id = ?", (stage, run_id))
                self._add_events(run_id, events)

        await self._do(job)

    async def set_retrieved(self, run_id: str, retrieved: list[Retrieved]) -> None:
        said = json.dumps([symbol.model_dump() for symbol in retrieved])
        await self._write("UPDATE runs SET retrieved = ? WHERE id = ?", (said, run_id))

    async def add_attempt(self, run_id: str, attempt: Attempt) -> None:
        def job() -> None:
            self._db.execute(
                "INSERT INTO attempts (run, number, attempt) VALUES (?, ?, ?)"
                " ON CONFLICT (run, number) DO UPDATE SET attempt = excluded.attempt",
                (run_id, attempt.number, attempt.model_dump_json()),
            )

        await self._do(job)

    async def forget_attempts(self, run_id: str) -> None:
        def job() -> None:
            with self._db.transaction():
                self._db.execute("DELETE FROM attempts WHERE run = ?", (run_id,))
                self._db.execute("DELETE FROM records WHERE run = ? AND kind IN ('row', 'ended', 'dispute')", (run_id,))

        await self._do(job)

    async def attempts(self, run_id: str) -> list[Attempt]:
        return await self._do(lambda: self._attempts(run_id))

    async def add_call(self, run_id: str, call: ModelCall) -> None:
        def job() -> None:
            with self._db.transaction():
                if self._add_record(run_id, "call", call.number, call.model_dump_json()):
                    self._db.execute("UPDATE runs SET cost = cost + ? WHERE id = ?", (call.cost, run_id))

        await self._do(job)

    async def calls(self, run_id: str) -> list[ModelCall]:
        return await self._do(lambda: self._calls(run_id))

    async def set_accept(self, run_id: str, accept: AcceptanceRecord) -> None:
        await self._do(lambda: self._add_record(run_id, "accept", 1, accept.model_dump_json()))

    async def accept(self, run_id: str) -> AcceptanceRecord | None:
        return await self._do(lambda: self._accept(run_id))

    async def add_row(self, run_id: str, number: int, row: MatrixRow) -> None:
        place = row.attempt * ROWS_PER_ATTEMPT + number
        await self._do(lambda: self._add_record(run_id, "row", place, row.model_dump_json()))

    async def rows(self, run_id: str) -> list[MatrixRow]:
        return await self._do(lambda: self._rows(run_id))

    async def set_ended_because(self, run_id: str, reason: str) -> None:
        await self._do(lambda: self._add_record(run_id, "ended", 1, json.dumps(reason)))

    async def set_dispute(self, run_id: str, dispute: Dispute) -> None:
        await self._do(lambda: self._add_record(run_id, "dispute", 1, dispute.model_dump_json()))

    async def dispute(self, run_id: str) -> Dispute | None:
        return await self._do(lambda: self._dispute(run_id))

    async def add_events(self, run_id: str, events: Sequence[Occurrence]) -> None:
        batch = EventBatch(events)

        def job() -> None:
            with self._db.transaction():
                self._add_events(run_id, batch)

        await self._do(job)

    async def events(self, run_id: str, after: int = 0) -> list[Event]:
        def job() -> list[Event]:
            return [Event.model_validate_json(record) for record in self._records(run_id, "event", after)]

        return await self._do(job)

    async def sent_before(self, sent: Sending) -> str | None:
        return await self._do(lambda: self._known(sent)) if sent.key is not None else None

    # --- reading ---

    async def unfinished(self) -> list[str]:
        statement = f"SELECT id FROM runs WHERE status IN ({marks(UNFINISHED)}) ORDER BY created_at, {self.PLACE}"
        return [row["id"] for row in await self._read(statement, tuple(UNFINISHED))]

    async def request_text(self, run_id: str) -> str:
        text: str = (await self._do(lambda: self._row(run_id, "request")))["request"]
        return text

    async def summary(self, run_id: str) -> RunSummary:
        return RunSummary(**summary_fields(await self._do(lambda: self._row(run_id, SUMMARY))))

    async def run(self, run_id: str) -> Run:
        return await self._do(lambda: self._run(run_id))

    async def page(self, status: RunStatus | None, limit: int, before: str | None) -> list[RunSummary]:
        conditions, values = ["TRUE"], list[Any]()
        if status is not None:
            conditions.append("status = ?")
            values.append(status)
        if before is not None:
            await self._do(lambda: self._row(before, "id"))
            conditions.append(f"{self.PLACE} < (SELECT {self.PLACE} FROM runs WHERE id = ?)")
            values.append(before)
        statement = f"SELECT {SUMMARY} FROM runs WHERE {' AND '.join(conditions)} ORDER BY {self.PLACE} DESC LIMIT ?"
        return [RunSummary(**summary_fields(row)) for row in await self._read(statement, (*values, limit))]

    async def ids(self) -> list[str]:
        return [row["id"] for row in await self._read(f"SELECT id FROM runs ORDER BY {self.PLACE}")]

    async def among(self, ids: Sequence[str]) -> list[RunSummary]:
        rows = await self._read(f"SELECT {SUMMARY} FROM runs WHERE id IN ({marks(ids)})", tuple(ids))
        return [RunSummary(**summary_fields(row)) for row in rows]

    # --- parts of jobs, called in the thread of the file ---

    def _known(self, sent: Sending) -> str | None:
        if sent.key is None:
            return None
        known = self._db.execute("SELECT id, digest FROM runs WHERE caller = ? AND key = ?", (sent.caller, sent.key))
        row: Row | None = known.fetchone()
        if row and row["digest"] != sent.digest:
            raise KeyReused(f"header.idempotency-key: {sent.key!r} came before with another request, run {row['id']}.")
        return str(row["id"]) if row else None

    def _row(self, run_id: str, columns: str) -> Row:
        row = self._db.execute(f"SELECT {columns} FROM runs WHERE id = ?", (run_id,)).fetchone()
        if row is None:
            raise RunNotFound(f"There is no run {run_id}.")
        found: Row = row
        return found

    def _run(self, run_id: str) -> Run:
        row = self._row(run_id, f"{SUMMARY}, retrieved")
        attempts = self._attempts(run_id)
        ended = self._records(run_id, "ended")
        fields = summary_fields(row)
        bare = fields["status"] == RunStatus.PROVEN and fields["artifact"] is None and attempts
        return Run(
            **fields,
            attempts=attempts,
            snippet=attempts[-1].snippet if attempts else None,
            retrieved=[Retrieved.model_validate(symbol) for symbol in json.loads(row["retrieved"])],
            matrix=matrix_of(attempts[-1], attempts, self._rows(run_id)) if attempts else [],
            accept=self._accept(run_id),
            model_calls=self._calls(run_id),
            ended_because=json.loads(ended[0]) if ended else None,
            dispute=self._dispute(run_id) if fields["status"] == RunStatus.DISPUTED else None,
            no_artifact_because=why_no_picture(attempts[-1].report) if bare else None,
        )

    def _attempts(self, run_id: str) -> list[Attempt]:
        rows = self._db.execute("SELECT attempt FROM attempts WHERE run = ? ORDER BY number", (run_id,))
        return [Attempt.model_validate_json(row["attempt"]) for row in rows]

    def _calls(self, run_id: str) -> list[ModelCall]:
        return [ModelCall.model_validate_json(record) for record in self._records(run_id, "call")]

    def _accept(self, run_id: str) -> AcceptanceRecord | None:
        return next((AcceptanceRecord.model_validate_json(record) for record in self._records(run_id, "accept")), None)

    def _dispute(self, run_id: str) -> Dispute | None:
        return next((Dispute.model_validate_json(record) for record in self._records(run_id, "dispute")), None)

    def _rows(self, run_id: str) -> list[MatrixRow]:
        return [MatrixRow.model_validate_json(record) for record in self._records(run_id, "row")]

    def _records(self, run_id: str, kind: str, after: int = 0) -> list[str]:
        rows = self._db.execute(
            "SELECT record FROM records WHERE run = ? AND kind = ? AND number > ? ORDER BY number",
            (run_id, kind, after),
        )
        return [row["record"] for row in rows]

    def _add_record(self, run_id: str, kind: str, number: int, record: str) -> int:
        # Records are only ever added, never changed.
        made = self._db.execute(
            "INSERT INTO records (run, kind, number, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (run_id, kind, number, record),
        )
        return made.rowcount

    def _add_events(self, run_id: str, events: EventBatch) -> None:
        last = self._db.execute("SELECT max(number) AS last FROM records WHERE run = ? AND kind = 'event'", (run_id,))
        for event in events.numbered((last.fetchone()["last"] or 0) + 1):
            self._add_record(run_id, "event", event.number, event.model_dump_json())


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


def marks(values: Iterable[object]) -> str:
    """A question mark per value."""
    return ", ".join("?" for _ in values)


def shorten(title: str) -> str:
    line = " ".join(title.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"


def now() -> str:
    """The time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
