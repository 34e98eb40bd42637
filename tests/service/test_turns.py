"""Callers take turns for the places of a service, and one place is left to who has none."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from app.errors import ServiceBusy
from app.service import turns
from app.service.turns import Turns


class Visitor:
    """Waits for a place, and has it until it leaves."""

    def __init__(self, places: Turns, caller: str, *, alone: bool = False) -> None:
        self._leave = asyncio.Event()
        self.served = False
        self._task = asyncio.create_task(self._visit(places, caller, alone))

    async def _visit(self, places: Turns, caller: str, alone: bool) -> None:
        async with places.place(caller, alone=alone):
            self.served = True
            await self._leave.wait()

    async def leave(self) -> None:
        """Give the place back."""
        self._leave.set()
        await self._task

    def end(self) -> None:
        """Go away, with a place or without."""
        self._task.cancel()


async def visitors(held: AsyncExitStack, places: Turns, *callers: str, alone: bool = False) -> list[Visitor]:
    """One for each of these callers, in this order."""
    made = [Visitor(places, caller, alone=alone) for caller in callers]
    for one in made:
        held.callback(one.end)
    await asyncio.sleep(0)
    return made


def served(visitors: list[Visitor]) -> list[bool]:
    return [one.served for one in visitors]


async def test_the_last_place_is_for_a_caller_who_has_none() -> None:
    async with AsyncExitStack() as held:
        places = Turns(3)
        (one,) = await visitors(held, places, "one")
        await one.leave()
        flood = await visitors(held, places, *["flood"] * 4)
        assert served(flood) == [True, True, False, False]
        (again, more) = await visitors(held, places, "one", "one")
        assert again.served and not more.served
        await flood[0].leave()
        await asyncio.sleep(0)
        # Both have one place, and who was served longest ago has to leave the last one too.
        assert served(flood[2:]) == [False, False] and not more.served
        await flood[1].leave()
        await asyncio.sleep(0)
        assert served(flood[2:]) == [True, False]


async def test_a_caller_who_is_alone_has_all_places(monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as held:
        places = Turns(2)
        flood = await visitors(held, places, *["flood"] * 3)
        assert served(flood) == [True, True, False]
    monkeypatch.setattr(turns, "LATELY_S", 0.0)
    async with AsyncExitStack() as held:
        places = Turns(2)
        (one,) = await visitors(held, places, "one")
        await one.leave()
        assert served(await visitors(held, places, "flood", "flood")) == [True, True]


async def test_a_caller_with_too_many_requests_is_refused_and_another_one_is_not() -> None:
    async with AsyncExitStack() as held:
        places = Turns(1, most=2)
        first, waiting, refused, other = await visitors(held, places, "flood", "flood", "flood", "one")
        with pytest.raises(ServiceBusy, match="2 of these"):
            await refused.leave()
        await first.leave()
        await asyncio.sleep(0)
        assert served([waiting, other]) == [False, True]


async def test_the_only_place_goes_to_all_in_turns_and_who_wants_all_is_first() -> None:
    async with AsyncExitStack() as held:
        places = Turns(1)
        first, second, other = await visitors(held, places, "flood", "flood", "one")
        assert served([first, second, other]) == [True, False, False]
        await first.leave()
        await asyncio.sleep(0)
        assert served([second, other]) == [False, True]
        await other.leave()
        await asyncio.sleep(0)
        assert second.served
    async with AsyncExitStack() as held:
        places = Turns(2)
        (one,) = await visitors(held, places, "one")
        (all_places,) = await visitors(held, places, "one", alone=True)
        (next_one,) = await visitors(held, places, "two")
        assert served([all_places, next_one]) == [False, False]
        await one.leave()
        await asyncio.sleep(0)
        assert served([all_places, next_one]) == [True, False]
