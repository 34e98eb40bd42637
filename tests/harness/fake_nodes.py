"""Nodes of a cluster that exist in the test alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from harness.blenders import Blender
from harness.engine import EngineFacts, ExecutionResult
from harness.engines.node import NodeLook, NotTaken, build_of
from harness.engines.remote import ClusterLost, NodeLost, RemoteNode
from harness.order import Order

FIVE = Blender("module", Path("/somewhere/python"), "5.0.1", "a3db93c5b259", "3.11.13")
FOUR = Blender("module", Path("/somewhere/python"), "4.5.3", "c6c9a1ed2d0b", "3.11.13")
OTHER_BUILD = Blender("module", Path("/somewhere/python"), "5.0.1", "000000000000", "3.11.13")
NOBODYS = Blender("module", Path("/somewhere/python"), "5.1.0", "111111111111", "3.11.13")
ORDER = Order("import bpy\n")
DONE = ExecutionResult({"outcome": "passed"}, {"front.png": b"png"})


class FakeNode:
    """A node that answers an order when it is told to, unless it is lost."""

    def __init__(self, name: str, places: int = 1, blenders: tuple[Blender, ...] = (FIVE,)) -> None:
        self.name, self.places, self.blenders = name, places, blenders
        self.asked: dict[str, asyncio.Future[ExecutionResult | NotTaken]] = {}
        self.cancelled: list[str] = []
        self.warmed: list[str] = []
        self.others = 0
        self.draining = self.silent = False
        self.problem = ""

    async def look(self, caller: str) -> NodeLook:
        if self.silent:
            await asyncio.Event().wait()
        builds = [] if self.problem else [build_of(blender) for blender in self.blenders]
        yours = len(self.asked)
        facts = EngineFacts(True, [{"state": "idle"}], {})
        busy = self.others + yours
        return NodeLook(
            self.name, builds, self.places, busy, yours, self.draining, not busy, "namespaces", self.problem, facts
        )

    async def execute(self, caller: str, key: str, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        if self.draining:
            return NotTaken("it is being drained", draining=True)
        self.asked[key] = asyncio.get_running_loop().create_future()
        try:
            return await self.asked[key]
        finally:
            self.asked.pop(key, None)

    async def cancel(self, key: str) -> None:
        self.cancelled.append(key)
        self.answer(NotTaken("it was cancelled"))

    async def keep_warm(self, build: str) -> None:
        self.warmed.append(build)

    def answer(self, answer: ExecutionResult | NotTaken = DONE) -> None:
        for asked in self.asked.values():
            if not asked.done():
                asked.set_result(answer)

    def die(self) -> None:
        for asked in self.asked.values():
            asked.set_exception(NodeLost("its actor died"))


class FakeNodes:
    def __init__(self, *nodes: FakeNode) -> None:
        self.there = {node.name: node for node in nodes}
        self.reached = True
        self.closed = False

    async def by_name(self) -> dict[str, RemoteNode]:
        if not self.reached:
            raise ClusterLost("the cluster at nowhere:1 does not answer")
        return dict(self.there)

    async def close(self) -> None:
        self.closed = True
