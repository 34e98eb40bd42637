"""The runs that wait or are worked on, from their begin to the end that is written down.

queued ─> running ─┬─> proven | not_proven | disputed | refused     the run's own end
                   ├─> cancelled                         a caller's DELETE
                   ├─> failed                            a fault of ours
                   ├─> (service stopped) ─> waits for the next start
                   └─> (service killed)  ─> taken up alone at the next start, because it may be what killed it;
                                            interrupted if the service is killed again meanwhile
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncGenerator, Coroutine
from datetime import datetime
from typing import Any, Final

import structlog

from app.errors import BlendproofError, ErrorBody, RequestNotUnderstood, RunFailed, RunFinished
from app.pipeline.context import RunContext
from app.pipeline.loop import Loop
from app.pipeline.state import Tools
from app.runs.run import UNFINISHED, Run, RunStatus
from app.service.admission import Admission
from harness.folders import remove_tree
from harness.launcher import HarnessFault

log = structlog.get_logger()

MAX_RESUMES: Final = 1
STORAGE_RETRY_S: Final = 5.0
FAULT_HINT: Final = "This is a fault of the service, met twice, and says nothing about the snippet; its log says more."


End = tuple[RunStatus, str | None, ErrorBody | None]
"""How a run ended, its artifact, and its error."""

INTERRUPTED: Final[End] = (
    RunStatus.INTERRUPTED,
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

    `stopping` is set when the service is about to stop.
    """

    def __init__(self, tools: Tools, loop: Loop, admission: Admission, stopping: asyncio.Event) -> None:
        self._tools = tools
        self._loop = loop
        self._admission = admission
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(tools.settings.parallel_runs)
        self._turn = asyncio.Lock()
        self._arriving: set[asyncio.Task[Run]] = set()
        self._cancelled: set[str] = set()
        self._ended: set[str] = set()
        self._stopping = stopping
        self.working = 0

    @property
    def unfinished(self) -> int:
        """How many runs are under way or waiting, those that are being written down too."""
        return len(self._tasks) + len(self._arriving)

    @property
    def waiting(self) -> int:
        """How many runs wait for a place."""
        return self.unfinished - self.working

    @property
    def most(self) -> int:
        """How many runs may be under way or waiting."""
        return self._tools.settings.parallel_runs + self._tools.settings.waiting_runs

    @property
    def full(self) -> bool:
        """Whether one more run would be refused."""
        return self.unfinished >= self.most

    async def accept(self, written: Coroutine[Any, Any, Run]) -> Run:
        """Begin a run when it is written down; answers it as it is before that.

        What is written begins, also if the caller is cancelled.
        """
        arriving = asyncio.create_task(self._accept(written))
        self._arriving.add(arriving)
        return await asyncio.shield(arriving)

    async def _accept(self, written: Coroutine[Any, Any, Run]) -> Run:
        try:
            run = await written
            self.begin(run.id)
            return run
        finally:
            # Not a moment later, so that it is never counted twice.
            task = asyncio.current_task()
            assert task
            self._arriving.discard(task)

    def begin(self, run_id: str, *, alone: bool = False) -> None:
        """Work on a run that is written down, when there is a place; `alone` while nothing else is worked on."""
        task = asyncio.create_task(self._work(run_id, alone), name=run_id)
        self._tasks[run_id] = task
        task.add_done_callback(lambda _: self._let_go(run_id))

    def task_of(self, run_id: str) -> asyncio.Task[None] | None:
        """The work on a run; None if there is none."""
        return self._tasks.get(run_id)

    async def cancel(self, run_id: str) -> None:
        """Have a run end now, as cancelled; raises RunFinished or RunNotFound."""
        if self._arriving:
            # It may be one of these.
            await asyncio.wait(self._arriving)
        task = self._tasks.get(run_id)
        if task is None or run_id in self._ended:
            status = (await self._tools.runs.summary(run_id)).status
            how = ", which is being written down" if status in UNFINISHED else f": {status}"
            raise RunFinished(f"Run {run_id} has ended{how}.")
        self._cancelled.add(run_id)
        task.cancel()

    @contextlib.asynccontextmanager
    async def place(self, *, alone: bool = False) -> AsyncGenerator[None, None]:
        """Wait for a place, and have it; `alone` for all places. Who came first is first."""
        async with contextlib.AsyncExitStack() as held:
            async with self._turn:
                for _ in range(self._tools.settings.parallel_runs if alone else 1):
                    await held.enter_async_context(self._places)
                if alone:
                    yield
                    return
            yield

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
            except sqlite3.OperationalError as failure:
                # It is taken up all the same, but counts as one that the service ended on.
                log.error("run not written as waiting", run=run_id, problem=str(failure))

    def _let_go(self, run_id: str) -> None:
        self._tasks.pop(run_id, None)
        self._ended.discard(run_id)

    async def _work(self, run_id: str, alone: bool) -> None:
        with structlog.contextvars.bound_contextvars(run_id=run_id):
            try:
                async with self.place(alone=alone), self._at_work():
                    again = await self._tools.runs.count_resume(run_id) if alone else 0
                    status, artifact, error = await self._take_through(run_id) if again <= MAX_RESUMES else INTERRUPTED
                if status in (RunStatus.NOT_PROVEN, RunStatus.DISPUTED):
                    await self._keep_picture(run_id)
            except asyncio.CancelledError:
                if run_id not in self._cancelled:
                    raise
                self._cancelled.discard(run_id)
                status, artifact, error = RunStatus.CANCELLED, None, None
            # From here on it has ended, and only the disk may keep that from being written.
            self._ended.add(run_id)
            await self._write_end(run_id, status, artifact, error)
            await self._count_end(run_id)
            await self._loop.forget(run_id)
            await asyncio.to_thread(remove_tree, self._tools.work_folder(run_id))

    async def _keep_picture(self, run_id: str) -> None:
        # One that cannot be kept is no reason not to say how the run ended.
        with contextlib.suppress(OSError):
            work = self._tools.work_folder(run_id)
            await asyncio.to_thread(self._tools.pictures.keep_unproven, run_id, work)

    @contextlib.asynccontextmanager
    async def _at_work(self) -> AsyncGenerator[None, None]:
        self.working += 1
        try:
            yield
        finally:
            self.working -= 1

    async def _take_through(self, run_id: str) -> End:
        runs = self._tools.runs
        try:
            await runs.start(run_id)
            summary = await runs.summary(run_id)
            self._admission.choose_blender(summary.blender)
            # A run that was accepted by an earlier start may be taken up by one that must not run it.
            self._admission.check_sandbox()
            end = await self._loop.run(await RunContext.read(self._tools, summary))
            attempts = await runs.attempts(run_id)
        except RequestNotUnderstood as refusal:
            return RunStatus.REFUSED, None, refusal.body()
        except BlendproofError as error:
            return RunStatus.FAILED, None, error.body()
        except HarnessFault as fault:
            log.error("run ended by a fault of the harness", problem=str(fault))
            return RunStatus.FAILED, None, RunFailed(f"The snippet could not be judged: {fault}", FAULT_HINT).body()
        except Exception as error:
            log.exception("run failed")
            # If a file could not be used, its path is the operator's business and stands in the log.
            said = error.strerror if isinstance(error, OSError) else str(error)
            return RunStatus.FAILED, None, RunFailed(f"{type(error).__name__}: {said}").body()
        if attempts and attempts[-1].verdict.passed:
            return RunStatus.PROVEN, end["artifact"], None
        return RunStatus.DISPUTED if await runs.dispute(run_id) else RunStatus.NOT_PROVEN, end["artifact"], None

    async def _write_end(self, run_id: str, status: RunStatus, artifact: str | None, error: ErrorBody | None) -> None:
        """Write how the run ended; a full disk is waited for, since a run must not stay under way for ever.

        Raises CancelledError if it is still full when the service stops.
        """
        while True:
            try:
                await self._tools.progress.end(run_id, status, artifact, error)
                return
            except sqlite3.OperationalError as failure:
                log.error("end of run not written", problem=str(failure))
            if self._stopping.is_set():
                raise asyncio.CancelledError
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), STORAGE_RETRY_S)

    async def _count_end(self, run_id: str) -> None:
        run = await self._tools.runs.summary(run_id)
        end = run.finished_at or run.created_at
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(run.created_at)).total_seconds()
        self._tools.metrics.run_ended(run.kind, run.status, run.blender, seconds)
        log.info("run ended", status=run.status, seconds=round(seconds, 3))
