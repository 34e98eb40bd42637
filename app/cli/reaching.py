"""The service that `blendproof mcp` and `blendproof lsp` talk to: found, or started."""

from __future__ import annotations

import contextlib

import httpx2

from app.cli.client import connect
from app.cli.terminal import talk
from app.settings import Settings
from clients.mcp.service import http_client


def reach(settings: Settings, url: str | None, held: contextlib.ExitStack) -> httpx2.AsyncClient:
    """A client of the service at `url`, or of that of the settings, started if necessary and left to `held`."""
    address = url or held.enter_context(connect(settings, None, talk.print)).url
    return http_client(address, settings.plain_token)
