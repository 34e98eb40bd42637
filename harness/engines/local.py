"""The engine of one machine: each execution has a folder of its own, which is gone when the execution is answered."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from harness import tracing
from harness.blenders import Blender
from harness.engine import EngineFacts, ExecutionResult
from harness.execution import execute
from harness.folders import Folders, remove_tree
from harness.order import MODEL, SCENE, Order
from harness.pool.pool import Pool
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox


class LocalEngine:
    """Executes orders below `folder`, in warm Blenders if there is a pool of them. The snippets' needs are read by
    `readers`."""

    def __init__(self, sandbox: Sandbox, pool: Pool | None, folder: Path, readers: Readers | None = None) -> None:
        self._sandbox = sandbox
        self._pool = pool
        self._folder = folder
        self._readers = readers
        self._under_way = 0
        self._removals: set[asyncio.Task[None]] = set()

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> ExecutionResult:
        """Execute the order on this Blender; see `harness.engine.Engine`."""
        folder = self._folder / secrets.token_hex(8)
        pool = self._pool if warm else None
        self._under_way += 1
        try:
            with tracing.span("execution", {"blendproof.blender": blender.version}, order.trace) as span:
                report = await execute(blender, order, folder, self._sandbox, pool, self._readers)
                span.note({"blendproof.outcome": str(report["outcome"])})
                return ExecutionResult(report, await asyncio.to_thread(made, Folders(folder, folder), order))
        finally:
            self._under_way -= 1
            await self._remove(folder)

    async def _remove(self, folder: Path) -> None:
        """Remove the files of an execution, even if the caller is cancelled meanwhile."""
        removal = asyncio.create_task(asyncio.to_thread(remove_tree, folder))
        self._removals.add(removal)
        removal.add_done_callback(self._removals.discard)
        await asyncio.shield(removal)

    def refusal(self, blender: Blender) -> str | None:
        """None: orders wait for a place here, and the service bounds the number of its runs."""
        return None

    def keep_warm(self, blender: Blender) -> None:
        """Fill the places of the pool with this Blender."""
        if self._pool:
            self._pool.keep_warm(blender)

    def is_quiet(self) -> bool:
        """True if nothing is under way, and every warm place waits for an execution."""
        return not self._under_way and not self._removals and (self._pool is None or self._pool.is_quiet())

    def facts(self) -> EngineFacts:
        """The states of the warm Blenders of the pool."""
        if self._pool is None:
            return EngineFacts(keeps_warm=False, workers=[], cold={})
        return EngineFacts(keeps_warm=True, **self._pool.facts())

    async def close(self) -> None:
        """End the workers of the pool, and see every folder removed."""
        if self._pool:
            await self._pool.close()
        await asyncio.gather(*self._removals, return_exceptions=True)


def made(folders: Folders, order: Order) -> dict[str, bytes]:
    """The results of an execution: its pictures, and the scene in both forms if it is wanted."""
    scenes = {SCENE: folders.scene(), MODEL: folders.scene(MODEL)} if order.keep_scene else {}
    return {**folders.pictures(), **{name: scene for name, scene in scenes.items() if scene is not None}}


def open_local(folder: Path, sandbox: Sandbox, warm: int, readers: Readers) -> LocalEngine:
    """The engine of this machine over two folders in `folder`, with `warm` warm places if their jobs can be kept apart.

    The files of a killed process are removed. Raises OSError.
    """
    for part in ("warm", "executions"):
        remove_tree(folder / part)
        # Jobs set the modes of their files, so no other user of the machine may look in.
        (folder / part).mkdir(mode=0o700)
    pool = Pool(folder / "warm", sandbox, warm) if warm > 0 and sandbox.keeps_forks_apart else None
    return LocalEngine(sandbox, pool, folder / "executions", readers)
