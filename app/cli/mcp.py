"""`blendproof mcp`: the MCP server for one client, on standard input and output.

The client is answered at once. The service is found, or started, meanwhile; if that fails, each tool says so.
"""

from __future__ import annotations

import asyncio
import contextlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Final

import typer

from app.cli.client import ServiceNotAvailable, WrongUrl, connect
from app.cli.terminal import expected_errors, own_settings, talk
from app.errors import BlendproofError
from app.observing.logs import configure_log
from app.settings import Settings
from harness.blenders import BlenderNotAvailable

if TYPE_CHECKING:
    import httpx2

PROBLEMS: Final = (BlendproofError, ServiceNotAvailable, WrongUrl, BlenderNotAvailable)


def mcp(
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            envvar="BLENDPROOF_URL",
            help="Address of a running service; without one, a service is started for the client.",
        ),
    ] = None,
) -> None:
    """Serve a model that speaks MCP on standard input and output, such as in Claude Desktop, Cursor or VS Code."""
    settings = own_settings()
    configure_log("warning")
    with expected_errors(), contextlib.ExitStack() as held:
        asyncio.run(serve(settings, url, held))


async def serve(settings: Settings, url: str | None, held: contextlib.ExitStack) -> None:
    """Serve until standard input ends. A service that was started is left to `held`."""
    # Imported here, because it takes a second that the other commands do not need.
    from mcp.server.stdio import stdio_server

    from clients.mcp.server import mcp_server
    from clients.mcp.service import Service, ToolFailed, http_client

    def reach() -> httpx2.AsyncClient:
        at = url or held.enter_context(connect(settings, None, talk.print)).url
        return http_client(at, settings.plain_token)

    reaching = asyncio.create_task(asyncio.to_thread(reach))

    async def reached() -> httpx2.AsyncClient:
        try:
            return await asyncio.shield(reaching)
        except PROBLEMS as problem:
            hint = f" {problem.shown_hint}" if isinstance(problem, BlendproofError) else ""
            raise ToolFailed(f"{problem}{hint}") from None

    try:
        server = mcp_server(Service(reached), version("blendproof"))
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        # A service that is being started is not left alone.
        with contextlib.suppress(*PROBLEMS):
            await (await reaching).aclose()
