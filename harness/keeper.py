"""The process around one Blender process: it starts it, watches it from outside and leaves nothing behind.

    launcher ──spec, then silence──> keeper ──> Blender ──> whatever that starts
             <──────one JSON line─── keeper        (all of it ends when the keeper says so)

Run as `python -I -S -B keeper.py`. The first line of standard input is a `KeeperSpec` as JSON. Closing standard
input is the order to kill; it is also what happens when the service dies, so Blender never outlives it. The only
line on standard output is a `KeeperEnd` as JSON. Standard library only; nothing here is imported by Blender.

Every descendant is reached, also one that left the process group or was orphaned: on Linux the keeper adopts
orphans (PR_SET_CHILD_SUBREAPER), so they stay below it in the process tree.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import json
import os
import resource
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

POLL_S = 0.02
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ADDRESS_SPACE_MARGIN = 4 << 30
"""Address space a Blender maps without using it, on top of the memory it may really use."""


@dataclasses.dataclass(frozen=True)
class KeeperSpec:
    """What to start and how far it may go. Sizes in bytes, times in seconds."""

    command: list[str]
    environment: dict[str, str]
    folder: str
    pass_fds: list[int]
    wall_limit_s: float
    memory_limit_bytes: int
    disk_folder: str
    disk_limit_bytes: int
    file_count_limit: int
    process_limit: int


@dataclasses.dataclass(frozen=True)
class KeeperEnd:
    """What was measured. `stopped_by` names the limit that ended it, or is null when it ended by itself."""

    exit_code: int | None
    signal: int | None
    wall_s: float
    cpu_s: float
    peak_memory_bytes: int
    stopped_by: str | None
    leftovers: int


def main() -> None:
    """Keep one process; see the module."""
    spec = KeeperSpec(**json.loads(sys.stdin.buffer.readline()))
    adopt_orphans()
    end = keep(spec)
    sys.stdout.write(json.dumps(dataclasses.asdict(end)) + "\n")


def keep(spec: KeeperSpec) -> KeeperEnd:
    """Start the command, wait for its end or for a limit, then kill what is left of it."""
    started = time.monotonic()
    child = start(spec)
    watch = Watch(spec, started)
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            stopped_by = watch.stopped_by
            break
        if watch.stopped_by or watch.exceeded():
            kill_tree(child)
            pid, status, usage = os.wait4(child, 0)
            stopped_by = watch.stopped_by
            break
        wait_for_order(watch)
    leftovers = kill_tree(child)
    signalled = os.WIFSIGNALED(status)
    return KeeperEnd(
        exit_code=None if signalled else os.WEXITSTATUS(status),
        signal=os.WTERMSIG(status) if signalled else None,
        wall_s=time.monotonic() - started,
        cpu_s=usage.ru_utime + usage.ru_stime,
        peak_memory_bytes=max(watch.peak_memory_bytes, usage.ru_maxrss * 1024),
        stopped_by=stopped_by,
        leftovers=leftovers,
    )


class Watch:
    """Holds one tree of processes against its limits."""

    def __init__(self, spec: KeeperSpec, started: float) -> None:
        self.spec = spec
        self.started = started
        self.peak_memory_bytes = 0
        self.stopped_by: str | None = None

    def exceeded(self) -> bool:
        """Look once; remember the first limit that is crossed."""
        processes = list(descendants(os.getpid()))
        memory = sum(resident_bytes(pid) for pid in processes)
        self.peak_memory_bytes = max(self.peak_memory_bytes, memory)
        if time.monotonic() - self.started > self.spec.wall_limit_s:
            self.stopped_by = "time"
        elif len(processes) > self.spec.process_limit:
            self.stopped_by = "processes"
        elif memory > self.spec.memory_limit_bytes and proportional(processes) > self.spec.memory_limit_bytes:
            self.stopped_by = "memory"
        elif self.disk_exceeded():
            self.stopped_by = "disk"
        return self.stopped_by is not None

    def disk_exceeded(self) -> bool:
        size = 0
        for count, file_size in enumerate(file_sizes(self.spec.disk_folder), start=1):
            size += file_size
            if size > self.spec.disk_limit_bytes or count > self.spec.file_count_limit:
                return True
        return False


def start(spec: KeeperSpec) -> int:
    """Start the command in a session of its own, with its limits, and answer its process id."""

    def before_exec() -> None:
        die_with_keeper()
        hard_limits = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: spec.disk_limit_bytes,
            resource.RLIMIT_AS: spec.memory_limit_bytes + ADDRESS_SPACE_MARGIN,
        }
        for limit, value in hard_limits.items():
            resource.setrlimit(limit, (value, value))

    process = subprocess.Popen(
        spec.command,
        env=spec.environment,
        cwd=spec.folder,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        pass_fds=spec.pass_fds,
        start_new_session=True,
        preexec_fn=before_exec,  # noqa: PLW1509 - the keeper has one thread
    )
    return process.pid


def wait_for_order(watch: Watch) -> None:
    """Sleep until the next look, or until the launcher closes standard input."""
    readable, _, _ = select.select([sys.stdin], [], [], POLL_S)
    if readable and not os.read(0, 1024):
        watch.stopped_by = "order"


def kill_tree(child: int) -> int:
    """Kill the child with all that it started until nothing is left; answer how many were found alive.

    Its process group is killed first: that is all that can be reached where there is no /proc.
    """
    alive = set(descendants(os.getpid()))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    return len(alive | kill_all(lambda: descendants(os.getpid())))


def kill_all(look: Callable[[], Iterable[int]]) -> set[int]:
    """Kill the processes that `look` finds until it finds none; answer which were killed."""
    killed: set[int] = set()
    while alive := list(look()):
        for pid in alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        killed.update(alive)
        time.sleep(0.001)
    return killed


def descendants(root: int) -> Iterator[int]:
    """Process ids below a process that are still running, on a system with /proc; elsewhere none."""
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
    """Process id, parent's id and state letter of every process that can be seen."""
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:  # noqa: PTH112, PTH208
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError):
            # The command name is in brackets and may hold anything, so read what follows the last bracket.
            fields = Path("/proc", name, "stat").read_text(errors="replace").rpartition(")")[2].split()
            yield int(name), int(fields[1]), fields[0]


def proportional(processes: list[int]) -> int:
    """The memory of the processes, with what they share since a fork counted once. Slower to read than the rest."""
    return sum(proportional_bytes(pid) for pid in processes)


def proportional_bytes(pid: int) -> int:
    """Memory the process holds, shared pages divided among those who share them; 0 when it is gone."""
    return sum_of_fields(Path("/proc", str(pid), "smaps_rollup"), ("Pss_Anon:", "Pss_Shmem:"))


def resident_bytes(pid: int) -> int:
    """Memory the process holds, without pages of files, which others share; 0 when it is gone."""
    return sum_of_fields(Path("/proc", str(pid), "status"), ("RssAnon:", "RssShmem:"))


def sum_of_fields(file: Path, names: tuple[str, ...]) -> int:
    """Bytes in the named fields of a file of /proc, which counts in KiB; 0 when it cannot be read."""
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * 1024
    return total


def file_sizes(folder: str) -> Iterator[int]:
    """Size in bytes of everything below the folder, without following links."""
    waiting = [folder]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_blocks * 512
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(entry.path)


def adopt_orphans() -> None:
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_keeper() -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def prctl(option: int, value: int) -> None:
    """The Linux call; on other systems nothing happens, and the process group is all that can be killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
