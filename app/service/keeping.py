"""Writes changes down in the order in which that is asked for, off the event loop."""

from __future__ import annotations

import asyncio

import structlog

from app.repositories.changing.change_files import ChangeStore, text_of
from app.repositories.changing.record import Change

log = structlog.get_logger()


class Keeping:
    """The changes that wait to be written, the newest state of each change. Calls are made from the event loop."""

    def __init__(self, store: ChangeStore) -> None:
        self._store = store
        self._due: dict[str, Change] = {}
        self._writing: asyncio.Task[None] | None = None

    def soon(self, made: Change) -> None:
        """Have a change written down as it is when its turn comes."""
        self._due[made.id] = made
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def done(self) -> None:
        """Wait until everything is written. Whoever is cancelled meanwhile cancels no writing."""
        while self._writing:
            await asyncio.wait([self._writing])

    async def _write(self) -> None:
        try:
            while self._due:
                made = self._due.pop(next(iter(self._due)))
                try:
                    # Made here, because a change goes on while a thread writes.
                    text = text_of(made)
                    await asyncio.to_thread(self._store.keep_text, made, text)
                except Exception:
                    # Whatever it is, the next change may be written.
                    log.exception("change not kept", change=made.id)
        finally:
            self._writing = None
