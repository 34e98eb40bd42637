"""Holds the data folder: one process at a time works on it."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Generator
from pathlib import Path

from app.errors import DataFolderInUse


@contextlib.contextmanager
def locked(path: Path) -> Generator[None, None, None]:
    """Hold the data folder for this process."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"Another Blendproof service works on {path.parent}."
            raise DataFolderInUse(message) from None
        yield
