"""Listens to what the processes of a shared store tell each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import psycopg
import structlog

from app.runs.postgres import CHANNEL

log = structlog.get_logger()

AGAIN_S: Final = 1.0


async def listen(address: str, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
    """Call `hear` with all that is told, for ever. After every connection `missed` is called: before it, things may
    have been told that nobody heard.
    """
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True, application_name="blendproof")
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}".encode())
                missed()
                async for news in connection.notifies():
                    hear(news.payload)
        except psycopg.Error as error:
            log.warning("nothing is heard from the database", problem=str(error).strip()[:200])
        await asyncio.sleep(AGAIN_S)
