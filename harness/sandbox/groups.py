"""A control group for each worker: the kernel itself bounds memory, its own included, tasks and share of the processor.

Only if the service may make groups: cgroup v2, in a part of the tree that was delegated to it, by systemd
(`Delegate=yes`) or as the root of a container. Otherwise the limits of the keeper and of the process hold alone.

    own group of the service ─┬─ service     all that was in the own group: one with controllers may hold no process
                              └─ worker-...  one for each worker, made and removed by its keeper
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOUNTS: Final = Path("/proc/self/mountinfo")
OWN: Final = Path("/proc/self/cgroup")
CONTROLLERS: Final = ("memory", "pids", "cpu")
NEEDED: Final = {"memory", "pids"}
MARKS: Final = ("user.delegate", "trusted.delegate")
"""Attributes with which systemd marks a group that it leaves to others."""
BELOW: Final = "service"
"""The group for all processes of the own group."""
MARGIN_BYTES: Final = 512 << 20
"""The memory of a worker beyond that of its job: the keeper ends the job long before."""
TASKS: Final = 512
WEIGHT: Final = 50
"""Share of the processor of a worker, 100 being that of the service."""
REMOVE_S: Final = 1.0


@dataclass(frozen=True)
class GroupFolder:
    """The folder for groups, or the reason why none can be made."""

    folder: Path | None
    why_not: str = ""


def look(mounts: Path = MOUNTS, own: Path = OWN) -> GroupFolder:
    """The group of this process, if it may make groups in it; changes nothing."""
    try:
        root, path = mount_point(mounts.read_text()), own_path(own.read_text())
    except OSError as error:
        return GroupFolder(None, f"control groups cannot be read: {error.strerror}")
    if root is None or path is None:
        return GroupFolder(None, "there is no cgroup v2")
    # An earlier service of this machine has moved the processes of the group there.
    path = path.removesuffix(f"/{BELOW}") or "/"
    folder = Path(root, path.strip("/"))
    try:
        offered = set((folder / "cgroup.controllers").read_text().split())
    except OSError:
        return GroupFolder(None, "its own control group is out of reach")
    if not offered >= NEEDED:
        return GroupFolder(None, f"cgroup v2 has no controllers {' and '.join(sorted(NEEDED - offered))} here")
    if path != "/" and not is_delegated(folder):
        return GroupFolder(None, "its control group is not delegated to it (systemd: `Delegate=yes`)")
    if not all(os.access(folder / name, os.W_OK) for name in (".", "cgroup.procs", "cgroup.subtree_control")):
        return GroupFolder(None, "its control group cannot be written")
    return GroupFolder(folder)


def mount_point(mountinfo: str) -> str | None:
    """The mount point of cgroup v2, or None."""
    for line in mountinfo.splitlines():
        fields, _, kind = line.partition(" - ")
        if kind.startswith("cgroup2 "):
            return fields.split()[4]
    return None


def own_path(cgroup: str) -> str | None:
    """The path of the process in cgroup v2."""
    return next((line[3:] for line in cgroup.splitlines() if line.startswith("0::")), None)


def is_delegated(folder: Path) -> bool:
    for mark in MARKS:
        with contextlib.suppress(OSError):
            if os.getxattr(folder, mark) == b"1":
                return True
    return False


def prepare(place: GroupFolder) -> GroupFolder:
    """Make it possible to make groups there: move the group's processes into one below, and pass the controllers on."""
    if place.folder is None:
        return place
    try:
        for rest in place.folder.glob("worker-*"):
            # Of a service that was killed; one in use cannot be removed.
            with contextlib.suppress(OSError):
                rest.rmdir()
        below = place.folder / BELOW
        below.mkdir(exist_ok=True)
        for pid in (place.folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (below / "cgroup.procs").write_text(pid)
        offered = (place.folder / "cgroup.controllers").read_text().split()
        wanted = " ".join(f"+{name}" for name in CONTROLLERS if name in offered)
        (place.folder / "cgroup.subtree_control").write_text(wanted)
        with group_below(str(place.folder)):
            return place
    except OSError as error:
        return GroupFolder(None, f"control groups cannot be made: {error.strerror}")


@dataclass(frozen=True)
class ControlGroup:
    """The group of one worker."""

    folder: Path

    def enter(self) -> None:
        """Move this process into the group; processes that it starts later are in it too. Raises OSError."""
        (self.folder / "cgroup.procs").write_text("0")

    def limit(self, memory_bytes: int) -> None:
        """Set the limits for a job with this memory."""
        limits = {
            "memory.max": memory_bytes + MARGIN_BYTES,
            "memory.swap.max": 0,
            "pids.max": TASKS,
            "cpu.weight": WEIGHT,
        }
        for name, value in limits.items():
            # A kernel may lack one of them.
            with contextlib.suppress(OSError):
                (self.folder / name).write_text(str(value))

    def kills(self) -> int:
        """The number of processes that the kernel has killed because the group had no memory left."""
        with contextlib.suppress(OSError, ValueError):
            for line in (self.folder / "memory.events").read_text().splitlines():
                name, _, count = line.partition(" ")
                if name == "oom_kill":
                    return int(count)
        return 0


@contextlib.contextmanager
def group_below(folder: str) -> Generator[ControlGroup | None, None, None]:
    """A new group in a folder of groups, which is removed afterwards; None without a folder, or if none can be made."""
    if not folder:
        yield None
        return
    group = ControlGroup(Path(folder, f"worker-{secrets.token_hex(8)}"))
    try:
        group.folder.mkdir()
    except OSError:
        yield None
        return
    try:
        yield group
    finally:
        remove(group.folder)


def remove(folder: Path) -> None:
    """Remove a group once its processes are dead, which the kernel may notice a moment later."""
    deadline = time.monotonic() + REMOVE_S
    while time.monotonic() < deadline:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return
