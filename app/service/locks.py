"""Holds the data folder: one process at a time works on it."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout

from app.errors import DataFolderInUse


@contextlib.contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Hold the data folder for this process; raises DataFolderInUse."""
    # What a process left that was killed must not hold the folder, as a file alone would.
    lock = FileLock(path, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise DataFolderInUse(f"Another Blendproof service works on {path.parent}.") from None
    try:
        yield
    finally:
        lock.release()
