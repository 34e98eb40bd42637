"""Starting a process can be cancelled at any moment, and leaves none."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys

import pytest

from harness.sandbox.keeper import descendants
from harness.starting import or_killed

PIPES = dict.fromkeys(("stdin", "stdout", "stderr"), asyncio.subprocess.PIPE)


def starting() -> asyncio.Task[asyncio.subprocess.Process]:
    program = (sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)")
    pipe = asyncio.subprocess.PIPE
    made = asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe, stderr=pipe)
    return asyncio.create_task(or_killed(made))


@pytest.mark.parametrize("steps", range(1, 12))
async def test_a_start_that_is_cancelled_ends_and_leaves_no_process(steps: int) -> None:
    before = set(descendants(os.getpid()))
    task = starting()
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        process = await asyncio.wait_for(task, 10)
        process.kill()
        await process.wait()
    assert set(descendants(os.getpid())) <= before


async def test_a_start_that_is_not_cancelled_is_the_process() -> None:
    process = await starting()
    assert process.returncode is None
    process.kill()
    assert await process.wait() == -9


async def test_what_cannot_be_started_says_so() -> None:
    with pytest.raises(FileNotFoundError):
        await or_killed(asyncio.create_subprocess_exec("/nowhere/program"))
