"""A process that answers requests over its pipes: JSON-RPC in the framing of language servers.

Many requests may be pending. A cancelled one is also cancelled in the process, by `$/cancelRequest`. If the process
ends or sends something unreadable, every pending request fails with `PeerLost`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from pydantic import TypeAdapter

from app.checks.scratch import scratch_folder
from harness.starting import or_killed

Json = dict[str, Any]

_MESSAGE: Final = TypeAdapter(Json)
_LONGEST_MESSAGE: Final = 8 << 20
_STDERR: Final = "stderr"
_SHOWN_STDERR: Final = 400


class PeerLost(Exception):
    """The process has ended, cannot be started, or returned an error."""


class Peer:
    """A running process in a private folder, which is also its HOME and holds only the given files."""

    def __init__(self, process: asyncio.subprocess.Process, folder: tempfile.TemporaryDirectory[str]) -> None:
        self._process = process
        self._folder = folder
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self._lost: str | None = None
        self._ending: asyncio.Task[None] | None = None
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], files: Mapping[str, str]) -> Self:
        """Start a process in a group of its own. Raises `PeerLost` if the program does not start."""
        folder = _folder_with(files)
        try:
            process = await _start(command, folder.name)
        except OSError as error:
            folder.cleanup()
            raise PeerLost(f"cannot start: {error.strerror}") from error
        except BaseException:
            folder.cleanup()
            raise
        return cls(process, folder)

    @property
    def folder(self) -> Path:
        """The folder of the process."""
        return Path(self._folder.name).resolve()

    @property
    def alive(self) -> bool:
        """True if it can still be asked."""
        return self._lost is None and self._process.returncode is None

    @property
    def memory_bytes(self) -> int:
        """Resident memory of the process; 0 if the system does not report it."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            pages = Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 0

    @property
    def cpu_s(self) -> float:
        """The time that the process has computed; 0 if the system does not report it."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    async def request(self, method: str, params: Json) -> Any:
        """The result that the process returns. Raises `PeerLost` if it returns none."""
        if self._lost:
            raise PeerLost(self._lost)
        self._asked += 1
        number = self._asked
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._send({"id": number, "method": method, "params": params})
            return await answer
        except asyncio.CancelledError:
            self.notify("$/cancelRequest", {"id": number})
            raise
        finally:
            del self._waiting[number]

    def notify(self, method: str, params: Json) -> None:
        """Send the process a notification, which it does not answer; no effect if it has ended."""
        self._send({"method": method, "params": params})

    async def end(self) -> None:
        """Kill the process and its children, and remove its folder; completes even if the caller is cancelled."""
        if self._ending is None:
            self._lose("it was ended")
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        await asyncio.wait([self._reading])
        self._pipe.close()
        self._folder.cleanup()

    @property
    def _pipe(self) -> asyncio.StreamWriter:
        assert self._process.stdin is not None
        return self._process.stdin

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode("ascii")
        if not self._pipe.is_closing():
            self._pipe.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                self._take(await _message(self._process.stdout))
        except (asyncio.IncompleteReadError, ValueError) as error:
            said = self._stderr()
            self._lose(f"{error}; {said}" if said else str(error))
        # Some Pythons see the end of a process only when its stream is read to its own.
        while await self._process.stdout.read(1 << 16):
            pass

    def _take(self, message: Json) -> None:
        number = message.get("id")
        if "method" in message:
            if number is not None:
                # A language server may send requests to its client; none of them matters here.
                self._send({"id": number, "result": None})
            return
        answer = self._waiting.get(number) if isinstance(number, int) else None
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(PeerLost(f"it returned an error: {message['error']}"))
        else:
            answer.set_result(message.get("result"))

    def _stderr(self) -> str:
        with contextlib.suppress(OSError):
            return (self.folder / _STDERR).read_text(encoding="utf-8", errors="replace").strip()[-_SHOWN_STDERR:]
        return ""

    def _lose(self, reason: str) -> None:
        self._lost = self._lost or reason
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(PeerLost(self._lost))


def _folder_with(files: Mapping[str, str]) -> tempfile.TemporaryDirectory[str]:
    folder = scratch_folder("warm")
    for name, text in files.items():
        Path(folder.name, name).write_text(text, encoding="utf-8")
    return folder


def _stderr_of(folder: str) -> BinaryIO:
    return Path(folder, _STDERR).open("wb")


async def _start(command: Sequence[str], folder: str) -> asyncio.subprocess.Process:
    with _stderr_of(folder) as stderr:
        return await or_killed(
            asyncio.create_subprocess_exec(
                *command,
                cwd=folder,
                env={"HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                start_new_session=True,
            )
        )


async def _message(stream: asyncio.StreamReader) -> Json:
    """The next message. Raises `IncompleteReadError` at the end of the stream, `ValueError` for an invalid one."""
    length = 0
    while header := (await stream.readuntil(b"\n")).strip():
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if not 0 < length <= _LONGEST_MESSAGE:
        raise ValueError(f"a message of {length} bytes")
    return _MESSAGE.validate_json(await stream.readexactly(length))
