"""The ladder, its self-test, the system call filter, and what the keeper still measures and ends inside."""

from __future__ import annotations

import asyncio
import dataclasses
import errno
import json
import os
import struct
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

import app.service.startup
from app.errors import SandboxBroken
from app.settings import Settings
from harness.blenders import Blender
from harness.execution import execute
from harness.launcher import Command, ProcessEnd, ProcessLimits, launch
from harness.order import Order
from harness.sandbox import landlock, runtime, seccomp, selftest, syscalls
from harness.sandbox.jail import FAILED, JailSpec
from harness.sandbox.ladder import Rung, Sandbox, climb, strongest
from tests.conftest import serving
from tests.ordinary_user import said_by_an_ordinary_user

ROOT = Path(__file__).resolve().parents[1]
SNIPPETS = Path(__file__).parent / "snippets"
LIMITS = ProcessLimits(
    wall_s=10, memory_bytes=256 << 20, disk_bytes=4 << 20, files=20, processes=8, output_bytes=1 << 20
)
ISOLATING = (Rung.NAMESPACES, Rung.LANDLOCK)

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these mechanisms")


def on(rung: Rung) -> Sandbox:
    """A sandbox on this rung; skips where the machine does not allow it."""
    found = climb((rung,))
    if found.rung is not rung:
        pytest.skip(f"this machine does not allow it: {found.why_not}")
    return found


# --- the ladder and its self-test ----------------------------------------------------------------------------


@linux
@pytest.mark.parametrize("rung", ISOLATING)
def test_nothing_gets_out_of_a_rung(rung: Rung, tmp_path: Path) -> None:
    found = selftest.examine(on(rung), [tmp_path])
    assert found.escapes == ()
    assert found.attempts > 20
    assert found.isolates and found.serves
    assert list(tmp_path.iterdir()) == []


@dataclasses.dataclass(frozen=True)
class Weakened(Sandbox):
    """A rung that claims more than it holds: one of its mechanisms is left out."""

    without: str = ""

    def jail(self, readable: list[str], writable: list[str]) -> JailSpec | None:
        """The jail without that mechanism."""
        whole = super().jail(readable, writable)
        assert whole is not None
        return dataclasses.replace(whole, landlock=0) if self.without == "landlock" else self.unfiltered(whole)

    def unfiltered(self, whole: JailSpec) -> JailSpec:
        return dataclasses.replace(whole, seccomp="")


@linux
@pytest.mark.parametrize(
    ("rung", "without", "noticed"),
    [
        (Rung.LANDLOCK, "landlock", {"read_secret", "write_secret", "list_secrets", "signal_others"}),
        (Rung.LANDLOCK, "seccomp", {"make_any_socket", "send_udp", "uncounted_memory", "signal_by_owner"}),
        (Rung.NAMESPACES, "landlock", {"read_environment_of_others"}),
        (Rung.NAMESPACES, "seccomp", {"make_any_socket", "uncounted_memory", "give_own_rights", "pass_descriptors"}),
    ],
)
def test_the_self_test_notices_what_is_missing(rung: Rung, without: str, noticed: set[str], tmp_path: Path) -> None:
    whole = on(rung)
    found = selftest.examine(Weakened(rung, whole.landlock, without=without), [tmp_path])
    assert noticed <= set(found.escapes)
    assert found.isolates is not bool(noticed)


def test_what_claims_nothing_is_not_tested_and_serves_only_by_the_operators_word() -> None:
    nothing = selftest.examine(Sandbox(Rung.PROCESS, why_not=("none",)), [])
    assert (nothing.isolates, nothing.serves, nothing.facts()["allowed_by"]) == (False, False, None)
    unsafe = dataclasses.replace(nothing, unsafe=True)
    assert (unsafe.isolates, unsafe.serves) == (False, True)
    assert unsafe.facts()["allowed_by"] == "BLENDPROOF_SANDBOX=unsafe"


IN_A_CONTAINER = """
import base64, errno, json, os, sys
sys.path.insert(0, {root!r})
from pathlib import Path
from harness.sandbox import ladder, landlock, libc, seccomp, selftest
from harness.sandbox.seccomp import *

def container(forbidden, privileged_clone):
    # As a container's default profile: everything but what makes namespaces and mounts.
    def instructions():
        yield Instruction(LOAD, 0)
        known = numbers(libc.MACHINE)
        for name in forbidden:
            yield from (Instruction(EQUAL, known[name], 0, 1), Instruction(RETURN, FAIL | errno.EPERM))
        yield from (Instruction(EQUAL, known["clone3"], 0, 1), Instruction(RETURN, FAIL | errno.ENOSYS))
        rule = first(CLONE_NEW, ANY_BIT, answer(FAIL | errno.EPERM))
        yield from (Instruction(EQUAL, known["clone"], 0, len(rule)), *rule)
        yield from answer(ALLOW)
    return base64.b64encode(b"".join(step.packed() for step in instructions())).decode()

libc.drop_capabilities()
libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
seccomp.load(container({forbidden!r}, False), libc.MACHINE, os.getpid())
found = selftest.examine(ladder.strongest(), [Path({guarded!r})])
print(json.dumps([found.rung, found.escapes, found.serves, found.attempts, found.why_not]))
"""
DOCKER = ["unshare", "setns", "mount", "umount2", "pivot_root", "fsopen", "move_mount", "open_tree", "bpf", "keyctl"]


def found_in_a_container(forbidden: list[str], guarded: Path) -> tuple[str, list[str], bool, int, list[str]]:
    """What a service in a container with these calls forbidden, and without any capability, would find."""
    source = IN_A_CONTAINER.format(root=str(ROOT), forbidden=forbidden, guarded=str(guarded))
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-c", source], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found: tuple[str, list[str], bool, int, list[str]] = tuple(json.loads(done.stdout))  # pyright: ignore[reportAssignmentType]
    return found


@linux
def test_a_container_without_namespaces_gets_the_rung_below(tmp_path: Path) -> None:
    on(Rung.LANDLOCK)
    rung, escapes, serves, attempts, why_not = found_in_a_container(DOCKER, tmp_path)
    assert (rung, escapes, serves) == ("landlock", [], True)
    assert attempts > 20
    assert "namespaces" in why_not[0]


@linux
def test_where_nothing_is_allowed_nothing_is_claimed(tmp_path: Path) -> None:
    rung, _, serves, _, why_not = found_in_a_container([*DOCKER, "landlock_create_ruleset"], tmp_path)
    assert (rung, serves, len(why_not)) == ("process", False, 2)


@linux
def test_an_ordinary_user_gets_the_same() -> None:
    said = said_by_an_ordinary_user("""
import json
from harness.sandbox import ladder, selftest
found = selftest.examine(ladder.strongest(), [])
print(json.dumps([found.rung, found.escapes]))
""")
    assert json.loads(said) == [strongest().rung, []]


# --- the system call filter ----------------------------------------------------------------------------------


def decide(machine: str, call: str | int, arguments: tuple[int, ...] = (), policy: seccomp.Policy | None = None) -> int:
    """What a filter answers to a call: the kernel's machine, in a few lines."""
    program = seccomp.program(machine, policy or seccomp.Policy())
    number = syscalls.numbers(machine)[call] if isinstance(call, str) else call
    padded = (*arguments, *(0 for _ in range(6 - len(arguments))))
    data = struct.pack("=iIQ6Q", number, seccomp.AUDIT_ARCH[machine], 0, *(value % (1 << 64) for value in padded))
    steps = list(struct.iter_unpack("=HBBI", program))
    position = accumulator = 0
    while True:
        code, if_true, if_false, value = steps[position]
        position += 1
        if code == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == seccomp.MASK:
            accumulator &= value
        elif code == seccomp.RETURN:
            return int(value)
        else:
            tests = {
                seccomp.EQUAL: accumulator == value,
                seccomp.AT_LEAST: accumulator >= value,
                seccomp.ANY_BIT: bool(accumulator & value),
            }
            position += if_true if tests[code] else if_false


def fails(number: int) -> int:
    return seccomp.FAIL | number


THREAD = 0x3D0F00
CLONE_NEWUSER = 0x10000000
SHARED, PRIVATE, ANONYMOUS = 0x1, 0x2, 0x20


@pytest.mark.parametrize("machine", syscalls.MACHINES)
@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [
        ("read", (), seccomp.ALLOW),
        ("openat", (), seccomp.ALLOW),
        ("execve", (), seccomp.ALLOW),
        ("clone", (THREAD,), seccomp.ALLOW),
        ("clone", (17,), seccomp.ALLOW),
        ("clone", (17 | CLONE_NEWUSER,), fails(errno.EPERM)),
        ("clone3", (), fails(errno.ENOSYS)),
        ("socket", (1, 1, 0), fails(errno.EACCES)),
        ("connect", (), fails(errno.EACCES)),
        ("socketpair", (1, 1 | 0o2000000, 0), seccomp.ALLOW),
        ("socketpair", (1, 2, 0), fails(errno.EACCES)),
        ("socketpair", (1 << 32 | 2, 1, 0), fails(errno.EACCES)),
        ("io_uring_setup", (), fails(errno.EPERM)),
        ("ptrace", (), fails(errno.EPERM)),
        ("mount", (), fails(errno.EPERM)),
        ("memfd_create", (), fails(errno.EPERM)),
        ("ioctl", (0, 0x5401), seccomp.ALLOW),
        ("ioctl", (0, 0x5412), fails(errno.ENOTTY)),
        ("ioctl", (0, 1 << 32 | 0x5412), fails(errno.ENOTTY)),
        ("prlimit64", (0, 7), seccomp.ALLOW),
        ("prlimit64", (1234, 7), fails(errno.EPERM)),
        ("kill", (1, 9), fails(errno.EPERM)),
        ("kill", (77, 9), seccomp.ALLOW),
        ("fcntl", (3, 6), fails(0)),
        ("fcntl", (3, 3), seccomp.ALLOW),
        ("fcntl", (3, 4, os.O_NONBLOCK), seccomp.ALLOW),
        ("fcntl", (3, 8, 77), fails(errno.EPERM)),
        ("fcntl", (3, 10, 9), fails(errno.EPERM)),
        ("fcntl", (3, 15), fails(errno.EPERM)),
        ("sendto", (), seccomp.ALLOW),
        ("recvmsg", (), seccomp.ALLOW),
        ("sendmsg", (), fails(errno.EPERM)),
        ("sendmmsg", (), fails(errno.EPERM)),
        ("mmap", (0, 4096, 3, PRIVATE | ANONYMOUS), seccomp.ALLOW),
        ("mmap", (0, 4096, 3, SHARED), seccomp.ALLOW),
        ("mmap", (0, 4096, 3, SHARED | ANONYMOUS), fails(errno.ENOMEM)),
        ("mmap", (0, 4096, 3, SHARED | ANONYMOUS | 0x4000), fails(errno.ENOMEM)),
        ("fallocate", (), fails(errno.EOPNOTSUPP)),
        ("fchmod", (3, 0o755), seccomp.ALLOW),
        ("fchmod", (3, 0o4755), fails(errno.EPERM)),
        ("fchmodat", (3, 0, 0o2755), fails(errno.EPERM)),
        ("openat", (3, 0, os.O_CREAT | os.O_WRONLY, 0o644), seccomp.ALLOW),
        ("openat", (3, 0, os.O_CREAT | os.O_WRONLY, 0o4755), fails(errno.EPERM)),
        ("openat", (3, 0, 0o20000000 | os.O_WRONLY, 0o4755), fails(errno.EPERM)),
        # Without a file to be made the mode is whatever was there.
        ("openat", (3, 0, os.O_WRONLY, 0o4755), seccomp.ALLOW),
        ("flock", (), fails(0)),
        ("openat2", (), fails(errno.ENOSYS)),
        (9999, (), fails(errno.ENOSYS)),
        (seccomp.FOREIGN_NUMBERS | 1, (), seccomp.KILL),
    ],
)
def test_the_filter_answers(machine: str, call: str | int, arguments: tuple[int, ...], answer: int) -> None:
    assert decide(machine, call, arguments) == answer


@pytest.mark.parametrize("machine", syscalls.MACHINES)
def test_a_policy_takes_more_away(machine: str) -> None:
    strict = seccomp.Policy(processes=False, metadata=False, signals=False, truncate=False)
    assert decide(machine, "clone", (17,), strict) == fails(errno.EPERM)
    assert decide(machine, "clone", (THREAD,), strict) == seccomp.ALLOW
    assert decide(machine, "execve", (), strict) == fails(errno.EPERM)
    assert decide(machine, "fchmod", (3, 0o4755), strict) == fails(0)
    assert decide(machine, "fsetxattr", (), strict) == fails(errno.ENOTSUP)
    assert decide(machine, "kill", (77, 9), strict) == fails(errno.EPERM)
    assert decide(machine, "tgkill", (seccomp.OWN_PID, 7, 6), strict) == seccomp.ALLOW
    assert decide(machine, "truncate", (), strict) == fails(errno.EPERM)
    assert decide(machine, "openat", (0, 0, os.O_RDONLY | os.O_TRUNC), strict) == fails(errno.EPERM)
    assert decide(machine, "openat", (0, 0, os.O_WRONLY | os.O_TRUNC), strict) == seccomp.ALLOW
    made = os.O_WRONLY | os.O_TRUNC | os.O_CREAT
    assert decide(machine, "openat", (0, 0, made, 0o644), strict) == seccomp.ALLOW
    assert decide(machine, "openat", (0, 0, made, 0o4755), strict) == fails(errno.EPERM)


def test_a_machine_that_is_not_known_has_no_filter() -> None:
    assert seccomp.program("riscv64", seccomp.Policy()) == b""


def test_every_call_that_is_named_has_a_number() -> None:
    known = {name for machine in syscalls.MACHINES for name in syscalls.numbers(machine)}
    assert set(seccomp.rules(seccomp.Policy())) <= known


# --- what the keeper measures and ends inside ----------------------------------------------------------------


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
        assert (os.getuid(), socket.gethostname(), os.getppid()) == (1000, "blender", 1)
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


# --- the service ---------------------------------------------------------------------------------------------


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """The settings of the other tests, with the sandbox as an operator gets it who says nothing."""
    return settings.model_copy(update={"sandbox": "auto"})


NOTHING = Sandbox(Rung.PROCESS, why_not=("namespaces: not allowed", "landlock: not there"))


async def health_and_answer(settings: Settings) -> tuple[dict[str, Any], httpx.Response]:
    async with serving(settings) as client:
        health = (await client.get("/health")).json()["parts"]["sandbox"]
        answer = await client.post("/validate", json={"snippet": "1 +"}, headers={"Prefer": "respond-async"})
        return health, answer


async def test_without_a_sandbox_snippets_are_refused(
    settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.service.startup, "strongest", lambda: NOTHING)
    health, answer = await health_and_answer(settings)
    assert health["state"] == "down"
    assert "not allowed" in health["message"]
    assert (answer.status_code, answer.json()["code"]) == (503, "sandbox_missing")
    assert "BLENDPROOF_SANDBOX" in answer.json()["hint"]


async def test_the_operator_can_accept_it(
    settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.service.startup, "strongest", lambda: NOTHING)
    health, answer = await health_and_answer(settings.model_copy(update={"sandbox": "unsafe"}))
    assert (health["state"], answer.status_code) == ("degraded", 202)


async def test_a_sandbox_that_leaks_is_not_served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    leaking = Sandbox(Rung.LANDLOCK, 7, escapes=("read_secret",))

    def examine(_sandbox: Sandbox, _guarded: list[Path]) -> Sandbox:
        return leaking

    monkeypatch.setattr(selftest, "examine", examine)
    with pytest.raises(SandboxBroken, match="read_secret"):
        async with serving(settings):
            pass


async def test_files_of_jobs_are_closed_to_other_users(settings: Settings) -> None:
    folders = [settings.data_folder / name for name in ("work", "warm")]
    for folder in folders:
        folder.mkdir(parents=True)
    async with serving(settings):
        assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700, 0o700]


async def test_with_a_sandbox_health_names_the_rung(settings: Settings, blender: Blender) -> None:
    if not strongest().isolates:
        pytest.skip("this machine isolates nothing")
    health, _ = await health_and_answer(settings)
    assert (health["state"], f"rung `{strongest().rung}`" in health["message"]) == ("ok", True)


@pytest.mark.blender
async def test_without_isolation_a_snippet_reaches_its_keeper_and_the_report_says_so(
    blender: Blender, tmp_path: Path, no_leftovers: None
) -> None:
    unsafe = dataclasses.replace(NOTHING, unsafe=True)
    source = (SNIPPETS / "kills_its_keeper.py").read_text()
    report = await execute(blender, Order(source), tmp_path / "job", unsafe)
    assert report["outcome"] == "crashed"
    assert report["isolation"]["isolates_files_and_network"] is False
    assert report["isolation"]["allowed_by"] == "BLENDPROOF_SANDBOX=unsafe"


@pytest.mark.blender
@pytest.mark.parametrize("rung", ISOLATING)
async def test_both_doors_work_on_a_rung(rung: Rung, executable: Blender, blender: Blender, tmp_path: Path) -> None:
    for door in (executable, blender):
        report = await execute(
            door, Order("import bpy\nbpy.data.objects['Cube'].location.x = 1\n"), tmp_path / door.kind, on(rung)
        )
        assert (report["outcome"], report["isolation"]["rung"]) == ("passed", rung.value), report["reason"]
        assert report["isolation"]["mechanisms"]["landlock"] == (landlock.version() or None)


def test_a_folder_that_the_service_cannot_write_gets_no_canary(tmp_path: Path) -> None:
    own, work = tmp_path / "own", tmp_path / "work"
    own.mkdir()
    work.mkdir()
    with selftest.bait(work, [Path("/sys"), own, tmp_path / "missing"]) as canary:
        assert [file.parents[1] for file in canary.files] == [work / "outside", own]
