"""`blendproof node` when Ray ends on its machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service.node_process import aside, unless_ended
from harness.engines.ray_machine import RayProcess
from harness.engines.remote import ClusterLost


@pytest.fixture
def ray(tmp_path: Path) -> Iterator[RayProcess]:
    """Something that runs until it is ended, as `ray start` does."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield RayProcess(process, tmp_path)


async def test_a_call_that_ray_never_answers_is_given_up_when_ray_ends(ray: RayProcess) -> None:
    never = threading.Event()

    async def work() -> None:
        await aside(never.wait)

    node = asyncio.create_task(unless_ended(ray, work()))
    await asyncio.sleep(0.1)
    assert not node.done()
    ray.process.kill()
    with pytest.raises(ClusterLost, match="Ray ended on this machine"):
        await asyncio.wait_for(node, 10)
    assert all(thread.daemon for thread in threading.enumerate() if "answered" in thread.name)
    never.set()


async def test_work_that_ends_or_fails_while_ray_runs_does_so(ray: RayProcess) -> None:
    async def work(said: str) -> None:
        assert await aside(int, said) == 1

    await unless_ended(ray, work("1"))
    with pytest.raises(ValueError, match="invalid literal"):
        await unless_ended(ray, work("one"))
    ray.process.kill()
