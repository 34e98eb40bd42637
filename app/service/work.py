"""The jobs that wait or are worked on, from their begin to the end that is written down.

queued ─> running ─┬─> proven | not_proven | disputed | refused | accepted | proposal | answered ...   its own end
                   ├─> cancelled                         a caller's DELETE
                   ├─> failed                            a fault of ours
                   ├─> (service stopped) ─> waits for the next start
                   └─> (service killed)  ─> taken up alone at the next start, because it may be what killed it;
                                            interrupted if the service is killed again meanwhile

If several services share the jobs, another one takes them up, and they are interrupted after more kills. A question is
not taken up: nobody waits for its answer any more.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from app.errors import ErrorBody, RunFailed, RunFinished, ServiceBusy
from app.jobs.job import JobSummary
from app.jobs.kinds import GROUPS, RUNS, JobGroup, JobKind, group_of
from app.jobs.run import UNFINISHED, JobStatus
from app.jobs.sending import Sending
from app.jobs.storing import UNWRITABLE
from app.pipeline.state import Tools
from app.service.turns import Turns
from app.service.ways import STORAGE_RETRY_S, End, JobWay, failing
from harness import tracing

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs

log = structlog.get_logger()

Answer = TypeVar("Answer")

MAX_RESUMES: Final = 1
SHARED_RESUMES: Final = 10
"""The same if several processes work on the jobs: one that dies mostly dies of something else than its jobs."""

INTERRUPTED: Final[End] = (
    JobStatus.INTERRUPTED,
    None,
    ErrorBody(
        code="job_interrupted",
        message="The service was killed while it worked on this job, and again when it worked on this job alone.",
        hint="The log of the service says more. Send a smaller request.",
        details={},
    ),
)
NOT_ASKED_AGAIN: Final[End] = (
    JobStatus.INTERRUPTED,
    None,
    ErrorBody(
        code="job_interrupted",
        message="The service ended while it worked on this question.",
        hint="Ask again.",
        details={},
    ),
)


class Work:
    """Takes jobs to their ends, of each group a limited number at a time; the others wait for a place.

    `stopping` is set when the service is about to stop. With a `shared` store a job is worked on when it is claimed,
    and otherwise when it is accepted.
    """

    def __init__(
        self,
        tools: Tools,
        ways: Mapping[str, JobWay],
        stopping: asyncio.Event,
        shared: PostgresJobs | None = None,
    ) -> None:
        self._tools = tools
        self._ways = ways
        self._shared = shared
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._jobs: dict[str, JobSummary] = {}
        self._alone: set[str] = set()
        self._turns = {group.name: Turns(self.places(group)) for group in GROUPS}
        self._arriving: dict[asyncio.Task[JobSummary], tuple[JobGroup, str]] = {}
        self._cancelled: set[str] = set()
        self._ended: set[str] = set()
        self._stopping = stopping
        self._tell_end: Callable[[], None] = lambda: None
        self._working: dict[str, int] = {group.name: 0 for group in GROUPS}
        self.queued: Mapping[str, int] = {}
        """Jobs of a shared store that no process has claimed yet, by kind."""

    def unfinished(self, group: JobGroup = RUNS) -> int:
        """The number of jobs under way or waiting, those that are being written down too."""
        return len(self._callers_of(group))

    def unfinished_of(self, caller: str, group: JobGroup = RUNS) -> int:
        """The number of those of one caller."""
        return self._callers_of(group).count(caller)

    def _callers_of(self, group: JobGroup) -> list[str]:
        """The caller of each of them."""
        there = [job.caller for job in self._jobs.values() if job.kind in group.kinds]
        return there + [caller for of, caller in self._arriving.values() if of == group]

    def working(self, group: JobGroup = RUNS) -> int:
        """The number of jobs that are worked on."""
        return self._working[group.name]

    def waiting(self, group: JobGroup = RUNS) -> int:
        """The number of jobs that wait for a place."""
        return self.unfinished(group) - self.working(group) + self._queued(group)

    def _queued(self, group: JobGroup) -> int:
        return sum(many for kind, many in self.queued.items() if kind in group.kinds)

    def places(self, group: JobGroup = RUNS) -> int:
        """The number of jobs that are worked on at once."""
        return self._tools.settings.parallel_runs if group.places is None else group.places

    def most(self, group: JobGroup = RUNS) -> int:
        """Most jobs that may be under way or waiting."""
        return self.places(group) + (self._tools.settings.waiting_runs if group.waiting is None else group.waiting)

    @property
    def full(self) -> bool:
        """True if one more run with the token of the service would be refused."""
        return self._queued(RUNS) >= self.most() if self._shared else self.is_full_for("")

    def is_full_for(self, caller: str, group: JobGroup = RUNS) -> bool:
        """True if one more job of this caller would be refused; a shared store says that itself."""
        return not self._shared and self.unfinished_of(caller, group) >= self.most(group)

    def has_place(self, group: JobGroup) -> bool:
        """True if one more job would be worked on at once."""
        there = [job.id for job in self._jobs.values() if job.kind in group.kinds]
        return len(there) < self.places(group) and not self._alone & set(there) and not self._stopping.is_set()

    async def take(
        self,
        kind: JobKind,
        title: str,
        blender: str,
        request: dict[str, Any],
        sent: Sending,
        repository: tuple[str, str] | None = None,
    ) -> JobSummary:
        """Write down a job, answer it as it is written, and begin it, also if the caller is cancelled.

        Raises SentBefore, KeyReused, QuotaSpent and ServiceBusy; the job is then not written.
        """
        group = group_of(kind)
        if self.is_full_for(sent.caller, group):
            raise ServiceBusy(f"{self.unfinished(group)} {group.name} are under way or waiting.")
        written = self._tools.runs.add(kind, title, blender, request, sent, repository)

        async def accept() -> JobSummary:
            try:
                job = await self._tools.runs.job(await written)
                if not self._shared:
                    self.begin(job)
                return job
            finally:
                # Not a moment later, so that it is never counted twice.
                self._arriving.pop(arriving, None)

        arriving = asyncio.create_task(accept())
        self._arriving[arriving] = group, sent.caller
        return await asyncio.shield(arriving)

    def begin(self, job: JobSummary, *, alone: bool = False, anew: bool = False, again: bool = False) -> None:
        """Work on a job that is written down, when there is a place: `alone` while nothing else of its group is worked
        on, `anew` if what it had made is on another machine, `again` if it is taken up after the end of a service.
        Nothing happens if it is worked on, or has ended.
        """
        if job.id in self._tasks or job.status not in UNFINISHED:
            return
        task = asyncio.create_task(self._work(job, alone, anew, again), name=job.id)
        self._tasks[job.id] = task
        self._jobs[job.id] = job
        if alone:
            self._alone.add(job.id)
        task.add_done_callback(lambda _: self._is_over(job.id))

    def on_end(self, tell: Callable[[], None]) -> None:
        """Have this called whenever the work on a run is over."""
        self._tell_end = tell

    def task_of(self, run_id: str) -> asyncio.Task[None] | None:
        """The work on a run; None if there is none."""
        return self._tasks.get(run_id)

    async def cancel(self, run_id: str) -> None:
        """Have a run end now, as cancelled; raises RunFinished or RunNotFound."""
        if self._arriving:
            # It may be one of these.
            await asyncio.wait(list(self._arriving))
        if self.cancel_here(run_id):
            return
        if self._shared and run_id not in self._tasks:
            status, ended_now = await self._shared.ask_cancel(run_id)
            if ended_now:
                await self._after_end(await self._tools.runs.job(run_id))
            if status in UNFINISHED:
                return
        else:
            status = (await self._tools.runs.job(run_id)).status
        how = ", which is being written down" if status in UNFINISHED else f": {status}"
        is_run = run_id.startswith(RUNS.letter)
        hint = None if is_run else "GET /jobs/{id} shows how it ended."
        raise RunFinished(f"{'Run' if is_run else 'Job'} {run_id} has ended{how}.", hint)

    def cancel_here(self, run_id: str) -> bool:
        """Have a run end now, as cancelled, if this process works on it; answers whether it does."""
        task = self._tasks.get(run_id)
        if task is None or run_id in self._ended:
            return False
        if run_id not in self._cancelled:
            self._cancelled.add(run_id)
            task.cancel()
        return True

    @property
    def held(self) -> set[str]:
        """The runs that this process works on, those too whose end is being written. Any thread may ask."""
        return set(self._tasks.copy())

    def let_go(self, ids: Collection[str]) -> None:
        """Stop working on these runs, which another process may work on now."""
        for run_id in self.held & set(ids) - self._ended:
            log.error("run lost to another process", run_id=run_id)
            self._tasks[run_id].cancel()

    def place(
        self, caller: str = "", *, alone: bool = False, group: JobGroup = RUNS
    ) -> AbstractAsyncContextManager[None]:
        """Wait for a place, and have it; `alone` for all places. Callers take turns."""
        return self._turns[group.name].place(caller, alone=alone)

    async def ended(self, job_id: str) -> None:
        """Wait until this process does not work on a job any more, or the service stops."""
        if task := self.task_of(job_id):
            stopping = asyncio.create_task(self._stopping.wait())
            await asyncio.wait([task, stopping], return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()

    async def stop(self) -> None:
        """Leave every run as it is, to be taken up at the next start; what has ended is written down first."""
        await asyncio.gather(*self._arriving, return_exceptions=True)
        tasks = dict(self._tasks)
        for run_id, task in tasks.items():
            if run_id not in self._ended:
                task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        for run_id in tasks:
            try:
                await self._tools.runs.wait_again(run_id)
            except UNWRITABLE as failure:
                # It is taken up all the same, but counts as one that the service ended on.
                log.error("run not written as waiting", run=run_id, problem=str(failure))

    def _is_over(self, run_id: str) -> None:
        self._tasks.pop(run_id, None)
        self._jobs.pop(run_id, None)
        for noted in (self._ended, self._alone, self._cancelled):
            noted.discard(run_id)
        self._tell_end()

    async def _work(self, job: JobSummary, alone: bool, anew: bool, again: bool) -> None:
        with structlog.contextvars.bound_contextvars(run_id=job.id), contextlib.ExitStack() as traced:
            await self._work_to_end(job, alone, anew, again, traced)

    async def _trace_of(self, run_id: str) -> str | None:
        """The trace that a job belongs to, if there is one; that it cannot be read is no reason to do nothing."""
        if tracing.is_on():
            with contextlib.suppress(*UNWRITABLE):
                return await self._tools.runs.trace(run_id)
        return None

    async def _work_to_end(
        self, job: JobSummary, alone: bool, anew: bool, again: bool, traced: contextlib.ExitStack
    ) -> None:
        group, span = group_of(job.kind), tracing.UNTRACED
        way = self._ways[group.name]
        try:
            parent = await self._trace_of(job.id)
            facts = {"blendproof.run": job.id, "blendproof.kind": job.kind}
            span = traced.enter_context(tracing.span("run", facts, parent))
            if again and not group.resumes:
                status, artifact, error = NOT_ASKED_AGAIN
            else:
                async with self.place(job.caller, alone=alone, group=group), self._at_work(group):
                    status, artifact, error = await self._take_through(job, way, alone, anew)
                await way.keep(job.id, status)
        except asyncio.CancelledError:
            if job.id not in self._cancelled:
                raise
            self._cancelled.discard(job.id)
            task = asyncio.current_task()
            # Or, in Python 3.11.2, no `asyncio.timeout` in this task raises a TimeoutError any more.
            while task and task.uncancel():
                pass
            status, artifact, error = JobStatus.CANCELLED, None, None
        # From here on it has ended, and only the disk may keep that from being written.
        self._ended.add(job.id)
        await self._write_end(job.id, status, artifact, error)
        await self._after_end(job)
        span.note({"blendproof.status": status})

    @contextlib.asynccontextmanager
    async def _at_work(self, group: JobGroup) -> AsyncGenerator[None, None]:
        self._working[group.name] += 1
        try:
            yield
        finally:
            self._working[group.name] -= 1

    async def _take_through(self, job: JobSummary, way: JobWay, alone: bool, anew: bool) -> End:
        most = SHARED_RESUMES if self._shared else MAX_RESUMES
        if alone and await self._written(lambda: self._tools.runs.count_resume(job.id)) > most:
            return INTERRUPTED

        async def take() -> End:
            await self._tools.runs.start(job.id)
            return await way.take_through(job, anew)

        return await failing(take)

    async def _write_end(self, run_id: str, status: JobStatus, artifact: str | None, error: ErrorBody | None) -> None:
        """Write how the job ended, or that this end cannot be written: a job must not stay under way for ever."""
        end = self._tools.progress.end
        try:
            await self._written(lambda: end(run_id, status, artifact, error))
        except Exception as fault:
            log.exception("end of run cannot be written")
            said = RunFailed(f"The end of the job cannot be written: {type(fault).__name__}.").body()
            await self._written(lambda: end(run_id, JobStatus.FAILED, None, said))

    async def _written(self, write: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of what writes; a full disk is waited for.

        Raises CancelledError if it is still full when the service stops.
        """
        while True:
            try:
                return await write()
            except UNWRITABLE as failure:
                log.error("not written", problem=str(failure))
            if self._stopping.is_set():
                raise asyncio.CancelledError
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STORAGE_RETRY_S):
                    await self._stopping.wait()

    async def _after_end(self, job: JobSummary) -> None:
        await self._count_end(job.id)
        await self._ways[group_of(job.kind).name].forget(job.id)

    async def _count_end(self, run_id: str) -> None:
        job = await self._tools.runs.job(run_id)
        end = job.finished_at or job.created_at
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(job.created_at)).total_seconds()
        self._tools.metrics.job_ended(job.kind, job.status, job.blender, seconds)
        log.info("job ended", kind=job.kind, status=job.status, seconds=round(seconds, 3))
