"""One Blender process from outside: started in a keeper, drained, listened to, ended.

`launch` promises that no process that it started is alive when it returns or is cancelled. Its result was measured
here or in the keeper; the reports of the process are passed on unchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import socket
import sys
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from pathlib import Path
from typing import Any, cast

from harness.protocol import EventName
from harness.sandbox.jail import JailSpec
from harness.sandbox.keeper import KEEPER, Bounds, KeeperEnd, KeeperSpec, descendants, kill_all
from harness.starting import or_killed

MESSAGE_LIMIT_BYTES = 256 << 10
VALUE_BYTES = 64
"""The memory of the smallest value in an event, which takes three bytes there."""
LOG_KEPT_BYTES = 16 << 10
KEEPER_LOST = "keeper lost"
ORDER_GRACE_S = 5.0
DRAIN_GRACE_S = 2.0
KILL_GRACE_S = 1.0
"""Seconds that the service may block to kill the processes of a lost keeper."""

Events = list[tuple[float, dict[str, Any]]]
"""The events of a process, each with the seconds since its start."""


class HarnessFault(Exception):
    """A part of ours failed during an execution. This says nothing about the snippet."""


@dataclasses.dataclass(frozen=True)
class ProcessLimits:
    """The limits of one Blender process and all it starts. Sizes in bytes, times in seconds."""

    wall_s: float = 60.0
    memory_bytes: int = 3 << 30
    disk_bytes: int = 256 << 20
    files: int = 2000
    processes: int = 32
    output_bytes: int = 8 << 20
    """Of all output, its events included: each counts as the memory that it takes."""
    output_kept_bytes: int = 64 << 10
    log_kept_bytes: int = LOG_KEPT_BYTES
    events: int = 32


class Stream:
    """One captured stream: head and tail are kept, the bytes between are counted."""

    def __init__(self, kept_bytes: int) -> None:
        self.half = kept_bytes // 2
        self.head = bytearray()
        self.tail = bytearray()
        self.total = 0

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        room = self.half - len(self.head)
        self.head += data[:room]
        self.tail += data[room:] if room > 0 else data
        del self.tail[: -self.half]

    def captured(self) -> dict[str, Any]:
        """`text` (UTF-8, control characters escaped), total `bytes` written, `cut_bytes` left out."""
        cut = self.total - len(self.head) - len(self.tail)
        marker = f"\n[... {cut} bytes left out ...]\n" if cut else ""
        return {
            "text": printable(self.head) + marker + printable(self.tail),
            "bytes": self.total,
            "cut_bytes": cut,
        }


@dataclasses.dataclass(frozen=True)
class ProcessEnd(KeeperEnd):
    """The end of one process: the keeper's measurements, the events with their times, and the output."""

    events: Events
    stdout: dict[str, Any]
    stderr: dict[str, Any]
    log: str

    def event(self, name: str) -> dict[str, Any] | None:
        """The first event of that name, or None."""
        return next((event for _, event in self.events if event.get("event") == name), None)


@dataclasses.dataclass(frozen=True)
class Command:
    """The program to start, with the job file's path after `arguments`. Without a jail it has the service's rights."""

    arguments: list[str]
    environment: dict[str, str]
    folder: Path
    jail: JailSpec | None = None


async def launch(
    command: Command,
    write_job: Callable[[int, int, int], Path],
    limits: ProcessLimits,
    disk_folder: Path,
    on_saved: Callable[[str, Events], None],
) -> ProcessEnd:
    """Start one process and stay with it until it ends.

    `write_job` gets the numbers of the channel, standard output and standard error descriptors, writes the job file
    and returns its path. `on_saved` is called with a file name and all events so far when the process reports a saved
    file; the process waits until it returns. Raises HarnessFault if the keeper cannot be started.
    """
    with lines() as (ours, theirs):
        job = write_job(theirs.channel, theirs.out, theirs.err)
        with_job = dataclasses.replace(command, arguments=[*command.arguments, str(job)])
        return await kept(with_job, limits, [disk_folder], ours, theirs, on_saved)


async def run_program(command: Command, limits: ProcessLimits, disk_folders: list[Path]) -> ProcessEnd:
    """Start a program that knows nothing of us, and stay with it until it ends; its output is the `log` of its end.

    Raises HarnessFault if the keeper cannot be started.
    """
    with lines() as (ours, theirs):
        return await kept(command, limits, disk_folders, ours, theirs, lambda _name, _events: None)


async def kept(
    command: Command,
    limits: ProcessLimits,
    disk_folders: list[Path],
    ours: ProcessLines,
    theirs: ProcessLines,
    on_saved: Callable[[str, Events], None],
) -> ProcessEnd:
    """Start a command in a keeper, with these lines to it; none of its processes remains in the end."""
    spec = KeeperSpec(
        command=command.arguments,
        environment=command.environment,
        folder=str(command.folder),
        pass_fds=[theirs.channel, theirs.out, theirs.err],
        bounds=bounds_of(limits, disk_folders),
        jail=command.jail,
    )
    keeper = await start_keeper(spec, theirs.log)
    theirs.close()
    try:
        return await attend(keeper, ours, limits, on_saved)
    finally:
        # In namespaces all end with the keeper, and every job sees its home at the same path.
        alone = not (command.jail and command.jail.namespaces)
        await dismiss(keeper, command.environment.get("HOME") if alone else None)


def bounds_of(limits: ProcessLimits, disk_folders: list[Path]) -> Bounds:
    """The limits that a keeper enforces."""
    folders = [str(folder) for folder in disk_folders]
    return Bounds(limits.wall_s, limits.memory_bytes, folders, limits.disk_bytes, limits.files, limits.processes)


class ProcessLines:
    """One end of the lines to a process, as descriptors: the channel, its output and errors, Blender's log."""

    def __init__(self, channel: int, out: int, err: int, log: int) -> None:
        self.channel, self.out, self.err, self.log = channel, out, err, log
        self._open = [channel, out, err, log]

    def close(self) -> None:
        """Close them all, only once: the number of a closed descriptor may soon be reused."""
        while self._open:
            os.close(self._open.pop())


@contextlib.contextmanager
def lines() -> Generator[tuple[ProcessLines, ProcessLines], None, None]:
    """Our end and the process's. The caller closes the latter after passing it on; ours closes with the context."""
    channel, their_channel = (end.detach() for end in socket.socketpair())
    pipes = [os.pipe() for _ in range(3)]
    ours = ProcessLines(channel, *(reading for reading, _ in pipes))
    theirs = ProcessLines(their_channel, *(writing for _, writing in pipes))
    try:
        yield ours, theirs
    finally:
        theirs.close()
        ours.close()


async def start_keeper(spec: KeeperSpec, log: int) -> asyncio.subprocess.Process:
    keeper = await start_program(KEEPER, [], stdin=asyncio.subprocess.PIPE, log=log, pass_fds=spec.pass_fds)
    assert keeper.stdin is not None
    keeper.stdin.write(json.dumps(dataclasses.asdict(spec)).encode() + b"\n")
    return keeper


async def start_program(
    program: Path, arguments: list[str], stdin: int, log: int, pass_fds: Iterable[int] = ()
) -> asyncio.subprocess.Process:
    """Start a program of ours in a session of its own. Raises HarnessFault."""
    try:
        return await or_killed(
            asyncio.create_subprocess_exec(
                sys.executable,
                "-I",
                "-S",
                "-B",
                str(program),
                *arguments,
                # The service's environment holds its token, and processes below a keeper may read the keeper's.
                env={"PATH": os.environ.get("PATH", os.defpath)},
                stdin=stdin,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                pass_fds=tuple(pass_fds),
                start_new_session=True,
            )
        )
    except OSError as error:
        raise HarnessFault(f"could not start a process for Blender: {error}") from error


async def attend(
    keeper: asyncio.subprocess.Process,
    ours: ProcessLines,
    limits: ProcessLimits,
    on_saved: Callable[[str, Events], None],
) -> ProcessEnd:
    """Drain and listen until the keeper has sent its last line, or the wait for it is over."""
    assert keeper.stdout is not None
    async with listening(ours, limits, on_saved, lambda: order_end(keeper)) as transcript:
        try:
            # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time.
            async with asyncio.timeout(limits.wall_s + ORDER_GRACE_S):
                last_line = await keeper.stdout.readline()
            # The keeper reports when everything below it is dead, so the pipes are at their end or soon will be.
            await transcript.to_the_end()
        except TimeoutError:
            last_line = b""
        end = read_keeper_end(last_line, time.monotonic() - transcript.started)
    return transcript.with_measured(end)


class Transcript:
    """The events and the output of one process, while it runs and when it has ended."""

    def __init__(self, limits: ProcessLimits, on_flood: Callable[[], None]) -> None:
        self.started = time.monotonic()
        self.events: Events = []
        self.stdout, self.stderr = Stream(limits.output_kept_bytes), Stream(limits.output_kept_bytes)
        self.log = Stream(limits.log_kept_bytes)
        self.tasks: list[asyncio.Task[None]] = []
        self.told_bytes = 0
        self.flooded = False
        self._limit = limits.output_bytes
        self._on_flood = on_flood

    def count(self) -> None:
        """Compare the output with its limit, at each new piece."""
        total = self.stdout.total + self.stderr.total + self.log.total + self.told_bytes
        if not self.flooded and total > self._limit:
            self.flooded = True
            self._on_flood()

    def hear(self, line: bytes) -> bool:
        """Count a line of the channel; False if all lines together are too much to be kept."""
        self.told_bytes += len(line) + VALUE_BYTES * sum(map(line.count, b"[{,"))
        self.count()
        return self.told_bytes <= self._limit

    async def to_the_end(self) -> None:
        """Wait briefly for the last messages of a dead process."""
        await asyncio.wait(self.tasks, timeout=DRAIN_GRACE_S)

    def with_measured(self, end: KeeperEnd) -> ProcessEnd:
        """All facts about the ended process."""
        measured = dataclasses.asdict(end)
        if self.flooded:
            measured["stopped_by"] = "output"
        return ProcessEnd(
            **measured,
            events=self.events,
            stdout=self.stdout.captured(),
            stderr=self.stderr.captured(),
            log=self.log.captured()["text"],
        )


@contextlib.asynccontextmanager
async def listening(
    ours: ProcessLines, limits: ProcessLimits, on_saved: Callable[[str, Events], None], on_flood: Callable[[], None]
) -> AsyncGenerator[Transcript, None]:
    """Drain and listen while the context lasts; `on_flood` is called once if there is too much output."""
    transcript = Transcript(limits, on_flood)
    transcript.tasks = [
        asyncio.create_task(drain_descriptor(ours.out, transcript.stdout, transcript.count)),
        asyncio.create_task(drain_descriptor(ours.err, transcript.stderr, transcript.count)),
        asyncio.create_task(drain_descriptor(ours.log, transcript.log, transcript.count)),
        asyncio.create_task(listen(ours.channel, transcript, limits.events, on_saved)),
    ]
    try:
        yield transcript
    finally:
        for task in transcript.tasks:
            task.cancel()
        await asyncio.gather(*transcript.tasks, return_exceptions=True)


def read_keeper_end(line: bytes, wall_s: float) -> KeeperEnd:
    """The keeper's measurements; only the time if the process that it kept stopped or killed it."""
    try:
        return KeeperEnd(**json.loads(line))
    except (ValueError, TypeError):
        return KeeperEnd(None, None, wall_s, 0.0, 0, KEEPER_LOST, 0)


async def drain_descriptor(descriptor: int, stream: Stream, count: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    # A duplicate, because the transport closes its descriptor and `launch` closes its own.
    file = os.fdopen(os.dup(descriptor), "rb", buffering=0)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    try:
        while data := await reader.read(1 << 16):
            stream.feed(data)
            count()
    finally:
        transport.close()


async def listen(channel: int, transcript: Transcript, most: int, on_saved: Callable[[str, Events], None]) -> None:
    """Collect the events of the process, at most `most`. Any other line ends it: no honest process sends one."""
    events = transcript.events
    # A duplicate, as above.
    line = socket.socket(fileno=os.dup(channel))
    reader, writer = await asyncio.open_connection(sock=line, limit=MESSAGE_LIMIT_BYTES)
    try:
        while len(events) < most and (event := await next_event(reader, transcript.hear)) is not None:
            events.append((time.monotonic() - transcript.started, event))
            if event["event"] == EventName.SAVED:
                on_saved(str(event.get("name")), events)
                writer.write(b"\n")
    finally:
        # A process that goes on sending must not wait for a listener that is gone.
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        writer.close()


async def next_event(reader: asyncio.StreamReader, hear: Callable[[bytes], bool]) -> dict[str, Any] | None:
    """The next line as an event, if `hear` allows it; None for anything else."""
    try:
        line = await reader.readline()
        event: Any = json.loads(line, parse_constant=refuse_constant) if hear(line) else None
    except (ValueError, ConnectionError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    facts = cast("dict[str, Any]", event)
    return facts if isinstance(facts.get("event"), str) else None


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def order_end(keeper: asyncio.subprocess.Process) -> None:
    """Order the keeper to kill everything; it then reports and ends."""
    if keeper.stdin is not None and not keeper.stdin.is_closing():
        keeper.stdin.close()


async def dismiss(keeper: asyncio.subprocess.Process, home: str | None) -> None:
    """Wait for the keeper to end. If it does not follow the order, or was killed, end its processes in its place.

    `home` is the home folder by which the processes of the job are known, if no other job has it.
    """
    order_end(keeper)
    try:
        done = await asyncio.wait_for(keeper.wait(), ORDER_GRACE_S)
    except TimeoutError:
        done = None
    if done != 0:
        kill_all(lambda: {*descendants(keeper.pid), *(processes_at(home) if home else [])}, KILL_GRACE_S)
        with contextlib.suppress(ProcessLookupError):
            keeper.kill()
        await keeper.wait()
    # Read to its end, so that the pipe closes with the keeper and not later.
    assert keeper.stdout is not None
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(keeper.stdout.read(), DRAIN_GRACE_S)


def processes_at(home: str) -> list[int]:
    """Ids of the processes that were started with this home folder, which is the job's own."""
    mark = f"HOME={home}".encode()
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def printable(data: bytes | bytearray) -> str:
    """UTF-8 text; invalid bytes, and control characters except newline and tab, are escaped."""
    text = bytes(data).decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return "".join(
        character if character.isprintable() or character in "\n\t" else as_printed(character) for character in text
    )


def as_printed(character: str) -> str:
    """A character, or its escape if it cannot be printed."""
    if character.isprintable() or character in "\n\t":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def escaped(name: str) -> str:
    """A name in printable characters, lone surrogates included. No two names become one: `\\` is doubled."""
    return "".join("\\\\" if character == "\\" else as_printed(character) for character in name)
