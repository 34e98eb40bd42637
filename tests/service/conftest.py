"""What the tests of the service share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.postgres import Server
from tests.service.standing import FullDisk, FullFile, FullServer


@pytest.fixture(params=["sqlite", "postgres"])
async def runs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[FullDisk]:
    if request.param == "sqlite":
        runs: FullDisk = await FullFile.open(tmp_path / "runs.sqlite")
    else:
        server: Server = request.getfixturevalue("postgres")
        runs = await FullServer.open(server.database(), "here", 15)
    yield runs
    await runs.close()
