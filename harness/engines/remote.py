"""The nodes of a cluster as they are called from elsewhere, with any carrier of messages."""

from __future__ import annotations

from typing import Protocol

from harness.engine import ExecutionResult
from harness.engines.node import NodeLook, NotTaken
from harness.order import Order


class NodeLost(Exception):
    """A node is gone, or does not answer; the message says how that was noticed."""


class ClusterLost(Exception):
    """The cluster does not answer; the message says why."""


class RemoteNode(Protocol):
    """A node as it is called from elsewhere: the methods of `ClusterNode`, each of which may also raise NodeLost."""

    async def look(self, caller: str) -> NodeLook: ...

    async def execute(
        self, caller: str, key: str, build: str, order: Order, warm: bool
    ) -> ExecutionResult | NotTaken: ...

    async def cancel(self, key: str) -> None: ...

    async def keep_warm(self, build: str) -> None: ...


class Nodes(Protocol):
    """The nodes of a cluster."""

    async def by_name(self) -> dict[str, RemoteNode]:
        """The nodes by their names; raises ClusterLost."""
        ...

    async def close(self) -> None:
        """Leave the cluster, which goes on."""
        ...
