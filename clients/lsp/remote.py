"""One Blendproof service, asked over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import httpx2

WAIT_S: Final = 300.0
"""A proof may wait for other runs."""


class NotAnswered(Exception):
    """The service did not answer as it was asked; the message says why, for a user."""


class ServiceConnection:
    """A service, which `reach` finds or starts. Methods raise NotAnswered."""

    def __init__(self, reach: Callable[[], httpx2.AsyncClient]) -> None:
        self._reach = reach
        self._reaching: asyncio.Task[httpx2.AsyncClient] | None = None

    def begin(self) -> None:
        """Find the service in the background."""
        if self._reaching is None:
            self._reaching = asyncio.create_task(asyncio.to_thread(self._reach))

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The JSON that answers a body."""
        answer = await self._post(path, body)
        try:
            found: dict[str, Any] = answer.json()
            said = None if answer.is_success else f"{found['message']} {found['hint']}"
        except (ValueError, KeyError, TypeError):
            where = f"The server at {answer.url} is not a Blendproof service"
            raise NotAnswered(f"{where}: it answers {answer.status_code}.") from None
        if said:
            raise NotAnswered(said)
        return found

    async def _post(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        self.begin()
        assert self._reaching
        try:
            client = await asyncio.shield(self._reaching)
            return await client.post(path, json=body, timeout=WAIT_S)
        except (httpx2.HTTPError, OSError, RuntimeError) as error:
            raise NotAnswered(f"The service does not answer: {error or type(error).__name__}") from error
        except Exception as error:
            # Whatever kept the service from starting; the next request tries again.
            self._reaching = None
            raise NotAnswered(str(error)) from error

    async def address(self) -> str:
        """The address of the service, without a slash at its end."""
        self.begin()
        assert self._reaching
        return str((await asyncio.shield(self._reaching)).base_url).rstrip("/")
