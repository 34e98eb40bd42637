"""Texts of strangers are read in processes that can be lost."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.verdict.parse import parse_snippet
from harness.readers import Readers, ReadingFailed, pace
from harness.readers.readers import ReaderFault
from harness.sandbox.ladder import Rung, strongest
from tests.harness import in_readers
from tests.sandboxes import on


@pytest.fixture(scope="module")
def short() -> Iterator[Readers]:
    """Readers that compute for a second at most."""
    readers = Readers(strongest(), cpu_s=1)
    yield readers
    readers.close()


def test_a_reader_says_what_the_function_says(readers: Readers) -> None:
    for snippet in ("import bpy\n", "import bpy\nx = (\n", "x = '\ud800'\n"):
        assert readers.read(parse_snippet, snippet) == parse_snippet(snippet)


def test_what_takes_gigabytes_to_compile_costs_the_service_nothing(readers: Readers) -> None:
    assert readers.read(parse_snippet, in_readers.finally_in_finally(8)) == []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        found = readers.read(parse_snippet, in_readers.finally_in_finally(19))
    except ReadingFailed as failed:
        assert "s of computing" in str(failed)
    else:
        assert [one.code for one in found] == ["too-deep"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10


@pytest.mark.parametrize(
    ("function", "argument", "twin", "said"),
    [
        (in_readers.compute, 10**12, 10, "s of computing"),
        (in_readers.hold, 2 << 30, 1 << 20, "MiB of memory"),
        (in_readers.long, 12 << 20, 10 << 20, "its result takes more than 64 MiB"),
        (in_readers.tell, "MemoryError", None, "MiB of memory"),
        (in_readers.die, "", None, "s of computing"),
        (in_readers.nest, 10**6, 10, "nests too deep"),
    ],
)
def test_what_is_too_much_fails_alone(
    short: Readers, function: Callable[..., object], argument: object, twin: object, said: str
) -> None:
    with ThreadPoolExecutor(1) as others:
        meanwhile = others.submit(lambda: [short.read(in_readers.length, "text") for _ in range(20)])
        with pytest.raises(ReadingFailed, match=said):
            short.read(function, argument)
        assert meanwhile.result() == [4] * 20
    if twin is not None:
        assert short.read(function, twin)


def test_a_fault_of_ours_is_told_as_one(readers: Readers) -> None:
    with pytest.raises(ReaderFault, match="ValueError: not a number"):
        readers.read(in_readers.stumble, "a number")
    with pytest.raises(ReaderFault, match="TypeError"):
        readers.read(in_readers.tell, "TypeError")


def test_a_host_that_is_lost_is_started_anew(short: Readers) -> None:
    with ThreadPoolExecutor(1) as others:
        meanwhile = others.submit(short.read, in_readers.rest, 1.0)
        assert short.read(in_readers.rest, 0.2)
        end_hosts()
        # Its end says nothing of the texts that were being read.
        assert meanwhile.result()
    assert short.read(in_readers.length, "longer") == 6


def test_a_connection_without_an_order_is_no_matter(short: Readers) -> None:
    assert short.read(in_readers.length, "text") == 4
    host = short._host  # pyright: ignore[reportPrivateUsage]
    assert host
    ours, theirs = socket.socketpair()
    with ours, theirs:
        socket.send_fds(host._control, [b"!"], [theirs.fileno()])  # pyright: ignore[reportPrivateUsage]
        ours.sendall(b"half")
    assert short.read(in_readers.length, "longer") == 6
    assert short._host is host  # pyright: ignore[reportPrivateUsage]


def end_hosts() -> None:
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and is_host(process):
            os.kill(int(process.name), signal.SIGKILL)


def is_host(process: Path) -> bool:
    try:
        command = (process / "cmdline").read_bytes()
        parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
    except OSError:
        return False
    return b"readers/host.py" in command and b'"cpu_s": 1}' in command and int(parent) == os.getpid()


@pytest.mark.parametrize("has_landlock", [True, False])
def test_a_reader_reaches_nothing(has_landlock: bool, readers: Readers, tmp_path: Path) -> None:
    if not strongest().isolates:
        pytest.skip("nothing isolates processes on this machine")
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    with contextlib.ExitStack() as opened:
        if not has_landlock:
            readers = Readers(dataclasses.replace(on(Rung.NAMESPACES), landlock=0))
            opened.callback(readers.close)
        server = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        port = server.getsockname()[1]
        # All of them are something that this process may do.
        assert in_readers.opened(str(secret)) == 6 and in_readers.connected(port) > 0
        tried: list[tuple[Callable[..., int], object]] = [
            (in_readers.opened, str(secret)),
            (in_readers.opened, "/etc/passwd"),
            (in_readers.written, str(tmp_path / "new")),
            (in_readers.connected, port),
            (in_readers.started, "/bin/true"),
        ]
        for function, argument in tried:
            with pytest.raises(ReaderFault, match=r"PermissionError|FileNotFoundError"):
                readers.read(function, argument)
        assert readers.read(in_readers.length, "text") == 4
        with pytest.raises(ReadingFailed, match="s of computing"):
            readers.read(in_readers.die, "")


@pytest.mark.parametrize(("times", "factor"), [(0.1, 1.0), (1.0, 1.0), (2.5, 2.5), (40.0, pace.SLOWEST)])
def test_limits_fit_the_pace_of_a_machine_between_a_floor_and_a_ceiling(
    times: float, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pace.bounded(times * pace.REFERENCE_S) == factor
    monkeypatch.setattr(pace, "pace", lambda: factor)
    assert pace.computing_s(5) == math.ceil(5 * factor)
