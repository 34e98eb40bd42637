"""The loop of the runs: its file of checkpoints, and the graph, which is loaded for the first run.

The libraries of the graph and of the healer take a second to import, which neither a start nor a search waits for.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from app.errors import StorageFailed
from app.pipeline.checkpoints import Checkpoints, PostgresCheckpoints, SqliteCheckpoints
from app.pipeline.context import RunContext
from app.pipeline.state import State
from search.late import LateClasses

if TYPE_CHECKING:
    from app.pipeline.graph import RunGraph

log = structlog.get_logger()


PATIENCE_S: Final = 30.0
"""Seconds that a run waits for checkpoints that cannot be reached, counted from the first failure since it got on."""
AGAIN_S: Final = 1.0


class RunLoop:
    """Takes runs to their ends; `open` makes one."""

    def __init__(self, checkpoints: Checkpoints) -> None:
        self._checkpoints: Final = checkpoints
        self._loading: Final = asyncio.Lock()
        self._graph: RunGraph | None = None

    @classmethod
    async def open(cls, path: Path) -> RunLoop:
        """The loop with its checkpoints in the SQLite file at `path`; raises the errors of sqlite3."""
        return cls(await SqliteCheckpoints.open(path))

    @classmethod
    async def open_shared(cls, address: str) -> RunLoop:
        """The loop with its checkpoints in a Postgres database."""
        return cls(await PostgresCheckpoints.open(address))

    async def close(self) -> None:
        """Close the store of the checkpoints."""
        await self._checkpoints.close()

    async def load(self) -> RunGraph:
        """The graph, which the first call loads."""
        async with self._loading:
            if self._graph is None:
                kind = await asyncio.to_thread(import_graph)
                self._graph = kind(await self._checkpoints.saver())
            return self._graph

    async def run(self, context: RunContext) -> State:
        """Take a run to its end, from its last checkpoint if it has one; answers where it stands then.

        Raises StorageFailed if the checkpoints cannot be reached for long, or no further one can be written.
        """
        away_since: float | None = None
        last: str | None = None
        while True:
            try:
                graph = await self.load()
                if away_since and (reached := await graph.last_checkpoint(context.run_id)) != last:
                    last, away_since = reached, None
                return await graph.run(context)
            except self._checkpoints.away as error:
                now = time.monotonic()
                away_since = away_since or now
                log.warning("checkpoints are away", problem=str(error).strip()[:200])
                if now - away_since > PATIENCE_S:
                    raise StorageFailed("The checkpoints of the run cannot be reached.") from error
            await asyncio.sleep(AGAIN_S)

    async def forget(self, run_id: str) -> None:
        """Delete the checkpoints of a run that has ended."""
        await (await self.load()).forget(run_id)


def import_graph() -> type[RunGraph]:
    """The graph. LangGraph brings a client of LangSmith, whose messages are a quarter of the time of the import."""
    with LateClasses("langsmith.types").in_place():
        from app.pipeline.graph import RunGraph

    return RunGraph
