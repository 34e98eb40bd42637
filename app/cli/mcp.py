"""`blendproof mcp`: the MCP server for one client, on standard input and output.

The client is answered at once. The service is found, or started, when the client has asked for the tools; if that
fails, each tool says so.
"""

from __future__ import annotations

import asyncio
import contextlib
from importlib.metadata import version
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from app.cli.service_url import Url
from clients.mcp.server import mcp_server
from clients.mcp.service import RemoteService, ToolFailed

if TYPE_CHECKING:
    import httpx2


def mcp(url: Url = None) -> None:
    """Serve a model that speaks MCP on standard input and output, such as in Claude Desktop, Cursor or VS Code."""
    with contextlib.ExitStack() as held:
        asyncio.run(serve(url, held))


async def serve(url: str | None, held: contextlib.ExitStack) -> None:
    """Serve until standard input ends. A service that was started is left to `held`."""
    way = WayToService(url, held)
    server = mcp_server(RemoteService(way.reached, way.begin), version("blendproof"))
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await way.end()


class WayToService:
    """The connection to the service, which is looked for once."""

    def __init__(self, url: str | None, held: contextlib.ExitStack) -> None:
        self._url = url
        self._held = held
        self._reaching: asyncio.Task[httpx2.AsyncClient] | None = None

    def begin(self) -> None:
        """Find the service, or start one, in the background."""
        if self._reaching is None:
            self._reaching = asyncio.create_task(asyncio.to_thread(self._reach))

    async def reached(self) -> httpx2.AsyncClient:
        """The connection; raises ToolFailed."""
        self.begin()
        assert self._reaching
        try:
            return await asyncio.shield(self._reaching)
        except Exception as error:
            from app.cli.failures import failure_of

            failure = failure_of(error)
            if failure is None:
                raise
            raise ToolFailed(f"{failure.message} {failure.hint}".rstrip()) from None

    async def end(self) -> None:
        """Close the connection. A service that is being started is not left alone."""
        if self._reaching:
            # Each tool has said why there is none.
            with contextlib.suppress(Exception):
                await (await self._reaching).aclose()

    def _reach(self) -> httpx2.AsyncClient:
        # Imported here, because it takes as long as all before, and the client waits for its answer.
        from app.cli.reaching import reach
        from app.observing.logs import log_for_people
        from app.settings import read_settings

        settings = read_settings()
        log_for_people()
        return reach(settings, self._url, self._held)
