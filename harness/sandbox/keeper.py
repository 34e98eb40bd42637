"""The process around one Blender process: starts it, watches it from outside, and leaves nothing behind.

    launcher ──spec, then silence──> keeper ──> Blender ──> its own processes
             <──────one JSON line─── keeper        (all of them end with the keeper's report)

Run as `python -I -S -B keeper.py`. The first line of standard input is a `KeeperSpec` as JSON. Closing standard
input is the order to kill. It also closes when the service dies, so Blender never outlives the service. The only
line on standard output is a `KeeperEnd` as JSON. Standard library only; Blender imports nothing from here.

The keeper itself is outside the sandbox that its child enters (`harness/sandbox/jail.py`). So it sees every process
in there by its number on the machine, and they cannot falsify its counts and measurements.

It reaches every descendant, even one that left the process group or was orphaned: on Linux the keeper adopts
orphans (PR_SET_CHILD_SUBREAPER), so they stay below it in the process tree.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
import select
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

if __name__ == "__main__":
    # Started as a program, it finds its neighbours by its own place.
    sys.path.insert(0, str(Path(__file__).parents[2]))

from harness.sandbox import rlimits
from harness.sandbox.groups import ControlGroup, group_below
from harness.sandbox.jail import FAILED, JailFailed, JailSpec, JobEnd, RunningJob, SandboxedJob, start

KEEPER = Path(__file__)
POLL_S = 0.02
KILL_PATIENCE_S = 5.0
"""Seconds of trying to kill: a process that waits for an unresponsive device cannot die."""
REWRITTEN = 4
"""The factor of its disk limit that a job may write in total."""
ORDERS = 0
"""Standard input. Once the job runs, any input, or its end, is the order to kill."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36


@dataclasses.dataclass(frozen=True)
class Bounds:
    """The limits of a job. Sizes in bytes, times in seconds; the contents of all folders count together.

    Deleted files count while they are open or mapped, and all written bytes, deleted or not, may reach REWRITTEN
    times `disk_bytes`. A folder that cannot be read counts as over the limit. The buffers of open sockets and pipes
    count as memory.
    """

    wall_s: float
    memory_bytes: int
    disk_folders: list[str]
    disk_bytes: int
    files: int
    processes: int


@dataclasses.dataclass(frozen=True)
class KeeperSpec:
    """The command to start, and its limits."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    pass_fds: list[int]
    bounds: Bounds
    jail: JailSpec | None = None


@dataclasses.dataclass(frozen=True)
class WarmSpec:
    """The process to start before the first job (`harness/inside/warm/wait.py`); if it `forks`, it does many jobs."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    forks: bool
    jail: JailSpec | None = None


@dataclasses.dataclass(frozen=True)
class WarmJob:
    """A job for a warm Blender: the job file, its current folder, and its limits.

    `jail` holds the restrictions of a process that is forked for it.
    """

    job: str
    folder: str
    bounds: Bounds
    jail: JailSpec | None


@dataclasses.dataclass(frozen=True)
class KeeperEnd:
    """The measurements. `stopped_by` names the limit that ended the job, or is null if it ended by itself."""

    exit_code: int | None
    signal: int | None
    wall_s: float
    cpu_s: float
    peak_memory_bytes: int
    stopped_by: str | None
    leftovers: int


def main() -> None:
    """Keep one process; see the module."""
    spec = read_spec(json.loads(sys.stdin.buffer.readline()))
    adopt_orphans()
    try:
        end = keep(spec)
    except JailFailed:
        # The process that failed has said why on standard error.
        end = KeeperEnd(FAILED, None, 0.0, 0.0, 0, None, 0)
    sys.stdout.write(json.dumps(dataclasses.asdict(end)) + "\n")


def read_spec(fields: dict[str, Any]) -> KeeperSpec:
    """The spec from its JSON object."""
    bounds, jail = Bounds(**fields.pop("bounds")), fields.pop("jail", None)
    return KeeperSpec(**fields, bounds=bounds, jail=JailSpec(**jail) if jail else None)


def keep(spec: KeeperSpec) -> KeeperEnd:
    """Start the command, wait until it ends or reaches a limit, then kill its remaining processes."""
    job = SandboxedJob(
        command=spec.command,
        environment=spec.environment,
        folder=spec.folder,
        descriptors=spec.pass_fds,
        limits=rlimits.job_limits(spec.bounds.memory_bytes, spec.bounds.disk_bytes),
    )
    with group_below(spec.jail.groups if spec.jail else "") as group:
        return attend_in(group, lambda: WholeJob(start(job, spec.jail, group)), spec.bounds)


def attend_in(group: ControlGroup | None, begin: Callable[[], WatchedJob], bounds: Bounds) -> KeeperEnd:
    """Begin a job in a control group, if there is one, and attend to it."""
    if group is None:
        return attend(begin(), bounds)
    group.limit(bounds.memory_bytes)
    killed = group.kills()
    end = attend(begin(), bounds)
    if end.stopped_by is None and end.signal is not None and group.kills() > killed:
        return dataclasses.replace(end, stopped_by="memory")
    return end


class WatchedJob(Protocol):
    """A watched job. `sources` are descriptors that become readable when it may have ended."""

    def sources(self) -> list[int]: ...
    def has_ended(self) -> bool: ...
    def processes(self) -> set[int]: ...
    def kill(self) -> int:
        """Kill all of it; return the number of processes that were alive."""
        ...

    def end(self) -> JobEnd:
        """The end of the job; call it only once the job is dead."""
        ...


def attend(job: WatchedJob, bounds: Bounds) -> KeeperEnd:
    """Watch a running job until it ends, crosses a limit or is ordered to end; then kill its remaining processes."""
    watch = Watch(job, bounds)
    ended = False
    while not ended and not watch.stopped_by and not watch.exceeded():
        ended = wait_a_moment(job, watch)
    alive = job.kill()
    end = job.end()
    signalled = os.WIFSIGNALED(end.status)
    return KeeperEnd(
        exit_code=None if signalled else os.WEXITSTATUS(end.status),
        signal=os.WTERMSIG(end.status) if signalled else None,
        wall_s=time.monotonic() - watch.started,
        cpu_s=max(watch.cpu_s, end.cpu_s),
        peak_memory_bytes=max(watch.peak_memory_bytes, end.peak_memory_bytes),
        stopped_by=watch.stopped_by,
        # Running processes of a stopped job are not counted as left behind.
        leftovers=alive if ended else 0,
    )


def wait_a_moment(job: WatchedJob, watch: Watch) -> bool:
    """Wait until the job ends, an order comes on standard input, or it is time for the next check.

    True if the job ended.
    """
    readable, _, _ = select.select([ORDERS, *job.sources()], [], [], POLL_S)
    if job.has_ended():
        return True
    if ORDERS in readable:
        watch.stopped_by = "order"
    return False


class WholeJob:
    """A job that is all that was started."""

    def __init__(self, child: RunningJob) -> None:
        self.child = child

    def sources(self) -> list[int]:
        return [] if self.child.report is None else [self.child.report]

    def has_ended(self) -> bool:
        if self.child.report is not None:
            return bool(select.select([self.child.report], [], [], 0)[0])
        return os.waitid(os.P_PID, self.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def processes(self) -> set[int]:
        """Ids of the job's processes, without the one that watches over its namespaces."""
        return set(descendants(os.getpid())) - self.watching()

    def watching(self) -> set[int]:
        return {self.child.pid} if self.child.report is not None else set()

    def kill(self) -> int:
        """Kill the process group first: without /proc nothing else can be reached.

        With namespaces the child is the first process in there, and the kernel ends all others with it.
        """
        alive = self.processes()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.child.pid, signal.SIGKILL)
        return len((alive | kill_all(lambda: descendants(os.getpid()))) - self.watching())

    def end(self) -> JobEnd:
        """The report of the first process in there, otherwise the kernel's record of the process that was started."""
        report = self.child.reported_end() if self.child.report is not None else None
        _, status, usage = os.wait4(self.child.pid, 0)
        return report or JobEnd(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


class Watch:
    """Compares one job with its limits."""

    def __init__(self, job: WatchedJob, bounds: Bounds) -> None:
        self.job = job
        self.bounds = bounds
        self.started = time.monotonic()
        self.peak_memory_bytes = 0
        # No process waits for a job that dies with its namespaces, so its usage is only known from these checks.
        self.cpu_s = 0.0
        self.stopped_by: str | None = None

    def exceeded(self) -> bool:
        """Check once; remember the first limit that is crossed."""
        processes, bounds = list(self.job.processes()), self.bounds
        opened = [OpenFiles.by(pid) for pid in processes]
        buffers = sum(open_files.buffer_bytes for open_files in opened)
        memory = buffers + sum(resident_bytes(pid) for pid in processes)
        self.peak_memory_bytes = max(self.peak_memory_bytes, memory)
        self.cpu_s = max(self.cpu_s, sum(cpu_seconds(pid) for pid in processes))
        if time.monotonic() - self.started > bounds.wall_s:
            self.stopped_by = "time"
        elif len(processes) > bounds.processes:
            self.stopped_by = "processes"
        elif memory > bounds.memory_bytes and buffers + proportional(processes) > bounds.memory_bytes:
            self.stopped_by = "memory"
        elif self.disk_exceeded(processes, sum(open_files.deleted_bytes for open_files in opened)):
            self.stopped_by = "disk"
        return self.stopped_by is not None

    def disk_exceeded(self, processes: list[int], size: int) -> bool:
        """True if files, with `size` bytes of deleted and open ones, take more than is allowed."""
        bounds, written = self.bounds, sum(written_bytes(pid) for pid in processes)
        if written > REWRITTEN * bounds.disk_bytes:
            return True
        if written > bounds.disk_bytes and any(maps_a_deleted_file(pid) for pid in processes):
            # Only root may ask for its size; it is no larger than the written bytes.
            return True
        try:
            for count, file_size in enumerate(self.file_sizes(), start=1):
                size += file_size
                if size > bounds.disk_bytes or count > bounds.files:
                    return True
        except OSError:
            return True
        return size > bounds.disk_bytes

    def file_sizes(self) -> Iterator[int]:
        for folder in self.bounds.disk_folders:
            yield from file_sizes(folder)


def kill_all(look: Callable[[], Iterable[int]], patience_s: float = KILL_PATIENCE_S) -> set[int]:
    """Kill the processes that `look` finds until it finds none, or one does not die; return those that it found."""
    found: set[int] = set()
    deadline = time.monotonic() + patience_s
    while alive := list(look()):
        kill_each(alive)
        found.update(alive)
        if time.monotonic() > deadline:
            break
        time.sleep(0.001)
    return found


def kill_each(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def descendants(root: int) -> Iterator[int]:
    """Ids of the running processes below a process; none on a system without /proc."""
    parents: dict[int, list[int]] = {}
    for pid, parent, state in process_table():
        if state not in "ZX":
            parents.setdefault(parent, []).append(pid)
    waiting = [root]
    while waiting:
        children = parents.get(waiting.pop(), [])
        yield from children
        waiting.extend(children)


def process_table() -> Iterator[tuple[int, int, str]]:
    """Process id, parent's id and state letter of every visible process."""
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:  # noqa: PTH112, PTH208
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):
            # The command name is in brackets and may hold anything, so read what follows the last bracket.
            fields = Path("/proc", name, "stat").read_text(errors="replace").rpartition(")")[2].split()
            yield int(name), int(fields[1]), fields[0]


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process and of those it waited for, on all cores; 0 if it is gone."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path("/proc", str(pid), "stat").read_text(errors="replace").rpartition(")")[2].split()
        return sum(int(ticks) for ticks in fields[11:15]) / TICKS_PER_S
    return 0.0


def proportional(processes: list[int]) -> int:
    """The memory of the processes, with pages shared since a fork counted once. Slower to read than the rest."""
    return sum(proportional_bytes(pid) for pid in processes)


def proportional_bytes(pid: int) -> int:
    """Memory of the process, with each shared page divided among its sharers; 0 if it is gone."""
    return sum_of_fields(Path("/proc", str(pid), "smaps_rollup"), ("Pss_Anon:", "Pss_Shmem:"))


def resident_bytes(pid: int) -> int:
    """Memory of the process, without pages of files, which others share; 0 if it is gone."""
    return sum_of_fields(Path("/proc", str(pid), "status"), ("RssAnon:", "RssShmem:"))


def written_bytes(pid: int) -> int:
    """Bytes that a process wrote to disk, deleted since or not; 0 if the kernel does not count them."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc", str(pid), "io").read_text().splitlines():
            name, _, value = line.partition(": ")
            if name == "write_bytes":
                return int(value)
    return 0


@dataclasses.dataclass(frozen=True)
class OpenFiles:
    """The contents of the descriptors of a process: deleted files on disk, and kernel buffers at their largest."""

    deleted_bytes: int
    buffer_bytes: int

    @classmethod
    def by(cls, pid: int) -> OpenFiles:
        """The contents for a process; empty if it is gone."""
        files: dict[tuple[int, int], int] = {}
        buffers: dict[int, int] = {}
        with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/fd") as descriptors:
            for descriptor in descriptors:
                with contextlib.suppress(OSError):
                    status = descriptor.stat()
                    if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
                        files[status.st_dev, status.st_ino] = status.st_blocks * 512
                    elif stat.S_ISSOCK(status.st_mode):
                        buffers[status.st_ino] = SOCKET_BYTES
                    elif stat.S_ISFIFO(status.st_mode):
                        buffers[status.st_ino] = PIPE_BYTES
        return cls(sum(files.values()), sum(buffers.values()))


def default_buffer() -> int:
    """The most bytes that a socket holds between sending and receiving, unless it was set otherwise."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/sys/net/core/wmem_default").read_text())
    return 212_992


SOCKET_BYTES = default_buffer() + (128 << 10)
"""The most that a socket holds: its buffer, and the last piece, which may go beyond it."""
PIPE_BYTES = 64 << 10
MAPPED_ELSEWHERE = ("/dev/", "/memfd:", "/SYSV", "/anon_hugepage", "[")
"""The kernel's names for mappings that are no file of a folder."""


def maps_a_deleted_file(pid: int) -> bool:
    """True if a process has a file in its memory that has no name any more."""
    with contextlib.suppress(OSError):
        for line in Path("/proc", str(pid), "maps").read_bytes().splitlines():
            name = line.split(None, 5)[5:]
            if (
                name
                and name[0].endswith(b" (deleted)")
                and not name[0].decode("utf-8", "replace").startswith(MAPPED_ELSEWHERE)
            ):
                return True
    return False


def sum_of_fields(file: Path, names: tuple[str, ...]) -> int:
    """Bytes in the named fields of a file of /proc, which counts in KiB; 0 if it cannot be read."""
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * 1024
    return total


def file_sizes(folder: str) -> Iterator[int]:
    """Size in bytes of everything below the folder, without following links.

    Raises OSError for a folder that cannot be read; files that vanish meanwhile are left out.
    """
    waiting = [folder]
    while waiting:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_blocks * 512
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(entry.path)


def adopt_orphans() -> None:
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def prctl(option: int, value: int) -> None:
    """The Linux call; on other systems it does nothing, and only the process group can be killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
