"""The command line: data on standard output, messages on standard error.

Exit codes: 0 passed, 1 not proven, 2 wrong usage, 3 service or Blender not available.
"""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.late import AllCommands

app = typer.Typer(
    name="blendproof",
    cls=AllCommands,
    help="Ask for Blender Python in words, get back a snippet proven in Blender.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        # Imported here, because no command needs it.
        from importlib.metadata import version

        print(version("blendproof"))
        raise typer.Exit


@app.callback()
def blendproof(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Ask for Blender Python in words, get back a snippet proven in Blender."""


def main() -> None:
    """The `blendproof` command."""
    app()


if __name__ == "__main__":
    main()
