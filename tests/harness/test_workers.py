"""A worker keeps what it read, reaches its place alone, and can be lost."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.readers import ReadingFailed
from harness.readers.readers import OURS
from harness.readers.workers import MOST_WARM, WorkerReach, Workers
from harness.sandbox.ladder import Rung, strongest
from tests.harness import in_readers
from tests.sandboxes import on

pytestmark = pytest.mark.slow

NOWHERE = WorkerReach((), ())


@pytest.fixture
async def workers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Workers]:
    # The functions of the tests are read from this checkout.
    monkeypatch.setattr("harness.readers.workers.OURS", [*OURS, str(Path(__file__).parents[1])])
    workers = Workers(strongest())
    yield workers
    workers.close()


async def test_a_worker_is_kept_and_others_are_of_their_own(workers: Workers) -> None:
    first = await workers.ask(NOWHERE, 9, in_readers.process)
    assert await workers.ask(NOWHERE, 9, in_readers.process) == first
    assert await workers.ask(NOWHERE, 9, in_readers.process, alone=True) != first
    assert await workers.ask(WorkerReach(("/usr",), ()), 9, in_readers.process) != first


@pytest.mark.parametrize("has_landlock", [True, False])
async def test_a_worker_reads_and_writes_its_place_alone(has_landlock: bool, workers: Workers, tmp_path: Path) -> None:
    if not has_landlock:
        workers._sandbox = dataclasses.replace(on(Rung.NAMESPACES), landlock=0)  # pyright: ignore[reportPrivateUsage]
    for name in ("given", "own", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("text")
    place = WorkerReach((str(tmp_path / "given"),), (str(tmp_path / "own"),))
    assert await workers.ask(place, 9, in_readers.opened, str(tmp_path / "given" / "file")) == 4
    assert await workers.ask(place, 9, in_readers.written, str(tmp_path / "own" / "new")) == 0
    for function, name in ((in_readers.written, "given/file"), (in_readers.opened, "other/file")):
        with pytest.raises(RuntimeError, match=r"PermissionError|FileNotFoundError|Read-only"):
            await workers.ask(place, 9, function, str(tmp_path / name))
    with pytest.raises(ReadingFailed):
        await workers.ask(place, 0.2, in_readers.rest, 60.0)
    assert await workers.ask(place, 9, in_readers.started, "true") == 0


async def test_a_worker_starts_programs_and_reaches_no_network(workers: Workers) -> None:
    assert await workers.ask(NOWHERE, 9, in_readers.started, "true") == 0
    with pytest.raises(RuntimeError, match="PermissionError"):
        await workers.ask(NOWHERE, 9, in_readers.connected, 1)


async def test_locks_of_workers_hold(workers: Workers, tmp_path: Path) -> None:
    place = WorkerReach((), (str(tmp_path),))
    first = asyncio.create_task(workers.ask(place, 9, in_readers.locked, str(tmp_path / "lock"), 2.0, alone=True))
    await asyncio.sleep(0.5)
    assert await workers.ask(place, 9, in_readers.locked, str(tmp_path / "lock"), 0.0) is False
    assert await first is True
    assert await workers.ask(place, 9, in_readers.locked, str(tmp_path / "lock"), 0.0) is True


async def test_what_takes_too_long_or_too_much_costs_its_own_order(workers: Workers) -> None:
    first = await workers.ask(NOWHERE, 9, in_readers.process)
    begun = time.monotonic()
    slow = asyncio.create_task(workers.ask(NOWHERE, 0.5, in_readers.compute, 10**12))
    await asyncio.sleep(0.05)
    meanwhile = await workers.ask(NOWHERE, 9, in_readers.process)
    with pytest.raises(ReadingFailed, match=r"longer than 0\.5 s"):
        await slow
    assert meanwhile != first and time.monotonic() - begun < 5
    with pytest.raises(ReadingFailed, match="died"):
        await workers.ask(NOWHERE, 9, in_readers.die, "")
    with pytest.raises(ReadingFailed, match="MiB of memory"):
        await workers.ask(NOWHERE, 9, in_readers.hold, 8 << 30)
    with pytest.raises(ReadingFailed, match="nests too deep"):
        await workers.ask(NOWHERE, 9, in_readers.nest, 10**6)
    assert await workers.ask(NOWHERE, 9, in_readers.hold, 1 << 20) == 1 << 20


async def test_a_worker_that_died_between_two_orders_is_started_anew(workers: Workers) -> None:
    first = await workers.ask(NOWHERE, 9, in_readers.process)
    os.kill(first, 9)
    assert await workers.ask(NOWHERE, 9, in_readers.process) != first


async def test_few_workers_stay(workers: Workers) -> None:
    places = [WorkerReach((f"/usr/{number}",), ()) for number in range(MOST_WARM + 1)]
    found = [await workers.ask(place, 9, in_readers.process) for place in places]
    assert [is_there(process) for process in found] == [False] + MOST_WARM * [True]
    workers.close()
    assert not any(map(is_there, found))


def is_there(process: int) -> bool:
    return Path(f"/proc/{process}").exists()
