"""The nodes of a cluster as they are called from elsewhere, whatever carries the messages."""

from __future__ import annotations

from typing import Protocol

from harness.engine import Executed
from harness.engines.node import Look, NotTaken
from harness.order import Order


class NodeLost(Exception):
    """A node is gone, or does not answer; the message says how that was seen."""


class ClusterLost(Exception):
    """The cluster does not answer; the message says why."""


class RemoteNode(Protocol):
    """A node as it is called from elsewhere: the methods of `Node`, each of which may also raise NodeLost."""

    async def look(self, caller: str) -> Look: ...

    async def execute(self, caller: str, key: str, build: str, order: Order, warm: bool) -> Executed | NotTaken: ...

    async def cancel(self, key: str) -> None: ...

    async def keep_warm(self, build: str) -> None: ...


class Nodes(Protocol):
    """The nodes of a cluster."""

    async def found(self) -> dict[str, RemoteNode]:
        """The nodes by their names; raises ClusterLost."""
        ...

    async def close(self) -> None:
        """Leave the cluster, which goes on."""
        ...
