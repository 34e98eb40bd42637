"""The MCP server of the service itself, at /mcp: streamable HTTP, with the token and the limits of every other address.

a client ── /mcp ──> sessions of the SDK ──> tools ── HTTP ──> the service's own addresses
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from app.errors import ServiceStopping, Unauthorized
from app.http.requests import TOKEN, caller_of, check_site
from app.service.service import Service
from app.settings import Settings

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH: Final = "/mcp"
OpenSessions: TypeAlias = "Callable[[str, Settings, str], AbstractAsyncContextManager[StreamableHTTPSessionManager]]"


class McpDoor:
    """ASGI application at /mcp. Each caller's sessions are a world of their own, which begins with the first request
    and ends when the service stops: nobody reaches those of another, or takes all the room."""

    def __init__(self, service: Service, version: str) -> None:
        self._service: Final = service
        self._version: Final = version
        self._starting: Final = asyncio.Lock()
        self._sessions: Final[dict[str, StreamableHTTPSessionManager]] = {}
        self._serving: Final[dict[str, asyncio.Task[None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; raises CrossSite, Unauthorized or ServiceStopping."""
        request = Request(scope)
        check_site(request)
        caller = caller_of(request, request.headers.get("authorization", ""))
        if caller is None:
            raise Unauthorized("The token of this service is missing or wrong.")
        TOKEN.set(request.app.state.tokens.get(caller))
        sessions = await self._start(caller, own_address(scope))
        await sessions.handle_request(scope, receive, send)

    async def _start(self, caller: str, address: str) -> StreamableHTTPSessionManager:
        async with self._starting:
            if self._service.stopping:
                raise ServiceStopping("The service stops.", "Connect again when it is back.")
            if caller not in self._sessions:
                up: asyncio.Future[StreamableHTTPSessionManager] = asyncio.get_running_loop().create_future()
                serving = self._serving[caller] = asyncio.create_task(self._serve(address, up), name="mcp")
                either: list[asyncio.Future[Any]] = [up, serving]
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if not up.done():
                    serving.result()
                self._sessions[caller] = up.result()
            return self._sessions[caller]

    async def _serve(self, address: str, up: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        opened = await asyncio.to_thread(import_sessions)
        async with opened(address, self._service.tools.settings, self._version) as sessions:
            up.set_result(sessions)
            await self._service.until_stopping()


def import_sessions() -> OpenSessions:
    """The sessions of the SDK, which takes half a second to import: no start waits for it."""
    from app.api.mcp_sessions import open_sessions

    return open_sessions


def own_address(scope: Scope) -> str:
    """The address that the connection was accepted on, which is the service's own, whatever its caller names."""
    host, port = scope["server"]
    return str(URL(scheme="http", hostname=host, port=port))
