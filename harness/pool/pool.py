"""The pool: lends warm places, each to one execution at a time, and replaces those that are spent."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Coroutine
from pathlib import Path
from typing import Any, Final

from harness.blenders import Blender
from harness.folders import Folders, Phase
from harness.launcher import HarnessFault
from harness.place import ColdPlace, ExecutionPlace
from harness.pool.place import WarmPlace
from harness.pool.worker import Worker
from harness.sandbox.ladder import Sandbox

HARMLESS_THREADS: Final = {"4.5": 1}
"""By series, threads that a fork may leave behind: the one of 4.5 closes files of caches some time after their use."""
STARTS_TRIED: Final = 3
RETRY_S: Final = 60.0


class Pool:
    """Keeps up to `size` warm places, of the Blenders that are asked for; `keep_warm` names those to begin with.

    If a Blender cannot be started warm, its executions take place cold, and `facts` has the reason.
    """

    def __init__(self, folder: Path, sandbox: Sandbox, size: int) -> None:
        self.sandbox = sandbox
        self.size = size
        self._folder = folder
        self._places: list[WarmPlace] = []
        self._changed = asyncio.Condition()
        self._waiting: collections.Counter[Path] = collections.Counter()
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._unforkable: set[Path] = set()
        self._failures: dict[Path, int] = {}
        self._cold_until: dict[Path, tuple[float, str]] = {}
        self._closing = False

    def keep_warm(self, blender: Blender) -> None:
        """Fill the remaining places with this Blender."""
        while len(self._places) < self.size and self._may_start(blender):
            self._begin(blender)

    @contextlib.asynccontextmanager
    async def place(self, blender: Blender, folder: Path) -> AsyncGenerator[ExecutionPlace, None]:
        """A place for one execution; its results are in `folder` afterwards. Waits until a warm one is free.

        Raises HarnessFault if the results cannot be had.
        """
        place = await self._lend(blender)
        if place is None:
            yield ColdPlace(blender, self.sandbox, Folders.make(folder, self.sandbox.place_of(folder)))
            return
        try:
            yield place
        except BaseException:
            with contextlib.suppress(HarnessFault):
                self._take_back(place, folder)
            raise
        self._take_back(place, folder)

    def _take_back(self, place: WarmPlace, folder: Path) -> None:
        """Have the place free for others, or replaced, even if the results of the execution cannot be moved."""
        try:
            place.hand_over(folder)
        except OSError as error:
            place.retire()
            raise HarnessFault(f"what an execution left cannot be kept: {error.strerror}") from error
        finally:
            place.lent = False
            if place.ended:
                self._replace(place)
            # Not awaited: the caller may be cancelled, and then the others would not hear of it.
            in_background(self._say_changed(), self._ending)

    def is_quiet(self) -> bool:
        """True if every place waits for an execution and none is being replaced."""
        return not self._starting and not self._ending and all(place.free for place in self._places)

    def facts(self) -> dict[str, Any]:
        """The places as `/health` shows them."""
        workers = [
            {
                "blender": place.blender.version,
                "state": worker.state.value,
                "forks": place.forks,
                "jobs": worker.jobs,
                "threads": worker.threads,
                "memory_bytes": worker.memory_bytes,
            }
            for place in self._places
            for worker in dict.fromkeys(place.workers.values())
        ]
        now = time.monotonic()
        cold = {str(path): why for path, (until, why) in self._cold_until.items() if until > now}
        return {"workers": workers, "cold": cold}

    async def close(self) -> None:
        """End every worker."""
        self._closing = True
        for task in self._starting:
            task.cancel()
        for place in list(self._places):
            self._discard(place)
        await asyncio.gather(*self._starting, *self._ending, return_exceptions=True)
        await self._say_changed()

    async def _lend(self, blender: Blender) -> WarmPlace | None:
        """A warm place that is free, once there is one; None if this Blender cannot be started warm."""
        async with self._changed:
            self._waiting[blender.path] += 1
            try:
                while not self._closing and self._may_start(blender):
                    own = [place for place in self._places if place.blender == blender]
                    free = next((place for place in own if place.free), None)
                    if free:
                        free.lent = True
                        return free
                    if sum(not place.accepted for place in own) < self._waiting[blender.path]:
                        self._make_room(blender)
                    await self._changed.wait()
            finally:
                self._waiting[blender.path] -= 1
        return None

    def _make_room(self, blender: Blender) -> None:
        """Start another place; if all are taken, an idle one of another Blender makes way for it."""
        if len(self._places) >= self.size:
            other = next((place for place in self._places if place.free and place.blender != blender), None)
            if other is None:
                return
            self._discard(other)
        self._begin(blender)

    def _may_start(self, blender: Blender) -> bool:
        until, _ = self._cold_until.get(blender.path, (0.0, ""))
        return time.monotonic() >= until

    def _begin(self, blender: Blender) -> None:
        """Start a place; waiting callers are woken when it is warm."""
        forks = blender.path not in self._unforkable
        run = Worker(forks, self._on_death)
        workers: dict[Phase, Worker] = {"run": run, "examine": run if forks else Worker(forks, self._on_death)}
        place = WarmPlace(blender, self.sandbox, self._folder / secrets.token_hex(6), workers)
        self._places.append(place)
        in_background(self._start(place), self._starting)

    async def _start(self, place: WarmPlace) -> None:
        blender = place.blender
        try:
            await place.start()
        except (HarnessFault, OSError) as fault:
            failures = self._failures[blender.path] = self._failures.get(blender.path, 0) + 1
            if failures >= STARTS_TRIED:
                self._cold_until[blender.path] = (time.monotonic() + RETRY_S, str(fault))
                self._failures.pop(blender.path)
            self._replace(place)
        else:
            self._failures.pop(blender.path, None)
            if place.forks and place.workers["run"].threads > 1 + HARMLESS_THREADS.get(blender.series, 0):
                # A fork would leave a thread behind that the child may wait for.
                self._unforkable.add(blender.path)
                self._replace(place)
            else:
                place.accepted = True
        await self._say_changed()

    def _on_death(self) -> None:
        """Replace the idle places whose worker died; the others see to it themselves."""
        for place in [place for place in self._places if place.ended and not place.lent]:
            self._replace(place)
        in_background(self._say_changed(), self._ending)

    def _replace(self, place: WarmPlace) -> None:
        self._discard(place)
        if not self._closing and len(self._places) < self.size and self._may_start(place.blender):
            self._begin(place.blender)

    def _discard(self, place: WarmPlace) -> None:
        if place in self._places:
            self._places.remove(place)
            in_background(place.end(), self._ending)

    async def _say_changed(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def in_background(work: Coroutine[Any, Any, None], kept: set[asyncio.Task[None]]) -> None:
    """Do it in the background; the set keeps it until it is done."""
    task = asyncio.create_task(work)
    kept.add(task)
    task.add_done_callback(kept.discard)
