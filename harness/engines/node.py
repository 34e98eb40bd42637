"""A node of a cluster: executes orders on its machine, for every service that sends some.

    Engine of a service ── execute, cancel ──> Node ──> LocalEngine of this machine
                        ── look, each second ─>

A service that no longer looks is gone, and its orders are cancelled.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from pathlib import Path
from typing import Final

from harness import tracing
from harness.blenders import Blender, BlenderNotAvailable, find_blenders
from harness.engine import EngineFacts, ExecutionResult
from harness.engines.local import LocalEngine, open_local
from harness.order import Order
from harness.readers import Readers
from harness.sandbox import selftest
from harness.sandbox.ladder import Sandbox, strongest

SILENCE_S: Final = 30.0
"""A service that has not looked for this long is taken as gone."""
WATCH_EVERY_S: Final = 5.0


@dataclasses.dataclass(frozen=True)
class NodeSpec:
    """The settings of a node. `folder` is its own; `places` is the number of executions at once.

    `warm` is the number of them with a warm Blender, and `unsafe` the permission to run without isolation.
    """

    name: str
    home: str
    folder: str
    places: int
    warm: int
    executable: str | None = None
    search: bool = False
    unsafe: bool = False
    tracing: str | None = None
    """Receiver of traces, if there is one."""


@dataclasses.dataclass(frozen=True)
class NodeLook:
    """The state of a node: `busy` counts its executions, `yours` those of the service that looks.

    `builds` names its Blenders as `build_of` does; `problem` is the reason why it takes no order at all.
    """

    name: str
    builds: list[str]
    places: int
    busy: int
    yours: int
    draining: bool
    quiet: bool
    rung: str
    problem: str
    facts: EngineFacts


@dataclasses.dataclass(frozen=True)
class NotTaken:
    """The refusal of an order, or its failure, by a node, with the reason; `draining` if only because it stops."""

    why: str
    draining: bool = False


def build_of(blender: Blender) -> str:
    """A Blender as every machine names it: the same build of the same kind."""
    return f"{blender.version} {blender.build_hash} {blender.kind}"


def problem_of(sandbox: Sandbox) -> str:
    """The reason why nothing may be executed in this sandbox; empty if it may."""
    if sandbox.unsafe:
        return ""
    if sandbox.escapes:
        return f"the sandbox `{sandbox.rung}` does not hold: {', '.join(sandbox.escapes)}"
    return "" if sandbox.serves else f"snippets cannot be isolated: {'; '.join(sandbox.why_not)}"


class ClusterNode:
    """One machine of a cluster. It never raises for an order; a failure here is a NotTaken or a report."""

    def __init__(self, spec: NodeSpec) -> None:
        self._spec = spec
        self._draining = False
        self._under_way: dict[str, tuple[str, asyncio.Task[ExecutionResult]]] = {}
        self._heard: dict[str, float] = {}
        self._watch: asyncio.Task[None] | None = None
        self._idle = asyncio.Condition()
        self._sandbox = selftest.prove(strongest(), [Path(spec.home), Path(spec.folder)], spec.unsafe)
        self._problem = problem_of(self._sandbox)
        self._end_tracing = tracing.begin(spec.tracing, f"{tracing.NAME}-node") if spec.tracing else None
        self._blenders: dict[str, Blender] = {}
        self._readers: Readers | None = None
        self._engine: LocalEngine | None = None
        try:
            executable = Path(spec.executable) if spec.executable else None
            for blender in find_blenders(Path(spec.home), executable, search=spec.search):
                self._blenders.setdefault(build_of(blender), blender)
        except BlenderNotAvailable as error:
            self._problem = self._problem or str(error)

    async def look(self, caller: str) -> NodeLook:
        """The state of this node, for a service of that name, which is alive then."""
        self._heard[caller] = time.monotonic()
        engine = self._opened()
        return NodeLook(
            name=self._spec.name,
            builds=[] if self._problem else list(self._blenders),
            places=self._spec.places,
            busy=len(self._under_way),
            yours=sum(owner == caller for owner, _ in self._under_way.values()),
            draining=self._draining,
            quiet=engine.is_quiet(),
            rung=self._sandbox.rung.value,
            problem=self._problem,
            facts=engine.facts(),
        )

    async def execute(self, caller: str, key: str, build: str, order: Order, warm: bool) -> ExecutionResult | NotTaken:
        """Execute an order of a service, under a key of its choice by which it can be cancelled."""
        blender = self._blenders.get(build)
        if self._draining:
            return NotTaken("it is being drained", draining=True)
        if self._problem or blender is None:
            return NotTaken(self._problem or f"it has no Blender {build}")
        self._heard[caller] = time.monotonic()
        self._watch = self._watch or asyncio.create_task(self._cancel_the_silent())
        task = asyncio.create_task(self._opened().execute(order, blender, warm=warm))
        self._under_way[key] = caller, task
        try:
            await asyncio.wait([task])
            if task.cancelled():
                return NotTaken("it was cancelled")
            if error := task.exception():
                said = error.strerror if isinstance(error, OSError) else str(error)
                return NotTaken(f"{type(error).__name__}: {said}")
            return task.result()
        finally:
            task.cancel()
            del self._under_way[key]
            async with self._idle:
                self._idle.notify_all()

    async def cancel(self, key: str) -> None:
        """End an execution, and return when nothing of it remains; one that has ended already is ignored."""
        _, task = self._under_way.get(key, ("", None))
        if task:
            task.cancel()
            await asyncio.wait([task])

    async def keep_warm(self, build: str) -> None:
        """Start warm Blenders of this build, if it is here."""
        if not self._problem and build in self._blenders:
            self._opened().keep_warm(self._blenders[build])

    async def drain(self) -> None:
        """Take no further order, and return when those under way have ended."""
        self._draining = True
        async with self._idle:
            await self._idle.wait_for(lambda: not self._under_way)

    async def close(self) -> None:
        """End every process of this node."""
        self._draining = True
        if self._watch:
            self._watch.cancel()
        for key in list(self._under_way):
            await self.cancel(key)
        if self._engine:
            await self._engine.close()
        if self._readers:
            self._readers.close()
        if self._end_tracing:
            await asyncio.to_thread(self._end_tracing)
            self._end_tracing = None

    def _opened(self) -> LocalEngine:
        """The engine of this machine, opened when it is first needed: it belongs to a running loop."""
        if self._engine is None:
            self._readers = Readers(self._sandbox)
            self._engine = open_local(Path(self._spec.folder), self._sandbox, self._spec.warm, self._readers)
            if not self._problem and self._blenders:
                self._engine.keep_warm(next(iter(self._blenders.values())))
        return self._engine

    async def _cancel_the_silent(self) -> None:
        """Cancel the orders of services that do not look any more."""
        while True:
            await asyncio.sleep(WATCH_EVERY_S)
            since = time.monotonic() - SILENCE_S
            silent = {caller for caller, heard in self._heard.items() if heard < since}
            for key, (caller, _) in list(self._under_way.items()):
                if caller in silent:
                    await self.cancel(key)
            for caller in silent:
                self._heard.pop(caller, None)
