"""Many runs, good, bad and hostile, through one service: what is lost, what grows, and what the good ones wait.

    python -m bench.soak [--jobs 500] [--callers 4] [--at-once 2] [--hostile 0.5] [--minutes 0]

Sends the examples of the command language, the snippets of `tests/snippets` and the attacks of `tests/hostile`, in a
fixed random order, through the warm pool; `--hostile` is the share of the last two. Each must end in a verdict. With
`--minutes` it sends for so long, however many that are, and prints them as they come; without, it sends `--jobs`.

A sixth of it are good ones alone, to compare with. After this and every further sixth, when the service is idle, it
prints the memory, descriptors and threads of this process, the processes below it, and the files of the service except
its runs and artifacts; at the end, what grew after the first of the mixed parts, how many processes were replaced, and
how long the good ones took from request to end, alone and in the mixture. The exit code is 1 if a run was lost or
something is left.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import dataclasses
import gc
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from app.drafting.commands import load_examples
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import JobStatus
from app.service.service import Service
from app.service.startup import open_service
from app.settings import read_settings
from harness.sandbox.keeper import descendants, proportional_bytes, resident_bytes
from tests.harness.in_readers import finally_in_finally

ROOT: Final = Path(__file__).resolve().parents[1]
SEED: Final = 7
LOOKS: Final = 6
TIME_LIMIT_S: Final = 5.0
ENDED: Final = {JobStatus.PROVEN, JobStatus.NOT_PROVEN}

Request = GenerateRequest | ValidateRequest


def main() -> None:
    """Run the jobs and print; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--at-once", type=int, default=2, help="runs that the service works on at once")
    parser.add_argument("--hostile", type=float, default=0.5, help="share of bad and hostile snippets")
    parser.add_argument("--minutes", type=float, default=0.0, help="how long to send, instead of jobs")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    soak = Soak(options.callers, options.at_once)
    sys.exit(asyncio.run(soak.run(parts_of(options.jobs, options.hostile, options.minutes))))


@dataclasses.dataclass(frozen=True)
class Part:
    """Requests to send until there are no more or `seconds` are over."""

    requests: Iterator[Request]
    seconds: float


def parts_of(jobs: int, hostile: float, minutes: float) -> list[Part]:
    """The first part, of good requests alone, and those of the mixture."""
    mixture, alone = mixed(jobs, hostile), mixed(-(-jobs // LOOKS), 0.0)
    if minutes:
        endless = itertools.cycle(mixture)
        parts = [itertools.cycle(alone), *itertools.repeat(endless, LOOKS - 1)]
        return [Part(requests, 60 * minutes / LOOKS) for requests in parts]
    share = -(-len(mixture) // (LOOKS - 1))
    slices = [mixture[begin : begin + share] for begin in range(0, len(mixture), share)]
    return [Part(iter(requests), float("inf")) for requests in (alone, *slices)]


def mixed(count: int, hostile: float) -> list[Request]:
    """This many requests with this share of bad and hostile ones."""
    good: list[Request] = [GenerateRequest(request=request) for request in load_examples()]
    bad = [
        ValidateRequest(snippet=path.read_text(), time_limit=TIME_LIMIT_S, arguments=['{"token": ""}'])
        for folder in ("snippets", "hostile")
        for path in sorted((ROOT / "tests" / folder).glob("*.py"))
        if ".setup" not in path.name and path.stem != "does_not_parse"
    ]
    bad += [ValidateRequest(snippet=finally_in_finally(levels), heal=True) for levels in (17, 20, 24)]
    chance = random.Random(SEED)
    return [chance.choice(bad) if chance.random() < hostile else chance.choice(good) for _ in range(count)]


@dataclasses.dataclass(frozen=True)
class Look:
    """The usage at one moment. Memory in bytes; `below` are ids of processes, `files` those of work folders."""

    memory: int
    descriptors: int
    threads: int
    below: frozenset[int]
    below_memory: int
    files: int

    def __str__(self) -> str:
        return (
            f"{self.memory >> 20:5} MiB here, {self.descriptors} descriptors, {self.threads} threads; "
            f"{len(self.below)} processes below with {self.below_memory >> 20} MiB; {self.files} files"
        )


def look(folder: Path, pid: int, *temporary: Path) -> Look:
    """The usage of a process that has its data in `folder`, and files in temporary folders."""
    below = frozenset(descendants(pid))
    places = [*(folder / name for name in ("work", "warm", "executions")), *temporary]
    return Look(
        memory=resident_bytes(pid),
        descriptors=len(os.listdir(f"/proc/{pid}/fd")),  # noqa: PTH208
        threads=len(os.listdir(f"/proc/{pid}/task")),  # noqa: PTH208
        below=below,
        below_memory=sum(proportional_bytes(pid) for pid in below),
        files=sum(1 for place in places for path in place.rglob("*") if path.is_file()),
    )


class Soak:
    """One soak: its callers, and what came of the runs."""

    def __init__(self, callers: int, at_once: int) -> None:
        self._callers = callers
        self._at_once = at_once
        self._statuses: collections.Counter[str] = collections.Counter()
        self._good_s: list[list[float]] = []
        self._looks: list[Look] = []

    async def run(self, parts: list[Part]) -> int:
        """The exit code."""
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "data")
            settings = read_settings().model_copy(update={"data": data, "parallel_runs": self._at_once})
            async with open_service(settings) as service:
                service.warmup.start_workers()
                await service.warmup.load()
                await service.warmup.start_checkers()
                started = time.monotonic()
                for part in parts:
                    await self._send(service, part, data)
                minutes = (time.monotonic() - started) / 60
        return self._summary(minutes, len(list(descendants(os.getpid()))))

    def _summary(self, minutes: float, left: int) -> int:
        """Print what came of it; the exit code."""
        sent = sum(self._statuses.values())
        print(f"{sent} runs in {minutes:.1f} minutes: {dict(self._statuses)}")
        first, last = self._looks[min(1, len(self._looks) - 1)], self._looks[-1]
        print(
            f"growth after the first of the mixed parts: {(last.memory - first.memory) / (1 << 20):+.0f} MiB here, "
            f"{(last.below_memory - first.below_memory) / (1 << 20):+.0f} MiB below, "
            f"{last.descriptors - first.descriptors:+} descriptors, {last.threads - first.threads:+} threads, "
            f"{last.files - first.files:+} files"
        )
        replaced = sum(len(after.below - before.below) for before, after in itertools.pairwise(self._looks))
        print(f"restarts: none of the service; {replaced} of the processes below it were new at a look")
        print_waits("good ones alone", self._good_s[0])
        print_waits("good ones in the mixture", list(itertools.chain(*self._good_s[1:])))
        lost = sent - sum(self._statuses[status] for status in ENDED)
        print(f"after the service: {left} processes are left; {lost} runs were lost")
        return 1 if lost or left else 0

    async def _send(self, service: Service, part: Part, data: Path) -> None:
        self._good_s.append([])
        until = time.monotonic() + part.seconds
        await asyncio.gather(*(self._work(service, part.requests, until) for _ in range(self._callers)))
        self._looks.append(await quiet_look(service, data))
        print(f"after {sum(self._statuses.values()):4} runs: {self._looks[-1]}", flush=True)

    async def _work(self, service: Service, requests: Iterator[Request], until: float) -> None:
        """Send one after another; the callers share the requests."""
        while time.monotonic() < until and (request := next(requests, None)):
            started = time.monotonic()
            run = await service.finished((await service.submit(request)).id)
            self._statuses[run.status] += 1
            if isinstance(request, GenerateRequest):
                self._good_s[-1].append(time.monotonic() - started)
            if run.status not in ENDED:
                print(f"{run.status}: {run.error.message if run.error else ''}: {run.title[:80]}")


def print_waits(who: str, seconds: list[float]) -> None:
    """Print how long some took, if they are enough to say."""
    if len(seconds) > 1:
        p95 = statistics.quantiles(seconds, n=20, method="inclusive")[-1]
        print(f"{who}: {len(seconds)}, median {statistics.median(seconds):.2f} s, p95 {p95:.2f} s")


async def quiet_look(service: Service, data: Path) -> Look:
    """The usage when no run is active and the warm Blenders wait."""
    while service.work.unfinished() or not service.tools.engine.is_quiet():  # noqa: ASYNC110 - nobody says when all is quiet
        await asyncio.sleep(0.1)
    gc.collect()
    return look(data, os.getpid())


if __name__ == "__main__":
    main()
