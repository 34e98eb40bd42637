"""`blendproof mcp`: the MCP server for one client, on standard input and output."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from app.cli.client import connect
from app.cli.terminal import expected_errors, own_settings, talk
from app.observing.logs import configure_log


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
    with expected_errors(), connect(settings, url, talk.print) as client:
        asyncio.run(serve(client.url, settings.plain_token))


async def serve(url: str, token: str | None) -> None:
    """Serve until standard input ends."""
    # Imported here, because it takes a second that the other commands do not need.
    from importlib.metadata import version

    from mcp.server.stdio import stdio_server

    from clients.mcp.server import mcp_server
    from clients.mcp.service import Service, http_client

    async with http_client(url, token) as http, stdio_server() as (incoming, outgoing):
        server = mcp_server(Service(http), version("blendproof"))
        await server.run(incoming, outgoing, server.create_initialization_options())
