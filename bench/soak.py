"""Many runs, good, bad and hostile, through one service: what is lost, and what grows.

    python -m bench.soak [--jobs 500] [--callers 4]

Sends the examples of the command language, the snippets of `tests/snippets` and the attacks of `tests/hostile`, in a
fixed random order, through the warm pool. Each must end in a verdict. After every fifth of the jobs, and when the
service is idle, it prints the memory, descriptors and threads of this process, the processes below it, and the files of
the service except its runs and artifacts. The exit code is 1 if a run was lost or something is left.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import dataclasses
import gc
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import structlog

from app.drafting.commands import load_examples
from app.runs.request import GenerateRequest, ValidateRequest
from app.runs.run import RunStatus
from app.service.service import Service
from app.service.startup import open_service
from app.settings import read_settings
from harness.sandbox.keeper import descendants, proportional_bytes, resident_bytes

ROOT: Final = Path(__file__).resolve().parents[1]
SEED: Final = 7
LOOKS: Final = 5
TIME_LIMIT_S: Final = 5.0
ENDED: Final = {RunStatus.PROVEN, RunStatus.NOT_PROVEN}

Request = GenerateRequest | ValidateRequest


def main() -> None:
    """Run the jobs and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--callers", type=int, default=4)
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    sys.exit(asyncio.run(soak(options.jobs, options.callers)))


def mixed(count: int) -> list[Request]:
    """This many requests, half of them good."""
    good: list[Request] = [GenerateRequest(request=request) for request in load_examples()]
    bad = [
        ValidateRequest(snippet=path.read_text(), time_limit=TIME_LIMIT_S, arguments=['{"token": ""}'])
        for folder in ("snippets", "hostile")
        for path in sorted((ROOT / "tests" / folder).glob("*.py"))
        if ".setup" not in path.name and path.stem != "does_not_parse"
    ]
    chance = random.Random(SEED)
    return [chance.choice(good) if chance.random() < 0.5 else chance.choice(bad) for _ in range(count)]


@dataclasses.dataclass(frozen=True)
class Look:
    """The usage at one moment. Memory in bytes; `below` are processes, `files` those of work and warm folders."""

    memory: int
    descriptors: int
    threads: int
    below: int
    below_memory: int
    files: int

    def __str__(self) -> str:
        return (
            f"{self.memory >> 20:5} MiB here, {self.descriptors} descriptors, {self.threads} threads; "
            f"{self.below} processes below with {self.below_memory >> 20} MiB; {self.files} files"
        )


def look(folder: Path) -> Look:
    gc.collect()
    below = list(descendants(os.getpid()))
    places = [folder / name for name in ("work", "warm", "executions")]
    return Look(
        memory=resident_bytes(os.getpid()),
        descriptors=len(os.listdir("/proc/self/fd")),  # noqa: PTH208
        threads=len(os.listdir("/proc/self/task")),  # noqa: PTH208
        below=len(below),
        below_memory=sum(proportional_bytes(pid) for pid in below),
        files=sum(1 for place in places for path in place.rglob("*") if path.is_file()),
    )


async def soak(count: int, callers: int) -> int:
    """The exit code."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        settings = read_settings().model_copy(update={"data": data, "parallel_runs": 2})
        async with open_service(settings) as service:
            service.warmup.start_workers()
            await service.warmup.load()
            await service.warmup.start_checkers()
            statuses: collections.Counter[str] = collections.Counter()
            requests, looks = mixed(count), list[Look]()
            started = time.monotonic()
            for part in range(LOOKS):
                queue = requests[part * count // LOOKS : (part + 1) * count // LOOKS]
                await asyncio.gather(*(work(service, queue[caller::callers], statuses) for caller in range(callers)))
                looks.append(await quiet_look(service, data))
                print(f"after {sum(statuses.values()):4} runs: {looks[-1]}", flush=True)
            minutes = (time.monotonic() - started) / 60
        print(f"{sum(statuses.values())} runs in {minutes:.1f} minutes: {dict(statuses)}")
        left = list(descendants(os.getpid()))
        print(f"after the service: {len(left)} processes are left")
        lost = count - sum(statuses[status] for status in ENDED)
        print(f"{lost} runs were lost")
        return 1 if lost or left else 0


async def work(service: Service, requests: list[Request], statuses: collections.Counter[str]) -> None:
    for request in requests:
        run = await service.finished((await service.submit(request)).id)
        statuses[run.status] += 1
        if run.status not in ENDED:
            print(f"{run.status}: {run.error.message if run.error else ''}: {run.title[:80]}")


async def quiet_look(service: Service, data: Path) -> Look:
    """The usage when no run is active and the warm Blenders wait."""
    while service.work.unfinished or not service.tools.engine.is_quiet():  # noqa: ASYNC110 - nobody says when all is quiet
        await asyncio.sleep(0.1)
    return look(data)


if __name__ == "__main__":
    main()
