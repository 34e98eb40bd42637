"""The jobs in one SQLite file."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from sqlalchemy.dialects.sqlite import insert

from app.jobs.database import open_file
from app.jobs.tables import JobStore


class SqliteJobs(JobStore):
    """A `JobStore` on disk; `open` makes one."""

    INSERT = staticmethod(insert)

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open (and create) the file at `path`; bring one of an older schema up to date, refuse one of a newer.

        Raises the errors of sqlite3.
        """
        thread = ThreadPoolExecutor(1, thread_name_prefix="jobs")
        try:
            database = await asyncio.get_running_loop().run_in_executor(thread, open_file, path)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(thread, database)
