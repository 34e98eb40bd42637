"""The stores that runs are written in: what is promised of one is tested on each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from app.jobs.postgres import PostgresJobs
from app.jobs.sqlite import SqliteJobs
from app.jobs.tables import JobStore
from tests.postgres import Server

Opening = Callable[[], Awaitable[JobStore]]


@pytest.fixture(params=["sqlite", "postgres"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """Opens the store of this test; another call opens the same once more."""
    if request.param == "sqlite":
        return lambda: SqliteJobs.open(tmp_path / "runs.sqlite")
    server: Server = request.getfixturevalue("postgres")
    address = server.database()
    return lambda: PostgresJobs.open(address, "here", 15)


@pytest.fixture
async def runs(opening: Opening) -> AsyncIterator[JobStore]:
    """That store, open."""
    found = await opening()
    yield found
    await found.close()
