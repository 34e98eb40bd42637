"""Nodes of a cluster as processes of this machine, which are killed and started again."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.cluster import READY, NodeProcess, start_node, wait_for
from tests.objects import free_port

START_LIMIT_S: Final = 600.0
END_LIMIT_S: Final = 240.0


@dataclass
class Nodes:
    """A head and other nodes, by which a service executes; they have said `ready` when they are."""

    folder: Path
    home: Path
    count: int
    places: int = 1
    ready: str = READY
    address: str = field(default_factory=lambda: f"127.0.0.1:{free_port()}")
    running: list[NodeProcess] = field(default_factory=list[NodeProcess])
    kills: int = 0

    @property
    def token(self) -> Path:
        """The file of the cluster's token."""
        return self.folder / "token"

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which a service executes on them."""
        return {
            "BLENDPROOF_ENGINE": "ray",
            "BLENDPROOF_CLUSTER": self.address,
            "BLENDPROOF_CLUSTER_TOKEN": str(self.token),
        }

    def start(self, place: int) -> NodeProcess:
        """Start the head, which is the first, or another node."""
        port = self.address.partition(":")[2]
        how = ["--head", "--port", port] if place == 0 else [self.address]
        how += ["--places", str(self.places)]
        return start_node(self.folder, f"node-{place}", self.home, self.token, *how)

    def await_ready(self, nodes: list[NodeProcess]) -> None:
        """Wait until these nodes are in the cluster."""
        wait_for(lambda: all(self.ready in node.said() for node in nodes), nodes, START_LIMIT_S)

    def start_all(self) -> None:
        """Start them, and wait until they take orders."""
        self.running = [self.start(0)]
        wait_for(lambda: self.token.is_file() and self.token.stat().st_size > 0, self.running)
        self.running += [self.start(place) for place in range(1, self.count)]
        self.await_ready(self.running)

    def kill(self) -> None:
        """Kill the next node that is not the head, as if its machine were gone, and start it again."""
        place = 1 + self.kills % (self.count - 1)
        self.running[place].kill()
        self.kills += 1
        self.running[place] = self.start(place)

    def stop_all(self) -> None:
        """Kill all of them."""
        for node in self.running:
            node.kill()


def restart_of_head(folder: Path, home: Path, away_s: float) -> dict[str, Any]:
    """Kill the head and start it again after a while: what becomes of another node, and of the same started anew.

    Neither executes anything, so they have no Blenders to start.
    """
    nodes = Nodes(folder, home, 2, places=0, ready="in the cluster")
    try:
        nodes.start_all()
        head, other = nodes.running
        head.kill()
        killed = time.monotonic()
        time.sleep(away_s)
        nodes.running[0] = nodes.start(0)
        nodes.await_ready(nodes.running[:1])
        told: dict[str, Any] = {"head was away s": round(time.monotonic() - killed, 1)}
        told["status of the other node"] = other.process.wait(END_LIMIT_S)
        told |= {"ended after s": round(time.monotonic() - killed, 1), "said": other.said().strip().splitlines()[1:]}
        begun = time.monotonic()
        nodes.running[1] = nodes.start(1)
        nodes.await_ready(nodes.running)
        return {**told, "joined again after s": round(time.monotonic() - begun, 1)}
    finally:
        nodes.stop_all()
