"""Every kind of job over HTTP, a share of them hostile: what is lost, what grows, what is left, and what others wait.

    python -m bench.soak_of_kinds [--minutes 30] [--callers 4] [--hostile 0.33]

Callers send, one request after another, jobs of all kinds on a small repository and an add-on (changes, edits, ports,
checks of add-ons, questions, diagnoses, runs), and between them the attacks of `tests/hostile`. A sixth of the time
honest ones go alone, to compare with. After this and every further sixth, when nothing is under way, it prints the
memory, descriptors and threads of the service, the processes below it, and the files in its temporary and work folders.
The model answers as it is written in `each_kind.py`, after 0.2 s. The exit code is 1 if a job was lost, the service
ended, or the honest ones wait more than twice as long as alone (95th percentile).
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import itertools
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import httpx2

from app.jobs.kinds import JobKind
from bench.each_kind import REQUESTS, Bed, bed
from bench.fairness import p95
from bench.soak import LOOKS, ROOT, SEED, TIME_LIMIT_S, Look, look

ATTACKS: Final = sorted((ROOT / "tests" / "hostile").glob("*.py"))
LOST: Final = ("failed", "interrupted", "refused with 5")
MOST: Final = 2.0


def main() -> None:
    """Send, print, and answer the exit code; see the module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--hostile", type=float, default=0.33, help="share of attacks")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, bed(0.2, TMPDIR=temporary, BLENDPROOF_WARM_WORKERS="2") as service:
        soak = SoakOfKinds(service, Path(temporary), options.callers)
        sys.exit(asyncio.run(soak.run(options.minutes * 60 / LOOKS, options.hostile)))


class SoakOfKinds:
    """The callers, and what came of their jobs."""

    def __init__(self, service: Bed, temporary: Path, callers: int) -> None:
        self._service, self._temporary, self._callers = service, temporary, callers
        self._pid = service.fleet.processes[0].pid
        self._chance = random.Random(SEED)
        self._numbers = itertools.count(1)
        self._ends: collections.Counter[tuple[str, str]] = collections.Counter()
        self._honest_s: dict[bool, list[float]] = {True: [], False: []}

    async def run(self, part_s: float, hostile: float) -> int:
        """The exit code."""
        async with httpx2.AsyncClient(base_url=self._service.address, timeout=600) as client:
            for part in range(LOOKS):
                until = time.monotonic() + part_s
                share = hostile if part else 0.0
                await asyncio.gather(*(self._send(client, share, until) for _ in range(self._callers)))
                await asyncio.sleep(2)
                print(f"after {sum(self._ends.values()):4} jobs: {self._look()}", flush=True)
        for (kind, end), count in sorted(self._ends.items()):
            print(f"{kind:9} {end:18} {count:5}")
        alone, beside = p95(self._honest_s[True]), p95(self._honest_s[False])
        print(f"honest ones: p95 {alone:.2f} s alone, {beside:.2f} s beside attacks, ratio {beside / alone:.2f}")
        lost = sum(count for (_, end), count in self._ends.items() if end.startswith(LOST))
        ended = self._service.fleet.processes[0].poll() is not None
        print(f"{lost} jobs were lost; the service {'ENDED' if ended else 'was never started again'}")
        return 1 if lost or ended or beside > MOST * alone else 0

    async def _send(self, client: httpx2.AsyncClient, hostile: float, until: float) -> None:
        """Send one after another."""
        while time.monotonic() < until:
            if self._chance.random() < hostile:
                snippet = self._chance.choice(ATTACKS).read_text()
                given = {"snippet": snippet, "time_limit": TIME_LIMIT_S, "arguments": ['{"token": ""}']}
                self._ends["attack", await self._end(client, "/validate", given)] += 1
                continue
            kind: JobKind = self._chance.choice(list(REQUESTS))
            begun = time.monotonic()
            end = await self._end(client, REQUESTS[kind].path, REQUESTS[kind].body(next(self._numbers)))
            self._ends[kind, end] += 1
            self._honest_s[not hostile].append(time.monotonic() - begun)

    async def _end(self, client: httpx2.AsyncClient, path: str, body: dict[str, Any]) -> str:
        """The status in which a job ends."""
        answer = await client.post(path, json=body)
        if answer.status_code == 202:
            async with client.stream("GET", f"{answer.headers['location']}/events") as events:
                async for _ in events.aiter_lines():
                    pass
            answer = await client.get(answer.headers["location"])
        if answer.status_code == 429:
            return "queue was full"
        said: dict[str, Any] = answer.json() if answer.status_code == 200 else {}
        return str(said.get("status", "answered" if said else f"refused with {answer.status_code}"))

    def _look(self) -> Look:
        return look(self._service.fleet.folder / "data-0", self._pid, self._temporary)


if __name__ == "__main__":
    main()
