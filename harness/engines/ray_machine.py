"""This machine as part of a Ray cluster: `ray start` as a process of ours, and nothing of it left in the end."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

from harness.blenders import Blender
from harness.engines.ray_program import environment
from harness.engines.remote import ClusterLost
from harness.folders import remove_tree

STARTED: Final = "Ray runtime started"
START_LIMIT_S: Final = 90.0
STOP_LIMIT_S: Final = 20.0
POLL_S: Final = 0.1
SAID_LIMIT: Final = 500
OBJECTS_BYTES: Final = 256 << 20
"""Memory for what is on its way between nodes: at most 128 MiB for each execution, usually a tenth of one."""


@dataclasses.dataclass(frozen=True)
class Machine:
    """The settings of a machine that joins the cluster at `address`, or is the `head` that listens there.

    `host` is the address at which the others reach this machine.
    """

    name: str
    host: str
    address: str
    head: bool
    resources: dict[str, int]
    token: Path
    data: Path
    """A folder that is this node's alone."""


def resources_of(blenders: list[Blender], places: int) -> dict[str, int]:
    """The resources by which Ray knows the Blenders of a machine: `blender_5_0` for each series, one per place."""
    return {f"blender_{blender.series.replace('.', '_')}": places for blender in blenders} if places else {}


@dataclasses.dataclass(frozen=True)
class RayProcess:
    """`ray start` as it runs, and the folder in which Ray keeps what is its own."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def ended(self) -> bool:
        """True if Ray has ended on this machine."""
        return self.process.poll() is not None


def ray_folder(data: Path) -> Path:
    """The folder in which Ray keeps its own files on a node with this data folder.

    Ray opens its folders to everybody, so they lie in one of this user alone, and its sockets need a short path.
    """
    return Path(tempfile.gettempdir()) / f"blendproof-ray-{hashlib.sha256(bytes(data.resolve())).hexdigest()[:12]}"


@contextlib.contextmanager
def joined(machine: Machine) -> Generator[RayProcess, None, None]:
    """The machine is in the cluster while the context lasts, or until the process ends; raises ClusterLost."""
    folder = ray_folder(machine.data)
    # Left by a killed node; mkdir then ensures that nobody else made it.
    remove_tree(folder)
    folder.mkdir(mode=0o700)
    log = folder / "start.log"
    try:
        with log.open("wb") as said:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "harness.engines.ray_program", *arguments(machine, folder / "ray")],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env=os.environ | environment(machine.token),
                start_new_session=True,
            )
        try:
            await_started(process, log)
            yield RayProcess(process, folder / "ray")
        finally:
            process.terminate()
            try:
                process.wait(STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        remove_tree(folder)


def arguments(machine: Machine, folder: Path) -> list[str]:
    """The arguments of `ray start`: neither dashboard nor client, and no CPUs for tasks of others."""
    port = machine.address.rpartition(":")[2]
    where = (
        ["--head", f"--port={port}", "--include-dashboard=false"] if machine.head else [f"--address={machine.address}"]
    )
    return [
        "start",
        "--block",
        *where,
        f"--node-ip-address={machine.host}",
        f"--node-name={machine.name}",
        f"--temp-dir={folder}",
        f"--resources={json.dumps(machine.resources)}",
        f"--object-store-memory={OBJECTS_BYTES}",
        "--num-cpus=0",
        "--num-gpus=0",
        "--include-log-monitor=false",
        "--disable-usage-stats",
    ]


def await_started(process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until Ray reports that it has started; raises ClusterLost with its messages if it does not."""
    deadline = time.monotonic() + START_LIMIT_S
    while STARTED not in (said := log.read_text(errors="replace")):
        if process.poll() is not None or time.monotonic() > deadline:
            raise ClusterLost(f"Ray did not start: {said.strip()[-SAID_LIMIT:]}")
        time.sleep(POLL_S)
