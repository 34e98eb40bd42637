"""The tasks of a service over a shared store go on for as long as it is open."""

from __future__ import annotations

import asyncio

import pytest
import structlog

from app.service import stores
from app.service.stores import for_ever


async def test_a_task_that_fails_is_told_of_and_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "AGAIN_S", 0.0)
    begun = 0
    third = asyncio.Event()

    async def work() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise ValueError("not thought of")
        third.set()
        await asyncio.Event().wait()

    with structlog.testing.capture_logs() as told:
        task = asyncio.create_task(for_ever(work))
        await asyncio.wait_for(third.wait(), 10)
    assert [(one["event"], one["log_level"]) for one in told] == [("a task of the shared store failed", "error")] * 2
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert begun == 3
