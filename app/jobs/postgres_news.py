"""Listens to the news that the processes of a shared store send each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import psycopg
import structlog

from app.jobs.database import reaching
from app.jobs.postgres import CHANNEL

log = structlog.get_logger()

AGAIN_S: Final = 1.0


async def listen(address: str, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
    """Call `hear` with all news until cancelled. After every connection `missed` is called: news may have been
    missed before it.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(**reaching(address), autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}".encode())
                missed()
                async for news in connection.notifies():
                    hear(news.payload)
        except psycopg.Error as error:
            log.warning("nothing is heard from the database", problem=str(error).strip()[:200])
        await asyncio.sleep(AGAIN_S)
