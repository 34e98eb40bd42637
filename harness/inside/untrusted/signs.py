"""Takes away the signs by which a snippet could tell that it is being proven, as far as a process can.

What remains, such as the frames below it, is a finding of the policy if the snippet asks for it.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sys

OURS = "harness"
LOWEST, SPREAD = 100, 100
"""Descriptors that are ours have a number from here on; a process may open 256."""


def forget_modules() -> None:
    """Take our modules out of the list of those that are loaded. They live on in what uses them."""
    for name in [name for name in sys.modules if name == OURS or name.startswith(f"{OURS}.")]:
        del sys.modules[name]


def put_away(descriptor: int) -> int:
    """Move a descriptor from the low numbers, where a program's own are, and return its new one."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD, LOWEST + secrets.randbelow(SPREAD))
    os.close(descriptor)
    return moved
