"""Runs one checker as a process of its own, in a private folder that holds only the snippet.

Each checker looks for settings in the working folder, its parents, the home folder and the environment. So the folder
is fresh, HOME points into it, and the environment holds only what is named here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import secrets
import signal
import sys
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar, TypeVarTuple

import structlog

from app.checks.failures import CheckerFailed, CheckerStumbled, CheckerTooSlow
from app.checks.scratch import scratch_folder
from app.verdict.rules import Rules, weighed_findings
from app.verdict.verdict import Author, Finding, Severity
from harness.readers import Readers, ReadingFailed, read_by
from harness.readers.pace import computing_s
from harness.starting import or_killed

log = structlog.get_logger()

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

SNIPPET: Final = "snippet.py"

TIME_LIMIT_S: Final = 45.0
"""Time limit of a tool for one snippet; most of that is waiting for a core."""
CPU_LIMIT_S: Final = 12
"""The most time that a tool may compute."""
MEMORY_BYTES: Final = 2 << 30
"""The most memory that a tool may have. Node is not held to it: it reserves far more than it uses, and has a limit of
its own.
"""
MOST_BYTES: Final = 1 << 20
"""The most output of a tool that is read; one that has more to say is ended, and its last line is left out."""
_SHOWN: Final = 400


@dataclass(frozen=True)
class Output:
    """The result of a finished tool: its exit status and both streams, decoded.

    One that is not `whole` has the first lines of a tool that had more to say; its status says nothing.
    """

    status: int
    stdout: str
    stderr: str
    whole: bool = True


def output_of(status: int, stdout: bytes, stderr: bytes) -> Output:
    """The result of a tool, of whose streams one byte more than `MOST_BYTES` was read if there is more."""
    whole = len(stdout) <= MOST_BYTES
    lines = stdout if whole else stdout[:MOST_BYTES].rpartition(b"\n")[0]
    return Output(status, lines.decode("utf-8", "replace"), stderr[:MOST_BYTES].decode("utf-8", "replace"), whole)


@dataclass(frozen=True)
class Workplace:
    """A private folder with `snippet.py` in it."""

    folder: Path

    def write(self, name: str, text: str) -> None:
        """Write a file next to the snippet: a configuration for the tool."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def without_paths(self, message: str) -> str:
        """The message without paths of this machine."""
        return message.replace(f"{self.folder}{os.sep}", "").replace(str(self.folder), "")

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """The whole environment of a tool that works here."""
        return {"HOME": str(self.folder), "TMPDIR": str(self.folder), "LANG": "C.UTF-8", **more}

    async def run(
        self,
        check: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        time_limit_s: float = TIME_LIMIT_S,
        memory_bytes: int | None = MEMORY_BYTES,
    ) -> Output:
        """Run a tool to its end. Raises `CheckerFailed` if it cannot start or exceeds a limit.

        The process and its children are killed when the limit is reached or the calling task is cancelled.
        """
        process = await self._start(check, command, environment or {})
        limit(process.pid, memory_bytes)
        try:
            async with asyncio.timeout(time_limit_s):
                stdout, stderr = await said_by(process)
        except TimeoutError:
            raise CheckerTooSlow(check, f"no answer within {time_limit_s:g} s") from None
        finally:
            await _kill(process)
        status = process.returncode if process.returncode is not None else -1
        check_computed(check, status)
        return output_of(status, stdout, stderr)

    async def _start(
        self, check: str, command: Sequence[str], environment: Mapping[str, str]
    ) -> asyncio.subprocess.Process:
        try:
            return await or_killed(
                asyncio.create_subprocess_exec(
                    *command,
                    cwd=self.folder,
                    env=self.environment(environment),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    start_new_session=True,
                )
            )
        except OSError as error:
            raise CheckerFailed(check, f"cannot start: {error.strerror}") from error


@contextlib.contextmanager
def workplace(snippet: str) -> Generator[Workplace]:
    """A folder with the snippet in it, removed afterwards."""
    with scratch_folder("check") as folder:
        place = Workplace(Path(folder).resolve())
        place.write(SNIPPET, snippet)
        # If a snippet has the size and the second of the last one, mypy takes both as one and repeats its findings.
        second = secrets.randbelow(1 << 31)
        os.utime(place.folder / SNIPPET, (second, second))
        yield place


def limit(pid: int, memory_bytes: int | None) -> None:
    """Bound the time and memory of a process that was just started. Only Linux can."""
    if sys.platform == "linux":
        # It may have ended already.
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_CPU, (computing_s(CPU_LIMIT_S), computing_s(CPU_LIMIT_S) + 1))
            if memory_bytes is not None:
                resource.prlimit(pid, resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def check_computed(check: str, status: int) -> None:
    """Raise CheckerTooSlow if a process with this exit status was ended by the limit of its computing time."""
    if status in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        raise CheckerTooSlow(check, f"no answer after {computing_s(CPU_LIMIT_S)} s of computing")


def unreadable(check: str, output: Output) -> CheckerStumbled:
    """The failure to raise if a tool ended without a readable answer."""
    if not output.whole:
        return CheckerStumbled(check, f"it has more to say than {MOST_BYTES >> 20} MiB")
    said = (output.stderr.strip() or output.stdout.strip())[-_SHOWN:] or "nothing on stderr"
    return CheckerStumbled(check, f"exit status {output.status} and no readable answer: {said}")


def not_all_read(check: str, output: Output, author: Author, rules: Rules) -> list[Finding]:
    """The finding on a tool that had more to say than was read: among the rest may be what fails the snippet."""
    if output.whole:
        return []
    said = f"{check} has more to say than {MOST_BYTES >> 20} MiB; the rest was not read"
    return weighed_findings(rules, author, check, "not-all-read", said)


async def said_by(process: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    """The output of a tool on both streams until it ends; one that writes more than is read is ended."""
    assert process.stdout is not None
    assert process.stderr is not None
    said = await asyncio.gather(_first(process, process.stdout), _first(process, process.stderr))
    await process.wait()
    return said


async def _first(process: asyncio.subprocess.Process, stream: asyncio.StreamReader) -> bytes:
    read = bytearray()
    while len(read) <= MOST_BYTES and (chunk := await stream.read(1 << 16)):
        read += chunk
    if len(read) > MOST_BYTES:
        _end(process)
        # Some Pythons see the end of a process only when its streams are read to theirs.
        while await stream.read(1 << 16):
            pass
    return bytes(read)


async def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        _end(process)
        await process.wait()


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def read_for(
    check: str, readers: Readers | None, function: Callable[[*Arguments], Result], *arguments: *Arguments
) -> Result:
    """The result of the function on a text. Raises CheckerStumbled, for the check, if the text is too much to read."""
    try:
        return await read_by(readers, function, *arguments)
    except ReadingFailed as why:
        raise CheckerStumbled(check, str(why)) from None


async def or_warning(check: Awaitable[list[Finding]]) -> list[Finding]:
    """The findings of a check; if it fails on a snippet that others can judge, a warning that says so."""
    try:
        return await check
    except CheckerStumbled as failed:
        log.error("checker stumbled", checker=failed.check, problem=failed.message)
        return [no_answer(failed.check, failed.message if isinstance(failed, CheckerTooSlow) else "")]


def no_answer(check: str, why: str = "") -> Finding:
    """The warning that a check fails on a snippet that others can judge."""
    message = (
        f"{check} says nothing about this snippet: {why}"
        if why
        else f"{check} fails on this snippet, so it says nothing about it"
    )
    return Finding(check=check, code="no-answer", severity=Severity.WARNING, message=message)
