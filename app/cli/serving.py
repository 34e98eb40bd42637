"""`blendproof serve`: the service in this process, until a signal ends it."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from app.cli.server import serve as serve_until_stopped
from app.cli.terminal import expected_errors, own_settings, talk
from app.observing.logs import configure_log


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = None,
) -> None:
    """Run the service until it is told to stop."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = own_settings().model_copy(update=given)
    configure_log(settings.log_level, settings.log_format)
    if not settings.on_loopback and settings.token is None:
        talk.print(f"[yellow]Every user who can reach {settings.host} can run Python here. Set BLENDPROOF_TOKEN.[/]")
    with expected_errors():
        asyncio.run(serve_until_stopped(settings, lambda url, _: say_listening(url)))


def say_listening(url: str) -> None:
    """Print where the service answers."""
    talk.print(f"Blendproof listens on {url} (documentation at {url}/docs)")
