"""How a process is put behind bars: into namespaces, once for a whole tree of processes; then it restricts itself.

    keeper ── start ──> [init, where there are namespaces] ──> become: descriptors, session, limits, then `restrict`:
                                                               no new privileges, Landlock, system call filter; exec

`confine` is all that a process which forks its jobs has to call in each child. The caller of `start` has one thread.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

from harness.sandbox import landlock, libc, namespaces, rlimits, seccomp

FAILED: Final = 97
"""Exit code of a process that could not be restricted; nothing of the job ran."""
STARTED_LIMIT_BYTES: Final = 64
SCRATCH: Final = ("/tmp", "/dev/shm")
"""Folders in memory that namespaces have of their own."""


class JailFailed(Exception):
    """The process could not be isolated as it had to be, so it was not started."""


@dataclass(frozen=True)
class JailSpec:
    """What a job is held to. Paths are absolute; what is neither readable nor writable is out of reach.

    `landlock` is the version to use and 0 for none; `seccomp` is a program as base64 and empty for none.
    """

    readable: list[str]
    writable: list[str]
    namespaces: bool
    landlock: int
    seccomp: str
    scratch_bytes: int = 64 << 20
    scratch_files: int = 2000


@dataclass(frozen=True)
class Job:
    """The program to become. `limits` are the kernel's, by number; `descriptors` stay open beside 0, 1 and 2."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    descriptors: list[int]
    limits: dict[int, int]


@dataclass(frozen=True)
class RunningJob:
    """A job that runs. `pid` is to be waited for and killed; with namespaces it is their first process.

    That one tells on `report` how the job ended, and stays until it is killed, which ends all that is in there.
    """

    pid: int
    report: int | None = None

    def told(self) -> JobEnd | None:
        """How the job ended, once that can be read from `report`; None when its first process died without a word."""
        assert self.report is not None
        with os.fdopen(self.report, "rb") as file:
            line = file.readline()
        return JobEnd(**json.loads(line)) if line else None


@dataclass(frozen=True)
class JobEnd:
    """What the kernel said when the job ended."""

    status: int
    cpu_s: float
    peak_memory_bytes: int


def start(job: Job, jail: JailSpec | None) -> RunningJob:
    """Start the job behind the bars given; raises JailFailed if the namespaces cannot be had."""
    if jail and jail.namespaces:
        return start_in_namespaces(job, jail)
    pid = os.fork()
    if pid == 0:
        or_fail(lambda: become(job, jail))
    return RunningJob(pid)


def start_in_namespaces(job: Job, jail: JailSpec) -> RunningJob:
    """Start a process 1 and have it start the job.

    The process in between is needed because only a child can be in a new process namespace. It ends at once, and
    process 1 falls to this process, which adopts orphans.
    """
    report, our_report = os.pipe()
    go, our_go = os.pipe()
    between = os.fork()
    if between == 0:

        def split() -> NoReturn:
            os.close(our_go)
            namespaces.enter()
            init = os.fork()
            if init == 0:
                or_fail(lambda: watch_over(job, jail, go, our_report))
            os.write(our_report, f"{init}\n".encode())
            os._exit(0)

        or_fail(split)
    for descriptor in (go, our_report):
        os.close(descriptor)
    _, status = os.waitpid(between, 0)
    if status:
        os.close(our_go)
        os.close(report)
        raise JailFailed("new namespaces cannot be had")
    running = RunningJob(int(read_line(report)), report)
    # Kept open from here on: if it closes, this process is dead.
    os.write(our_go, b"!")
    return running


def read_line(descriptor: int) -> bytes:
    """A short line, read byte by byte so that nothing after it is taken."""
    line = b""
    while len(line) < STARTED_LIMIT_BYTES and (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
        line += byte
    return line


def watch_over(job: Job, jail: JailSpec, go: int, report: int) -> NoReturn:
    """Be process 1: build the root, start the job, collect what is orphaned, tell how the job ended."""
    os.read(go, 1)
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([go], [], [], 0)[0]:
        os._exit(FAILED)
    os.setsid()
    namespaces.build_root(jail.readable, jail.writable, jail.scratch_bytes, jail.scratch_files)
    child = os.fork()
    if child == 0:
        or_fail(lambda: become(job, jail))
    # Nothing in here may look into this process, or be served by it.
    libc.drop_capabilities()
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    close_all_but({0, 1, 2, go, report})
    collect(child, report)


def collect(child: int, report: int) -> NoReturn:
    """Wait for everything that ends; say it when it is the job."""
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            signal.pause()
            continue
        if pid == child:
            end = JobEnd(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
            os.write(report, json.dumps(dataclasses.asdict(end)).encode() + b"\n")


def become(job: Job, jail: JailSpec | None) -> NoReturn:
    """Turn this process into the job."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    confine(jail, job.descriptors, job.folder, job.limits)
    os.execve(job.command[0], job.command, job.environment)


def confine(jail: JailSpec | None, descriptors: Iterable[int], folder: str, limits: Mapping[int, int]) -> None:
    """Leave this process, fresh from a fork, only 0 to 2 and these descriptors, and hold it to its limits and jail."""
    close_all_but({0, 1, 2, *descriptors})
    os.setsid()
    if sys.platform == "linux":
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    default_signals()
    os.chdir(folder)
    rlimits.apply(limits)
    if jail:
        restrict(jail)


def restrict(jail: JailSpec) -> None:
    """Hold this process and all it starts to the paths and system calls of the jail, for good. It has one thread."""
    if jail.namespaces:
        rlimits.apply(rlimits.task_limit())
    libc.drop_capabilities()
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    if jail.landlock:
        landlock.restrict(jail.landlock, [*jail.readable, *readable_inside(jail)], [*jail.writable, *scratch(jail)])
    if jail.seccomp:
        seccomp.load(jail.seccomp, libc.MACHINE, os.getpid())


def narrow(call_filter: str) -> None:
    """Hold this process, with all threads it has by now, to a filter on top of its own."""
    seccomp.load(call_filter, libc.MACHINE, os.getpid(), every_thread=True)


def readable_inside(jail: JailSpec) -> list[str]:
    """What namespaces add to read. Without them /proc and most of /dev are the machine's, and stay out of reach."""
    devices = [f"/dev/{name}" for name in ("full", "random", "urandom")]
    return [*devices, "/proc", "/dev"] if jail.namespaces else devices


def scratch(jail: JailSpec) -> list[str]:
    """What can be written beside the folders of the job."""
    return [os.devnull, *SCRATCH] if jail.namespaces else [os.devnull]


def close_all_but(kept: Iterable[int]) -> None:
    """Close every descriptor that is not named."""
    following = 0
    for descriptor in sorted(kept):
        # An empty range would be taken for one without end.
        if following < descriptor:
            os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, max(following + 1, os.sysconf("SC_OPEN_MAX")))


def default_signals() -> None:
    """Undo what Python changed for itself, as starting a program would inherit it."""
    for name in ("SIGPIPE", "SIGXFZ", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def or_fail(step: Callable[[], NoReturn]) -> NoReturn:
    """Do a step of a forked child; where it fails, say why in one line and end, whatever it was."""
    # What Python would load to show more may be out of reach by now.
    with contextlib.suppress(BaseException):
        try:
            step()
        except OSError as error:
            os.write(2, f"the sandbox could not be set up: {error.strerror}: {error.filename or ''}\n".encode())
        except Exception as error:
            os.write(2, f"the sandbox could not be set up: {type(error).__name__}: {error}\n".encode())
    os._exit(FAILED)
