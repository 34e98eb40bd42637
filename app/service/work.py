"""The runs that wait or are worked on, from their begin to the end that is written down.

queued ─> running ─┬─> proven | not_proven | disputed | refused     the run's own end
                   ├─> cancelled                         a caller's DELETE
                   ├─> failed                            a fault of ours
                   ├─> (service stopped) ─> waits for the next start
                   └─> (service killed)  ─> taken up alone at the next start, because it may be what killed it;
                                            interrupted if the service is killed again meanwhile

If several services share the runs, another one takes them up, and they are interrupted after more kills.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import structlog

from app.errors import BlendproofError, ErrorBody, RequestNotUnderstood, RunFailed, RunFinished, StorageFailed
from app.jobs.job_store import UNWRITABLE
from app.jobs.run import UNFINISHED, JobStatus, Run
from app.pipeline.context import RunContext
from app.pipeline.loop import RunLoop
from app.pipeline.state import Tools
from app.service.admission import Admission
from app.service.turns import Turns
from harness import tracing
from harness.folders import remove_tree
from harness.launcher import HarnessFault

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs

log = structlog.get_logger()

MAX_RESUMES: Final = 1
SHARED_RESUMES: Final = 10
"""The same if several processes work on the runs: one that dies mostly dies of something else than its runs."""
STORAGE_RETRY_S: Final = 5.0
FAULT_HINT: Final = "This is a fault of the service, met twice, and says nothing about the snippet; its log says more."


End = tuple[JobStatus, str | None, ErrorBody | None]
"""The last status of a run, its artifact, and its error."""

INTERRUPTED: Final[End] = (
    JobStatus.INTERRUPTED,
    None,
    ErrorBody(
        code="run_interrupted",
        message="The service was killed while it worked on this run, and again when it worked on this run alone.",
        hint="The log of the service says more. Send a smaller request.",
        details={},
    ),
)


class Work:
    """Takes runs to their ends, a limited number at a time; the others wait for a place.

    `stopping` is set when the service is about to stop. With a `shared` store a run is worked on when it is claimed,
    and otherwise when it is accepted.
    """

    def __init__(
        self,
        tools: Tools,
        loop: RunLoop,
        admission: Admission,
        stopping: asyncio.Event,
        shared: PostgresJobs | None = None,
    ) -> None:
        self._tools = tools
        self._loop = loop
        self._admission = admission
        self._shared = shared
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._callers: dict[str, str] = {}
        self._alone: set[str] = set()
        self._turns = Turns(tools.settings.parallel_runs)
        self._arriving: dict[asyncio.Task[Run], str] = {}
        self._cancelled: set[str] = set()
        self._ended: set[str] = set()
        self._stopping = stopping
        self._tell_end: Callable[[], None] = lambda: None
        self.working = 0
        self.queued = 0
        """Runs of a shared store that no process has claimed yet."""

    @property
    def unfinished(self) -> int:
        """The number of runs under way or waiting, those that are being written down too."""
        return len(self._tasks) + len(self._arriving)

    @property
    def waiting(self) -> int:
        """The number of runs that wait for a place."""
        return self.unfinished - self.working + self.queued

    @property
    def places(self) -> int:
        """The number of runs that are worked on at once."""
        return self._tools.settings.parallel_runs

    @property
    def most(self) -> int:
        """Most runs that may be under way or waiting."""
        return self.places + self._tools.settings.waiting_runs

    @property
    def full(self) -> bool:
        """True if one more run with the token of the service would be refused."""
        return self.queued >= self.most if self._shared else self.is_full_for("")

    def is_full_for(self, caller: str) -> bool:
        """True if one more run of this caller would be refused; a shared store says that itself."""
        if self._shared:
            return False
        return [*self._callers.values(), *self._arriving.values()].count(caller) >= self.most

    @property
    def has_place(self) -> bool:
        """True if one more run would be worked on at once."""
        return len(self._tasks) < self.places and not self._alone and not self._stopping.is_set()

    async def accept(self, written: Coroutine[Any, Any, Run], caller: str = "") -> Run:
        """Begin a run when it is written down; answers it as it is before that.

        What is written begins, also if the caller is cancelled.
        """
        arriving = asyncio.create_task(self._accept(written, caller))
        self._arriving[arriving] = caller
        return await asyncio.shield(arriving)

    async def _accept(self, written: Coroutine[Any, Any, Run], caller: str) -> Run:
        try:
            run = await written
            if not self._shared:
                self.begin(run.id, caller=caller)
            return run
        finally:
            # Not a moment later, so that it is never counted twice.
            task = asyncio.current_task()
            assert task
            self._arriving.pop(task, None)

    def begin(self, run_id: str, *, alone: bool = False, caller: str = "", anew: bool = False) -> None:
        """Work on a run that is written down, when there is a place: `alone` while nothing else is worked on, `anew` if
        what it had made is on another machine.
        """
        task = asyncio.create_task(self._work(run_id, alone, caller, anew), name=run_id)
        self._tasks[run_id] = task
        self._callers[run_id] = caller
        if alone:
            self._alone.add(run_id)
        task.add_done_callback(lambda _: self._is_over(run_id))

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
            status = await self._shared.ask_cancel(run_id)
            if status in UNFINISHED:
                return
        else:
            status = (await self._tools.runs.summary(run_id)).status
        how = ", which is being written down" if status in UNFINISHED else f": {status}"
        raise RunFinished(f"Run {run_id} has ended{how}.")

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

    def place(self, caller: str = "", *, alone: bool = False) -> AbstractAsyncContextManager[None]:
        """Wait for a place, and have it; `alone` for all places. Callers take turns."""
        return self._turns.place(caller, alone=alone)

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
        for kept in (self._tasks, self._callers):
            kept.pop(run_id, None)
        for noted in (self._ended, self._alone, self._cancelled):
            noted.discard(run_id)
        self._tell_end()

    async def _work(self, run_id: str, alone: bool, caller: str, anew: bool) -> None:
        with structlog.contextvars.bound_contextvars(run_id=run_id), contextlib.ExitStack() as traced:
            await self._work_to_end(run_id, alone, caller, anew, traced)

    async def _trace_of(self, run_id: str) -> str | None:
        """The trace that a run belongs to, if there is one; that it cannot be read is no reason to do nothing."""
        if tracing.is_on():
            with contextlib.suppress(*UNWRITABLE):
                return await self._tools.runs.trace(run_id)
        return None

    async def _work_to_end(
        self, run_id: str, alone: bool, caller: str, anew: bool, traced: contextlib.ExitStack
    ) -> None:
        most, span = SHARED_RESUMES if self._shared else MAX_RESUMES, tracing.UNTRACED
        try:
            parent = await self._trace_of(run_id)
            span = traced.enter_context(tracing.span("run", {"blendproof.run": run_id}, parent))
            async with self.place(caller, alone=alone), self._at_work():
                again = await self._tools.runs.count_resume(run_id) if alone else 0
                status, artifact, error = await self._take_through(run_id, anew) if again <= most else INTERRUPTED
            if status in (JobStatus.NOT_PROVEN, JobStatus.DISPUTED):
                await self._keep_picture(run_id)
        except asyncio.CancelledError:
            if run_id not in self._cancelled:
                raise
            self._cancelled.discard(run_id)
            task = asyncio.current_task()
            # Or, in Python 3.11.2, no `asyncio.timeout` in this task raises a TimeoutError any more.
            while task and task.uncancel():
                pass
            status, artifact, error = JobStatus.CANCELLED, None, None
        # From here on it has ended, and only the disk may keep that from being written.
        self._ended.add(run_id)
        await self._write_end(run_id, status, artifact, error)
        await self._count_end(run_id)
        await self._loop.forget(run_id)
        await asyncio.to_thread(remove_tree, self._tools.work_folder(run_id))
        span.note({"blendproof.status": status})

    async def _keep_picture(self, run_id: str) -> None:
        # One that cannot be kept is no reason not to say how the run ended.
        with contextlib.suppress(OSError, StorageFailed):
            work = self._tools.work_folder(run_id)
            await asyncio.to_thread(self._tools.pictures.keep_unproven, run_id, work)

    @contextlib.asynccontextmanager
    async def _at_work(self) -> AsyncGenerator[None, None]:
        self.working += 1
        try:
            yield
        finally:
            self.working -= 1

    async def _begin_anew(self, run_id: str) -> None:
        """Forget what another process made of a run: its pictures are not here. The answers of models stay."""
        await self._loop.forget(run_id)
        await self._tools.runs.forget_attempts(run_id)
        await asyncio.to_thread(remove_tree, self._tools.work_folder(run_id))

    async def _take_through(self, run_id: str, anew: bool) -> End:
        runs = self._tools.runs
        try:
            if anew:
                await self._begin_anew(run_id)
            await runs.start(run_id)
            summary = await runs.summary(run_id)
            self._admission.choose_blender(summary.blender)
            # A run that was accepted by an earlier start may be taken up by one that must not run it.
            self._admission.check_sandbox()
            end = await self._loop.run(await RunContext.read(self._tools, summary))
            attempts = await runs.attempts(run_id)
        except RequestNotUnderstood as refusal:
            return JobStatus.REFUSED, None, refusal.body()
        except BlendproofError as error:
            return JobStatus.FAILED, None, error.body()
        except HarnessFault as fault:
            log.error("run ended by a fault of the harness", problem=str(fault))
            return JobStatus.FAILED, None, RunFailed(f"The snippet could not be judged: {fault}", FAULT_HINT).body()
        except Exception as error:
            log.exception("run failed")
            # If a file could not be used, its path is the operator's business and stands in the log.
            said = error.strerror if isinstance(error, OSError) else str(error)
            return JobStatus.FAILED, None, RunFailed(f"{type(error).__name__}: {said}").body()
        if attempts and attempts[-1].verdict.passed:
            return JobStatus.PROVEN, end["artifact"], None
        return JobStatus.DISPUTED if await runs.dispute(run_id) else JobStatus.NOT_PROVEN, end["artifact"], None

    async def _write_end(self, run_id: str, status: JobStatus, artifact: str | None, error: ErrorBody | None) -> None:
        """Write how the run ended; a full disk is waited for, since a run must not stay under way for ever.

        Raises CancelledError if it is still full when the service stops.
        """
        while True:
            try:
                await self._tools.progress.end(run_id, status, artifact, error)
                return
            except UNWRITABLE as failure:
                log.error("end of run not written", problem=str(failure))
            if self._stopping.is_set():
                raise asyncio.CancelledError
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STORAGE_RETRY_S):
                    await self._stopping.wait()

    async def _count_end(self, run_id: str) -> None:
        run = await self._tools.runs.summary(run_id)
        end = run.finished_at or run.created_at
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(run.created_at)).total_seconds()
        self._tools.metrics.run_ended(run.kind, run.status, run.blender, seconds)
        log.info("run ended", status=run.status, seconds=round(seconds, 3))
