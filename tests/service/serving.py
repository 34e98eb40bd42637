"""The service as a process of its own, and waiting for what it does."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import httpx2

from app.settings import Settings
from harness.order import SNIPPET

SENTENCE = "Create the active object if missing, add a Subdivision Surface modifier (levels=2), and shade smooth."


def finished(run: dict[str, Any]) -> dict[str, Any] | None:
    return run if run["finished_at"] else None


def until(look: Any, limit_s: float = 120) -> Any:
    """Look until there is something to see."""
    give_up = time.monotonic() + limit_s
    while not (seen := look()):
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.05)
    return seen


async def wait_until(client: httpx2.AsyncClient, address: str, look: Callable[[], bool]) -> dict[str, Any]:
    """Let the service work until there is something to see; answer the run as it then stands."""
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up:
        if look():
            run: dict[str, Any] = (await client.get(address)).json()
            return run
        await asyncio.sleep(0.02)
    raise AssertionError("it did not happen")


def is_at_work(settings: Settings) -> bool:
    """Whether a warm Blender of this service has a snippet to run."""
    jobs = (settings.data_folder / "warm").glob("*")
    return any((job / "current" / "files" / SNIPPET).exists() for job in jobs)


@contextmanager
def served(settings: Settings) -> Generator[tuple[subprocess.Popen[bytes], str], None, None]:
    """The service as a process of its own, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "BLENDPROOF_HOME": str(settings.home),
        "BLENDPROOF_DATA": str(settings.data_folder),
        "BLENDPROOF_PORT": str(port),
        # It is started many times, and soon ended: what it would load ahead is mostly not used.
        "BLENDPROOF_WARM_WORKERS": "1",
        "BLENDPROOF_WARM_CHECKERS": "0",
    }
    command = [sys.executable, "-m", "app.cli.main", "serve"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: answers(port))
            yield process, f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=60)


def answers(port: int) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/health").is_success
    except httpx2.HTTPError:
        return False
