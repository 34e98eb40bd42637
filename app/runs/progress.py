"""Says what happens in a run to those who follow it; it is written down first, so who reconnects misses nothing."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from app.runs.run import UNFINISHED, Event, EventKind
from app.runs.store import RunStore


class Progress:
    """The events of all runs. Calls are made from the event loop."""

    def __init__(self, runs: RunStore) -> None:
        self._runs = runs
        self._followers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    def say(self, run_id: str, kind: EventKind, **facts: Any) -> None:
        """Something happened."""
        self.say_all(run_id, [(kind, facts)])

    def say_all(self, run_id: str, events: Sequence[tuple[EventKind, dict[str, Any]]]) -> None:
        """Several things happened at once."""
        self._runs.add_events(run_id, events)
        for follower in self._followers.get(run_id, ()):
            follower.set()

    def begin_stage(self, run_id: str, stage: str) -> None:
        """Another part of the work begins."""
        self._runs.set_stage(run_id, stage)
        self.say(run_id, "stage", stage=stage)

    async def follow(self, run_id: str, after: int, stopping: asyncio.Event) -> AsyncGenerator[Event, None]:
        """What happened after that event and what happens until the run has ended, or the service stops."""
        news = asyncio.Event()
        self._followers[run_id].add(news)
        stop = asyncio.create_task(stopping.wait())
        try:
            while True:
                news.clear()
                ended = self._runs.summary(run_id).status not in UNFINISHED
                for event in self._runs.events(run_id, after):
                    after = event.number
                    yield event
                    ended = ended or event.kind == "ended"
                if ended or stopping.is_set():
                    return
                waiting = asyncio.create_task(news.wait())
                try:
                    await asyncio.wait([waiting, stop], return_when=asyncio.FIRST_COMPLETED)
                finally:
                    # Who follows may go away while he waits.
                    waiting.cancel()
        finally:
            stop.cancel()
            self._followers[run_id].discard(news)
            if not self._followers[run_id]:
                del self._followers[run_id]
