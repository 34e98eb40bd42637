"""The sessions of MCP over streamable HTTP, and their way to the service's own addresses."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import httpx2
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from app.http.requests import TOKEN
from app.settings import Settings
from clients.mcp.server import mcp_server
from clients.mcp.service import RemoteService, http_client

MOST_SESSIONS: Final = 100
"""Sessions of one caller."""
IDLE_S: Final = 1800.0


def as_caller(request: httpx2.Request) -> httpx2.Request:
    """A request of a session in the name of its caller, who has quotas and jobs of his own."""
    if token := TOKEN.get():
        request.headers["Authorization"] = f"Bearer {token}"
    return request


@asynccontextmanager
async def open_sessions(
    address: str, settings: Settings, version: str
) -> AsyncGenerator[StreamableHTTPSessionManager, None]:
    """The sessions of a caller of the service at this address, until the end of the context."""
    async with http_client(address, None) as http:
        http.auth = as_caller

        async def client() -> httpx2.AsyncClient:
            return http

        sessions = StreamableHTTPSessionManager(
            mcp_server(RemoteService(client), version),
            session_idle_timeout=IDLE_S,
            max_request_body_size=settings.max_body_bytes,
            max_sessions=MOST_SESSIONS,
        )
        async with sessions.run():
            yield sessions
