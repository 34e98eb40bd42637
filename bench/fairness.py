"""Two callers, one of whom has a queue of requests: how long the other waits, compared with being alone.

    python -m bench.fairness [--queued 200] [--sent 20] [--kinds generate,ask]

For each kind, one caller sends requests one after another, first alone, then while another caller keeps `--queued` of
his under way or waiting, or as many as the service takes (16 changes, 32 questions). The figures are the median and the
95th percentile of the first one's seconds from request to end. They may at most double: `ratio` is that of the
percentiles, and the exit code is 1 if it is higher. `generate` is a request in the command language, and asks no model;
the model that changes and questions ask answers as it is written, after 1 s.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, get_args

import httpx2

from app.jobs.kinds import JobKind, group_of
from bench.each_kind import REQUESTS, Bed, bed

ANSWER_S: Final = 1.0
MOST: Final = 2.0
TOKENS: Final = {"": "the-token-of-the-service", "few": "0123456789abcdef", "many": "fedcba9876543210"}
COMMAND: Final = "Add a red cube of size {} at (0, 0, 1)"
FIRST_OF_MANY: Final = 10_000
AGAIN_S: Final = 0.25


def main() -> None:
    """Send, print the table, and answer the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queued", type=int, default=200, help="requests of the one who has many, per kind")
    parser.add_argument("--sent", type=int, default=20, help="requests of the other, alone and beside them")
    parser.add_argument("--kinds", default=",".join(get_args(JobKind)))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tokens = Path(folder) / "tokens"
        tokens.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items() if name))
        given = {"BLENDPROOF_TOKEN": TOKENS[""], "BLENDPROOF_TOKENS": str(tokens)}
        with bed(ANSWER_S, TOKENS[""], BLENDPROOF_WAITING_RUNS=str(options.queued), **given) as service:
            print(f"{'kind':10} {'alone, s':>14} {'beside, s':>14} {'queued':>7} {'ratio':>6}", flush=True)
            kinds = options.kinds.split(",")
            ratios = [asyncio.run(Waiting(service, kind).told(options.sent, options.queued)) for kind in kinds]
    sys.exit(any(ratio > MOST for ratio in ratios))


class Waiting:
    """The waiting for jobs of one kind."""

    def __init__(self, service: Bed, kind: JobKind) -> None:
        self._service = service
        self._kind: JobKind = kind
        self._ended = 0

    async def told(self, sent: int, queued: int) -> float:
        """Measure, print a line, and answer the ratio."""
        async with self._client("few") as client:
            await self._seconds(client, 0)
            alone = [await self._seconds(client, number) for number in range(1, sent + 1)]
            sending = asyncio.create_task(self._send_many(queued))
            async with asyncio.timeout(60):
                while not (there := await self._waiting()):  # noqa: ASYNC110 - the service has to take them
                    await asyncio.sleep(0.05)
            beside = [await self._seconds(client, sent + number) for number in range(1, sent + 1)]
            there = max(there, await self._waiting())
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending
        await self._cancel_all()
        ratio = p95(beside) / p95(alone)
        figures = [f"{statistics.median(times):6.2f} {p95(times):6.2f}" for times in (alone, beside)]
        print(f"{self._kind:10} {figures[0]:>14} {figures[1]:>14} {there:7} {ratio:6.2f}", flush=True)
        return ratio

    def _client(self, caller: str) -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {TOKENS[caller]}"}
        limits = httpx2.Limits(max_connections=1000)
        return httpx2.AsyncClient(base_url=self._service.address, timeout=600, headers=headers, limits=limits)

    async def _seconds(self, client: httpx2.AsyncClient, number: int) -> float:
        """The seconds from a request to the end of its job."""
        request, begun = REQUESTS[self._kind], time.monotonic()
        answer = await client.post(request.path, json=self._body(number))
        if answer.status_code == 202:
            async with client.stream("GET", f"{answer.headers['location']}/events") as events:
                async for _ in events.aiter_lines():
                    pass
        elif answer.status_code != 200:
            raise SystemExit(f"{self._kind} was refused: {answer.text}")
        return time.monotonic() - begun

    def _body(self, number: int) -> dict[str, object]:
        if self._kind == "generate":
            command = {"request": COMMAND.format(1 + number / 1000), "drafter": "commands"}
            return {**REQUESTS["generate"].body(number), **command}
        return REQUESTS[self._kind].body(number)

    async def _send_many(self, queued: int) -> None:
        """Keep this many in the queue, or as many as the service takes."""
        async with self._client("many") as client, asyncio.TaskGroup() as group:
            group_of_jobs = group_of(self._kind)
            most = queued if group_of_jobs.places is None else group_of_jobs.places + (group_of_jobs.waiting or 0)
            for number in range(min(queued, most)):
                group.create_task(self._send_again_and_again(client, FIRST_OF_MANY + number))

    async def _send_again_and_again(self, client: httpx2.AsyncClient, number: int) -> None:
        while True:
            answer = await client.post(REQUESTS[self._kind].path, json=self._body(number))
            if answer.status_code == 202:
                await client.get(f"{answer.headers['location']}/events")
            elif answer.status_code != 200:
                # The queue of this caller is full for a moment.
                await asyncio.sleep(AGAIN_S)

    async def _waiting(self) -> int:
        """The number of jobs that wait, of the caller who sends many."""
        async with self._client("many") as client:
            listed = await client.get(f"/jobs?limit=200&status=queued&kind={self._kind}")
            return len(listed.json()["jobs"])

    async def _cancel_all(self) -> None:
        async with self._client("") as client:
            for status in ("queued", "running", "queued"):
                for job in (await client.get(f"/jobs?limit=200&status={status}")).json()["jobs"]:
                    await client.delete(f"/jobs/{job['id']}")


def p95(times: list[float]) -> float:
    """The time that 19 of 20 do not exceed."""
    return sorted(times)[max(0, -(-len(times) * 19 // 20) - 1)]


if __name__ == "__main__":
    main()
