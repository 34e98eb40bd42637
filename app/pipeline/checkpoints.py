"""The checkpoints of runs, in a SQLite file or in the Postgres database that several services share."""

# LangGraph types its savers only in part.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import aiosqlite

from app.jobs.storing import JOURNAL_BYTES

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

    Saver = BaseCheckpointSaver[Any]

CONNECTIONS: Final = 4


class Checkpoints(Protocol):
    """An open store of checkpoints."""

    @property
    def away(self) -> tuple[type[Exception], ...]:
        """The errors of a store that cannot be reached for now."""
        ...

    async def saver(self) -> Saver:
        """LangGraph's writer of checkpoints. The libraries that it needs are imported here."""
        ...

    async def close(self) -> None:
        """End the use of it."""
        ...


class SqliteCheckpoints:
    """Checkpoints in a file; `open` makes them."""

    away: tuple[type[Exception], ...] = ()

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection: Final = connection

    @classmethod
    async def open(cls, path: Path) -> SqliteCheckpoints:
        """Open (and create) the file at `path`. Raises the errors of sqlite3."""
        connection = await aiosqlite.connect(path)
        try:
            # The first statement reads the file, so that damage shows now.
            await connection.execute("PRAGMA journal_mode = WAL")
            await connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")
        except BaseException:
            # The thread of the connection would otherwise keep the process alive.
            await connection.close()
            raise
        return cls(connection)

    async def saver(self) -> Saver:
        """The saver, with its tables."""
        kind = await asyncio.to_thread(import_sqlite_saver)
        saver = kind(self._connection)
        await saver.setup()
        opened: Saver = saver
        return opened

    async def close(self) -> None:
        """Close the file."""
        await self._connection.close()


def import_sqlite_saver() -> Any:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    return AsyncSqliteSaver


class PostgresCheckpoints:
    """Checkpoints in a database; `open` makes them."""

    def __init__(self, pool: Any, away: tuple[type[Exception], ...]) -> None:
        self._pool: Final = pool
        self.away = away

    @classmethod
    async def open(cls, address: str) -> PostgresCheckpoints:
        """Prepare the connections; the first is made when it is needed."""
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool

        from app.jobs.database import reaching
        from app.jobs.postgres import AWAY

        pool: Any = AsyncConnectionPool(
            min_size=1,
            max_size=CONNECTIONS,
            open=False,
            check=AsyncConnectionPool.check_connection,
            kwargs=reaching(address) | {"autocommit": True, "row_factory": dict_row},
        )
        await pool.open()
        return cls(pool, AWAY)

    async def saver(self) -> Saver:
        """The saver, with its tables."""
        from app.jobs.database import LOCK

        saver = (await asyncio.to_thread(import_postgres_saver))(self._pool)
        async with self._pool.connection() as held:
            await lock(held, LOCK)
            try:
                await saver.setup()
            finally:
                await held.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
        opened: Saver = saver
        return opened

    async def close(self) -> None:
        """End the connections."""
        await self._pool.close()


def import_postgres_saver() -> Any:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    return AsyncPostgresSaver


async def lock(connection: Any, number: int) -> None:
    """Take an advisory lock, which other processes wait for."""
    # Not by a statement that waits: indexes are made concurrently, and would wait for it.
    while True:
        answer = await connection.execute("SELECT pg_try_advisory_lock(%s) AS got", (number,))
        if (await answer.fetchone())["got"]:
            return
        await asyncio.sleep(0.05)
