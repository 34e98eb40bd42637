"""One process under the keeper, without Blender: limits, output, leftovers, and the order to end."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from harness.launcher import Command, ProcessEnd, ProcessLimits, Stream, launch, printable
from harness.sandbox.keeper import KEEPER, Bounds, KeeperSpec, kill_all

pytestmark = pytest.mark.slow

LIMITS = ProcessLimits(
    wall_s=5, memory_bytes=256 << 20, disk_bytes=4 << 20, files=20, processes=8, output_bytes=1 << 20
)


DELETED = """
import time
kept = []
for number in range(5):
    kept.append(file := open("deleted", "wb"))
    os.unlink("deleted")
    file.write(os.urandom(1 << 20))
    file.flush()
"""
"""Leaves no name in the folder for what it wrote."""


async def run_python(source: str, folder: Path, limits: ProcessLimits = LIMITS) -> ProcessEnd:
    """Run a Python script as the harness runs Blender. It finds the numbers of its descriptors in `fds`."""
    script = folder / "script.py"
    saved: list[str] = []

    def write_job(channel: int, stdout: int, stderr: int) -> Path:
        script.write_text(f"fds = {[channel, stdout, stderr]}\nimport os\n" + textwrap.dedent(source))
        return script

    command = Command([sys.executable, "-I", "-S"], {"PATH": "/usr/bin:/bin"}, folder)
    end = await launch(command, write_job, limits, folder, lambda name, _: saved.append(name))
    (folder / "saved.json").write_text(json.dumps(saved))
    return end


@pytest.mark.parametrize(
    ("source", "stopped_by"),
    [
        ("while True: pass", "time"),
        ("blocks = []\nwhile True: blocks.append(bytearray(8 << 20))", "memory"),
        ("while True: os.write(fds[1], b'x' * 4096)", "output"),
        ("while True: os.write(2, b'x' * 4096)", "output"),
        (
            "import time\nfor n in range(40): open(f'f{n}', 'w').write('x' * 200_000); time.sleep(0.01)\ntime.sleep(9)",
            "disk",
        ),
        ("import time\nfor n in range(40): open(f'f{n}', 'w'); time.sleep(0.005)\ntime.sleep(9)", None),
        (DELETED + "time.sleep(9)", "disk"),
        (DELETED.replace("range(5)", "range(40)") + "    file.close()\ntime.sleep(9)", "disk"),
        ("import time\nfor _ in range(4): os.fork()\ntime.sleep(9)", "processes"),
    ],
)
async def test_a_limit_ends_it(source: str, stopped_by: str | None, tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, wall_s=1) if stopped_by == "time" else LIMITS
    if stopped_by is None:
        stopped_by = "disk"  # too many files, however small
    end = await run_python(source, tmp_path, limits)
    assert end.stopped_by == stopped_by
    assert end.signal == signal.SIGKILL


async def test_what_stays_within_the_limits_ends_by_itself(tmp_path: Path) -> None:
    end = await run_python("os.write(fds[1], b'out'); os.write(fds[2], b'err'); os.write(1, b'log')", tmp_path)
    assert (end.exit_code, end.signal, end.stopped_by) == (0, None, None)
    assert (end.stdout["text"], end.stderr["text"], end.log) == ("out", "err", "log")
    assert 0 < end.wall_s < 5
    assert end.peak_memory_bytes > 1 << 20


@pytest.mark.parametrize(("source", "code", "number"), [("os._exit(7)", 7, None), ("os.abort()", None, 6)])
async def test_exit_status_and_signal_are_measured(
    source: str, code: int | None, number: int | None, tmp_path: Path
) -> None:
    end = await run_python(source, tmp_path)
    assert (end.exit_code, end.signal) == (code, number)


async def test_a_daemon_that_left_the_group_is_killed(tmp_path: Path) -> None:
    source = """
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                open("pid", "w").write(str(os.getpid()))
                os.execv("/bin/sleep", ["sleep", "600"])
            os._exit(0)
        import time
        while not os.path.exists("pid") or not open("pid").read(): time.sleep(0.01)
    """
    end = await run_python(source, tmp_path)
    assert end.exit_code == 0
    assert end.leftovers >= 1
    assert not is_alive(int((tmp_path / "pid").read_text()))


async def test_cancelling_kills_it_at_once(tmp_path: Path) -> None:
    task = asyncio.create_task(run_python("open('pid', 'w').write(str(os.getpid()))\nwhile True: pass", tmp_path))
    pid = await written_pid(tmp_path)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 4
    assert not is_alive(pid)


async def test_files_that_were_closed_are_no_matter(tmp_path: Path) -> None:
    end = await run_python(DELETED.replace("range(5)", "range(10)") + "    file.close()", tmp_path)
    assert (end.exit_code, end.stopped_by) == (0, None)


def test_what_cannot_die_is_given_up() -> None:
    # One that ended and was not waited for is as deaf as one that waits for a device.
    with subprocess.Popen(["true"]) as ended:
        assert kill_all(lambda: [ended.pid], patience_s=0.05) == {ended.pid}


def test_it_ends_when_the_service_dies(tmp_path: Path) -> None:
    """The keeper's standard input closes when the service dies; nothing is left then."""
    script = tmp_path / "script.py"
    script.write_text("import os\nopen('pid', 'w').write(str(os.getpid()))\nwhile True: pass")
    spec = KeeperSpec(
        [sys.executable, str(script)],
        {},
        str(tmp_path),
        [],
        Bounds(60, 1 << 30, [str(tmp_path)], 1 << 20, files=9, processes=9),
    )
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(KEEPER)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as keeper:
        assert keeper.stdin is not None
        keeper.stdin.write(json.dumps(dataclasses.asdict(spec)).encode() + b"\n")
        keeper.stdin.flush()
        pid = asyncio.run(written_pid(tmp_path))
        keeper.stdin.close()
        keeper.wait(timeout=5)
    assert not is_alive(pid)


async def test_events_come_in_order_and_saved_ones_are_answered(tmp_path: Path) -> None:
    source = """
        import json, socket
        channel = socket.socket(fileno=fds[0])
        channel.sendall(b'{"event": "booted"}\\n')
        channel.sendall(b'{"event": "saved", "name": "start.blend"}\\n')
        assert channel.recv(1) == b"\\n"
        channel.sendall(b'{"event": "finished"}\\n')
    """
    end = await run_python(source, tmp_path)
    assert [event["event"] for _, event in end.events] == ["booted", "saved", "finished"]
    assert json.loads((tmp_path / "saved.json").read_text()) == ["start.blend"]


@pytest.mark.parametrize(("value", "stopped_by"), [("{},", "output"), ("   ", None)])
async def test_events_count_as_the_memory_that_they_take(value: str, stopped_by: str | None, tmp_path: Path) -> None:
    source = f"""
        import time
        for _ in range(10):
            data = b'{{"event": "used", "a": [' + b"{value}" * 20_000 + b"1]}}\\n"
            while data:
                data = data[os.write(fds[0], data):]
        time.sleep({1 if stopped_by else 0})
    """
    end = await run_python(source, tmp_path)
    assert end.stopped_by == stopped_by
    assert len(end.events) == (0 if stopped_by else 10)


@pytest.mark.parametrize("line", [b"[1]", b'{"event": 3}', b"\xff\xfe", b"[" * 10_000, b"x" * (3 << 20), b"NaN"])
async def test_a_line_that_is_no_event_ends_the_listening_only(line: bytes, tmp_path: Path) -> None:
    source = f"""
        import contextlib
        with contextlib.suppress(OSError):
            os.write(fds[0], b'{{"event": "booted"}}\\n')
            data = {line[:10]!r} * {max(1, len(line) // 10)} + b"\\n"
            while data:
                data = data[os.write(fds[0], data):]
        print("went on")
    """
    end = await run_python(source, tmp_path)
    assert [event["event"] for _, event in end.events] == ["booted"]
    assert "went on" in end.log or end.signal == signal.SIGPIPE


def test_a_stream_keeps_head_and_tail_and_counts_the_cut() -> None:
    stream = Stream(20)
    for part in (b"0123456789", b"abc", b"x" * 1000, b"the end..."):
        stream.feed(part)
    captured = stream.captured()
    assert captured["text"].startswith("0123456789\n[... 1003 bytes left out ...]")
    assert captured["text"].endswith("the end...")
    assert (captured["bytes"], captured["cut_bytes"]) == (1023, 1003)


def test_a_short_stream_is_kept_whole() -> None:
    stream = Stream(20)
    stream.feed(b"0123456789abcdef")
    assert stream.captured() == {"text": "0123456789abcdef", "bytes": 16, "cut_bytes": 0}


def test_output_is_shown_as_text_without_control_characters() -> None:
    assert printable(b"a\x1b[31mb\xffc\r\n\td\x00") == "a\\x1b[31mb\\xffc\n\td\\x00"


async def written_pid(folder: Path) -> int:
    for _ in range(500):
        if (folder / "pid").exists() and (text := (folder / "pid").read_text()):
            return int(text)
        await asyncio.sleep(0.01)
    raise AssertionError("the process did not start")


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX" and os.path.exists(f"/proc/{pid}")  # noqa: PTH110
