"""The few system calls that Python does not offer. Each raises an OSError that names the attempt."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

MACHINE: Final = platform.machine()

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_CAPBSET_DROP: Final = 24
PR_SET_NO_NEW_PRIVS: Final = 38

MS_RDONLY: Final = 0x1
MS_NOSUID: Final = 0x2
MS_NODEV: Final = 0x4
MS_NOEXEC: Final = 0x8
MS_REMOUNT: Final = 0x20
MS_BIND: Final = 0x1000
MS_REC: Final = 0x4000
MS_PRIVATE: Final = 0x40000
MNT_DETACH: Final = 2

CAPABILITY_VERSION: Final = 0x20080522
LAST_CAPABILITY: Final = 63

_libc = ctypes.CDLL(None, use_errno=True)


def system_call(what: str, number: int, *arguments: int | bytes | ctypes.Structure | None) -> int:
    """Make a system call by its number; `what` describes it in the error."""
    passed = [ctypes.byref(part) if isinstance(part, ctypes.Structure) else part for part in arguments]
    # Numbers are passed as C longs: a plain int would be cut to 32 bits.
    longs = [ctypes.c_long(part) if isinstance(part, int) else part for part in passed]
    return checked(what, _libc.syscall(ctypes.c_long(number), *longs))


def checked(what: str, result: int) -> int:
    """The result. Raises OSError if it means that the call failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int = 0) -> None:
    """Change an attribute of this process."""
    zero = ctypes.c_ulong(0)
    checked(f"prctl {option}", _libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero))


def unshare(flags: int) -> None:
    """Move to new namespaces of the kinds that the flags name."""
    checked("new namespaces", _libc.unshare(ctypes.c_int(flags)))


def set_host_name(name: bytes) -> None:
    """Set the host name in this namespace."""
    checked("host name", _libc.sethostname(name, ctypes.c_size_t(len(name))))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system, or change a mount."""
    parts = [part.encode() for part in (source, target, kind)]
    checked(f"mount {target}", _libc.mount(*parts, ctypes.c_ulong(flags), options.encode()))


def unmount(target: str) -> None:
    """Remove a mount, with all mounts below it."""
    checked(f"unmount {target}", _libc.umount2(target.encode(), MNT_DETACH))


PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41}


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root and move the old root to `old`."""
    system_call("pivot_root", PIVOT_ROOT[MACHINE], new.encode(), old.encode())


class CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class CapabilitySets(ctypes.Structure):
    _fields_ = (("sets", ctypes.c_uint32 * 6),)


def drop_capabilities() -> None:
    """Give up every privilege of this process, and the ways to regain one by starting a program."""
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            # Unknown to this kernel, or there is no privilege to drop.
            break
    header = CapabilityHeader(CAPABILITY_VERSION, 0)
    checked("drop capabilities", _libc.capset(ctypes.byref(header), ctypes.byref(CapabilitySets())))
