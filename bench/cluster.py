"""Several services over one Postgres and one object store, and the nodes that execute; `chaos.py` says what is killed.

    python -m bench.cluster chaos [--runs 500] [--callers 16] [--services 2] [--nodes 3] [--kill-every 20] [--outages]
    python -m bench.cluster turns [--runs 20]        one caller sends one run after another, alone and beside a flood
    python -m bench.cluster cost [--runs 12]         statements, bytes and requests of a run
    python -m bench.cluster head [--away 5]          the head of the nodes is killed and started again

Both servers are started for the call (Debian's `postgresql`, and SeaweedFS of the tests' extra). Services are processes
with data folders of their own. The exit code of `chaos` is 1 if anything was lost, done twice or wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import psycopg

from app.jobs.database import ServerDatabase
from app.jobs.shelf import Shelf
from app.settings import Settings, read_settings
from bench import chaos
from bench.fleet import Fleet, cluster, request_of
from bench.nodes import restart_of_head
from tests.fixtures import serving
from tests.objects import BUCKET, object_server
from tests.postgres import server


async def one_by_one(fleet: Fleet, runs: int, token: str, first: int) -> list[float]:
    """The seconds that each run of one caller takes, who sends one after another."""
    took: list[float] = []
    async with httpx2.AsyncClient(timeout=180, headers={"Authorization": f"Bearer {token}"}) as client:
        for number in range(first, first + runs):
            body = request_of(5 * number + 1)[1]
            begun = time.monotonic()
            response = await client.post(f"{fleet.address(number)}/validate", json=body)
            assert response.json()["status"] == "proven", response.text
            took.append(time.monotonic() - begun)
    return took


async def flooded(fleet: Fleet, runs: int, tokens: list[str]) -> list[float]:
    """The same while another caller sends as many as are taken."""

    async def flood(place: int) -> None:
        async with httpx2.AsyncClient(timeout=180, headers={"Authorization": f"Bearer {tokens[1]}"}) as client:
            for number in range(10_000):
                body = request_of(5 * (1_000 + 1_000 * place + number) + 1)[1]
                response = await client.post(f"{fleet.address(place)}/validate", json=body)
                if response.status_code == 503:
                    await asyncio.sleep(0.2)

    tasks = [asyncio.create_task(flood(place)) for place in range(24)]
    await asyncio.sleep(5)
    try:
        return await one_by_one(fleet, runs, tokens[0], 500)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def show_turns(arguments: argparse.Namespace) -> int:
    tokens = [f"token-of-caller-{name}-" + "x" * 8 for name in ("one", "two")]
    with tempfile.NamedTemporaryFile("w", suffix=".tokens") as file:
        file.write(f"one {tokens[0]}\ntwo {tokens[1]}\n")
        file.flush()
        given = {"BLENDPROOF_TOKENS": file.name, "BLENDPROOF_TOKEN": "the-token-of-the-service"}
        with cluster(arguments.services, 0, **given) as running:
            fleet = running.fleet
            asyncio.run(one_by_one(fleet, 2, tokens[0], 900))
            alone = sorted(asyncio.run(one_by_one(fleet, arguments.runs, tokens[0], 0)))
            beside = sorted(asyncio.run(flooded(fleet, arguments.runs, tokens)))
    for name, times in (("alone", alone), ("beside a flood", beside)):
        p95 = times[int(0.95 * len(times))]
        print(f"{name}: median {statistics.median(times):.2f} s, p95 {p95:.2f} s")
    return 0


async def costs(settings: Settings, runs: int, address: str) -> dict[str, Any]:
    """The cost of runs, each kind for itself, after one of each kind."""
    counted: Counter[str] = Counter()
    count(counted)
    told: dict[str, Any] = {}
    async with serving(settings) as client:
        for kind in range(5):
            path, body, right = request_of(5_000 + kind)
            await client.post(path, json=body)
            await asyncio.sleep(1)
            counted.clear()
            before, worked = figures(address), cpu_seconds()
            for number in range(runs):
                await client.post(path, json=request_of(5 * number + kind)[1])
            spent = {name: value - before[name] for name, value in figures(address).items()}
            whole: dict[str, float] = {**counted, **spent, "CPU seconds": cpu_seconds() - worked}
            told[f"{kind + 1}: {path} {right}"] = {name: round(value / runs, 2) for name, value in whole.items()}
    return told


def count(counted: Counter[str]) -> None:
    """Count what is asked of the database for runs and of the object store for artifacts, in this process."""

    def wrap(kind: type[Any], name: str, label: str) -> None:
        own = getattr(kind, name)

        def counting(self: Any, *given: Any) -> Any:
            counted[label] += 1
            if name in ("put", "add"):
                counted["object bytes written"] += len(given[1])
            return own(self, *given)

        setattr(kind, name, counting)

    wrap(ServerDatabase, "whole", "transactions of the job store")
    for name in ("put", "add", "get", "names"):
        wrap(Shelf, name, f"object {name}")


def cpu_seconds() -> float:
    """The CPU seconds of this process and all below it, without the database and the object store."""
    ticks: dict[int, float] = {}
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            name, _, rest = path.read_text().rpartition(")")
            facts = rest.split()
            pid = int(path.parent.name)
            parents[pid] = int(facts[1])
            # Servers are not what a run costs a machine of services.
            ticks[pid] = 0.0 if name.endswith(("(postgres", "(weed")) else float(sum(map(int, facts[11:15])))
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[pid] for pid in ours if pid in ticks) / os.sysconf("SC_CLK_TCK")


def figures(address: str) -> dict[str, int]:
    """Bytes of the database so far."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("SELECT pg_stat_force_next_flush()")
        time.sleep(1.2)
        found: Any = db.execute(
            "SELECT (SELECT wal_bytes FROM pg_stat_wal)::bigint, pg_database_size(current_database())"
        ).fetchone()
    return dict(zip(("log bytes", "database bytes"), found, strict=True))


def show_cost(arguments: argparse.Namespace) -> int:
    with server() as postgres, object_server() as objects, tempfile.TemporaryDirectory() as folder:
        os.environ.update(objects.environment)
        address = postgres.database()
        given: dict[str, Any] = {
            "home": read_settings().home, "data": Path(folder) / "data", "database": address,
            "artifacts": f"s3://{BUCKET}/cost", "warm_workers": 1, "warm_checkers": 0, "find_blenders": False,
            "parallel_runs": 1,
        }  # fmt: skip
        told = asyncio.run(costs(Settings.model_validate(given), arguments.runs, address))
    print(json.dumps(told, indent=1))
    return 0


def show_chaos(arguments: argparse.Namespace) -> int:
    with cluster(arguments.services, arguments.nodes, BLENDPROOF_PARALLEL_RUNS="2") as running:
        return chaos.show(running, arguments.runs, arguments.callers, arguments.kill_every, arguments.outages)


def show_head(arguments: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="blendproof-", ignore_cleanup_errors=True) as folder:
        told = restart_of_head(Path(folder), read_settings().home.resolve(), arguments.away)
    print(json.dumps(told, indent=1))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("chaos", "turns", "cost", "head"))
    parser.add_argument("--runs", type=int)
    parser.add_argument("--callers", type=int, default=16)
    parser.add_argument("--services", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=20.0)
    parser.add_argument("--nodes", type=int, default=3, help="nodes of the cluster; 0: services execute themselves")
    parser.add_argument("--outages", action="store_true", help="restart Postgres; object store away for 30 s")
    parser.add_argument("--away", type=float, default=5.0, help="seconds until the head is started again")
    arguments = parser.parse_args()
    if arguments.nodes == 1:
        parser.error("--nodes 1: the head is never killed, so give 0, or 2 at least")
    arguments.runs = arguments.runs or {"chaos": 500, "turns": 20, "cost": 12, "head": 1}[arguments.what]
    shows = {"chaos": show_chaos, "turns": show_turns, "cost": show_cost, "head": show_head}
    return shows[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
