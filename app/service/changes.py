"""The changes of repositories that wait or are worked on, one at a time, from their begin to the end that is kept.

queued ─> working ─┬─> accepted | proposal | failed | nothing_to_change    the change's own end
                   ├─> cancelled                                          a caller's DELETE
                   └─> interrupted                                        the service ended meanwhile
A change that waits when the service ends is taken up by the next start. One that was worked on is not: it may be what
ended the service, and a model was asked already.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import structlog

from app.errors import BlendproofError, ServiceBusy
from app.jobs.followers import Followers
from app.llm.message import ModelUnavailable
from app.repositories.changing.change_files import ChangeFinished, ChangeNotFound, ChangeStore
from app.repositories.changing.record import (
    UNFINISHED,
    Change,
    ChangeEvent,
    ChangeRequest,
    ChangeSummary,
    Status,
    new_change,
)
from app.service.changing import Changer
from app.service.keeping import Keeping
from harness.launcher import HarnessFault
from harness.readers import ReadingFailed

log = structlog.get_logger()

MOST: Final = 16
"""Changes that are worked on or wait."""
FAULT: Final = "This is a fault of the service, and says nothing about the change; its log says more."
INTERRUPTED: Final = "The service ended while it worked on this change. Nothing was committed; ask for it again."


class Changes:
    """The changes of a service. Calls are made from the event loop."""

    def __init__(self, changer: Changer, store: ChangeStore, stopping: asyncio.Event) -> None:
        self._changer = changer
        self._store = store
        self._keeping = Keeping(store)
        self._stopping = stopping
        self._live: dict[str, Change] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._cancelled: set[str] = set()
        self._place = asyncio.Semaphore(1)
        self._followers = Followers()

    async def submit(self, name: str, request: ChangeRequest) -> Change:
        """Accept a change of a repository; it is kept before this answers.

        Raises RepositoryNotFound, InvalidRequest, ModelNotAvailable, ServiceBusy and StorageFailed.
        """
        await self._changer.repositories.get(name)
        self._changer.check(request)
        if len(self._tasks) >= MOST:
            raise ServiceBusy(f"{len(self._tasks)} changes are under way or waiting.")
        made = new_change(name, request)
        await asyncio.to_thread(self._store.keep, made)
        self._begin(made)
        return made

    async def get(self, id: str) -> Change:
        """A change as it stands. Raises ChangeNotFound, also if its repository lies where nothing is allowed now."""
        live = self._live.get(id)
        made = live if live else await asyncio.to_thread(self._store.get, id)
        if made.repository not in await self._names():
            raise ChangeNotFound(f"There is no change {id}.")
        return made

    async def all(self, repository: str | None = None) -> list[ChangeSummary]:
        """The changes of the repositories that are allowed, or those of one repository, the newest first."""
        names = await self._names() if repository is None else {(await self._changer.repositories.get(repository)).name}
        return [made for made in await self._kept() if made.repository in names]

    async def _names(self) -> set[str]:
        return {one.name for one in await self._changer.repositories.all()}

    async def _kept(self) -> list[ChangeSummary]:
        """Every change, the newest first."""
        kept = {made.id: made for made in await asyncio.to_thread(lambda: list(self._store.all()))}
        kept |= {made.id: made.summary for made in self._live.values()}
        return sorted(kept.values(), key=lambda made: made.moment, reverse=True)

    async def cancel(self, id: str) -> Change:
        """End a change now, with every process it started. Raises ChangeNotFound and ChangeFinished."""
        live = self._live.get(id)
        if live is None or live.status not in UNFINISHED:
            raise ChangeFinished(f"Change {id} has ended: {(await self.get(id)).status}.")
        task = self._tasks[id]
        self._cancelled.add(id)
        task.cancel()
        await asyncio.wait([task])
        return live

    async def cancel_all_of(self, repository: str) -> None:
        """End the changes of a repository that is removed."""
        for made in [one for one in self._live.values() if one.repository == repository]:
            with contextlib.suppress(ChangeFinished):
                await self.cancel(made.id)
        # Or the folder of a repository that is gone would be made again.
        await self._keeping.done()

    async def follow(self, id: str, after: int) -> AsyncGenerator[ChangeEvent, None]:
        """The events of a change after that one, until it ends or the service stops.

        Raises ChangeNotFound.
        """
        made = await self.get(id)
        async with aclosing(self._followers.looks(id, self._stopping)) as looks:
            async for _ in looks:
                for event in made.events[after:]:
                    after = event.number
                    yield event
                if made.status not in UNFINISHED:
                    return

    async def take_up(self) -> None:
        """Begin the changes that waited when the last service ended, and say of the others that they were ended."""
        for one in reversed(await self._kept()):
            if one.status in UNFINISHED:
                made = await asyncio.to_thread(self._store.get, one.id)
                if made.status == "queued":
                    self._begin(made)
                else:
                    await self._end(made, "interrupted", INTERRUPTED)

    async def stop(self) -> None:
        """Leave what waits for the next start, and end the rest."""
        tasks = dict(self._tasks)
        for id, task in tasks.items():
            if self._live[id].status in UNFINISHED:
                task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await self._keeping.done()

    def _begin(self, made: Change) -> None:
        self._live[made.id] = made
        task = asyncio.create_task(self._work(made), name=made.id)
        self._tasks[made.id] = task
        task.add_done_callback(lambda _: self._let_go(made.id))

    def _let_go(self, id: str) -> None:
        self._tasks.pop(id, None)
        self._live.pop(id, None)
        self._cancelled.discard(id)

    async def _work(self, made: Change) -> None:
        with structlog.contextvars.bound_contextvars(change=made.id):
            status, note = await self._end_of(made)
            await self._end(made, status, note)

    async def _end_of(self, made: Change) -> tuple[Status, str]:
        """The end of a change that is worked on when there is a place, with the reason.

        Raises CancelledError if it waits on.
        """
        begun_at = time.monotonic()
        try:
            async with self._place:
                made.status, begun_at = "working", time.monotonic()
                await self._changer.carry_out(made, lambda what: self._say(made, what))
            return made.status, made.note
        except asyncio.CancelledError:
            if made.id in self._cancelled:
                return "cancelled", ""
            if made.status == "queued":
                raise
            return "interrupted", INTERRUPTED
        except Exception as error:
            return "failed", why(error)
        finally:
            made.seconds = round(time.monotonic() - begun_at, 2)

    def _say(self, made: Change, what: str) -> None:
        """Something begins in a change; it is kept, so that who follows it later misses nothing."""
        made.tell("stage", what)
        self._keeping.soon(made)
        self._followers.wake(made.id)

    async def _end(self, made: Change, status: Status, note: str) -> None:
        made.status, made.note = status, note
        made.tell("ended", status)
        self._keeping.soon(made)
        await self._keeping.done()
        log.info("change ended", change=made.id, status=status, seconds=made.seconds)
        self._followers.wake(made.id)


def why(error: Exception) -> str:
    """The reason of a failure, for the caller of a change; a fault of ours is in the log."""
    if isinstance(error, BlendproofError):
        return f"{error.message.rstrip('.')}. {error.shown_hint}"
    if isinstance(error, ReadingFailed):
        return f"A file of the repository is too much to be read: {error}."
    if isinstance(error, ModelUnavailable):
        return f"No model answered: {error}."
    log.error("change failed", exc_info=error)
    said = f": {error}" if isinstance(error, HarnessFault) else ""
    return f"{type(error).__name__}{said}. {FAULT}"
