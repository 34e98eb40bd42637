"""Takes away the signs by which a snippet could tell that it is being proven, as far as a process can.

The remaining signs, such as the frames below it, are findings of the policy if the snippet asks for them.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sys

OURS = ("harness", "python")
LOWEST, SPREAD = 100, 100
"""Our own descriptors have a number from here on; a process may open 256."""


def forget_modules() -> None:
    """Take our modules out of the list of loaded ones. They live on in their users."""
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]


def put_away(descriptor: int) -> int:
    """Move a descriptor away from the low numbers, which a program's own have, and return its new number."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD, LOWEST + secrets.randbelow(SPREAD))
    os.close(descriptor)
    return moved
