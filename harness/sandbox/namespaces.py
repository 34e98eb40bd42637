"""Namespaces of the job's own: it sees no other process, no network, and of the files only what is put before it.

    keeper ── fork ──> leaves for new namespaces ── fork ──> init, process 1 in there ── fork ──> the job
                       and ends                              builds the root, collects orphans

`enter` makes a user namespace, so it needs no privilege where the system lets users have one. Every other namespace
belongs to it, and so do the rights to mount: none reaches what is outside.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable
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
"""Who the job is, inside, whoever the service is."""
HOST_NAME: Final = b"blender"

BASE: Final = "/tmp"
DEVICES: Final = ("null", "full", "random", "urandom")
"""Without `zero`: mapped to be shared, it gives memory that nobody counts."""
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
    """Leave for new namespaces, as the same user under another number. The next child is process 1 in there."""
    user, group = os.geteuid(), os.getegid()
    libc.unshare(ALL_NEW)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{USER_INSIDE} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{USER_INSIDE} {group} 1")
    libc.set_host_name(HOST_NAME)


def build_root(readable: Iterable[str], writable: Iterable[str], scratch_bytes: int, scratch_files: int) -> None:
    """Change to a root that holds the paths given, at the same places, and nothing else of the machine.

    A readable path that is missing is left out; one that is a symbolic link is made again as one. Beside them there
    are /proc of the new process namespace, where the system lets it be mounted, a few harmless devices, and a /tmp in
    memory of limited size. To be called by process 1.
    """
    sources = {path: os.path.realpath(path) for path in (*readable, *writable)}
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
    """Make a place from which both roots are in sight: the machine's at /old, the new and empty one at /new."""
    libc.mount("none", "/", "", libc.MS_REC | libc.MS_PRIVATE)
    libc.mount("tmpfs", BASE, "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, ROOT_OPTIONS)
    for name in ("new", "old"):
        Path(BASE, name).mkdir()
    libc.pivot_root(BASE, f"{BASE}/old")
    os.chdir("/")
    libc.mount("tmpfs", "/new", "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, ROOT_OPTIONS)


def leave_old_root() -> None:
    """Go into the new root and let go of everything else."""
    libc.mount("none", "/new", "", libc.MS_REMOUNT | libc.MS_BIND | libc.MS_RDONLY | libc.MS_NOSUID | libc.MS_NODEV)
    libc.unmount("/old")
    os.chdir("/new")
    libc.pivot_root(".", ".")
    libc.unmount(".")
    os.chdir("/")


def make_link(path: str, target: str) -> None:
    """Make a symbolic link again, unless a folder that holds it is there already."""
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
    """No set-user-id programs, no devices unless told, and no writing where it is to be read only, all the way down."""
    attributes = ATTR_NO_SUID | (0 if devices else ATTR_NO_DEVICES) | (ATTR_READ_ONLY if read_only else 0)
    wanted = MountAttributes(attributes, 0, 0, 0)
    try:
        libc.system_call(f"restrict {target}", MOUNT_SETATTR, AT_FDCWD, target.encode(), AT_RECURSIVE, wanted, 32)
    except OSError:
        # A kernel before 5.12: the old way, which takes only this mount. Flags that are set already must be kept.
        kept = os.statvfs(target).f_flag & (libc.MS_NOEXEC | libc.MS_NOSUID | libc.MS_NODEV | libc.MS_RDONLY)
        libc.mount("none", target, "", libc.MS_REMOUNT | libc.MS_BIND | kept | attributes)


def make_devices() -> None:
    """The devices that anyone may use, and memory to share between the processes of the job.

    They are the machine's own, and the job is their owner where the service is root. Read-only means that their modes
    and times stay as they are; what is written to them goes to the device all the same.
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
    """The processes of the job, without the rest of /proc where the kernel can; a container may refuse it."""
    os.mkdir("/new/proc")  # noqa: PTH102
    flags = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC | libc.MS_RDONLY
    for options in ("subset=pid", ""):
        with contextlib.suppress(OSError):
            libc.mount("proc", "/new/proc", "proc", flags, options)
            return
