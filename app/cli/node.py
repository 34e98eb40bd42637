"""`blendproof node`: this machine executes what the services of a cluster send."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

import typer

from app.cli.exits import USAGE
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape
from app.observing.logs import configure_log
from app.setting_values import an_address
from app.settings import LOOPBACK

PORT: Final = 6379


def node(
    address: Annotated[
        str | None, typer.Argument(help="HOST:PORT of the head; BLENDPROOF_CLUSTER unless given.")
    ] = None,
    head: Annotated[bool, typer.Option("--head", help="Begin a cluster on this machine, which others join.")] = False,
    host: Annotated[
        str, typer.Option(help="Address of this machine in the private network; loopback joins on this machine alone.")
    ] = LOOPBACK[0],
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the head, with --head.")] = PORT,
    places: Annotated[
        int | None, typer.Option(min=0, max=64, help="Executions at the same time; 0 executes nothing here.")
    ] = None,
) -> None:
    """Join a cluster and execute what its services send; ends at a signal, when its executions are finished."""
    # Imported here, because it takes a second that the other commands do not need.
    from app.service.node_process import Joining, run_node

    settings = own_settings()
    if head and address:
        fail("The head begins a cluster; give either an address to join, or --head.", USAGE)
    where = f"{host}:{port}" if head else address or settings.cluster
    if where is None:
        fail("Give the address of the head, such as 10.0.0.1:6379, or --head to begin a cluster.", USAGE)
    try:
        where = an_address(where)
    except ValueError as error:
        fail(f"{where}: {error}", USAGE)
    configure_log(settings.log_level, settings.log_format)
    if host not in LOOPBACK:
        talk.print("[yellow]Ray listens on every interface of this machine. Let only the cluster reach it.[/]")
    with expected_errors():
        asyncio.run(run_node(settings, Joining(where or "", head, host, places), lambda said: talk.print(escape(said))))
