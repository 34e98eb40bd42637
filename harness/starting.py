"""Starts a process so that the task that waits for it can be cancelled at any moment.

If asyncio itself is cancelled while it connects the pipes, it kills the process and then waits forever for its end.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import Process
from collections.abc import Awaitable


async def or_killed(starting: Awaitable[Process]) -> Process:
    """The process that `asyncio.create_subprocess_exec` starts. If this is cancelled, no process is left."""
    task = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(OSError):
            process = await task
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        raise
