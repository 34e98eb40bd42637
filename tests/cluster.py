"""A cluster of three nodes as processes of this machine, started as an operator starts them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.engines.ray_machine import ray_folder
from harness.folders import remove_tree
from tests.objects import free_port

READY: Final = "sandbox `"
START_LIMIT_S: Final = 120.0
ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass
class NodeProcess:
    """`blendproof node`, and what it prints."""

    process: subprocess.Popen[bytes]
    log: Path
    data: Path

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def name(self) -> str:
        """Its name in the cluster."""
        return self.said().partition("node ")[2].partition(":")[0]

    def pids(self, program: str) -> list[int]:
        """Its descendants whose command line begins so, or whose program is called so."""
        found: list[int] = []
        for pid in descendants(self.process.pid):
            with contextlib.suppress(OSError):
                first = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode()
                if first.startswith(program) or Path(first).name == program:
                    found.append(pid)
        return found

    def kill_actor(self) -> None:
        """Kill the process that executes, as the kernel does when memory is short."""
        (pid,) = self.pids("ray::ClusterNode")
        os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """Kill all of it, as when the machine is gone."""
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        remove_tree(ray_folder(self.data))


@dataclass
class SmallCluster:
    """Where it is, its token, and its nodes, of which the first is the head."""

    address: str
    token: Path
    nodes: list[NodeProcess]


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    found, below = list[int](), [pid]
    while below:
        below = [child for parent in below for child in children.get(parent, [])]
        found += below
    return found


def start_node(folder: Path, name: str, home: Path, token: Path, *arguments: str) -> NodeProcess:
    """Start `blendproof node` with one place."""
    given = {"HOME": home, "DATA": folder / name, "CLUSTER_TOKEN": token, "FIND_BLENDERS": "false", "WARM_WORKERS": "1"}
    log = folder / f"{name}.log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "node", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                **{f"BLENDPROOF_{name}": str(value) for name, value in given.items()},
            },
        )
    return NodeProcess(process, log, folder / name / "node")


@contextlib.contextmanager
def small_cluster(folder: Path, home: Path) -> Generator[SmallCluster, None, None]:
    """Three nodes; nothing of them is left in the end."""
    address, token = f"127.0.0.1:{free_port()}", folder / "token"
    nodes = [start_node(folder, "head", home, token, "--head", "--port", address.partition(":")[2])]
    try:
        wait_for(lambda: token.is_file() and token.stat().st_size > 0, nodes)
        # They wait for the head.
        nodes += [start_node(folder, name, home, token, address) for name in ("second", "third")]
        wait_for(lambda: all(READY in node.said() for node in nodes), nodes)
        yield SmallCluster(address, token, nodes)
    finally:
        for node in nodes:
            node.kill()


async def until(holds: Callable[[], object], limit_s: float = 30.0, every_s: float = 0.05) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(limit_s):
        while not holds():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(every_s)


def wait_for(holds: Callable[[], bool], nodes: list[NodeProcess], limit_s: float = START_LIMIT_S) -> None:
    """Wait until the nodes have come that far."""

    deadline = time.monotonic() + limit_s
    while not holds():
        ended = [node for node in nodes if node.process.poll() is not None]
        if ended or time.monotonic() > deadline:
            raise AssertionError("\n".join(node.said() for node in ended or nodes))
        time.sleep(0.1)
