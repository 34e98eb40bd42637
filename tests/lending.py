"""One warm Blender for all tests of a worker: it takes three seconds of a core to start."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Generic, TypeVar

from harness.blenders import Blender
from harness.engine import EngineFacts, ExecutionResult
from harness.engines.local import LocalEngine
from harness.execution import execute
from harness.order import Order
from harness.pool.pool import Pool
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox

Answer = TypeVar("Answer")


class Lending:
    """A warm Blender, in an event loop of its own: those of tests end with the test.

    It is started for the first that needs it. Services over one of `folders` borrow it.
    """

    def __init__(self, folder: Path, readers: Readers, prove: Callable[[], Sandbox]) -> None:
        self.folders: set[Path] = set()
        self._folder = folder
        self._readers = readers
        self._prove = prove
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lending", daemon=True)
        self._thread.start()

    @functools.cached_property
    def sandbox(self) -> Sandbox:
        """The sandbox of what is executed."""
        return self._prove()

    @functools.cached_property
    def pool(self) -> Pool | None:
        """The place of the Blender, if jobs can be kept apart in one. Only for use in the loop."""
        folder = self._folder / "warm"
        folder.mkdir(exist_ok=True)
        return Pool(folder, self.sandbox, 1) if self.sandbox.keeps_forks_apart else None

    @functools.cached_property
    def engine(self) -> LocalEngine:
        """The engine that services borrow. Only for use in the loop."""
        folder = self._folder / "executions"
        folder.mkdir(exist_ok=True)
        return LocalEngine(self.sandbox, self.pool, folder, self._readers)

    async def execute(self, blender: Blender, order: Order, folder: Path) -> dict[str, Any]:
        """Execute an order in the warm Blender; what it leaves is in `folder`. See `harness.execution.execute`."""

        async def executed() -> dict[str, Any]:
            return await execute(blender, order, folder, self.sandbox, self.pool)

        return await self.begin(executed()).answer()

    def lend(self, folder: Path, sandbox: Sandbox) -> LentEngine | None:
        """The engine, for a service over this folder; None if it needs one of its own."""
        return LentEngine(self) if folder in self.folders and sandbox == self.sandbox else None

    def begin(self, work: Coroutine[Any, Any, Answer]) -> Work[Answer]:
        """Have work done in the loop of the engine."""
        begun: Future[Work[Answer]] = Future()
        self._loop.call_soon_threadsafe(lambda: begun.set_result(Work(self._loop.create_task(work))))
        return begun.result()

    def ask(self, question: Callable[[LocalEngine], Answer]) -> Answer:
        """What the engine says."""

        async def answer() -> Answer:
            return question(self.engine)

        return self.begin(answer()).result()

    def rest(self) -> None:
        """End every process; the next test that needs the Blender has it started again."""
        self.begin(self._rest()).result()

    def close(self) -> None:
        """End every process, for good."""
        self.rest()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _rest(self) -> None:
        engine, pool = self.__dict__.pop("engine", None), self.__dict__.pop("pool", None)
        if engine is not None:
            await engine.close()
        elif pool is not None:
            await pool.close()


class Work(Generic[Answer]):
    """A task in the loop of the engine, for those outside of it."""

    def __init__(self, task: asyncio.Task[Answer]) -> None:
        self._task = task
        self._ended: Future[None] = Future()
        task.add_done_callback(lambda _: self._ended.set_result(None))

    async def answer(self) -> Answer:
        """What it came to. Cancelled, it is taken down first."""
        ended = asyncio.wrap_future(self._ended)
        try:
            await asyncio.shield(ended)
        except asyncio.CancelledError:
            await self.cancel()
            raise
        return self._task.result()

    async def cancel(self) -> None:
        """Take it down."""
        self._task.get_loop().call_soon_threadsafe(self._task.cancel)
        await asyncio.shield(asyncio.wrap_future(self._ended))

    def result(self) -> Answer:
        """What it came to, for who may wait."""
        self._ended.result()
        return self._task.result()


class LentEngine:
    """The engine as one service has it. When it is closed, nothing is left of what that service had executed."""

    def __init__(self, lending: Lending) -> None:
        self._lending = lending
        self._under_way: set[Work[ExecutionResult]] = set()

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> ExecutionResult:
        """Execute the order on this Blender; see `harness.engine.Engine`."""

        async def execute() -> ExecutionResult:
            return await self._lending.engine.execute(order, blender, warm=warm)

        work = self._lending.begin(execute())
        self._under_way.add(work)
        try:
            return await work.answer()
        finally:
            self._under_way.remove(work)

    def refusal(self, blender: Blender) -> str | None:
        """None: as for an engine of one machine."""
        return self._lending.ask(lambda engine: engine.refusal(blender))

    def keep_warm(self, blender: Blender) -> None:
        """Fill the one place."""
        self._lending.ask(lambda engine: engine.keep_warm(blender))

    def is_quiet(self) -> bool:
        """Whether nothing is under way."""
        return not self._under_way and self._lending.ask(LocalEngine.is_quiet)

    def facts(self) -> EngineFacts:
        """How the warm Blender is."""
        return self._lending.ask(LocalEngine.facts)

    async def close(self) -> None:
        """End what is under way."""
        for work in list(self._under_way):
            await work.cancel()
