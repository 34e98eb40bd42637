"""Asks the host to read, and starts another one if it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple

from harness.readers.host import BEGUN, CPU_S, FAILED_TO_READ, FAULT, HEAD, RESULT, WALL_S, adapter_of, too_much
from harness.readers.pace import computing_s
from harness.sandbox import runtime
from harness.sandbox.ladder import Sandbox

HOST: Final = Path(__file__).with_name("host.py")
OURS: Final = [str(HOST.parents[2] / name) for name in ("app", "codebase", "harness", "ingest", "python", "search")]
"""Our packages, which a reader imports from. Not the folder above: the data may lie there too."""
AT_ONCE: Final = 4
"""Texts that are read at the same time; others wait. More than there are cores, so that a slow one holds up no one."""
TRIES: Final = 3
LONGEST_ANSWER: Final = 64 << 20
TOO_LONG: Final = f"its result takes more than {LONGEST_ANSWER >> 20} MiB"

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class ReadingFailed(Exception):
    """A text is too much for its reader. The message names the resource that ran out."""


class ReaderFault(RuntimeError):
    """A part of ours failed in a reader; the message is the last line of its traceback, a note the whole."""

    def __init__(self, traceback: str) -> None:
        super().__init__(traceback.strip().rpartition("\n")[2])
        self.add_note(traceback)


class Readers:
    """A host and its readers. The host is started for the first text.

    `read` blocks and may be called from any thread; `ask` is for the event loop. `sandbox` limits the reach of readers,
    and `cpu_s` their computing time, in seconds for each; unless given, it fits the pace of this machine.
    """

    def __init__(self, sandbox: Sandbox, cpu_s: int | None = None) -> None:
        self._sandbox = sandbox
        self._cpu_s = cpu_s or computing_s(CPU_S)
        self._lock = threading.Lock()
        self._host: _Host | None = None
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="reader")

    async def ask(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The same as `read`, without blocking the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: self.read(function, *arguments))

    def read(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """The result of a function of a module for these arguments, which are pickled.

        pydantic must be able to write its declared result as JSON and read it. Raises ReadingFailed if it takes
        too much time or memory, or nests too deep, and ReaderFault if it raises anything else.
        """
        with self._places:
            for _ in range(TRIES):
                host = self._running()
                reply = host.reply_to(function, arguments)
                # A host that dies between two texts begins no reader, and takes those of all texts with it.
                if reply.startswith(BEGUN) and not (reply == BEGUN and host.lost):
                    return result_of(function, reply.removeprefix(BEGUN))
        raise ReaderFault("the host of the readers ends again and again")

    def close(self) -> None:
        """End the host and with it every reader."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            if self._host:
                self._host.end()

    def _running(self) -> _Host:
        with self._lock:
            if self._host is None or self._host.lost:
                if self._host:
                    self._host.end()
                self._host = _Host(self._sandbox, self._cpu_s)
            return self._host


@contextlib.contextmanager
def shared(readers: Readers) -> Generator[None, None, None]:
    """Have `read_shared` use these readers."""
    _shared.append(readers)
    try:
        yield
    finally:
        _shared.remove(readers)


def read_shared(function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """The function's result in a reader of this process's service, or here if it is none: then a person works on data
    of their own, or this is a reader. Raises the errors of `Readers.read`.
    """
    return _shared[-1].read(function, *arguments) if _shared else function(*arguments)


async def read_by(readers: Readers | None, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """The function's result for a text: in a reader, if there are readers. Raises the errors of `Readers.read`."""
    return await readers.ask(function, *arguments) if readers else function(*arguments)


_shared: Final[list[Readers]] = []


class _Host:
    """A running host."""

    def __init__(self, sandbox: Sandbox, cpu_s: int) -> None:
        jail = sandbox.reader_jail([*runtime.of_this_python(), *OURS])
        self._lost = False
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        order = {
            "control": theirs.fileno(),
            "jail": dataclasses.asdict(jail) if jail else None,
            "filter": sandbox.reader_filter(),
            "cpu_s": cpu_s,
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-B", str(HOST), json.dumps(order)],
                env={"LANG": "C.UTF-8"},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    @property
    def lost(self) -> bool:
        """True if it does not answer any more."""
        return self._lost or self._process.poll() is not None

    def reply_to(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
        """The answer to an order; only BEGUN if the reader has died, and empty if the host has."""
        pickled = pickle.dumps((function, arguments))
        ours, theirs = socket.socketpair()
        with ours:
            ours.settimeout(2 * WALL_S)
            with contextlib.suppress(OSError):
                with theirs:
                    socket.send_fds(self._control, [b"!"], [theirs.fileno()])
                ours.sendall(HEAD.pack(len(pickled)) + pickled)
                answer = _all(ours)
                if len(answer) > LONGEST_ANSWER:
                    return BEGUN + FAILED_TO_READ + TOO_LONG.encode()
                if answer:
                    return answer
        self._lost = True
        return b""

    def end(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()


def _all(connection: socket.socket) -> bytes:
    """All data until the connection closes, or more than LONGEST_ANSWER."""
    data = bytearray()
    while len(data) <= LONGEST_ANSWER and (chunk := connection.recv(1 << 16)):
        data += chunk
    return bytes(data)


def result_of(function: Callable[..., Result], reply: bytes) -> Result:
    """The result in an answer. Raises ReadingFailed and ReaderFault."""
    kind, said = reply[:1], reply[1:]
    if kind == RESULT:
        result: Result = adapter_of(function).validate_json(said)
        return result
    if kind == FAULT:
        raise ReaderFault(said.decode(errors="replace"))
    raise ReadingFailed(said.decode(errors="replace") or too_much(computing_s(CPU_S)))
