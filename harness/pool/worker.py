"""One warm Blender process, in a keeper of its own (`warm_keeper.py`).

    starting ── it says that it is warm ──> idle ── a job is handed in ──> busy
       │                                    │  ^                            │
       │                                    │  └─────── the job ended ──────┤
       │ it died, or took too long          │ it died, or is spent          │ it died, does not answer, or what
       v                                    v                               v the job left cannot be taken away
     ended <────────────────────────────────┴───────────────────────────────┘

It is spent after JOBS_LIMIT jobs, after a job that crashed, because all its children have one layout of memory, and,
if it cannot be forked, after its one job. Nothing leads back from `ended`: the pool sees that nothing is left of it
and starts another.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import enum
import json
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from harness.launcher import (
    DRAIN_GRACE_S,
    KILL_GRACE_S,
    LOG_KEPT_BYTES,
    ORDER_GRACE_S,
    HarnessFault,
    ProcessEnd,
    ProcessLimits,
    ProcessLines,
    Stream,
    Transcript,
    printable,
    start_program,
)
from harness.pool.warm_keeper import MESSAGE_LIMIT_BYTES
from harness.sandbox.keeper import KeeperEnd, WarmJob, WarmSpec, descendants, kill_all

WARM_KEEPER: Final = Path(__file__).with_name("warm_keeper.py")
START_LIMIT_S: Final = 60.0
JOBS_LIMIT: Final = 200

Listen = Callable[[Callable[[], None]], contextlib.AbstractAsyncContextManager[Transcript]]


class WorkerState(enum.StrEnum):
    """The state of a worker."""

    STARTING = "starting"
    IDLE = "idle"
    BUSY = "busy"
    ENDED = "ended"


NEXT: Final = {
    WorkerState.STARTING: {WorkerState.IDLE, WorkerState.ENDED},
    WorkerState.IDLE: {WorkerState.BUSY, WorkerState.ENDED},
    WorkerState.BUSY: {WorkerState.IDLE, WorkerState.ENDED},
    WorkerState.ENDED: set[WorkerState](),
}


class Worker:
    """One warm Blender. `start` it, have it `do` jobs while it is idle, and `end` it in any case.

    `on_death` is called when it ends by itself, at any time.
    """

    def __init__(self, forks: bool, on_death: Callable[[], None]) -> None:
        self.forks = forks
        self.state = WorkerState.STARTING
        self.jobs = 0
        self.threads = 0
        self.memory_bytes = 0
        self.spent = False
        self._clean = True
        self._on_death = on_death
        self._messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._log = Stream(LOG_KEPT_BYTES)
        self._tasks: list[asyncio.Task[None]] = []
        self._keeper: asyncio.subprocess.Process | None = None
        self._line: socket.socket | None = None

    def become(self, state: WorkerState) -> None:
        """Go to another state; the drawing above is the law."""
        if state not in NEXT[self.state]:
            raise RuntimeError(f"a worker that is {self.state} cannot become {state}")
        self.state = state

    async def start(self, spec: WarmSpec) -> None:
        """Start it and wait until it is warm; raises HarnessFault, and it has ended then."""
        try:
            await self._open(spec)
            ready = (await self._message(START_LIMIT_S) or {}).get("ready")
            if ready is None:
                raise HarnessFault(f"a warm Blender did not start: {self.said()}")
        except TimeoutError as error:
            self.become(WorkerState.ENDED)
            raise HarnessFault(f"a warm Blender did not start within {START_LIMIT_S:g} s: {self.said()}") from error
        except (BrokenPipeError, ConnectionResetError) as error:
            self.become(WorkerState.ENDED)
            raise HarnessFault(f"a warm Blender did not start: {self.said()}") from error
        except BaseException:
            if self.state is WorkerState.STARTING:
                self.become(WorkerState.ENDED)
            raise
        self.threads, self.memory_bytes = ready["threads"], ready["memory_bytes"]
        self.become(WorkerState.IDLE)

    async def _open(self, spec: WarmSpec) -> None:
        reading, writing = os.pipe()
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        ours.setblocking(False)
        self._line = ours
        try:
            self._keeper = await start_program(WARM_KEEPER, [], stdin=theirs.fileno(), log=writing)
        finally:
            theirs.close()
            os.close(writing)
            self._tasks = [asyncio.create_task(self._drain(reading)), asyncio.create_task(self._listen(ours))]
        ours.send(json.dumps(dataclasses.asdict(spec)).encode())

    async def _drain(self, reading: int) -> None:
        """Keep the output of the keeper and of Blender outside of jobs."""
        reader = asyncio.StreamReader()
        file = os.fdopen(reading, "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
        try:
            while data := await reader.read(1 << 16):
                self._log.feed(data)
        finally:
            transport.close()

    async def _listen(self, line: socket.socket) -> None:
        """Take in the keeper's messages until it is gone."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while message := await loop.sock_recv(line, MESSAGE_LIMIT_BYTES):
                self._messages.put_nowait(json.loads(message))
        self._messages.put_nowait(None)
        if self.state is WorkerState.ENDED:
            # Whoever ended it knows.
            return
        if self.state is WorkerState.IDLE:
            self.become(WorkerState.ENDED)
        self._on_death()

    def said(self) -> str:
        """The last that was printed on its side, for an error."""
        return printable(self._log.tail or self._log.head).strip()[-400:] or "it said nothing"

    async def do(self, job: WarmJob, theirs: ProcessLines, listen: Listen, limits: ProcessLimits) -> ProcessEnd:
        """Have it do a job whose descriptors are `theirs`, and stay until the job has ended.

        Raises HarnessFault if the worker is lost: no snippet can reach it, so that says nothing of the snippet.
        """
        if self.state is not WorkerState.IDLE:
            raise HarnessFault(f"a warm Blender is {self.state} and takes no job: {self.said()}")
        self.become(WorkerState.BUSY)
        self.jobs += 1
        end: KeeperEnd | None = None
        try:
            async with listen(self._stop) as transcript:
                self._hand_in(job, theirs)
                end = await self._end_of_job(limits.wall_s + ORDER_GRACE_S)
                await transcript.to_the_end()
            return transcript.with_measured(end)
        finally:
            try:
                if end is None:
                    # Cancelled, or lost: the processes of the job must be dead before the caller goes on.
                    self._stop()
                    with contextlib.suppress(HarnessFault):
                        end = await self._end_of_job(DRAIN_GRACE_S)
            finally:
                self._settle(end)

    def _settle(self, end: KeeperEnd | None) -> None:
        """Be idle again or ended, now that the job is over or lost; meanwhile it may have been ended from outside."""
        if self.state is WorkerState.BUSY:
            self.become(WorkerState.ENDED if end is None or not self._clean else WorkerState.IDLE)
        self.spent = self.spent or not self.forks or self.jobs >= JOBS_LIMIT or crashed(end)

    def _hand_in(self, job: WarmJob, theirs: ProcessLines) -> None:
        assert self._line is not None
        message = json.dumps(dataclasses.asdict(job)).encode()
        try:
            socket.send_fds(self._line, [message], [theirs.channel, theirs.out, theirs.err, theirs.log])
        except OSError as error:
            raise HarnessFault(f"a warm Blender was lost: {error}") from error
        theirs.close()

    async def _message(self, patience_s: float) -> dict[str, Any] | None:
        # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time.
        async with asyncio.timeout(patience_s):
            return await self._messages.get()

    async def _end_of_job(self, patience_s: float) -> KeeperEnd:
        try:
            message = await self._message(patience_s)
        except TimeoutError as error:
            raise HarnessFault("a warm Blender did not answer in time") from error
        if message is None:
            # Said again to the next caller.
            self._messages.put_nowait(None)
            raise HarnessFault(f"a warm Blender was lost: {self.said()}")
        self._clean = message["clean"]
        return KeeperEnd(**message["end"])

    def _stop(self) -> None:
        """Order the keeper to kill the job that is under way."""
        assert self._line is not None
        with contextlib.suppress(OSError):
            self._line.send(b"stop")

    async def end(self) -> None:
        """Leave no process of it."""
        if self.state is not WorkerState.ENDED:
            self.become(WorkerState.ENDED)
        if self._line is not None:
            # The keeper, unless it is gone already, kills all that is below it when its line ends.
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        if self._keeper is not None:
            try:
                await asyncio.wait_for(self._keeper.wait(), ORDER_GRACE_S)
            except TimeoutError:
                pid = self._keeper.pid
                kill_all(lambda: descendants(pid), KILL_GRACE_S)
                with contextlib.suppress(ProcessLookupError):
                    self._keeper.kill()
                await self._keeper.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._line is not None:
            self._line.close()


def crashed(end: KeeperEnd | None) -> bool:
    """True if a job was ended by a signal that was not ours; a broken pipe to us is no crash."""
    return end is not None and end.signal not in (None, signal.SIGKILL, signal.SIGPIPE)
