"""Confines a process: it enters namespaces, once for a whole tree of processes, and then restricts itself.

    keeper ── start ──> [init, on the namespaces rung] ──> become: descriptors, session, limits, then `restrict`:
                                                           no new privileges, Landlock, system call filter; exec

A process that forks its jobs only has to call `confine` in each child. The caller of `start` has one thread.
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
from harness.sandbox.groups import ControlGroup

FAILED: Final = 97
"""Exit code of a process that could not be restricted; nothing of the job ran."""
STARTED_LIMIT_BYTES: Final = 64
SCRATCH: Final = ("/tmp", "/dev/shm")
"""Folders in memory that belong to the namespaces."""
PLACE: Final = "/projects"
"""The path of the place for a job in namespaces: outside every scratch folder, which would open all below it."""
SOCKETS: Final = "/tmp/.X11-unix"
"""The folder in which programs look for the socket of a display."""


class JailFailed(Exception):
    """The process could not be isolated as required, so it was not started."""


@dataclass(frozen=True)
class JailSpec:
    """The restrictions of a job. Paths are absolute; all other paths are out of reach.

    `place` is the folder that the job sees as PLACE in namespaces, `sockets` the one that it sees as SOCKETS, empty for
    none; paths of them are given as the machine has them.
    `landlock` is the version to use, 0 for none; `seccomp` is a program as base64, empty for none. `groups` is the
    folder to make a control group in, empty for none.
    """

    readable: list[str]
    writable: list[str]
    namespaces: bool
    landlock: int
    seccomp: str
    place: str = ""
    sockets: str = ""
    scratch_bytes: int = 64 << 20
    scratch_files: int = 2000
    groups: str = ""

    def seen(self, path: str) -> str:
        """The path at which the job sees a path of the machine."""
        if self.sockets and path == self.sockets:
            return SOCKETS
        return seen(path, self.place) if self.namespaces else path


def seen(path: str, place: str) -> str:
    """The path at which a job in namespaces sees a path; paths outside its place stay as they are."""
    if place and (path == place or path.startswith(f"{place}/")):
        return PLACE + path[len(place) :]
    return path


@dataclass(frozen=True)
class SandboxedJob:
    """The program to become. `limits` are the kernel's, by number; `descriptors` stay open, as do 0, 1 and 2."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    descriptors: list[int]
    limits: dict[int, int]


@dataclass(frozen=True)
class RunningJob:
    """A running job. `pid` is the process to wait for and to kill; with namespaces it is their first process.

    The first process reports on `report` the end of the job, and stays until it is killed, which ends all in there.
    """

    pid: int
    report: int | None = None

    def reported_end(self) -> JobEnd | None:
        """The end of the job, once `report` can be read; None if the first process died without a report."""
        assert self.report is not None
        with os.fdopen(self.report, "rb") as file:
            line = file.readline()
        return JobEnd(**json.loads(line)) if line else None


@dataclass(frozen=True)
class JobEnd:
    """The kernel's record of how the job ended."""

    status: int
    cpu_s: float
    peak_memory_bytes: int


def start(job: SandboxedJob, jail: JailSpec | None, group: ControlGroup | None = None) -> RunningJob:
    """Start the job in the given jail and control group. Raises JailFailed if its namespaces are not available."""
    if jail and jail.namespaces:
        return start_in_namespaces(job, jail, group)
    pid = os.fork()
    if pid == 0:
        enter(group)
        or_fail(lambda: become(job, jail))
    return RunningJob(pid)


def enter(group: ControlGroup | None) -> None:
    """Enter a control group if there is one; without it, the other limits hold."""
    with contextlib.suppress(OSError):
        if group:
            group.enter()


def start_in_namespaces(job: SandboxedJob, jail: JailSpec, group: ControlGroup | None) -> RunningJob:
    """Start a process 1 and have it start the job.

    The process in between is needed because only a child enters a new process namespace. It ends at once, and this
    process, which adopts orphans, becomes the parent of process 1.
    """
    report, our_report = os.pipe()
    go, our_go = os.pipe()
    between = os.fork()
    if between == 0:

        def split() -> NoReturn:
            os.close(our_go)
            enter(group)
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
        raise JailFailed("new namespaces are not available")
    running = RunningJob(int(read_line(report)), report)
    # Kept open from here on: if it closes, this process is dead.
    os.write(our_go, b"!")
    return running


def read_line(descriptor: int) -> bytes:
    """A short line, read byte by byte so that nothing after it is consumed."""
    line = b""
    while len(line) < STARTED_LIMIT_BYTES and (byte := os.read(descriptor, 1)) not in (b"", b"\n"):
        line += byte
    return line


def watch_over(job: SandboxedJob, jail: JailSpec, go: int, report: int) -> NoReturn:
    """As process 1: build the root, start the job, reap orphans, report the end of the job."""
    os.read(go, 1)
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([go], [], [], 0)[0]:
        os._exit(FAILED)
    os.setsid()
    readable = {jail.seen(path): path for path in jail.readable}
    writable = {jail.seen(path): path for path in jail.writable}
    namespaces.count_on()
    namespaces.build_root(readable, writable, jail.scratch_bytes, jail.scratch_files)
    child = os.fork()
    if child == 0:
        or_fail(lambda: become(job, jail))
    # No process in here may look into this one or use its descriptors.
    libc.drop_capabilities()
    libc.prctl(libc.PR_SET_DUMPABLE, 0)
    close_all_but({0, 1, 2, go, report})
    collect(child, report)


def collect(child: int, report: int) -> NoReturn:
    """Reap every process that ends, and report the end of the job."""
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            signal.pause()
            continue
        if pid == child:
            end = JobEnd(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
            os.write(report, json.dumps(dataclasses.asdict(end)).encode() + b"\n")


def become(job: SandboxedJob, jail: JailSpec | None) -> NoReturn:
    """Turn this process into the job."""
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    confine(jail, job.descriptors, job.folder, job.limits)
    os.execve(job.command[0], job.command, job.environment)


def confine(jail: JailSpec | None, descriptors: Iterable[int], folder: str, limits: Mapping[int, int]) -> None:
    """Leave this newly forked process only descriptors 0 to 2 and these, and apply its limits and its jail."""
    close_all_but({0, 1, 2, *descriptors})
    os.setsid()
    if sys.platform == "linux":
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    default_signals()
    os.chdir(folder)
    rlimits.apply(limits)
    if jail:
        restrict(jail)


def withdraw(jail: JailSpec) -> None:
    """Go on in a new process, in namespaces with a root of the jail's paths; this one has one thread and only waits.

    The new process ends with this one. Raises OSError.
    """
    namespaces.enter()
    wait_for(os.fork())
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
    readable, writable = ({path: path for path in paths} for paths in (jail.readable, jail.writable))
    namespaces.build_root(readable, writable, jail.scratch_bytes, jail.scratch_files)
    # Signals that nothing catches do not end the first process in there.
    wait_for(os.fork())


def wait_for(child: int) -> None:
    """As the parent of a fork, let go of all descriptors, and end when the child ends; as the child, do nothing."""
    if child == 0:
        return
    close_all_but({0, 1, 2})
    with contextlib.suppress(ChildProcessError):
        while os.wait()[0] != child:
            pass
    os._exit(0)


def restrict(jail: JailSpec) -> None:
    """Restrict this process and all it starts to the paths and system calls of the jail. Irreversible; one thread."""
    if jail.namespaces:
        rlimits.apply(rlimits.task_limit())
    libc.drop_capabilities()
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    if jail.landlock:
        readable, writable = map(jail.seen, jail.readable), map(jail.seen, jail.writable)
        landlock.restrict(jail.landlock, [*readable, *readable_inside(jail)], [*writable, *scratch(jail)])
    if jail.seccomp:
        seccomp.load(jail.seccomp, libc.MACHINE, os.getpid())


def narrow(call_filter: str) -> None:
    """Restrict this process, with all its present threads, to a filter on top of its own."""
    seccomp.load(call_filter, libc.MACHINE, os.getpid(), every_thread=True)


def readable_inside(jail: JailSpec) -> list[str]:
    """Readable paths that namespaces add. Without them /proc and most of /dev are the machine's and out of reach."""
    devices = [f"/dev/{name}" for name in ("full", "random", "urandom")]
    return [*devices, "/proc", "/dev"] if jail.namespaces else devices


def scratch(jail: JailSpec) -> list[str]:
    """Writable paths in addition to the folders of the job."""
    return [os.devnull, *SCRATCH] if jail.namespaces else [os.devnull]


def close_all_but(kept: Iterable[int]) -> None:
    """Close every other descriptor."""
    following = 0
    for descriptor in sorted(kept):
        # An empty range would be read as one without end.
        if following < descriptor:
            os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, max(following + 1, os.sysconf("SC_OPEN_MAX")))


def default_signals() -> None:
    """Undo Python's own changes to signals, which a started program would inherit."""
    for name in ("SIGPIPE", "SIGXFZ", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def or_fail(step: Callable[[], NoReturn]) -> NoReturn:
    """Do a step of a forked child; on any failure, report it in one line and end."""
    # The modules that a traceback needs may be out of reach by now.
    with contextlib.suppress(BaseException):
        try:
            step()
        except OSError as error:
            os.write(2, f"the sandbox could not be set up: {error.strerror}: {error.filename or ''}\n".encode())
        except Exception as error:
            os.write(2, f"the sandbox could not be set up: {type(error).__name__}: {error}\n".encode())
    os._exit(FAILED)
