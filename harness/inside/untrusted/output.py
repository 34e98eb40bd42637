"""The output of untrusted code: captured with that of C, and flushed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Generator

from harness.inside.untrusted.signs import put_away
from harness.protocol import RunJob


@contextlib.contextmanager
def captured(job: RunJob) -> Generator[None, None, None]:
    """Point descriptors 1 and 2 at the caller's pipes, so that prints from C are captured as well."""
    kept = put_away(os.dup(1)), put_away(os.dup(2))
    flush()
    os.dup2(job.stdout_fd, 1)
    os.dup2(job.stderr_fd, 2)
    try:
        yield
    finally:
        flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        os.close(kept[0])
        os.close(kept[1])


def flush() -> None:
    """Flush Python's buffers and C's, which hold prints of Blender itself."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).fflush(None)
