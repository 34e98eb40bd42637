"""Takes runs from a store that several processes share, and keeps those that this process works on.

    claim ─> work on it ─> its end           every third of a lease: renew
      ^                                      told by others: something waits, happened, or is to be cancelled

A process that cannot renew its leases in time lets go of its runs, because another one may have them now.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

import structlog

from app.errors import StorageFailed
from app.jobs.database import first_line
from app.jobs.kinds import GROUPS, JobGroup
from app.jobs.postgres import AWAY, JobClaim, PostgresJobs
from app.jobs.progress import Progress
from app.service.work import Work

log = structlog.get_logger()

LOOK_S: Final = 5.0
"""Seconds between looks for the runs of a process that died, of which nothing is heard."""


class Claims:
    """The claims of one process. `heard` is called with news of other things than jobs; `here` answers the
    repositories that this process has, each with its origin."""

    def __init__(
        self,
        runs: PostgresJobs,
        work: Work,
        progress: Progress,
        heard: Callable[[str], None],
        here: Callable[[], Awaitable[Collection[str]]],
    ) -> None:
        self._here = here
        self._runs = runs
        self._work = work
        self._progress = progress
        self._heard = heard
        self._news = asyncio.Event()
        work.on_end(self._news.set)

    def hear(self, news: str) -> None:
        """Take in what a process told all."""
        word, _, what = news.partition(" ")
        if word == "queued":
            self._news.set()
        elif word == "event":
            self._progress.wake(what)
        elif word == "cancel":
            self._work.cancel_here(what)
        else:
            self._heard(news)

    def missed(self) -> None:
        """Things may have been told that were not heard."""
        self._news.set()
        self._progress.wake_all()

    async def take(self) -> None:
        """Claim runs while there are places for them, for ever."""
        while True:
            self._news.clear()
            try:
                here = await self._here()
                for group in GROUPS:
                    while self._work.has_place(group) and (claimed := await self._claim(group, here)):
                        await self._begin(claimed)
                for job_id in await self._runs.say_who_waits(here):
                    log.warning("job waits for a repository that is not here", run_id=job_id)
            except StorageFailed as error:
                log.error("no runs claimed", problem=error.message)
            # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time as the news.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(LOOK_S, self._runs.lease_s / 2)):
                    await self._news.wait()

    async def _claim(self, group: JobGroup, here: Collection[str]) -> JobClaim | None:
        return await self._runs.claim(group, here, self._work.held)

    async def _begin(self, claimed: JobClaim) -> None:
        log.info("job claimed", run_id=claimed.id, suspect=claimed.suspect)
        job = await self._runs.job(claimed.id)
        self._work.begin(job, alone=claimed.suspect, anew=claimed.elsewhere, again=claimed.suspect)

    async def keep(self) -> None:
        """Renew the leases, for ever, in a thread that nothing else holds up."""
        loop, stop = asyncio.get_running_loop(), threading.Event()
        try:
            await asyncio.to_thread(self._keep, loop, stop)
        finally:
            stop.set()

    def _keep(self, loop: asyncio.AbstractEventLoop, stop: threading.Event) -> None:
        lease_s = self._runs.lease_s
        kept_at = time.monotonic()
        wait_s = 0.0
        while not stop.wait(wait_s):
            wait_s = lease_s / 3
            begun, held = time.monotonic(), self._work.held
            try:
                self._runs.offer({group.name: self._work.places(group) for group in GROUPS})
                ours = self._runs.renew(held)
                kept_at = begun
                # What was claimed meanwhile is not among them.
                tell(loop, self._work.let_go, held - ours.keys())
                for run_id in (run_id for run_id, cancelled in ours.items() if cancelled):
                    tell(loop, self._work.cancel_here, run_id)
                self._work.queued = self._runs.queued()
            except AWAY as error:
                log.error("leases not renewed", problem=first_line(error))
                if time.monotonic() - kept_at >= lease_s:
                    tell(loop, self._work.let_go, held)


def tell(loop: asyncio.AbstractEventLoop, do: Callable[[Any], object], what: object) -> None:
    """Have it done by the event loop, unless that is over."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(do, what)


async def lead(runs: PostgresJobs, share: Callable[[bool], None]) -> None:
    """Say again and again whether this process writes the index of the artifacts, which one at a time does."""
    led_at = float("-inf")
    while True:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(runs.lease_s):
                leads = await runs.holds("gallery")
        except (StorageFailed, TimeoutError):
            leads = False
        led_at = begun if leads else led_at
        share(leads or begun - led_at < runs.lease_s / 2)
        await asyncio.sleep(runs.lease_s / 3)
