"""The engine of a cluster: each order goes to a node with its Blender and a free place; see `node.py`.

    order ── waits until a node has room ──> node ─┬─> report, files
               ^                                   ├─> the node is lost: once more, on another if there is one
               └───────────────────────────────────┴─> the node is drained: on another, as if it had not been sent

The carrier of messages is behind `Nodes`: `on_ray.py`, or nodes in this process.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import secrets
import time
from collections.abc import Set
from pathlib import Path
from typing import Final

from harness import tracing
from harness.blenders import Blender
from harness.engine import EngineFacts, ExecutionResult
from harness.engines.node import NotTaken, build_of
from harness.engines.remote import ClusterLost, NodeLost, Nodes, RemoteNode
from harness.engines.seats import Seat, facts_of
from harness.execution import our_fault
from harness.folders import Folders
from harness.launcher import HarnessFault
from harness.order import Order
from harness.report import Execution, write_report
from harness.sandbox.ladder import Rung, Sandbox

LOOK_EVERY_S: Final = 1.0
LOOK_LIMIT_S: Final = 5.0
NO_NODE_S: Final = 30.0
"""Seconds that an order waits for a node that has its Blender at all."""
CANCEL_LIMIT_S: Final = 30.0
TRIES: Final = 2
ROUNDS: Final = 2
"""Orders are refused when this many wait for each place."""
NOWHERE: Final = Path("/nonexistent")

Failure = tuple[str, str]
"""A node on which an order was tried, and its failure."""


class ClusterEngine:
    """Executes orders on the nodes of a cluster; one that is full keeps them waiting."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._name = secrets.token_hex(8)
        self._seats: dict[str, Seat] = {}
        self._problem = ""
        self._looked = False
        self._changed = asyncio.Condition()
        self._under_way = 0
        self._waiting = 0
        self._warm: set[str] = set()
        self._endings: set[asyncio.Task[None]] = set()
        self._looking = asyncio.create_task(self._look_on())

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> ExecutionResult:
        """Execute the order on this Blender; see `harness.engine.Engine`."""
        failed: list[Failure] = []
        self._under_way += 1
        try:
            while len(failed) < TRIES:
                seat = await self._lend(build_of(blender), {name for name, _ in failed})
                if seat is None:
                    return fault(order, blender, self._none_for(blender), failed)
                answer = await self._execute_at(seat, build_of(blender), order, warm)
                if isinstance(answer, ExecutionResult):
                    return answer
                if not answer.draining:
                    failed.append((seat.name, answer.why))
            return fault(order, blender, f"{TRIES} tries on the cluster failed", failed)
        finally:
            self._under_way -= 1

    def refusal(self, blender: Blender) -> str | None:
        """The reason why a further order should not be sent now, or None: no node has its Blender, or too many wait.

        An order that comes before the first look waits for it.
        """
        seats = self._having(build_of(blender))
        if not seats:
            return self._none_for(blender) if self._looked else None
        places = sum(seat.places for seat in seats)
        if self._waiting < ROUNDS * places:
            return None
        return f"{self._waiting} executions wait for {places} places of the cluster"

    def keep_warm(self, blender: Blender) -> None:
        """Have every node that has it start warm Blenders of this kind, even nodes that join later."""
        self._warm.add(build_of(blender))
        for seat in self._seats.values():
            seat.warmed.clear()

    def is_quiet(self) -> bool:
        """True if nothing is under way, here and on the nodes."""
        return not self._under_way and not self._endings and all(seat.look.quiet for seat in self._usable())

    def facts(self) -> EngineFacts:
        """The nodes, and the warm Blenders of all of them."""
        return facts_of(self._seats.values())

    async def close(self) -> None:
        """Leave the cluster, after executions that were cancelled here have ended there."""
        self._looking.cancel()
        await asyncio.gather(*self._endings, return_exceptions=True)
        await asyncio.gather(self._looking, return_exceptions=True)
        await self._nodes.close()

    # --- a place ----------------------------------------------------------------------------------------------

    async def _lend(self, build: str, failed: Set[str]) -> Seat | None:
        """A place on a node that has room, on none of those that failed if there is another.

        None if for a while none has the Blender at all.
        """
        give_up = time.monotonic() + NO_NODE_S
        self._waiting += 1
        try:
            async with self._changed:
                while having := self._having(build) or time.monotonic() < give_up:
                    if isinstance(having, list):
                        give_up = time.monotonic() + NO_NODE_S
                        if seat := roomiest([seat for seat in having if seat.name not in failed] or having):
                            seat.mine += 1
                            return seat
                    with contextlib.suppress(TimeoutError):
                        # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time.
                        async with asyncio.timeout(LOOK_EVERY_S):
                            await self._changed.wait()
            return None
        finally:
            self._waiting -= 1

    def _usable(self) -> list[Seat]:
        return [seat for seat in self._seats.values() if seat.usable]

    def _having(self, build: str) -> list[Seat]:
        return [seat for seat in self._usable() if build in seat.look.builds]

    def _none_for(self, blender: Blender) -> str:
        if self._problem:
            return self._problem
        there = f"of {len(self._usable())} nodes" if self._usable() else "because it has no node"
        return f"no node of the cluster has Blender {blender.version} (build {blender.build_hash}), {there}"

    # --- an order on a node -----------------------------------------------------------------------------------

    async def _execute_at(self, seat: Seat, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        """A node's answer to an order; if the caller is cancelled meanwhile, it is ended there first."""
        key = secrets.token_hex(8)
        with tracing.span("node", {"blendproof.node": seat.name}):
            order = dataclasses.replace(order, trace=tracing.traceparent())
            answer = asyncio.create_task(self._answer(seat, key, build, order, warm))
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                await self._end(seat, key, answer)
                raise

    async def _answer(self, seat: Seat, key: str, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        """The answer of a node, or the news that it is gone; the place there is free again then."""
        answer = asyncio.ensure_future(seat.node.execute(self._name, key, build, order, warm))
        gone = asyncio.create_task(seat.gone.wait())
        try:
            await asyncio.wait([answer, gone], return_when=asyncio.FIRST_COMPLETED)
            return answer.result() if answer.done() else NotTaken(seat.lost)
        except NodeLost as error:
            seat.lose(str(error))
            return NotTaken(str(error))
        finally:
            gone.cancel()
            answer.cancel()
            seat.mine -= 1
            async with self._changed:
                self._changed.notify_all()

    async def _end(self, seat: Seat, key: str, answer: asyncio.Task[ExecutionResult | NotTaken]) -> None:
        """End an execution on its node, also if the caller is cancelled once more."""

        async def end() -> None:
            with contextlib.suppress(NodeLost, TimeoutError):
                async with asyncio.timeout(CANCEL_LIMIT_S):
                    await seat.node.cancel(key)
                await asyncio.wait([answer], timeout=CANCEL_LIMIT_S)
            answer.cancel()
            await asyncio.gather(answer, return_exceptions=True)

        ending = asyncio.create_task(end())
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)
        await asyncio.shield(ending)

    # --- the nodes --------------------------------------------------------------------------------------------

    async def _look_on(self) -> None:
        """Look at every node again and again, for as long as the engine is open."""
        while True:
            try:
                await self._look_at_all()
            except Exception as error:
                # Whatever the error is, the next look may go better.
                self._problem = f"the nodes of the cluster cannot be seen: {type(error).__name__}: {error}"
            self._looked = True
            async with self._changed:
                self._changed.notify_all()
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look_at_all(self) -> None:
        try:
            nodes = await self._nodes.by_name()
            self._problem = ""
        except ClusterLost as error:
            # The nodes that are known may still answer.
            nodes, self._problem = {name: seat.node for name, seat in self._seats.items()}, str(error)
        for name in self._seats.keys() - nodes.keys():
            self._seats.pop(name).lose("it left the cluster")
        await asyncio.gather(*(self._look_at(name, node) for name, node in nodes.items()))

    async def _look_at(self, name: str, node: RemoteNode) -> None:
        try:
            async with asyncio.timeout(LOOK_LIMIT_S):
                look = await node.look(self._name)
            seat = self._seats.setdefault(name, Seat(name, node, look))
            seat.see(node, look)
            for build in self._warm - seat.warmed:
                async with asyncio.timeout(LOOK_LIMIT_S):
                    await node.keep_warm(build)
                seat.warmed.add(build)
        except (NodeLost, TimeoutError) as error:
            known = self._seats.get(name)
            if known is None:
                self._problem = f"node {name} does not answer: {error}"
            elif isinstance(error, NodeLost):
                known.lose(str(error))
            else:
                known.miss()


def roomiest(seats: list[Seat]) -> Seat | None:
    """The node with the largest share of its places free; None if all are taken."""
    seat = max(seats, key=lambda seat: seat.free / seat.look.places)
    return seat if seat.free > 0 else None


def fault(order: Order, blender: Blender, why: str, failed: list[Failure]) -> ExecutionResult:
    """The report of an order that no node executed to its end, which says nothing of the snippet."""
    sandbox = Sandbox(Rung.PROCESS, why_not=("no node executed it",))
    ending = our_fault(HarnessFault("; ".join([why, *(f"{name}: {what}" for name, what in failed)])))
    return ExecutionResult(write_report(Execution(blender, order, Folders(NOWHERE, NOWHERE), sandbox, ending)), {})
