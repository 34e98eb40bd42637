"""Keeps an index up to date: reads changed files whenever a file changes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import watchfiles

from codebase.errors import IndexingBusy, NotARepository
from codebase.index.indexing import IndexingResult, update

WAIT_MS: Final = 500
"""Time between two tries of an indexing that another process hindered."""
SETTLED_MS: Final = 50
"""An editor writes a file in several steps; they are one change if they follow each other within this time."""


def watch(root: Path, folder: Path, stop: threading.Event | None = None) -> Iterator[IndexingResult]:
    """Bring an index up to date now and at each change, until `stop`; yields the result of each indexing.

    Raises NotARepository, GitFailed and IndexingFailed.
    """
    due = True
    try:
        for changes in watchfiles.watch(
            root,
            stop_event=stop,
            step=SETTLED_MS,
            rust_timeout=WAIT_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            if changes or due:
                try:
                    yield update(root, folder)
                    due = False
                except IndexingBusy:
                    due = True
    except (OSError, RuntimeError) as error:
        raise NotARepository(f"{root} cannot be watched: {error}.") from error
