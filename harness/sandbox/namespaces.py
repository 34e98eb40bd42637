"""Namespaces of the job's own: it sees no other process, no network, and only the files that are mounted for it.

    keeper ── fork ──> enters new namespaces ── fork ──> init, process 1 in there ── fork ──> the job
                       and ends                          builds the root, reaps orphans

`enter` makes a user namespace, so it needs no privilege if the system allows users to make one. Every other namespace
belongs to it, and so do the rights to mount: none of them applies outside.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from harness.sandbox import libc

NEW_MOUNTS: Final = 0x00020000
NEW_HOST_NAME: Final = 0x04000000
NEW_IPC: Final = 0x08000000
NEW_USER: Final = 0x10000000
NEW_PIDS: Final = 0x20000000
NEW_NETWORK: Final = 0x40000000
ALL_NEW: Final = NEW_USER | NEW_MOUNTS | NEW_PIDS | NEW_NETWORK | NEW_IPC | NEW_HOST_NAME

USER_INSIDE: Final = 1000
"""The job's user inside, regardless of the service's user."""
HOST_NAME: Final = b"localhost"

LAST_NUMBER: Final = Path("/proc/sys/kernel/ns_last_pid")
FIRST_NUMBER: Final = 2000
NUMBERS: Final = 28_000

BASE: Final = "/tmp"
DEVICES: Final = ("null", "full", "random", "urandom")
"""Without `zero`: a shared mapping of it gives memory that no limit counts."""
DEVICE_LINKS: Final = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"}
SHARED_MEMORY_BYTES: Final = 16 << 20
ROOT_OPTIONS: Final = "mode=755,size=4m,nr_inodes=4096"

MOUNT_SETATTR: Final = 442
AT_FDCWD: Final = -100
AT_RECURSIVE: Final = 0x8000
ATTR_READ_ONLY: Final = 0x1
ATTR_NO_SUID: Final = 0x2
ATTR_NO_DEVICES: Final = 0x4


def enter() -> None:
    """Enter new namespaces, as the same user under another number. The next child is process 1 in there."""
    user, group = os.geteuid(), os.getegid()
    libc.unshare(ALL_NEW)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{USER_INSIDE} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{USER_INSIDE} {group} 1")
    libc.set_host_name(HOST_NAME)


def count_on() -> None:
    """Number the next processes in here as on a machine that has run for a while, if the kernel lets us.

    Numbers that begin at 2 would reveal the sandbox to a snippet. Process 1 must call this, before its root is built.
    """
    number = FIRST_NUMBER + int.from_bytes(os.urandom(2), "little") % NUMBERS
    with contextlib.suppress(OSError):
        LAST_NUMBER.write_text(str(number), encoding="ascii")


def build_root(
    readable: Mapping[str, str], writable: Mapping[str, str], scratch_bytes: int, scratch_files: int
) -> None:
    """Change to a root that holds the given paths, and nothing else of the machine.

    Each path inside has the path of the machine that is shown there. A missing readable path is left out; a symbolic
    link is recreated as one. The root also has /proc of the new process namespace, if the system allows its mount, a
    few harmless devices, and a /tmp in memory of limited size. Process 1 must call this.
    """
    sources = {path: os.path.realpath(source) for path, source in (*readable.items(), *writable.items())}
    links = {path: str(Path(path).readlink()) for path in readable if Path(path).is_symlink()}
    step_aside()
    os.mkdir("/new/tmp")  # noqa: PTH102 - the paths of this module are strings, as the kernel takes them
    libc.mount("tmpfs", "/new/tmp", "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, scratch(scratch_bytes, scratch_files))
    # Parents first, so that a folder inside another is laid over it.
    for path in sorted(sources, key=lambda path: path.count("/")):
        if path in links:
            make_link(path, links[path])
        else:
            bind(sources[path], path, read_only=path not in writable)
    make_devices()
    mount_proc()
    leave_old_root()


def scratch(size: int, files: int) -> str:
    return f"mode=1777,size={size},nr_inodes={files}"


def step_aside() -> None:
    """Make a root that shows both others: the machine's at /old, the new and empty one at /new."""
    libc.mount("none", "/", "", libc.MS_REC | libc.MS_PRIVATE)
    libc.mount("tmpfs", BASE, "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, ROOT_OPTIONS)
    for name in ("new", "old"):
        Path(BASE, name).mkdir()
    libc.pivot_root(BASE, f"{BASE}/old")
    os.chdir("/")
    libc.mount("tmpfs", "/new", "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, ROOT_OPTIONS)


def leave_old_root() -> None:
    """Enter the new root and unmount everything else."""
    libc.mount("none", "/new", "", libc.MS_REMOUNT | libc.MS_BIND | libc.MS_RDONLY | libc.MS_NOSUID | libc.MS_NODEV)
    libc.unmount("/old")
    os.chdir("/new")
    libc.pivot_root(".", ".")
    libc.unmount(".")
    os.chdir("/")


def make_link(path: str, target: str) -> None:
    """Recreate a symbolic link, unless a folder that holds it is mounted already."""
    place = Path(f"/new{path}")
    place.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        place.symlink_to(target)


def bind(source: str, path: str, *, read_only: bool, devices: bool = False) -> None:
    """Show a file or folder of the machine at its place in the new root."""
    outside, inside = Path(f"/old{source}"), Path(f"/new{path}")
    if not outside.exists():
        return
    if outside.is_dir():
        inside.mkdir(parents=True, exist_ok=True)
    elif not inside.exists():
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.touch()
    libc.mount(str(outside), str(inside), "", libc.MS_BIND | libc.MS_REC)
    restrict_mount(str(inside), read_only=read_only, devices=devices)


class MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("user_namespace", ctypes.c_uint64),
    )


def restrict_mount(target: str, *, read_only: bool, devices: bool) -> None:
    """Forbid set-user-id programs, devices unless allowed, and writes if read-only, in all mounts below too."""
    attributes = ATTR_NO_SUID | (0 if devices else ATTR_NO_DEVICES) | (ATTR_READ_ONLY if read_only else 0)
    wanted = MountAttributes(attributes, 0, 0, 0)
    try:
        libc.system_call(f"restrict {target}", MOUNT_SETATTR, AT_FDCWD, target.encode(), AT_RECURSIVE, wanted, 32)
    except OSError:
        # A kernel before 5.12: the old call, which changes only this mount. Flags that are set already must be kept.
        kept = os.statvfs(target).f_flag & (libc.MS_NOEXEC | libc.MS_NOSUID | libc.MS_NODEV | libc.MS_RDONLY)
        libc.mount("none", target, "", libc.MS_REMOUNT | libc.MS_BIND | kept | attributes)


def make_devices() -> None:
    """The devices that every user may use, and memory to share between the processes of the job.

    They are the machine's own, and the job owns them if the service is root. Read-only protects their modes and times;
    data written to them still goes to the device.
    """
    os.mkdir("/new/dev")  # noqa: PTH102
    for name in DEVICES:
        bind(f"/dev/{name}", f"/dev/{name}", read_only=True, devices=True)
    for name, target in DEVICE_LINKS.items():
        Path("/new/dev", name).symlink_to(target)
    os.mkdir("/new/dev/shm")  # noqa: PTH102
    options = scratch(SHARED_MEMORY_BYTES, 256)
    libc.mount("tmpfs", "/new/dev/shm", "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, options)


def mount_proc() -> None:
    """Mount /proc of the job's processes, without its other files if the kernel can. A container may refuse it."""
    os.mkdir("/new/proc")  # noqa: PTH102
    flags = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC | libc.MS_RDONLY
    for options in ("subset=pid", ""):
        with contextlib.suppress(OSError):
            libc.mount("proc", "/new/proc", "proc", flags, options)
            return
