"""The option of the commands that call a service, in a module of its own, because `mcp` must answer at once."""

from __future__ import annotations

from typing import Annotated

import typer

Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        envvar="BLENDPROOF_URL",
        help="Address of a running service; unless given, that of the settings, which is started if need be.",
    ),
]
