"""What the keeper measures and ends inside a sandbox."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import sys
import textwrap
import time
from pathlib import Path

import pytest

from harness.launcher import Command, ProcessEnd, ProcessLimits, launch
from harness.sandbox import runtime
from harness.sandbox.jail import FAILED
from harness.sandbox.ladder import Rung
from tests.sandboxes import ISOLATING, LIMITS, linux, on

pytestmark = pytest.mark.slow


async def run_jailed(
    source: str, folder: Path, rung: Rung, limits: ProcessLimits = LIMITS, readable: tuple[str, ...] = ()
) -> ProcessEnd:
    """Run a Python script in the sandbox, as the harness runs Blender."""
    script = folder / "script.py"
    jail = on(rung).jail([*runtime.of_this_python(), *readable], [str(folder)])

    def write_job(channel: int, stdout: int, stderr: int) -> Path:
        script.write_text(f"fds = {[channel, stdout, stderr]}\nimport os, time\n" + textwrap.dedent(source))
        return script

    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    command = Command([sys.executable, "-I", "-S"], environment, folder, jail)
    return await launch(command, write_job, limits, folder, lambda _name, _events: None)


@linux
@pytest.mark.parametrize("rung", ISOLATING)
async def test_exit_status_output_and_memory_are_measured(rung: Rung, tmp_path: Path) -> None:
    source = """
        block = bytearray(80 << 20)
        os.write(fds[1], b"out")
        os.write(1, b"log")
        time.sleep(0.3)
        os._exit(7)
    """
    end = await run_jailed(source, tmp_path, rung)
    assert (end.exit_code, end.signal, end.stopped_by) == (7, None, None)
    assert (end.stdout["text"], end.log) == ("out", "log")
    assert 80 << 20 < end.peak_memory_bytes < 130 << 20


@linux
@pytest.mark.parametrize("rung", ISOLATING)
@pytest.mark.parametrize(
    ("source", "stopped_by"),
    [
        ("while True: pass", "time"),
        ("blocks = []\nwhile True: blocks.append(bytearray(8 << 20))", "memory"),
        ("while True: os.write(fds[1], b'x' * 4096)", "output"),
        ("for n in range(40): open(f'f{n}', 'w'); time.sleep(0.005)\ntime.sleep(9)", "disk"),
        ("for _ in range(4): os.fork()\ntime.sleep(9)", "processes"),
    ],
)
async def test_a_limit_ends_it(rung: Rung, source: str, stopped_by: str, tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, wall_s=1) if stopped_by == "time" else LIMITS
    end = await run_jailed(source, tmp_path, rung, limits)
    assert end.stopped_by == stopped_by
    if stopped_by == "time":
        assert end.cpu_s > 0.05


@linux
@pytest.mark.parametrize("rung", ISOLATING)
async def test_a_daemon_is_counted_and_killed(rung: Rung, tmp_path: Path) -> None:
    source = """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/bin/sleep", ["sleep", "600"])
            os._exit(0)
        os.wait()
        time.sleep(0.1)
    """
    end = await run_jailed(source, tmp_path, rung)
    assert (end.exit_code, end.leftovers) == (0, 1)
    assert started_at(tmp_path) == []


@linux
@pytest.mark.parametrize("rung", ISOLATING)
async def test_cancelling_kills_all_at_once(rung: Rung, tmp_path: Path) -> None:
    source = "if os.fork() == 0: os.setsid()\nopen('there', 'w')\nwhile True: pass"
    on(rung)  # Skips here, not in the task.
    task = asyncio.create_task(run_jailed(source, tmp_path, rung))
    await appears(tmp_path / "there")
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 8
    assert started_at(tmp_path) == []


@linux
async def test_inside_there_is_nothing_but_what_was_put_there(tmp_path: Path) -> None:
    shown, hidden = tmp_path / "shown", tmp_path / "hidden"
    shown.mkdir()
    hidden.mkdir()
    (shown / "file").write_text("shown")
    job = tmp_path / "job"
    job.mkdir()
    source = f"""
        import socket
        assert open({str(shown / "file")!r}).read() == "shown"
        for path in ({str(shown / "new")!r}, "/etc/new", "/new"):
            try:
                open(path, "w")
            except OSError:
                continue
            raise AssertionError(path)
        assert not os.path.exists({str(hidden)!r}) and not os.path.exists("/etc/passwd")
        assert [name for name in os.listdir("/proc") if name.isdigit()] == ["1", str(os.getpid())]
        assert (os.getuid(), socket.gethostname(), os.getppid()) == (1000, "localhost", 1)
        open("/tmp/mine", "w").write("mine")
        os.write(fds[1], b"all")
    """
    end = await run_jailed(source, job, Rung.NAMESPACES, readable=(str(shown),))
    assert (end.exit_code, end.stdout["text"]) == (0, "all"), end.log


@linux
async def test_a_jail_that_cannot_be_set_up_says_why(tmp_path: Path) -> None:
    jail = on(Rung.NAMESPACES).jail(runtime.of_this_python(), [str(tmp_path)])
    # The folder to start in is not there.
    command = Command([sys.executable], {"HOME": str(tmp_path)}, tmp_path / "missing", jail)

    def write_job(_channel: int, _stdout: int, _stderr: int) -> Path:
        return tmp_path / "job"

    end = await launch(command, write_job, LIMITS, tmp_path, lambda _name, _events: None)
    assert end.exit_code == FAILED
    assert "the sandbox could not be set up" in end.log


async def appears(path: Path) -> None:
    for _ in range(500):
        if path.exists():  # noqa: ASYNC240
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{path} did not appear")


def started_at(home: Path) -> list[str]:
    mark = os.fsencode(f"HOME={home}")
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/environ") if mark in read_bytes(path)]


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


PAIRS = """
    import socket
    pairs, held, block = [], 0, b"x" * 65536
    try:
        while True:
            pairs.append(socket.socketpair())
            for end in pairs[-1]:
                end.setblocking(False)
                try:
                    while True: held += end.send(block)
                except BlockingIOError: pass
    except OSError:
        time.sleep(0.2)
        os.write(fds[1], f"{len(pairs)} {held}".encode())
"""


@linux
@pytest.mark.parametrize("rung", ISOLATING)
async def test_what_the_kernel_holds_for_sockets_is_small_and_counts(rung: Rung, tmp_path: Path) -> None:
    end = await run_jailed(PAIRS, tmp_path, rung)
    pairs, held = map(int, end.stdout["text"].split())
    assert 100 < pairs < 128
    assert (10 << 20) < held < min(end.peak_memory_bytes, 64 << 20)
    few = dataclasses.replace(LIMITS, memory_bytes=40 << 20)
    assert (await run_jailed(PAIRS, tmp_path, rung, few)).stopped_by == "memory"


MAPPED = """
    import ctypes
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    for number in range({count}):
        with open("file", "w+b") as file:
            os.unlink("file")
            file.write(os.urandom(1 << 20))
            file.flush()
            # Python's own mmap keeps a descriptor.
            assert libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0)) != 2**64 - 1
    time.sleep(0.3)
"""


@linux
@pytest.mark.parametrize("rung", ISOLATING)
@pytest.mark.parametrize(("count", "stopped_by"), [(6, "disk"), (3, None)])
async def test_a_deleted_file_that_is_only_mapped_counts(
    rung: Rung, count: int, stopped_by: str | None, tmp_path: Path
) -> None:
    end = await run_jailed(MAPPED.format(count=count), tmp_path, rung)
    assert (end.stopped_by, end.log) == (stopped_by, "")


@linux
@pytest.mark.parametrize("rung", ISOLATING)
async def test_the_kernel_limits_what_counts_for_the_user(rung: Rung, tmp_path: Path) -> None:
    source = """
        import resource
        told = [resource.getrlimit(limit) for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_SIGPENDING)]
        os.write(fds[1], repr(told).encode())
    """
    end = await run_jailed(source, tmp_path, rung)
    assert end.stdout["text"] == "[(256, 256), (64, 64)]"
