"""Asks workers: one per place, kept while it is used, and as few of them as `MOST_WARM`.

    service ── place, function, arguments ──> worker of that place (worker.py): confined, warm; one order at a time
            <──────────────────── the result as JSON ──────────┘

A worker that dies or takes too long costs the order that it worked on. The next one starts another worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final, TypeVar, TypeVarTuple

from harness.readers.host import BEGUN, FAILED_TO_READ, HEAD
from harness.readers.readers import LONGEST_ANSWER, OURS, TOO_LONG, ReadingFailed, result_of
from harness.sandbox import runtime
from harness.sandbox.ladder import Sandbox

WORKER: Final = Path(__file__).with_name("worker.py")
MOST_WARM: Final = 4
"""Workers that are kept; the one that was used longest ago makes room for another."""
AT_ONCE: Final = 4
"""Orders that are worked on at the same time."""
MOST_WAITING: Final = 32
MEMORY_BYTES: Final = 2 << 30
FILE_BYTES: Final = 4 << 30
LATE_S: Final = 5.0
"""Seconds after its time limit that the service waits for a worker to end by itself."""
TRIES: Final = 2

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class WorkersBusy(Exception):
    """Too many orders wait."""


@dataclasses.dataclass(frozen=True)
class WorkerReach:
    """The reach of a worker: files and folders, with all below."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]


class Workers:
    """The workers of a service; `close` ends them."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._warm: OrderedDict[WorkerReach, _ReadingWorker] = OrderedDict()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="worker")
        self._turns: dict[WorkerReach, asyncio.Lock] = {}
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def ask(
        self,
        place: WorkerReach,
        limit_s: float,
        function: Callable[[*Arguments], Result],
        *arguments: *Arguments,
        alone: bool = False,
    ) -> Result:
        """The result of a function of a module, from the worker of this place, or from one `alone` that then ends.

        pydantic must be able to write its declared result as JSON and read it. Raises ReadingFailed if it takes
        longer than `limit_s` seconds or too much memory, WorkersBusy, and ReaderFault for a fault of ours.
        """
        if self._waiting >= MOST_WAITING:
            raise WorkersBusy(f"{self._waiting} questions to repositories are under way or waiting.")
        self._waiting += 1
        turn: AbstractAsyncContextManager[None] = (
            contextlib.nullcontext() if alone else self._turns.setdefault(place, asyncio.Lock())
        )
        try:
            # First the turn, so that those who wait for a slow place leave room for others.
            async with turn, self._places:
                reply = await asyncio.get_running_loop().run_in_executor(
                    self._threads, self._do, place, pickle.dumps((function, arguments, limit_s)), limit_s, alone
                )
        finally:
            self._waiting -= 1
        return result_of(function, reply)

    def end(self, place: WorkerReach) -> None:
        """End the worker of a place, if there is one."""
        with self._lock:
            worker = self._warm.pop(place, None)
        if worker:
            worker.end()

    def close(self) -> None:
        """End every worker."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            while self._warm:
                self._warm.popitem()[1].end()

    def _do(self, place: WorkerReach, order: bytes, limit_s: float, alone: bool) -> bytes:
        if alone:
            worker = _ReadingWorker(self._sandbox, place)
            try:
                return worker.reply_to(order, limit_s)
            finally:
                worker.end()
        for _ in range(TRIES):
            worker = self._running(place)
            with contextlib.suppress(_Unheard):
                reply = worker.reply_to(order, limit_s)
                if reply.startswith(FAILED_TO_READ):
                    # The memory that it holds now is in the way of the next order.
                    self.end(place)
                return reply
        raise ReadingFailed("its process ends again and again")

    def _running(self, place: WorkerReach) -> _ReadingWorker:
        """The worker of a place; started if there is none, or if it is lost."""
        with self._lock:
            worker = self._warm.pop(place, None)
            if worker is None or worker.lost:
                if worker:
                    worker.end()
                worker = _ReadingWorker(self._sandbox, place)
            self._warm[place] = worker
            idle = [warm for warm, other in self._warm.items() if not other.busy and warm != place]
            surplus = [self._warm.pop(warm) for warm in idle[: max(0, len(self._warm) - MOST_WARM)]]
        for other in surplus:
            other.end()
        return worker


class _Unheard(Exception):
    """A worker was gone before it began."""


class _ReadingWorker:
    """A running worker."""

    def __init__(self, sandbox: Sandbox, place: WorkerReach) -> None:
        jail = sandbox.worker_jail([*runtime.of_this_python(), *OURS, *place.readable], list(place.writable))
        self._turn = threading.Lock()
        self._control, theirs = socket.socketpair()
        self.lost = False
        order = {
            "control": theirs.fileno(),
            "jail": dataclasses.asdict(jail) if jail else None,
            "memory_bytes": MEMORY_BYTES,
            "file_bytes": FILE_BYTES,
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-B", str(WORKER), json.dumps(order)],
                env={
                    "LANG": "C.UTF-8",
                    "PATH": os.environ.get("PATH", os.defpath),
                    # The jail takes hold of one thread.
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                    "SQLITE_TMPDIR": place.writable[0] if place.writable else "/",
                    "TMPDIR": place.writable[0] if place.writable else "/",
                },
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    @property
    def busy(self) -> bool:
        """True if it works on an order."""
        return self._turn.locked()

    def reply_to(self, order: bytes, limit_s: float) -> bytes:
        """The answer to an order. Raises ReadingFailed if the worker dies of it, _Unheard if it was gone before."""
        with self._turn:
            begun, length, since = False, 0, time.monotonic()
            try:
                self._control.settimeout(limit_s + LATE_S)
                self._control.sendall(HEAD.pack(len(order)) + order)
                begun = self._received(1) == BEGUN
                if begun:
                    (length,) = HEAD.unpack(self._received(HEAD.size))
                    if length <= LONGEST_ANSWER:
                        return self._received(length)
            except (OSError, EOFError):
                pass
            self._kill()
        if not begun:
            raise _Unheard
        if length > LONGEST_ANSWER:
            raise ReadingFailed(TOO_LONG)
        late = time.monotonic() - since >= limit_s
        raise ReadingFailed(
            f"it takes longer than {limit_s:g} s" if late else "its process died, perhaps of its memory"
        )

    def _received(self, length: int) -> bytes:
        """Exactly `length` bytes; raises EOFError if the worker is gone."""
        chunks: list[bytes] = []
        while length:
            chunk = self._control.recv(min(length, 1 << 16))
            if not chunk:
                raise EOFError
            chunks.append(chunk)
            length -= len(chunk)
        return b"".join(chunks)

    def end(self) -> None:
        """End it, in the middle of its work."""
        self._kill()
        with self._turn:
            self._control.close()

    def _kill(self) -> None:
        """End the process and every program that it started."""
        self.lost = True
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
