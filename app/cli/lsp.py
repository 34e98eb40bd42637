"""`blendproof lsp`: the language server for one editor, on standard input and output."""

from __future__ import annotations

import contextlib
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.cli.service_url import Url
from app.cli.terminal import expected_errors, own_settings
from app.observing.logs import log_for_people
from clients.lsp.language_server import language_server
from clients.lsp.remote import ServiceConnection

if TYPE_CHECKING:
    import httpx2


def lsp(url: Url = None) -> None:
    """Serve an editor that speaks LSP on standard input and output: checks, hover, completion and fixes."""
    settings = own_settings()
    log_for_people()
    with expected_errors(), contextlib.ExitStack() as held:

        def reached() -> httpx2.AsyncClient:
            # Imported here, because the editor waits for the first answer.
            from app.cli.reaching import reach

            return reach(settings, url, held)

        language_server(ServiceConnection(reached), version("blendproof")).start_io()
