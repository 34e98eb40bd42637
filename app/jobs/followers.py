"""Those who wait for news of something that is worked on, by its id."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator


class Followers:
    """Wakes followers. Calls are made from the event loop."""

    def __init__(self) -> None:
        self._news: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    def wake(self, id: str) -> None:
        """Wake the followers of this id: there is news."""
        for news in self._news.get(id, ()):
            news.set()

    def wake_all(self) -> None:
        """Wake all followers: there may be news of any id."""
        for id in self._news:
            self.wake(id)

    async def looks(self, id: str, stopping: asyncio.Event) -> AsyncGenerator[None, None]:
        """Whenever it is time to look: at once, after each news, and a last time when the service stops.

        Close it with `contextlib.aclosing`: a follower may go away while it waits.
        """
        news = asyncio.Event()
        self._news[id].add(news)
        stop = asyncio.create_task(stopping.wait())
        try:
            while True:
                news.clear()
                yield
                if stopping.is_set():
                    return
                waiting = asyncio.create_task(news.wait())
                try:
                    await asyncio.wait([waiting, stop], return_when=asyncio.FIRST_COMPLETED)
                finally:
                    waiting.cancel()
        finally:
            stop.cancel()
            self._news[id].discard(news)
            if not self._news[id]:
                del self._news[id]
