"""Becomes another program that ends when its parent ends, even if it is too busy to notice.

    python tether.py PARENT_PID PROGRAM [ARGUMENT...]

Standard library only; started by its path. On systems other than Linux the program must watch for the end of standard
input.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent and replace it by the program."""
    parent, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != int(parent):
            sys.exit("the parent ended first")
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
