"""The records of jobs. All that a caller has heard of a job is on disk, so none is lost to a crash."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, Protocol

from app.errors import ErrorBody, StorageFailed
from app.jobs.job import JobFilter, JobSummary
from app.jobs.kinds import JobKind
from app.jobs.run import (
    AcceptanceRecord,
    Attempt,
    Dispute,
    Event,
    EventKind,
    JobStatus,
    MatrixRow,
    ModelCall,
    Retrieved,
    Run,
    RunSummary,
)
from app.jobs.sending import NOBODY, Sending

Occurrence = tuple[EventKind, dict[str, Any]]
"""The kind of an event, and its facts."""


JOURNAL_BYTES: Final = 8 << 20
"""The most that the journal of an SQLite file keeps."""
UNWRITABLE: Final = (sqlite3.OperationalError, StorageFailed)
"""The errors of a store that cannot be written for now: its disk is full, or its server is away."""


class JobStore(Protocol):
    """The records of all jobs.

    Each call reads or writes as a whole, in the order of the calls, and a write is on disk when it returns. A write is
    made even if its caller is cancelled while it waits. Reading raises JobNotFound, or
    RunNotFound.
    """

    async def close(self) -> None:
        """Close the store; writes that were begun are finished."""
        ...

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
        ...

    async def take_in(
        self, job: JobSummary, origin: str | None, request: str, result: str, events: Sequence[Event]
    ) -> None:
        """Write down a job that was kept elsewhere, unless it is there; with its request and result as JSON."""
        ...

    async def sent_before(self, sent: Sending) -> str | None:
        """The caller's earlier run of this request, with the same key; None if there is none. Raises KeyReused."""
        ...

    async def trace(self, job_id: str) -> str | None:
        """The `traceparent` of the request for it; None if that was not traced."""
        ...

    async def start(self, job_id: str) -> None:
        """Note that the job is being worked on from now."""
        ...

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
        ...

    async def wait_again(self, job_id: str) -> None:
        """Note that the job is not worked on any more, because the service stops in good order."""
        ...

    async def count_resume(self, job_id: str) -> int:
        """Note that the job is taken up again; answer the number of times so far."""
        ...

    async def begin_stage(self, job_id: str, stage: str) -> None:
        """Write down the work that begins, and the event that says so."""
        ...

    async def set_result(self, job_id: str, result: str) -> None:
        """Write down the result of a job that is no run, as JSON; another one takes its place."""
        ...

    async def result(self, job_id: str) -> str | None:
        """The result as it was written; None if there is none."""
        ...

    async def set_retrieved(self, job_id: str, retrieved: list[Retrieved]) -> None:
        """Write down the symbols that were found for the request."""
        ...

    async def add_attempt(self, job_id: str, attempt: Attempt) -> None:
        """Write an attempt. If a resumed run makes it again, it takes the place of its earlier self."""
        ...

    async def forget_attempts(self, job_id: str) -> None:
        """Forget the attempts of a run that begins anew, and their rows of the matrix."""
        ...

    async def attempts(self, job_id: str) -> list[Attempt]:
        """The attempts so far, in order."""
        ...

    async def add_call(self, job_id: str, call: ModelCall) -> None:
        """Add one question to a model with its answer."""
        ...

    async def calls(self, job_id: str) -> list[ModelCall]:
        """The questions to models so far, in order."""
        ...

    async def set_accept(self, job_id: str, accept: AcceptanceRecord) -> None:
        """Write down the acceptance checks of a run; the first that are written stay."""
        ...

    async def accept(self, job_id: str) -> AcceptanceRecord | None:
        """The acceptance checks of a run, or None if none were written down."""
        ...

    async def add_row(self, job_id: str, number: int, row: MatrixRow) -> None:
        """Write down the result of an attempt on one Blender, the `number`th of those of the run."""
        ...

    async def rows(self, job_id: str) -> list[MatrixRow]:
        """The results of attempts on each Blender, in the order of attempts and Blenders."""
        ...

    async def set_ended_because(self, job_id: str, reason: str) -> None:
        """Write down the reason why no further attempt was made; the first reason stays."""
        ...

    async def set_dispute(self, job_id: str, dispute: Dispute) -> None:
        """Write down a model's view that nothing is wrong with an attempt; the first view stays."""
        ...

    async def dispute(self, job_id: str) -> Dispute | None:
        """The dispute about an attempt; None if there is none."""
        ...

    async def add_events(self, job_id: str, events: Sequence[Occurrence]) -> None:
        """Add several events at once, with the next numbers, so that they cost one write to the disk."""
        ...

    async def events(self, job_id: str, after: int = 0) -> list[Event]:
        """The events of a job after that number."""
        ...

    async def unfinished(self) -> list[str]:
        """Ids of the jobs that were queued or under way, oldest first."""
        ...

    async def request_text(self, job_id: str) -> str:
        """The request of a job as JSON, as it was written."""
        ...

    async def job(self, job_id: str) -> JobSummary:
        """A job of any kind."""
        ...

    async def summary(self, job_id: str) -> RunSummary:
        """The run without its attempts."""
        ...

    async def run(self, job_id: str) -> Run:
        """The run with all that is known of it."""
        ...

    async def page(self, wanted: JobFilter, limit: int, before: str | None = None) -> list[JobSummary]:
        """The newest jobs first: at most `limit`, only older ones than the job `before`."""
        ...

    async def ids(self) -> list[str]:
        """The ids of all runs."""
        ...

    async def among(self, ids: Sequence[str], caller: str | None = None) -> list[RunSummary]:
        """The known runs among these, or those of one caller."""
        ...

    async def forget_failed(self, days: float) -> int:
        """Forget the jobs that ended more than `days` ago; answer their number. Proven runs and changes stay."""
        ...

    async def forget_of(self, repository: str) -> None:
        """Forget what is known of the jobs of a repository that is removed; quotas still count them."""
        ...


def matrix_of(attempt: Attempt, attempts: Sequence[Attempt], rows: Sequence[MatrixRow]) -> list[MatrixRow]:
    """The rows of an attempt; an attempt that returns to an earlier one has the rows of that one."""
    same = {earlier.number for earlier in attempts if earlier.snippet == attempt.snippet}
    first = min((row.attempt for row in rows if row.attempt in same), default=None)
    return [row for row in rows if row.attempt == first]
