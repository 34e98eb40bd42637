"""One Blender process, seen from outside: started in a keeper, drained, listened to, ended.

`launch` promises that when it returns or is cancelled no process it started is alive. What it answers was measured
here or in the keeper; what the process said over its channel is passed on as said.
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
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from harness.keeper import KeeperEnd, KeeperSpec, descendants, kill_all
from harness.protocol import Event
from harness.sandbox.jail import JailSpec

KEEPER = Path(__file__).with_name("keeper.py")
MESSAGE_LIMIT_BYTES = 256 << 10
EVENT_LIMIT = 32
KEEPER_LOST = "keeper lost"
LOG_KEPT_BYTES = 16 << 10
ORDER_GRACE_S = 5.0
DRAIN_GRACE_S = 2.0

Events = list[tuple[float, dict[str, Any]]]
"""What a process said, each with the seconds since its start."""


class HarnessFault(Exception):
    """Something of ours broke while a snippet was being executed. It says nothing about the snippet."""


@dataclasses.dataclass(frozen=True)
class ProcessLimits:
    """How far one Blender process and all it starts may go. Sizes in bytes, times in seconds."""

    wall_s: float = 60.0
    memory_bytes: int = 3 << 30
    disk_bytes: int = 256 << 20
    files: int = 2000
    processes: int = 32
    output_bytes: int = 8 << 20
    output_kept_bytes: int = 64 << 10


class Stream:
    """One captured stream: the head and the tail are kept, what lay between is counted."""

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
        """`text` (UTF-8, control characters escaped), `bytes` written in all, `cut_bytes` left out."""
        cut = self.total - len(self.head) - len(self.tail)
        marker = f"\n[... {cut} bytes left out ...]\n" if cut else ""
        return {
            "text": printable(self.head) + marker + printable(self.tail),
            "bytes": self.total,
            "cut_bytes": cut,
        }


@dataclasses.dataclass(frozen=True)
class ProcessEnd(KeeperEnd):
    """How one process ended: what the keeper measured, the events it sent with their times, and its output."""

    events: Events
    stdout: dict[str, Any]
    stderr: dict[str, Any]
    log: str

    def event(self, name: str) -> dict[str, Any] | None:
        """The first event of that name, or None."""
        return next((event for _, event in self.events if event.get("event") == name), None)


@dataclasses.dataclass(frozen=True)
class Command:
    """What to start: the job file's path is appended to `arguments`. Without a jail it has the service's rights."""

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
    """Start one process and stay with it to its end.

    `write_job` gets the numbers of the channel, standard output and standard error descriptors, writes the job file
    and answers its path. `on_saved` is called with a file name and all events so far when the process says it saved
    one; the process waits until it returns. Raises HarnessFault when the keeper cannot be started.
    """
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        channel, their_channel = socket.socketpair()
        ours.enter_context(channel)
        theirs.enter_context(their_channel)
        out, their_out = pipe(ours, theirs)
        err, their_err = pipe(ours, theirs)
        job = write_job(their_channel.fileno(), their_out, their_err)
        spec = KeeperSpec(
            command=[*command.arguments, str(job)],
            environment=command.environment,
            folder=str(command.folder),
            pass_fds=[their_channel.fileno(), their_out, their_err],
            wall_limit_s=limits.wall_s,
            memory_limit_bytes=limits.memory_bytes,
            disk_folder=str(disk_folder),
            disk_limit_bytes=limits.disk_bytes,
            file_count_limit=limits.files,
            process_limit=limits.processes,
            jail=command.jail,
        )
        keeper = await start_keeper(spec)
        theirs.close()
        try:
            return await attend(keeper, channel, out, err, limits, on_saved)
        finally:
            await dismiss(keeper, command.environment)


def pipe(ours: contextlib.ExitStack, theirs: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe whose reading end is closed with `ours` and whose writing end is closed with `theirs`."""
    reading, writing = os.pipe()
    ours.callback(os.close, reading)
    theirs.callback(os.close, writing)
    os.set_blocking(reading, False)
    return reading, writing


async def start_keeper(spec: KeeperSpec) -> asyncio.subprocess.Process:
    try:
        keeper = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            "-S",
            "-B",
            str(KEEPER),
            # The service's own environment holds its token; what runs below the keeper may read the keeper's.
            env={"PATH": os.environ.get("PATH", os.defpath)},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=spec.pass_fds,
            start_new_session=True,
        )
    except OSError as error:
        raise HarnessFault(f"could not start a process for Blender: {error}") from error
    assert keeper.stdin is not None
    keeper.stdin.write(json.dumps(dataclasses.asdict(spec)).encode() + b"\n")
    return keeper


async def attend(
    keeper: asyncio.subprocess.Process,
    channel: socket.socket,
    out: int,
    err: int,
    limits: ProcessLimits,
    on_saved: Callable[[str, Events], None],
) -> ProcessEnd:
    """Drain and listen until the keeper has said its last line, or can no longer be waited for."""
    assert keeper.stdin is not None and keeper.stdout is not None and keeper.stderr is not None
    stdout, stderr = Stream(limits.output_kept_bytes), Stream(limits.output_kept_bytes)
    log = Stream(LOG_KEPT_BYTES)
    flooded = asyncio.Event()

    def count() -> None:
        if stdout.total + stderr.total + log.total > limits.output_bytes and not flooded.is_set():
            flooded.set()
            order_end(keeper)

    started = time.monotonic()
    events: Events = []
    listeners = [
        asyncio.create_task(drain_descriptor(out, stdout, count)),
        asyncio.create_task(drain_descriptor(err, stderr, count)),
        asyncio.create_task(drain_reader(keeper.stderr, log, count)),
        asyncio.create_task(listen(channel, started, events, on_saved)),
    ]
    try:
        last_line = await asyncio.wait_for(keeper.stdout.readline(), limits.wall_s + ORDER_GRACE_S)
        # The keeper speaks when everything below it is dead, so the pipes are at their end or soon will be.
        await asyncio.wait(listeners, timeout=DRAIN_GRACE_S)
    except TimeoutError:
        last_line = b""
    finally:
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)
    measured: dict[str, Any] = dataclasses.asdict(read_keeper_end(last_line, time.monotonic() - started))
    if flooded.is_set():
        measured["stopped_by"] = "output"
    return ProcessEnd(
        **measured,
        events=events,
        stdout=stdout.captured(),
        stderr=stderr.captured(),
        log=log.captured()["text"],
    )


def read_keeper_end(line: bytes, wall_s: float) -> KeeperEnd:
    """What the keeper measured; where it was stopped or killed, from inside the process it kept, only the time."""
    try:
        return KeeperEnd(**json.loads(line))
    except (ValueError, TypeError):
        return KeeperEnd(None, None, wall_s, 0.0, 0, KEEPER_LOST, 0)


async def drain_descriptor(descriptor: int, stream: Stream, count: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    # A duplicate, because the transport closes what it is given and `launch` closes its own.
    file = os.fdopen(os.dup(descriptor), "rb", buffering=0)
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    try:
        await drain_reader(reader, stream, count)
    finally:
        transport.close()


async def drain_reader(reader: asyncio.StreamReader, stream: Stream, count: Callable[[], None]) -> None:
    while data := await reader.read(1 << 16):
        stream.feed(data)
        count()


async def listen(
    channel: socket.socket,
    started: float,
    events: Events,
    on_saved: Callable[[str, Events], None],
) -> None:
    """Collect the events of the process. A line that is none ends the listening: nobody honest sends it."""
    reader, writer = await asyncio.open_connection(sock=channel.dup(), limit=MESSAGE_LIMIT_BYTES)
    try:
        while len(events) < EVENT_LIMIT and (event := await next_event(reader)) is not None:
            events.append((time.monotonic() - started, event))
            if event["event"] == Event.SAVED:
                on_saved(str(event.get("name")), events)
                writer.write(b"\n")
    finally:
        writer.close()
        # A process that goes on talking must not wait for a listener who is gone.
        with contextlib.suppress(OSError):
            channel.shutdown(socket.SHUT_RDWR)


async def next_event(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    try:
        event: Any = json.loads(await reader.readline(), parse_constant=refuse_constant)
    except (ValueError, ConnectionError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    facts = cast("dict[str, Any]", event)
    return facts if isinstance(facts.get("event"), str) else None


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def order_end(keeper: asyncio.subprocess.Process) -> None:
    """Tell the keeper to kill everything; it then reports and ends."""
    if keeper.stdin is not None and not keeper.stdin.is_closing():
        keeper.stdin.close()


async def dismiss(keeper: asyncio.subprocess.Process, environment: Mapping[str, str]) -> None:
    """See the keeper out. Where it does not follow the order, or was killed, end what it kept in its place."""
    order_end(keeper)
    try:
        done = await asyncio.wait_for(keeper.wait(), ORDER_GRACE_S)
    except TimeoutError:
        done = None
    if done != 0:
        kill_all(lambda: {*descendants(keeper.pid), *processes_at(environment["HOME"])})
        with contextlib.suppress(ProcessLookupError):
            keeper.kill()
        await keeper.wait()
    # Read to their ends, the pipes are closed with the keeper and not at some later time.
    assert keeper.stdout is not None and keeper.stderr is not None
    rest = asyncio.gather(keeper.stdout.read(), keeper.stderr.read(), return_exceptions=True)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(rest, DRAIN_GRACE_S)


def processes_at(home: str) -> list[int]:
    """Process ids of those that were started with this home folder; it is the job's own."""
    mark = f"HOME={home}".encode()
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


def printable(data: bytes | bytearray) -> str:
    """UTF-8 text in which bytes that are none, and control characters but newline and tab, are escaped."""
    text = bytes(data).decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    return "".join(
        character if character.isprintable() or character in "\n\t" else f"\\x{ord(character):02x}"
        for character in text
    )
