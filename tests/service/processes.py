"""A service as one of several processes over one database, for tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any

from app.jobs.postgres import PostgresJobs
from app.jobs.postgres_news import listen
from app.jobs.request import ValidateRequest
from app.pipeline.context import RunContext
from app.pipeline.state import State
from app.service.claims import Claims
from app.service.service import Service
from tests.service.standing import StandingLoop, a_service

LEASE_S = 1.0
SNIPPET = ValidateRequest(snippet="import bpy\n")


Here = Callable[[], Awaitable[list[str]]]


async def no_repositories() -> list[str]:
    return []


class Working(StandingLoop):
    """Notes which runs are under way at once, in all processes."""

    under_way: set[str]
    twice: list[str]

    async def run(self, context: RunContext) -> State:
        if context.run_id in self.under_way:
            self.twice.append(context.run_id)
        self.under_way.add(context.run_id)
        try:
            await context.tools.progress.say(context.run_id, "stage", stage="work")
            await asyncio.sleep(0.02)
            return await super().run(context)
        finally:
            self.under_way.discard(context.run_id)


class Process:
    """A service as one of several processes has it."""

    def __init__(self, runs: PostgresJobs, service: Service, loop: StandingLoop, here: Here = no_repositories) -> None:
        self.runs = runs
        self.service = service
        self.loop = loop
        self.claims = Claims(runs, service.work, service.tools.progress, lambda _: None, here)
        self.tasks: list[asyncio.Task[Any]] = []

    def begin(self, address: str) -> None:
        """Claim and listen."""
        told = listen(address, self.claims.hear, self.claims.missed)
        self.tasks = [asyncio.create_task(one) for one in (told, self.claims.keep(), self.claims.take())]

    async def end_claims(self) -> None:
        """Say nothing any more, as a process that was killed; what it works on is left as it is."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def process(address: str, folder: Path, loop: StandingLoop | None = None) -> AsyncGenerator[Process]:
    """One more process over the database."""
    runs = await PostgresJobs.open(address, str(folder), LEASE_S)
    loop = loop or StandingLoop()
    one = Process(runs, a_service(runs, folder, loop, shared=runs), loop)
    one.begin(address)
    try:
        yield one
    finally:
        await one.end_claims()
        await one.service.stop()
        await runs.close()
