"""Places for work, of which there are a limited number, given in fair turns.

Next is the caller who has the fewest places, and among those the one who was given one longest ago; of a caller's own,
who came first is first. Who wants all places comes before all others. The last free place is for a caller who has none,
if another one came lately: so who sends one request does not wait for one of somebody who sends many to end.
A caller may be limited to so many requests, those that wait included.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Final

from app.errors import ServiceBusy

LATELY_S: Final = 300.0
"""For so long after a request the last free place is kept from all others who have a place."""


@dataclass(eq=False)
class Waiter:
    """One who waits, and his number in the order of coming."""

    caller: str
    needs: int
    number: int
    given: asyncio.Future[None]


class Turns:
    """The places. `most` limits the requests of a caller, those that wait included."""

    def __init__(self, places: int, most: int | None = None) -> None:
        self._places: Final = places
        self._most: Final = most
        self._free = places
        self._numbers: Final = itertools.count()
        self._waiting: list[Waiter] = []
        self._held: Counter[str] = Counter()
        self._served: dict[str, int] = {}
        self._came: dict[str, float] = {}

    @contextlib.asynccontextmanager
    async def place(self, caller: str = "", *, alone: bool = False) -> AsyncGenerator[None, None]:
        """Wait for a place, and have it; `alone` for all of them. Raises ServiceBusy if the caller has too many."""
        there = self._held[caller] + sum(waiter.caller == caller for waiter in self._waiting)
        if self._most is not None and there >= self._most:
            raise ServiceBusy(f"{there} of these requests are under way or waiting.")
        given = asyncio.get_running_loop().create_future()
        waiter = Waiter(caller, self._places if alone else 1, next(self._numbers), given)
        self._waiting.append(waiter)
        self._came[caller] = time.monotonic()
        self._give()
        try:
            await given
            yield
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            else:
                self._free += waiter.needs
                self._held[caller] -= 1
            self._give()

    def _give(self) -> None:
        while waiting := [waiter for waiter in self._waiting if self._may_have(waiter)]:
            first = min(waiting, key=self._order)
            if first.needs > self._free:
                return
            self._waiting.remove(first)
            self._free -= first.needs
            self._held[first.caller] += 1
            self._served[first.caller] = next(self._numbers)
            if not first.given.done():
                first.given.set_result(None)

    def _may_have(self, waiter: Waiter) -> bool:
        """True if it is not the last free place, kept for others. Who wants all places waits until all are free."""
        if self._free > 1 or waiter.needs > 1 or not self._held[waiter.caller]:
            return True
        since = time.monotonic() - LATELY_S
        return all(came < since for caller, came in self._came.items() if caller != waiter.caller)

    def _order(self, waiter: Waiter) -> tuple[bool, int, int, int]:
        caller = waiter.caller
        return waiter.needs != self._places, self._held[caller], self._served.get(caller, -1), waiter.number
