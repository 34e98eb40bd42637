"""The nodes of a cluster on Ray: one detached actor per node, found by its name."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import logging
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any, Final

from harness.engine import ExecutionResult
from harness.engines.node import ClusterNode, NodeLook, NodeSpec, NotTaken
from harness.engines.ray_program import environment, stay_on_loopback
from harness.engines.remote import ClusterLost, NodeLost, RemoteNode
from harness.order import Order

NAMESPACE: Final = "blendproof"
PREFIX: Final = "node-"
CONNECT_AGAIN_S: Final = 5.0
STARTED_LIMIT_S: Final = 60.0
ANSWER_LIMIT_S: Final = 2.0
YEARS_S: Final = 10 * 365 * 86400


def is_installed() -> bool:
    """True if there is a Ray to use."""
    return importlib.util.find_spec("ray") is not None


def ray() -> Any:
    """Ray, imported when it is first used: it reads its environment then, and has no types."""
    return importlib.import_module("ray")


def connect(address: str, token: Path, folder: Path | None = None) -> None:
    """Connect this process with a cluster, by the part of it on this machine that has this folder; any if None.

    Raises ClusterLost.
    """
    os.environ.update(environment(token) | outliving())
    try:
        answers(address)
        address = numeric(address)
        stay_on_loopback()
        logging.getLogger("ray").setLevel(logging.ERROR)
        ray().init(
            address=address,
            namespace=NAMESPACE,
            log_to_driver=False,
            configure_logging=False,
            include_dashboard=False,
            _temp_dir=str(folder) if folder else None,
        )
    except Exception as error:
        raise ClusterLost(f"the cluster at {address} cannot be reached: {in_short(error)}") from error


def outliving() -> dict[str, str]:
    """Variables that keep Ray from ending this process when the head is gone for a minute or Ray ends on this machine.

    Whether it did the latter, Ray asks of a process that it takes for its own part on this machine.
    """
    return {"RAY_gcs_rpc_server_reconnect_timeout_s": str(YEARS_S), "RAY_RAYLET_PID": str(os.getpid())}


def numeric(address: str) -> str:
    """HOST:PORT or HOST with the host as a number, by which Ray knows machines; raises OSError if it has none."""
    host, colon, port = address.partition(":")
    return f"{socket.gethostbyname(host)}{colon}{port}"


def answers(address: str) -> None:
    """Check that something listens there: Ray itself waits long for a head that is gone. Raises OSError."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), ANSWER_LIMIT_S).close()


def leave() -> None:
    """Disconnect this process."""
    if connected():
        ray().shutdown()


def connected() -> bool:
    """True if this process is connected with a cluster."""
    return "ray" in sys.modules and bool(ray().is_initialized())


def in_short(error: BaseException) -> str:
    """The first line of Ray's message."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


class RayNode:
    """The actor of one node."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._actor = ray().get_actor(f"{PREFIX}{name}")

    async def look(self, caller: str) -> NodeLook:
        """See `ClusterNode`."""
        looked: NodeLook = await self._ask("look", caller)
        return looked

    async def execute(self, caller: str, key: str, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        """See `ClusterNode`."""
        answer: ExecutionResult | NotTaken = await self._ask("execute", caller, key, build, order, warm)
        return answer

    async def cancel(self, key: str) -> None:
        """See `ClusterNode`."""
        await self._ask("cancel", key)

    async def keep_warm(self, build: str) -> None:
        """See `ClusterNode`."""
        await self._ask("keep_warm", build)

    async def drain(self) -> None:
        """See `ClusterNode`."""
        await self._ask("drain")

    async def close(self) -> None:
        """Close the node, and end its actor for good."""
        await self._ask("close")
        ray().kill(self._actor, no_restart=True)

    async def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return await getattr(self._actor, method).remote(*arguments)
        except Exception as error:
            raise NodeLost(said_of(error)) from error


def said_of(error: BaseException) -> str:
    """The fate of a node, in a few words; Ray's own are a page."""
    names = {
        "ActorDiedError": "its actor died",
        "ActorUnavailableError": "its actor does not answer",
        "NodeDiedError": "the node died",
        "ObjectLostError": "its answer was lost",
        "OutOfMemoryError": "it ran out of memory",
    }
    kinds = [kind.__name__ for kind in type(error).__mro__]
    return next((words for name, words in names.items() if name in kinds), in_short(error))


class RayNodes:
    """The cluster at an address, HOST:PORT; connected when its nodes are first asked for."""

    def __init__(self, address: str, token: Path) -> None:
        self._address = address
        self._token = token
        self._known: dict[str, RayNode] = {}
        self._again = 0.0
        self._is_ours = False

    async def by_name(self) -> dict[str, RemoteNode]:
        """See `Nodes`."""
        return dict(await asyncio.to_thread(self._look_up))

    def _look_up(self) -> dict[str, RayNode]:
        if not connected():
            if time.monotonic() < self._again:
                raise ClusterLost(f"the cluster at {self._address} cannot be reached")
            self._again = time.monotonic() + CONNECT_AGAIN_S
            connect(self._address, self._token)
            self._is_ours = True
        names = {name.removeprefix(PREFIX) for name in self._names()}
        for name in names - self._known.keys():
            # A node that is just leaving has a name, but is no longer there.
            with contextlib.suppress(ValueError):
                self._known[name] = RayNode(name)
        self._known = {name: node for name, node in self._known.items() if name in names}
        return self._known

    def _names(self) -> list[str]:
        """The names of all actors; raises ClusterLost."""
        try:
            answers(self._address)
        except OSError as error:
            raise ClusterLost(f"the head at {self._address} does not answer: {error.strerror or error}") from error
        try:
            return list(ray().util.list_named_actors())
        except Exception as error:
            # This process cannot join it: its calls to the new nodes were never answered when that was tried.
            again = "if the head was started again, it is another cluster: start the service again too"
            raise ClusterLost(f"the head at {self._address} does not know this service; {again}") from error

    async def close(self) -> None:
        """See `Nodes`."""
        if self._is_ours:
            await asyncio.to_thread(leave)


def start_actor(spec: NodeSpec, resources: dict[str, int]) -> RayNode:
    """Have the machine of the cluster with the spec's name execute orders; raises ClusterLost.

    The actor is started again if it dies. Ray places it by the resources of its Blenders, on that machine alone.
    """
    placed = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    deadline = time.monotonic() + STARTED_LIMIT_S
    while (found := node_id(spec.name)) is None:
        if time.monotonic() > deadline:
            raise ClusterLost(f"this machine did not join the cluster within {STARTED_LIMIT_S:g} s")
        time.sleep(0.1)
    ray().remote(ClusterNode).options(
        name=f"{PREFIX}{spec.name}",
        lifetime="detached",
        max_restarts=-1,
        max_task_retries=0,
        num_cpus=0,
        # A share of each: the resources list the Blenders, and places are lent by the engines.
        resources=dict.fromkeys(resources, 0.001),
        scheduling_strategy=placed(found, soft=False),
    ).remote(spec)
    return RayNode(spec.name)


def node_id(name: str) -> str | None:
    """The id of the machine of this name in the cluster, if it is there."""
    return next((str(node["NodeID"]) for node in ray().nodes() if node["Alive"] and node["NodeName"] == name), None)
