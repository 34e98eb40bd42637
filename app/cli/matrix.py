"""The matrix of the commands: one row per Blender."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.cli.exits import NOT_PROVEN, USAGE
from app.cli.terminal import fail, talk
from app.jobs.run import MatrixRow
from app.observing.foreign import escape, shown

On = Annotated[
    str | None,
    typer.Option("--on", help="Blenders to judge it on, such as 4.2,4.5,5.0; the first one is the target."),
]
Portable = Annotated[
    bool, typer.Option("--portable", help="Make one snippet for all of them, with branches where they differ.")
]

_HEAD = ("Blender", "verdict", "stage", "seconds", "why")


def blenders_body(blender: str | None, on: str | None, portable: bool) -> dict[str, Any]:
    """The given Blenders, for a request; wrong usage if `--portable` has only one."""
    named = [name.strip() for name in (on or "").split(",") if name.strip()]
    target = blender or (named[0] if named else None)
    others = [name for name in named if name != target]
    if portable and not others:
        fail("--portable needs several Blenders: name them with --on, such as --on 4.5,5.0", USAGE)
    if not named:
        return {"blender": target}
    return {"blender": target, "verify_on": others, "portable": portable}


def show_matrix(rows: list[MatrixRow], console: Console) -> None:
    """Print the rows: as a table on a terminal, otherwise one line per row with tabs between the fields."""
    cells = [cells_of(row) for row in rows]
    if not console.is_terminal:
        for line in cells:
            print(shown("\t".join(line)), file=console.file)
        return
    table = Table(*_HEAD, box=None, pad_edge=False, header_style="bold")
    for row, (first, verdict, *rest) in zip(rows, cells, strict=True):
        colour = "green" if row.proven else "red"
        table.add_row(escape(first), f"[{colour}]{escape(verdict)}[/]", *map(escape, rest))
    console.print(table)


def cells_of(row: MatrixRow) -> tuple[str, ...]:
    """Blender, verdict, the reached stage, seconds, and why it is not proven."""
    stage = row.verdict.reached if row.verdict else ""
    found = next((one for one in row.verdict.stages if one.name == stage), None) if row.verdict else None
    why = "" if row.proven else (found.reason if found else row.problem or "")
    return row.blender, "proven" if row.proven else "not proven", "" if row.proven else stage, f"{row.seconds:.1f}", why


def finish_matrix(rows: list[MatrixRow]) -> None:
    """Exit with the code for "not proven" if a row is not proven."""
    missing = [row.blender for row in rows if not row.proven]
    if missing:
        talk.print(escape(f"not proven on Blender {', '.join(missing)}"))
        raise typer.Exit(NOT_PROVEN)
