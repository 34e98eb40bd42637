"""The jobs in tables of a database, whichever it is.

    event loop ── await ──> one thread, which alone has the connection ──> database

A call is one task of that thread, so what one call reads or writes is whole, and calls are served in their order.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final, TypeVar

from pydantic import BaseModel
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from app.errors import ErrorBody, JobNotFound, KeyReused, RunNotFound
from app.jobs.database import JobDatabase
from app.jobs.job import JobFilter, JobSummary
from app.jobs.job_statements import (
    KNOWN,
    LAST_EVENT,
    OF_RUN,
    PAY,
    RECORDS,
    START,
    THIS,
    WRITE,
    filtered,
    reading,
)
from app.jobs.kinds import ADDONS, CHANGES, RUNS, JobKind, group_of
from app.jobs.quotas import check_quotas
from app.jobs.run import (
    UNFINISHED,
    AcceptanceRecord,
    Attempt,
    Dispute,
    Event,
    JobStatus,
    MatrixRow,
    ModelCall,
    Retrieved,
    Run,
    RunSummary,
    SecondReading,
)
from app.jobs.schema import SUMMARY, jobs, records, summary_fields
from app.jobs.sending import NOBODY, Sending, SentBefore
from app.jobs.storing import EventBatch, Occurrence, matrix_of, not_found, now, shorten, without_files
from app.jobs.unpictured import why_no_artifact

Answer = TypeVar("Answer")
Record = TypeVar("Record", bound=BaseModel)

ROWS_PER_ATTEMPT: Final = 100
OF_ATTEMPTS: Final = ("attempt", "row", "ended", "dispute", "reading")
"""The kinds of records that a run which begins anew makes again."""
FORMS: Final[dict[type[BaseModel], str]] = {
    Attempt: "attempt",
    MatrixRow: "row",
    ModelCall: "call",
    AcceptanceRecord: "accept",
    Dispute: "dispute",
    SecondReading: "reading",
    Event: "event",
}
"""The kinds of records that have a form. The others are texts: `result`, `trace`, `ended`."""


class JobStore:
    """The records of all jobs, in a database that only the thread of the store uses; databases differ in fragments.

    Each call reads or writes as a whole, in the order of the calls, and a write is on disk when it returns. A write is
    made even if its caller is cancelled while it waits. Reading raises JobNotFound, or RunNotFound.
    """

    INSERT: ClassVar[Callable[..., Any]]
    """Makes an INSERT of the database's own kind, which says what a conflict means."""

    def __init__(self, thread: ThreadPoolExecutor, database: JobDatabase) -> None:
        add, same = self.INSERT(records), [column.name for column in records.primary_key]
        self._add: Final = add.on_conflict_do_nothing()
        self._set: Final = add.on_conflict_do_update(index_elements=same, set_={"record": add.excluded.record})
        self._add_job: Final = self.INSERT(jobs).on_conflict_do_nothing(index_elements=["id"])
        self._begin: Final = START.where(jobs.c.finished_at.is_(None), self._own())
        self._still_own: Final = select(jobs.c.id).where(THIS, self._own())
        self._thread: Final = thread
        self._database: Final = database

    async def close(self) -> None:
        """Close the store; writes that were begun are finished."""
        await self._in_thread(self._database.close)
        self._thread.shutdown()

    async def _in_thread(self, task: Callable[[], Answer]) -> Answer:
        """Have a task done in the thread of the database, even if the waiting caller is cancelled."""
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, task))

    async def _do(self, task: Callable[[Connection], Answer]) -> Answer:
        return await self._in_thread(lambda: self._database.whole(task))

    async def _do_own(self, job_id: str, task: Callable[[Connection], object]) -> None:
        """Have a task done, unless another process works on the job now."""

        def own(db: Connection) -> None:
            if db.scalar(self._still_own, {"of": job_id}) is not None:
                task(db)

        await self._do(own)

    async def _write(self, job_id: str, **values: Any) -> None:
        await self._do(lambda db: db.execute(WRITE, {"of": job_id, **values}))

    def _of_here(self, repository: str, origin: str) -> ColumnElement[bool]:
        """The condition that a job is on a repository, and not in the hands of another service."""
        # A change of the command line may not say its origin.
        return (jobs.c.repository == repository) & (func.coalesce(jobs.c.origin, origin) == origin)

    def _own(self) -> ColumnElement[bool]:
        """The condition that no other process works on a job."""
        return literal(True)

    def _lock_caller(self, db: Connection, caller: str) -> None:
        """Make other processes wait if they add a job of the same caller."""

    def _added(self, db: Connection, job_id: str) -> None:
        """Announce in the transaction that there is another job to work on."""

    # --- the life of a job ---

    async def add(
        self,
        kind: JobKind,
        title: str,
        blender: str,
        request: dict[str, Any],
        sent: Sending = NOBODY,
        repository: tuple[str, str] | None = None,
    ) -> str:
        """Write a new queued job and answer its id; `repository` is the name and the origin of the one it works on.

        Raises SentBefore, KeyReused, QuotaSpent and ServiceBusy; the job is then not written.
        """
        job_id = f"{group_of(kind).letter}-{secrets.token_hex(8)}"
        name, origin = repository or (None, None)
        row = {
            "id": job_id,
            "kind": kind,
            "status": JobStatus.QUEUED,
            "stage": "queued",
            "blender": blender,
            "repository": name,
            "origin": origin,
            "caller": sent.caller,
            "key": sent.key,
            "digest": sent.digest,
        }

        def task(db: Connection) -> None:
            if sent.is_limited:
                self._lock_caller(db, sent.caller)
            if known := self._known(db, sent):
                raise SentBefore(known)
            check_quotas(db, sent, kind)
            # The files of a request may take a while to write as JSON.
            said = {"title": shorten(title), "request": json.dumps(request), "created_at": now()}
            db.execute(self._add_job, {**row, **said})
            if sent.trace:
                self._add_record(db, job_id, "trace", 1, sent.trace)
            self._added(db, job_id)

        await self._do(task)
        return job_id

    async def take_in(
        self, job: JobSummary, origin: str | None, request: str, result: str, events: Sequence[Event]
    ) -> None:
        """Write down a job that was kept elsewhere, unless it is there; with its request and result as JSON."""
        fields = job.model_dump(mode="json", exclude={"artifact", "branch", "error"})
        fields |= {"origin": origin, "artifact": job.branch}

        def task(db: Connection) -> None:
            if db.execute(self._add_job, {**fields, "request": request}).rowcount:
                self._add_record(db, job.id, "result", 1, result)
                for event in events:
                    self._add_record(db, job.id, "event", event.number, event.model_dump_json())

        await self._do(task)

    async def trace(self, job_id: str) -> str | None:
        """The `traceparent` of the request for it; None if that was not traced."""
        return next(iter(await self._do(lambda db: self._records(db, job_id, "trace"))), None)

    async def start(self, job_id: str) -> None:
        """Note that the job is being worked on from now."""
        given = {"of": job_id, "status": JobStatus.RUNNING, "moment": now()}
        await self._do(lambda db: db.execute(self._begin, given))

    async def finish(
        self,
        job_id: str,
        status: JobStatus,
        artifact: str | None = None,
        error: ErrorBody | None = None,
        events: Sequence[Occurrence] = (),
    ) -> None:
        """Write the ending of the job, and the events that say so; the first ending that is written stays.

        The files that the request brought are needed no more, and forgotten.
        """
        batch = EventBatch(events)

        def task(db: Connection) -> None:
            said = error.model_dump_json() if error else None
            ending = {"status": status, "finished_at": now(), "artifact": artifact, "error": said}
            self._finish(db, job_id, ending, batch, self._own())

        await self._do(task)

    async def wait_again(self, job_id: str) -> None:
        """Note that the job is not worked on any more, because the service stops in good order."""
        running = (jobs.c.id == job_id, jobs.c.status == JobStatus.RUNNING)
        await self._do(lambda db: db.execute(update(jobs).where(*running).values(status=JobStatus.QUEUED)))

    async def count_resume(self, job_id: str) -> int:
        """Note that the job is taken up again; answer the number of times so far."""
        counted = update(jobs).where(jobs.c.id == job_id).values(resumes=jobs.c.resumes + 1).returning(jobs.c.resumes)
        return int(await self._do(lambda db: db.execute(counted).scalar_one()))

    async def forget_failed(self, days: float) -> int:
        """Forget the jobs that ended more than `days` ago; answer their number. Proven runs and changes stay."""
        before = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
        # A change is kept as long as its repository, which has no name any more when it is removed.
        spent = or_(jobs.c.kind.not_in(CHANGES.kinds), jobs.c.repository == "")
        unproven = or_(jobs.c.status != JobStatus.PROVEN, jobs.c.kind.not_in(RUNS.kinds))
        old = (jobs.c.finished_at < before, unproven, spent)

        def task(db: Connection) -> int:
            gone = db.execute(delete(jobs).where(*old)).rowcount
            # The records of these jobs, and of those forgotten earlier.
            db.execute(delete(records).where(records.c.job.not_in(select(jobs.c.id))))
            return gone

        return await self._do(task)

    async def unfinished_of(self, repository: str, origin: str) -> list[str]:
        """Ids of the jobs of a repository that were queued or under way, without those of other services."""
        statement = select(jobs.c.id).where(jobs.c.finished_at.is_(None), self._of_here(repository, origin))
        return await self._do(lambda db: list(db.scalars(statement)))

    async def forget_of(self, repository: str, origin: str) -> None:
        """Forget what is known of the jobs of a repository that is removed; quotas still count them.

        Those of another service that runs and may have the repository too stay.
        """
        of_it = self._of_here(repository, origin)

        def task(db: Connection) -> None:
            kept = ("trace",)
            ids = select(jobs.c.id).where(of_it)
            db.execute(delete(records).where(records.c.job.in_(ids), records.c.kind.not_in(kept)))
            db.execute(update(jobs).where(of_it).values(repository="", title="", request="{}"))

        await self._do(task)

    # --- records of a job under way ---

    async def begin_stage(self, job_id: str, stage: str) -> None:
        """Write down the work that begins, and the event that says so."""
        events = EventBatch([("stage", {"stage": stage})])

        def task(db: Connection) -> None:
            db.execute(WRITE, {"of": job_id, "stage": shorten(stage)})
            self._add_events(db, job_id, events)

        await self._do_own(job_id, task)

    async def set_result(self, job_id: str, result: str) -> None:
        """Write down the result of a job that is no run, as JSON; another one takes its place."""
        await self._do_own(job_id, lambda db: self._set_record(db, job_id, "result", 1, result))

    async def result(self, job_id: str) -> str | None:
        """The result as it was written; None if there is none."""
        return next(iter(await self._do(lambda db: self._records(db, job_id, "result"))), None)

    async def set_retrieved(self, job_id: str, retrieved: list[Retrieved]) -> None:
        """Write down the symbols that were found for the request."""
        await self._write(job_id, retrieved=json.dumps([symbol.model_dump() for symbol in retrieved]))

    async def add_attempt(self, job_id: str, attempt: Attempt) -> None:
        """Write an attempt. If a resumed run makes it again, it takes the place of its earlier self."""
        said = attempt.model_dump_json
        await self._do_own(job_id, lambda db: self._set_record(db, job_id, "attempt", attempt.number, said()))

    async def forget_attempts(self, job_id: str) -> None:
        """Forget the attempts of a run that begins anew, and their rows of the matrix."""
        made = delete(records).where(records.c.job == job_id, records.c.kind.in_(OF_ATTEMPTS))
        await self._do_own(job_id, lambda db: db.execute(made))

    async def records(self, job_id: str, form: type[Record], after: int = 0) -> list[Record]:
        """The records of a job in this form, in order; only those with a number after that one."""
        said = await self._do(lambda db: self._records(db, job_id, FORMS[form], after))
        return [form.model_validate_json(record) for record in said]

    async def record(self, job_id: str, form: type[Record]) -> Record | None:
        """The first of them; None if there is none."""
        return next(iter(await self.records(job_id, form)), None)

    async def keep(self, job_id: str, record: BaseModel, number: int = 1) -> None:
        """Write down a record of a job; the first one of its form and number stays."""
        form, said = FORMS[type(record)], record.model_dump_json
        await self._do_own(job_id, lambda db: self._add_record(db, job_id, form, number, said()))

    async def add_call(self, job_id: str, call: ModelCall) -> None:
        """Add one question to a model with its answer."""

        def task(db: Connection) -> None:
            if self._add_record(db, job_id, "call", call.number, call.model_dump_json()):
                db.execute(PAY, {"of": job_id, "more": call.cost})

        await self._do(task)

    async def add_row(self, job_id: str, number: int, row: MatrixRow) -> None:
        """Write down the result of an attempt on one Blender, the `number`th of those of the run."""
        place = row.attempt * ROWS_PER_ATTEMPT + number
        await self.keep(job_id, row, place)

    async def set_ended_because(self, job_id: str, reason: str) -> None:
        """Write down the reason why no further attempt was made; the first reason stays."""
        await self._do_own(job_id, lambda db: self._add_record(db, job_id, "ended", 1, json.dumps(reason)))

    async def add_events(self, job_id: str, events: Sequence[Occurrence]) -> None:
        """Add several events at once, with the next numbers, so that they cost one write to the disk."""
        batch = EventBatch(events)
        await self._do(lambda db: self._add_events(db, job_id, batch))

    async def sent_before(self, sent: Sending) -> str | None:
        """The caller's earlier run of this request, with the same key; None if there is none. Raises KeyReused."""
        return await self._do(lambda db: self._known(db, sent)) if sent.key is not None else None

    # --- reading ---

    async def unfinished(self) -> list[str]:
        """Ids of the jobs that were queued or under way, oldest first."""
        statement = select(jobs.c.id).where(jobs.c.status.in_(UNFINISHED)).order_by(jobs.c.created_at, jobs.c.number)
        return await self._do(lambda db: list(db.scalars(statement)))

    async def request_text(self, job_id: str) -> str:
        """The request of a job as JSON, as it was written."""
        return str((await self._do(lambda db: self._row(db, job_id, jobs.c.request)))["request"])

    async def job(self, job_id: str) -> JobSummary:
        """A job of any kind."""
        return JobSummary(**summary_fields(await self._do(lambda db: self._row(db, job_id, *SUMMARY))))

    async def summary(self, job_id: str) -> RunSummary:
        """The run without its attempts."""
        return RunSummary(**await self._do(lambda db: self._run_fields(db, job_id)))

    async def run(self, job_id: str) -> Run:
        """The run with all that is known of it."""
        return await self._do(lambda db: self._run(db, job_id))

    async def page(
        self, wanted: JobFilter, limit: int, before: str | None = None
    ) -> tuple[list[JobSummary], str | None]:
        """The newest jobs first: at most `limit`, only older ones than the job `before`; and the id to go on from, if
        there are more.
        """
        # By the moment first, because a change of the command line is taken in later than it was made.
        order = tuple_(jobs.c.created_at, jobs.c.number)
        statement = filtered(wanted).order_by(jobs.c.created_at.desc(), jobs.c.number.desc()).limit(limit + 1)

        def task(db: Connection) -> tuple[list[JobSummary], str | None]:
            asked = statement
            if before is not None:
                row = self._row(db, before, jobs.c.created_at, jobs.c.number)
                asked = asked.where(order < tuple_(literal(row["created_at"]), literal(row["number"])))
            found = [JobSummary(**summary_fields(row)) for row in db.execute(asked).mappings()]
            return found[:limit], found[limit - 1].id if len(found) > limit else None

        return await self._do(task)

    async def ids(self) -> list[str]:
        """The ids of all jobs that may have pictures."""
        statement = select(jobs.c.id).where(jobs.c.kind.in_(RUNS.kinds + ADDONS.kinds)).order_by(jobs.c.number)
        return await self._do(lambda db: list(db.scalars(statement)))

    async def among(self, ids: Sequence[str], caller: str | None = None) -> list[RunSummary]:
        """The known runs among these, or those of one caller."""
        statement = filtered(JobFilter(kinds=RUNS.kinds, caller=caller)).where(jobs.c.id.in_(ids))
        rows = await self._do(lambda db: db.execute(statement).mappings().all())
        return [RunSummary(**summary_fields(row)) for row in rows]

    # --- parts of tasks, called in the thread of the database ---

    def _finish(
        self, db: Connection, job_id: str, ending: dict[str, Any], events: EventBatch, condition: ColumnElement[bool]
    ) -> bool:
        """Write an ending under a condition; answers whether it was written."""
        this = jobs.c.id == job_id, jobs.c.finished_at.is_(None), condition
        request = db.scalar(select(jobs.c.request).where(*this).with_for_update())
        if request is None:
            return False
        db.execute(WRITE, {"of": job_id, "request": without_files(request), **ending})
        self._add_events(db, job_id, events)
        return True

    def _known(self, db: Connection, sent: Sending) -> str | None:
        if sent.key is None:
            return None
        row = db.execute(KNOWN, {"caller": sent.caller, "key": sent.key}).mappings().first()
        if row and row["digest"] != sent.digest:
            raise KeyReused(f"header.idempotency-key: {sent.key!r} came before with another request, run {row['id']}.")
        return str(row["id"]) if row else None

    def _row(self, db: Connection, job_id: str, *columns: ColumnElement[Any]) -> RowMapping:
        # Postgres refuses to look for a NUL.
        row = None if "\0" in job_id else db.execute(reading(*columns), {"of": job_id}).mappings().first()
        if row is None:
            raise not_found(job_id)
        return row

    def _run_fields(self, db: Connection, job_id: str) -> dict[str, Any]:
        try:
            row = self._row(db, job_id, *SUMMARY, jobs.c.retrieved)
        except JobNotFound:
            row = None
        if row is None or row["kind"] not in RUNS.kinds:
            raise RunNotFound(f"There is no run {job_id}.")
        return {**summary_fields(row), "retrieved": json.loads(row["retrieved"])}

    def _run(self, db: Connection, job_id: str) -> Run:
        fields, said = self._run_fields(db, job_id), defaultdict[str, list[str]](list)
        for kind, record in db.execute(OF_RUN, {"of": job_id}):
            said[kind].append(record)

        def all_of(form: type[Record]) -> list[Record]:
            return [form.model_validate_json(record) for record in said[FORMS[form]]]

        attempts, accepts, disputes = all_of(Attempt), all_of(AcceptanceRecord), all_of(Dispute)
        readings = all_of(SecondReading)
        bare = fields["status"] == JobStatus.PROVEN and fields["artifact"] is None and attempts
        return Run(
            **fields,
            attempts=attempts,
            snippet=attempts[-1].snippet if attempts else None,
            matrix=matrix_of(attempts[-1], attempts, all_of(MatrixRow)) if attempts else [],
            accept=accepts[0] if accepts else None,
            second_reading=readings[0] if readings else None,
            model_calls=all_of(ModelCall),
            ended_because=json.loads(said["ended"][0]) if said["ended"] else None,
            dispute=disputes[0] if disputes and fields["status"] == JobStatus.DISPUTED else None,
            no_artifact_because=why_no_artifact(attempts[-1]) if bare else None,
        )

    def _records(self, db: Connection, job_id: str, kind: str, after: int = 0) -> list[str]:
        return list(db.scalars(RECORDS, {"of": job_id, "as": kind, "after": after}))

    def _add_record(self, db: Connection, job_id: str, kind: str, number: int, record: str) -> int:
        # Of what a job tells, nothing is changed afterwards.
        row = {"job": job_id, "kind": kind, "number": number, "record": record}
        return db.execute(self._add, row).rowcount

    def _set_record(self, db: Connection, job_id: str, kind: str, number: int, record: str) -> None:
        db.execute(self._set, {"job": job_id, "kind": kind, "number": number, "record": record})

    def _add_events(self, db: Connection, job_id: str, events: EventBatch) -> None:
        numbered = events.numbered((db.scalar(LAST_EVENT, {"of": job_id}) or 0) + 1)
        rows = [
            {"job": job_id, "kind": "event", "number": event.number, "record": event.model_dump_json()}
            for event in numbered
        ]
        if rows:
            db.execute(self._add, rows)
