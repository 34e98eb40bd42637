"""The runs in one SQLite file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, Self

from app.jobs.schema import open_file, transaction
from app.jobs.tables import TableRuns


class SqliteFile:
    """A connection to the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: Final = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Do one statement; raises the errors of sqlite3."""
        return self._connection.execute(statement, values)

    def transaction(self) -> AbstractContextManager[None]:
        """All that is done in it is written, or nothing."""
        return transaction(self._connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


class SqliteRuns(TableRuns):
    """A `RunStore` on disk; `open` makes one."""

    PLACE = "rowid"
    WITHOUT_FILES = "json_remove(request, '$.files', '$.setup.blend')"

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open (and create) the file at `path`; bring one of an older schema up to date, refuse one of a newer.

        Raises the errors of sqlite3.
        """
        thread = ThreadPoolExecutor(1, thread_name_prefix="runs")
        try:
            db = await asyncio.get_running_loop().run_in_executor(thread, open_file, path)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(thread, SqliteFile(db))
