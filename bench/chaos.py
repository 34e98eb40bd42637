"""Mixed requests while services and nodes are killed with -9, Postgres restarts and the object store is away.

    request ── a key, any service; again at another one if it goes away ──> one run ──> one end, the right one
    every so often: one service and one node (never the head) are killed, and started again
    after a third of the requests Postgres restarts; after two thirds the object store is away for 30 s

Every request must have one run with one end: the right one, or while something was away a clear error.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2
import psycopg

from app.artifacts.store.shared import SharedArtifacts
from app.jobs.shelf import Shelf
from bench.fleet import Cluster, Fleet, request_of
from tests.objects import BUCKET

PATIENCE_S: Final = 900.0
DATABASE_AWAY_S: Final = 3.0
OBJECTS_AWAY_S: Final = 30.0
CLEAR: Final = "storage_failed"
"""The code of the error of a run that waited in vain for the database or the object store."""

Ends = dict[int, tuple[str, float]]
"""The end of the run of each request, as its caller saw it, and the seconds it took."""


async def answer(client: httpx2.AsyncClient, fleet: Fleet, number: int) -> tuple[str, float]:
    """The end of the run of a request, and its seconds. Asked again with the same key if a service goes away."""
    path, body, _ = request_of(number)
    begun = time.monotonic()
    place = number
    while time.monotonic() - begun < PATIENCE_S:
        place += 1
        try:
            response = await client.post(
                fleet.address(place) + path, json=body, headers={"Idempotency-Key": f"request {number}"}
            )
            said = response.json()
        except (httpx2.TransportError, ValueError):
            await asyncio.sleep(0.3)
            continue
        if response.status_code in (429, 503) and said["code"] != CLEAR:
            await asyncio.sleep(0.5)
            continue
        return told_of(said), time.monotonic() - begun
    return "no answer", time.monotonic() - begun


def told_of(said: dict[str, Any]) -> str:
    """The status of a run; of one that was refused or failed the caller is told the error alone."""
    if "status" in said:
        return str(said["status"])
    known = {"request_not_understood": "refused", "job_interrupted": "interrupted", CLEAR: CLEAR}
    return known.get(said["code"]) or f"{said['code']}: {said['message']}"


@dataclass
class Sending:
    """The requests, and how they ended so far. `after` is done when so many have ended."""

    cluster: Cluster
    runs: int
    kill_every_s: float
    after: dict[int, Callable[[], None]] = field(default_factory=dict[int, Callable[[], None]])
    ends: Ends = field(default_factory=Ends)

    async def send_all(self, callers: int) -> None:
        """Send all requests, some callers at once, and kill something every so often."""
        numbers = iter(range(self.runs))
        async with httpx2.AsyncClient(timeout=180) as client:
            killing = asyncio.create_task(self._kill())
            try:
                await asyncio.gather(*(self._call(client, numbers) for _ in range(callers)))
            finally:
                killing.cancel()
                # What ended it before counts: nothing was killed from then on.
                with contextlib.suppress(asyncio.CancelledError):
                    await killing
        for place in range(self.cluster.fleet.count):
            await asyncio.to_thread(self.cluster.fleet.wait_for, place)

    async def _call(self, client: httpx2.AsyncClient, numbers: Any) -> None:
        for number in numbers:
            self.ends[number] = await answer(client, self.cluster.fleet, number)
            if outage := self.after.pop(len(self.ends), None):
                # Who asked waits for it; the others go on.
                await asyncio.to_thread(outage)
            if len(self.ends) % 10 == 0:
                print(f"{len(self.ends)} of {self.runs} have ended", file=sys.stderr, flush=True)

    async def _kill(self) -> None:
        while True:
            await asyncio.sleep(self.kill_every_s)
            await asyncio.to_thread(self.cluster.fleet.kill)
            if self.cluster.nodes:
                await asyncio.to_thread(self.cluster.nodes.kill)


def restart_database(cluster: Cluster) -> None:
    """Stop Postgres, and start it again a little later."""
    print("Postgres restarts", file=sys.stderr, flush=True)
    cluster.postgres.stop()
    time.sleep(DATABASE_AWAY_S)
    try:
        cluster.postgres.start()
    except subprocess.SubprocessError:
        # On a busy machine it may take longer than is waited for.
        print("Postgres took long to start", file=sys.stderr, flush=True)


def take_objects_away(cluster: Cluster) -> None:
    """Have no object store for a while."""
    print("the object store is away", file=sys.stderr, flush=True)
    cluster.objects.stop()
    time.sleep(OBJECTS_AWAY_S)
    cluster.objects.start()


@dataclass
class Totals:
    """The results of the requests. Each list names the wrong ones."""

    lost: list[str] = field(default_factory=list[str])
    twice: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    interrupted: list[str] = field(default_factory=list[str])
    clear_errors: list[str] = field(default_factory=list[str])
    """Runs that ended with a clear error because the database or the object store was away for long."""
    half_published: list[str] = field(default_factory=list[str])

    @property
    def holds(self) -> bool:
        """True if nothing was lost, done twice, wrong or half published."""
        return not (self.lost or self.twice or self.wrong or self.interrupted or self.half_published)


def totals_of(cluster: Cluster, ends: Ends, runs: int) -> Totals:
    """Compare what callers were told with the database and the object store."""
    totals = Totals()
    for number, (status, _) in sorted(ends.items()):
        if status != request_of(number)[2]:
            kinds = {"interrupted": totals.interrupted, CLEAR: totals.clear_errors}
            kinds.get(status, totals.wrong).append(f"request {number} ended as {status}, not {request_of(number)[2]}")
    with psycopg.connect(cluster.address) as db:
        found = db.execute("SELECT id, key, status, artifact FROM jobs").fetchall()
        said = "SELECT job FROM job_records WHERE kind = 'event' AND record LIKE %s"
        ended = Counter(run for (run,) in db.execute(said, ('%"kind":"ended"%',)).fetchall())
    keys = Counter(key for _, key, _, _ in found)
    totals.twice += [f"{key} has {count} runs" for key, count in keys.items() if count > 1]
    totals.twice += [f"{run} ended {ended[run]} times" for run, *_ in found if ended[run] > 1]
    totals.lost += [f"request {number} has no run" for number in range(runs) if f"request {number}" not in keys]
    totals.lost += [f"{run} has not ended" for run, *_ in found if not ended[run]]
    totals.half_published += half_published(cluster, {artifact for *_, status, artifact in found if status == "proven"})
    return totals


def half_published(cluster: Cluster, proven: set[str | None]) -> list[str]:
    """The artifacts that are not whole, and those of runs that are gone."""
    store = SharedArtifacts(cluster.fleet.folder / "checked", Shelf(f"s3://{BUCKET}/artifacts"))
    there = store.ids()
    broken = [f"artifact {one} is not whole" for one in sorted(there) if not store.is_whole(one)]
    return broken + [f"artifact {one} is gone" for one in sorted(map(str, proven - there))]


def show(cluster: Cluster, runs: int, callers: int, kill_every_s: float, outages: bool) -> int:
    """Send the requests, print what became of them, and answer the exit code."""
    begun = time.monotonic()
    sending = Sending(cluster, runs, kill_every_s)
    if outages:
        sending.after = {
            max(1, runs // 3): lambda: restart_database(cluster),
            max(2, 2 * runs // 3): lambda: take_objects_away(cluster),
        }
    asyncio.run(sending.send_all(callers))
    seconds = time.monotonic() - begun
    totals = totals_of(cluster, sending.ends, runs)
    with psycopg.connect(cluster.address) as db:
        (taken,) = db.execute("SELECT count(*) FROM jobs WHERE resumes > 0").fetchone() or (0,)
    times = sorted(took for _, took in sending.ends.values())
    told = {
        "runs": len(sending.ends),
        "seconds": round(seconds, 1),
        "services killed": cluster.fleet.kills,
        "nodes killed": cluster.nodes.kills if cluster.nodes else 0,
        **{name: len(found) for name, found in vars(totals).items()},
        "taken_over": taken,
        "ends": Counter(status.partition(":")[0] for status, _ in sending.ends.values()),
        "median_s": round(statistics.median(times), 2),
        "p95_s": round(times[int(0.95 * len(times))], 2),
        "details": [line for found in vars(totals).values() for line in found],
    }
    print(json.dumps(told, indent=1, default=str))
    return 0 if totals.holds else 1
