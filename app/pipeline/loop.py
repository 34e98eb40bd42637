"""The loop of the runs: its file of checkpoints, and the graph, which is loaded for the first run.

The libraries of the graph and of the healer take a second to import, which neither a start nor a search waits for.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

import aiosqlite

from app.pipeline.context import RunContext
from app.pipeline.state import State
from app.runs.schema import JOURNAL_BYTES

if TYPE_CHECKING:
    from app.pipeline.graph import Graph


class Loop:
    """What takes runs to their ends; `open` makes one."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection: Final = connection
        self._loading: Final = asyncio.Lock()
        self._graph: Graph | None = None

    @classmethod
    async def open(cls, path: Path) -> Loop:
        """The loop with its checkpoints in the SQLite file at `path`; raises the errors of sqlite3."""
        connection = await aiosqlite.connect(path)
        try:
            # The first reads the file, so that a damaged one is found now.
            await connection.execute("PRAGMA journal_mode = WAL")
            await connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")
        except BaseException:
            # Its thread would otherwise keep the process alive.
            await connection.close()
            raise
        return cls(connection)

    async def close(self) -> None:
        """Close the file."""
        await self._connection.close()

    async def load(self) -> Graph:
        """The graph, which the first call loads."""
        async with self._loading:
            if self._graph is None:
                kind = await asyncio.to_thread(import_graph)
                self._graph = kind(self._connection)
            return self._graph

    async def run(self, context: RunContext) -> State:
        """Take a run to its end, from its last checkpoint if it has one; answers where it stands then."""
        return await (await self.load()).run(context)

    async def forget(self, run_id: str) -> None:
        """Delete the checkpoints of a run that has ended."""
        await (await self.load()).forget(run_id)


def import_graph() -> type[Graph]:
    from app.pipeline.graph import Graph

    return Graph
