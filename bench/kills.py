"""Kills a service with -9 in the middle of jobs of each kind: what is lost, what is done twice, what is paid twice.

    python -m bench.kills [--kills 20] [--kinds change,port]

The service is a process of its own. A job of each kind is first timed alone. Then, as often as is asked for, one is
sent, the service is killed at a random moment of that time, and started again; the job is to end as it should, after
one attempt, on one branch or as one artifact. An answer of the model that was on record when the service was killed is
paid twice if it is asked for again; `open` counts the questions whose answer had not come, which must be asked again.
A question is not taken up: it ends as interrupted, or had its answer. The exit code is 1 if something is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

import httpx2

from app.jobs.kinds import QUESTIONS, RUNS, JobKind
from bench.each_kind import REQUESTS, Bed, bed
from tests.codebase.small import run_git

ANSWER_S: Final = 0.3
PATIENCE_S: Final = 180.0
SEED: Final = 44


@dataclass
class KillCounts:
    """The results for one kind. `early` counts jobs that had ended before the kill; `wrong` names what is wrong."""

    kills: int = 0
    early: int = 0
    open: int = 0
    lost: int = 0
    twice: int = 0
    paid: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def note(self, name: str, what: str) -> None:
        """Count something that is wrong."""
        setattr(self, name, getattr(self, name) + 1)
        self.wrong.append(what)


def main() -> None:
    """Kill, print the table, and answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20, help="per kind")
    parser.add_argument("--kinds", default=",".join(get_args(JobKind)))
    options = parser.parse_args()
    totals: dict[str, KillCounts] = {}
    names = ("s", "kills", "early", "open", "lost", "twice", "paid")
    print(f"{'kind':10} {' '.join(f'{name:>6}' for name in names)}", flush=True)
    for kind in options.kinds.split(","):
        with bed(ANSWER_S, BLENDPROOF_WARM_WORKERS="1") as service:
            seconds, told = asyncio.run(Killing(service, kind, random.Random(SEED)).all(options.kills))
        totals[kind] = told
        figures = [told.kills, told.early, told.open, told.lost, told.twice, told.paid]
        print(f"{kind:10} {seconds:6.1f} {' '.join(f'{figure:6}' for figure in figures)}", flush=True)
        for line in told.wrong:
            print(f"  {line}", flush=True)
    sys.exit(any(told.wrong for told in totals.values()))


class Killing:
    """Kills a service in the middle of jobs of one kind."""

    def __init__(self, service: Bed, kind: JobKind, chance: random.Random) -> None:
        self._service = service
        self._kind: JobKind = kind
        self._chance = chance
        self._counts = KillCounts()

    async def all(self, kills: int) -> tuple[float, KillCounts]:
        """The seconds of one job alone, and the counts."""
        async with httpx2.AsyncClient(base_url=self._service.address, timeout=PATIENCE_S) as client:
            # Of a service that has just been started, as it is after each kill.
            begun = time.monotonic()
            await self._end_of(client, await self._begin(client, 0))
            seconds = time.monotonic() - begun
            for number in range(1, kills + 1):
                await self._kill_once(client, number, seconds * self._chance.random())
        return seconds, self._counts

    async def _begin(self, client: httpx2.AsyncClient, number: int) -> str:
        """Send a request and answer the id of its job. A question waits for its answer, so it is sent beside."""
        request, before = REQUESTS[self._kind], await self._newest(client)
        self._sending = asyncio.create_task(
            client.post(request.path, json=request.body(number), headers={"Prefer": "respond-async"})
        )
        async with asyncio.timeout(PATIENCE_S):
            while (newest := await self._newest(client)) == before:  # noqa: ASYNC110 - another process takes it
                await asyncio.sleep(0.02)
        assert newest is not None
        return newest

    async def _newest(self, client: httpx2.AsyncClient) -> str | None:
        listed: list[dict[str, Any]] = (await client.get(f"/jobs?limit=1&kind={self._kind}")).json()["jobs"]
        return str(listed[0]["id"]) if listed else None

    async def _end_of(self, client: httpx2.AsyncClient, job_id: str) -> dict[str, Any] | None:
        """The job when it has ended; None if it is not there, or does not end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    answer = await client.get(f"/jobs/{job_id}")
                    if answer.status_code != 200:
                        return None
                    job: dict[str, Any] = answer.json()
                    if job["finished_at"]:
                        return job
                    await asyncio.sleep(0.1)
        return None

    async def _kill_once(self, client: httpx2.AsyncClient, number: int, after_s: float) -> None:
        service, counts = self._service, self._counts
        before = len(service.model.asked)
        job_id = await self._begin(client, number)
        await asyncio.sleep(after_s)
        place = await asyncio.to_thread(service.fleet.strike)
        counts.kills += 1
        asked = len(service.model.asked)
        recorded, had_ended = await asyncio.to_thread(on_record, service.database, job_id)
        service.fleet.start_again(place)
        counts.early += had_ended
        counts.open += asked - before - recorded
        await asyncio.to_thread(service.fleet.wait_for, place)
        await asyncio.gather(self._sending, return_exceptions=True)
        job = await self._end_of(client, job_id)
        if job is None:
            counts.note("lost", f"{job_id} is lost, killed after {after_s:.2f} s")
            return
        right = {REQUESTS[self._kind].end} | ({"interrupted"} if self._kind in QUESTIONS.kinds else set[str]())
        if job["status"] not in right:
            counts.note("lost", f"{job_id} ended as {job['status']}, killed after {after_s:.2f} s: {job['error']}")
        if twice := await self._done_twice(client, job):
            counts.note("twice", f"{job_id}: {twice}, killed after {after_s:.2f} s")
        again = len(service.model.asked) - asked - (len(job["model_calls"]) - recorded)
        if again > 0:
            counts.note("paid", f"{job_id}: {again} recorded answers were asked for again, {after_s:.2f} s")

    async def _done_twice(self, client: httpx2.AsyncClient, job: dict[str, Any]) -> str:
        """The thing that is there more or less than once; empty if there is none."""
        events = (await client.get(f"/jobs/{job['id']}/events")).text.count("event: ended")
        if events != 1:
            return f"{events} ends"
        if job["kind"] in RUNS.kinds and job["status"] == "proven":
            attempts = len((await client.get(f"/runs/{job['id']}")).json()["attempts"])
            seen: list[dict[str, Any]] = []
            if job["artifact"]:
                seen = (await client.get(job["artifact"]["metadata"])).json()["sightings"]
            artifacts = sum(sighting["run"] == job["id"] for sighting in seen)
            return "" if (attempts, artifacts) == (1, 1) else f"{attempts} attempts and {artifacts} artifacts"
        if job["status"] == "accepted":
            root = self._service.repositories / job["repository"]
            branches = run_git(root, "branch", "--list", f"*{job['id']}*").split()
            commits = run_git(root, "rev-list", "--count", f"HEAD..{job['branch']}").strip()
            return "" if (len(branches), commits) == (1, "1") else f"{branches} with {commits} commits"
        return ""


def on_record(database: Path, job_id: str) -> tuple[int, bool]:
    """The answers that were on record for a job when its service was killed, and whether the job had ended."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:
        # Read in a copy, because whoever opens the database first tidies up after the kill.
        for file in database.parent.glob(f"{database.name}*"):
            shutil.copy(file, folder)
        db = held.enter_context(closing(sqlite3.connect(Path(folder) / database.name)))
        (calls,) = db.execute("SELECT count(*) FROM job_records WHERE job = ? AND kind = 'call'", [job_id]).fetchone()
        (ended,) = db.execute("SELECT finished_at IS NOT NULL FROM jobs WHERE id = ?", [job_id]).fetchone()
    return int(calls), bool(ended)


if __name__ == "__main__":
    main()
