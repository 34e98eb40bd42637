"""The processes of the bench of several services: a database, an object store, services, and nodes if wanted."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2

from app.settings import read_settings
from bench.nodes import Nodes
from tests.objects import BUCKET, ObjectServer, free_ports, object_server
from tests.postgres import Server, server

LEASE_S: Final = 6
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
            with contextlib.suppress(httpx2.HTTPError):
                httpx2.get(f"{self.address(place)}/health", timeout=5)
                return
            if time.monotonic() > give_up:
                raise SystemExit(f"service {place} does not start; see {self.folder}/log-{place}")
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill the next service with -9, and start it again."""
        self.start_again(self.strike())

    def strike(self) -> int:
        """Kill the next service with -9, and answer its place."""
        place = self.kills % self.count
        self.processes[place].send_signal(signal.SIGKILL)
        self.processes[place].wait()
        self.kills += 1
        return place

    def start_again(self, place: int) -> None:
        """Start a service that was killed."""
        self.processes[place] = self._start(place)

    def stop_all(self) -> None:
        """End them in good order."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=60)
            process.kill()


@dataclass(frozen=True)
class Cluster:
    """All that runs; `address` is that of the database."""

    fleet: Fleet
    nodes: Nodes | None
    postgres: Server
    objects: ObjectServer
    address: str


@contextlib.contextmanager
def cluster(count: int, nodes: int, **settings: str) -> Generator[Cluster]:
    """The servers, the nodes and the services; with 0 nodes, services execute themselves."""
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
        executing = Nodes(Path(folder), home.resolve(), nodes) if nodes else None
        if executing:
            environment.update(executing.environment)
        fleet = Fleet(Path(folder), environment, count)
        try:
            if executing:
                executing.start_all()
            fleet.start_all()
            yield Cluster(fleet, executing, postgres, objects, address)
        finally:
            fleet.stop_all()
            if executing:
                executing.stop_all()
