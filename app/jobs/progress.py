"""Sends the events of a run to its followers. They are written first, so who reconnects misses nothing."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from app.errors import ErrorBody
from app.jobs.run import UNFINISHED, Event, EventKind, JobStatus
from app.jobs.storing import Occurrence

if TYPE_CHECKING:
    from app.jobs.tables import JobStore

LOOK_S: Final = 5.0
"""Seconds between looks of a follower if several processes share the store."""


class Progress:
    """The events of all runs. Calls are made from the event loop.

    With `look_s`, followers also look without news so often: that of another process may never be heard.
    """

    def __init__(self, runs: JobStore, look_s: float | None = None) -> None:
        self._runs = runs
        self._look_s = look_s
        self._news: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    async def say(self, run_id: str, kind: EventKind, **facts: Any) -> None:
        """Add an event."""
        await self.say_all(run_id, [(kind, facts)])

    async def say_all(self, run_id: str, events: Sequence[Occurrence]) -> None:
        """Add several events at once."""
        await self._runs.add_events(run_id, events)
        self.wake(run_id)

    async def begin_stage(self, run_id: str, stage: str) -> None:
        """Begin another part of the work."""
        await self._runs.begin_stage(run_id, stage)
        self.wake(run_id)

    async def end(self, run_id: str, status: JobStatus, artifact: str | None, error: ErrorBody | None) -> None:
        """End the run. A reader of its status sees the event too, because both are written at once."""
        await self._runs.finish(run_id, status, artifact, error, [("ended", {"status": status})])
        self.wake(run_id)

    def wake(self, run_id: str) -> None:
        """Wake the followers of this run: something was written down, here or by another process."""
        for news in self._news.get(run_id, ()):
            news.set()

    def wake_all(self) -> None:
        """Wake all followers: something may have been written down of any run."""
        for run_id in self._news:
            self.wake(run_id)

    async def follow(self, run_id: str, after: int, stopping: asyncio.Event) -> AsyncGenerator[Event, None]:
        """The events after that number, and those to come until the run has ended or the service stops."""
        async with aclosing(self._looks(run_id, stopping)) as looks:
            async for _ in looks:
                ended = (await self._runs.job(run_id)).status not in UNFINISHED
                for event in await self._runs.records(run_id, Event, after):
                    after = event.number
                    yield event
                    ended = ended or event.kind == "ended"
                if ended:
                    return

    async def _looks(self, run_id: str, stopping: asyncio.Event) -> AsyncGenerator[None, None]:
        """Whenever it is time to look: at once, after each news, and a last time when the service stops.

        Close it with `contextlib.aclosing`: a follower may go away while it waits.
        """
        news = asyncio.Event()
        self._news[run_id].add(news)
        stop = asyncio.create_task(stopping.wait())
        try:
            while True:
                news.clear()
                yield
                if stopping.is_set():
                    return
                waiting = asyncio.create_task(news.wait())
                try:
                    await asyncio.wait([waiting, stop], timeout=self._look_s, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    waiting.cancel()
        finally:
            stop.cancel()
            self._news[run_id].discard(news)
            if not self._news[run_id]:
                del self._news[run_id]
