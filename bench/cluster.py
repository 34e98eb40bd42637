"""Several services over one Postgres and one object store, while one of them is killed again and again.

    python -m bench.cluster chaos [--runs 500] [--callers 16] [--services 2] [--kill-every 20] [--database-stop]
    python -m bench.cluster turns [--runs 20]        one caller sends one run after another, alone and beside a flood
    python -m bench.cluster cost [--runs 12]         statements, bytes and requests of a run

Both servers are started for the call (Debian's `postgresql`, and SeaweedFS of the tests' extra). Services are processes
with data folders of their own. `chaos` checks that every request has one run, with the right end, and that what is
proven is whole; its exit code is 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg

from app.artifacts.store.shared import SharedArtifacts
from app.runs.postgres_link import PostgresLink
from app.settings import Settings, read_settings
from app.shelf import Shelf
from tests.conftest import serving
from tests.objects import BUCKET, ObjectServer, free_ports, object_server
from tests.postgres import Server, server

LEASE_S: Final = 6
PATIENCE_S: Final = 600.0
Request = tuple[str, dict[str, Any], str]
"""Address, body, and the status that is right."""


def request_of(number: int) -> Request:
    """One of five kinds of request, each different from all others."""
    small = {"render": {"size": 64}}
    size = 1 + number / 1000
    kinds: list[Request] = [
        ("/generate", {"request": f"Add a red cube of size {size} at (0, 0, 1)", **small}, "proven"),
        ("/validate", {"snippet": f"import bpy\nbpy.data.objects['Cube'].scale.z = {size}\n", **small}, "proven"),
        ("/validate", {"snippet": f"import bpy\nbpy.data.objects['Cub'].scale.z = {size}\n", **small}, "not_proven"),
        ("/validate", {"snippet": f"import bpy\nif {size}\n"}, "not_proven"),
        ("/generate", {"request": f"knit a sweater of {number} stitches"}, "refused"),
    ]
    return kinds[number % 5]


@dataclass
class Fleet:
    """The services, by their addresses; a service that was killed is started again."""

    folder: Path
    environment: dict[str, str]
    count: int
    ports: list[int] = field(default_factory=list[int])
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])
    kills: int = 0

    def start_all(self) -> None:
        """Start them, and wait until they answer."""
        self.ports = free_ports(self.count)
        self.processes = [self._start(place) for place in range(self.count)]
        for place in range(self.count):
            self.wait_for(place)

    def _start(self, place: int) -> subprocess.Popen[bytes]:
        own = {
            "BLENDPROOF_DATA": str(self.folder / f"data-{place}"),
            "BLENDPROOF_PORT": str(self.ports[place]),
        }
        with (self.folder / f"log-{place}").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "app.cli.main", "serve"],
                env={**os.environ, **self.environment, **own},
                stdout=log,
                stderr=log,
            )

    def address(self, place: int) -> str:
        """The address of a service."""
        return f"http://127.0.0.1:{self.ports[place % self.count]}"

    def wait_for(self, place: int) -> None:
        """Wait until a service answers."""
        give_up = time.monotonic() + 120
        while True:
            with contextlib.suppress(httpx.HTTPError):
                httpx.get(f"{self.address(place)}/health", timeout=5)
                return
            if time.monotonic() > give_up:
                raise SystemExit(f"service {place} does not start; see {self.folder}/log-{place}")
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill the next service with -9, and start it again."""
        place = self.kills % self.count
        self.processes[place].send_signal(signal.SIGKILL)
        self.processes[place].wait()
        self.kills += 1
        self.processes[place] = self._start(place)

    def stop_all(self) -> None:
        """End them in good order."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=60)


@contextlib.contextmanager
def cluster(count: int, **settings: str) -> Generator[tuple[Fleet, Server, ObjectServer, str]]:
    """The servers and the services."""
    with server() as postgres, object_server() as objects, tempfile.TemporaryDirectory(prefix="blendproof-") as folder:
        address = postgres.database()
        home = read_settings().home
        environment = {
            **objects.environment,
            "BLENDPROOF_HOME": str(home.resolve()),
            "BLENDPROOF_DATABASE": address,
            "BLENDPROOF_ARTIFACTS": f"s3://{BUCKET}/artifacts",
            "BLENDPROOF_LEASE_S": str(LEASE_S),
            "BLENDPROOF_PARALLEL_RUNS": "1",
            "BLENDPROOF_WARM_WORKERS": "1",
            "BLENDPROOF_WARM_CHECKERS": "0",
            "BLENDPROOF_FIND_BLENDERS": "false",
            **settings,
        }
        os.environ.update(objects.environment)
        fleet = Fleet(Path(folder), environment, count)
        try:
            fleet.start_all()
            yield fleet, postgres, objects, address
        finally:
            fleet.stop_all()


async def answer(client: httpx.AsyncClient, fleet: Fleet, number: int) -> tuple[str, float]:
    """How the run of a request ended, and the seconds it took. Asked again with the same key if a service goes away."""
    path, body, _ = request_of(number)
    begun = time.monotonic()
    place = number
    while time.monotonic() - begun < PATIENCE_S:
        place += 1
        try:
            response = await client.post(
                fleet.address(place) + path, json=body, headers={"Idempotency-Key": f"request {number}"}
            )
        except httpx.TransportError:
            await asyncio.sleep(0.3)
            continue
        said = response.json()
        if response.status_code in (429, 503):
            await asyncio.sleep(0.5)
            continue
        status = said["status"] if response.is_success else said["code"].replace("request_not_understood", "refused")
        return status, time.monotonic() - begun
    return "no answer", time.monotonic() - begun


async def chaos(fleet: Fleet, runs: int, callers: int, kill_every: float) -> dict[int, tuple[str, float]]:
    """Send all requests, and kill a service every so often; answers how each ended."""
    numbers = iter(range(runs))
    ends: dict[int, tuple[str, float]] = {}

    async def call(client: httpx.AsyncClient) -> None:
        for number in numbers:
            ends[number] = await answer(client, fleet, number)
            if len(ends) % 20 == 0:
                print(f"{len(ends)} of {runs} have ended, {fleet.kills} kills", file=sys.stderr, flush=True)

    async def kill() -> None:
        while True:
            await asyncio.sleep(kill_every)
            await asyncio.to_thread(fleet.kill)

    async with httpx.AsyncClient(timeout=180) as client:
        killing = asyncio.create_task(kill())
        try:
            await asyncio.gather(*(call(client) for _ in range(callers)))
        finally:
            killing.cancel()
            await asyncio.gather(killing, return_exceptions=True)
    for place in range(fleet.count):
        await asyncio.to_thread(fleet.wait_for, place)
    return ends


def problems(address: str, ends: dict[int, tuple[str, float]], folder: Path) -> Iterator[str]:
    """What is wrong: lost or doubled runs, wrong ends, artifacts that are not whole."""
    for number, (status, _) in sorted(ends.items()):
        if status != request_of(number)[2]:
            yield f"request {number} ended as {status}, not {request_of(number)[2]}"
    with psycopg.connect(address) as db:
        found = db.execute("SELECT id, key, status, artifact FROM runs").fetchall()
        ended = Counter(run for (run,) in db.execute("SELECT run FROM records WHERE kind = 'event' AND record LIKE %s",
                                                     ('%"kind":"ended"%',)).fetchall())  # fmt: skip
    keys = Counter(key for _, key, _, _ in found)
    yield from (f"{key} has {count} runs" for key, count in keys.items() if count != 1)
    if len(keys) != len(ends):
        yield f"{len(ends)} requests have {len(keys)} runs"
    yield from (f"{run} ended {ended[run]} times" for run, *_ in found if ended[run] != 1)
    store = SharedArtifacts(folder / "checked", Shelf(f"s3://{BUCKET}/artifacts"))
    proven = {artifact for *_, status, artifact in found if status == "proven"}
    for artifact in proven:
        if artifact is None or not store.is_whole(artifact):
            yield f"artifact {artifact} is not whole"
    if store.ids() != proven:
        yield f"{len(store.ids() - proven)} artifacts belong to no run, {len(proven - store.ids())} are gone"


def show_chaos(arguments: argparse.Namespace) -> int:
    with cluster(arguments.services) as (fleet, postgres, _, address):
        begun = time.monotonic()
        if arguments.database_stop:
            threading.Thread(target=stop_in_the_middle, args=(postgres,)).start()
        ends = asyncio.run(chaos(fleet, arguments.runs, arguments.callers, arguments.kill_every))
        seconds = time.monotonic() - begun
        wrong = list(problems(address, ends, fleet.folder))
        with psycopg.connect(address) as db:
            taken = db.execute("SELECT count(*), coalesce(sum(resumes), 0) FROM runs WHERE resumes > 0").fetchone()
    times = sorted(took for _, took in ends.values())
    told = {
        "runs": len(ends),
        "seconds": round(seconds, 1),
        "kills": fleet.kills,
        "taken over": taken,
        "ends": Counter(status for status, _ in ends.values()),
        "median_s": round(statistics.median(times), 2),
        "p95_s": round(times[int(0.95 * len(times))], 2),
        "wrong": wrong,
    }
    print(json.dumps(told, indent=1, default=str))
    return 1 if wrong else 0


def stop_in_the_middle(postgres: Server) -> None:
    """Stop Postgres for a few seconds, half a minute from now."""
    time.sleep(30)
    postgres.stop()
    time.sleep(3)
    while True:
        # On a busy machine it may take longer than is waited for.
        with contextlib.suppress(subprocess.SubprocessError):
            postgres.start()
            return


async def one_by_one(fleet: Fleet, runs: int, token: str, first: int) -> list[float]:
    """The seconds that each run of one caller takes, who sends one after another."""
    took: list[float] = []
    async with httpx.AsyncClient(timeout=180, headers={"Authorization": f"Bearer {token}"}) as client:
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
        async with httpx.AsyncClient(timeout=180, headers={"Authorization": f"Bearer {tokens[1]}"}) as client:
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
        with cluster(arguments.services, **given) as (fleet, *_):
            asyncio.run(one_by_one(fleet, 2, tokens[0], 900))
            alone = sorted(asyncio.run(one_by_one(fleet, arguments.runs, tokens[0], 0)))
            beside = sorted(asyncio.run(flooded(fleet, arguments.runs, tokens)))
    for name, times in (("alone", alone), ("beside a flood", beside)):
        p95 = times[int(0.95 * len(times))]
        print(f"{name}: median {statistics.median(times):.2f} s, p95 {p95:.2f} s")
    return 0


async def costs(settings: Settings, runs: int, address: str) -> dict[str, Any]:
    """What runs cost, each kind for itself, after one of each kind."""
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

    wrap(PostgresLink, "execute", "statements of the run store")
    for name in ("put", "add", "get", "names"):
        wrap(Shelf, name, f"object {name}")


def cpu_seconds() -> float:
    """What this process and all below it have computed, without the database and the object store."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("chaos", "turns", "cost"))
    parser.add_argument("--runs", type=int)
    parser.add_argument("--callers", type=int, default=16)
    parser.add_argument("--services", type=int, default=2)
    parser.add_argument("--kill-every", type=float, default=20.0)
    parser.add_argument("--database-stop", action="store_true", help="stop Postgres for three seconds in the middle")
    arguments = parser.parse_args()
    arguments.runs = arguments.runs or {"chaos": 500, "turns": 20, "cost": 12}[arguments.what]
    shows = {"chaos": show_chaos, "turns": show_turns, "cost": show_cost}
    return shows[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
