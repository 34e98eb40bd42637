"""Landlock: limits the files that this process and its children may still open, regardless of the owner.

It needs no privilege and no namespace. It does not cover reading a file's metadata, changing its mode or times, or
sockets other than TCP: the system call filter does.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from typing import Final

from harness.sandbox.libc import system_call

CREATE_RULESET: Final = 444
ADD_RULE: Final = 445
RESTRICT_SELF: Final = 446
"""The numbers are the same on every machine."""

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
REMOVE_DIR: Final = 1 << 4
REMOVE_FILE: Final = 1 << 5
MAKE_DIR: Final = 1 << 7
MAKE_REG: Final = 1 << 8
REFER: Final = 1 << 13
TRUNCATE: Final = 1 << 14

ALL_RIGHTS: Final = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""The rights that each version of Landlock can forbid; the newest known one stands for later ones."""
TCP_VERSION: Final = 4
ALL_TCP: Final = 0b11
TRUNCATE_VERSION: Final = 3
SCOPE_VERSION: Final = 6
ALL_SCOPES: Final = 0b11
"""Abstract UNIX sockets, and signals to processes outside the same restrictions."""

READ: Final = EXECUTE | READ_FILE | READ_DIR
WRITE: Final = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE
"""Regular files and folders only: links, pipes, sockets and devices cannot be made."""
ON_FILES: Final = EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE


class Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version() -> int:
    """The version that this kernel offers; 0 if it has none."""
    try:
        return system_call("landlock", CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def restrict(offered: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    """Leave this thread, and the processes it starts, only the given paths. This cannot be undone.

    A missing readable path is left out. Needs `no_new_privs`, and a process with one thread.
    """
    handled = ALL_RIGHTS[min(offered, max(ALL_RIGHTS))]
    ruleset = Ruleset(
        handled,
        ALL_TCP if offered >= TCP_VERSION else 0,
        ALL_SCOPES if offered >= SCOPE_VERSION else 0,
    )
    size = 24 if offered >= SCOPE_VERSION else 16 if offered >= TCP_VERSION else 8
    descriptor = system_call("landlock ruleset", CREATE_RULESET, ruleset, size, 0)
    for path in readable:
        allow(descriptor, path, READ & handled)
    for path in writable:
        allow(descriptor, path, WRITE & handled)
    system_call("landlock", RESTRICT_SELF, descriptor, 0)
    os.close(descriptor)


def allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ON_FILES
        system_call(f"landlock rule for {path}", ADD_RULE, ruleset, 1, PathBeneath(rights, place), 0)
    finally:
        os.close(place)
