"""The matrix of the commands, one row per Blender; and `diff`, the changes between two Blenders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast, get_args

import typer
from rich.console import Console
from rich.table import Table

from app.blenders.api_differences import KINDS, ChangeFilter, Kind, SymbolChange, changes_asked_for, symbols_used
from app.blenders.manifests import Manifests
from app.cli.terminal import NOT_PROVEN, USAGE, expected_errors, fail, own_settings, read_text, talk
from app.observing.foreign import escape, shown
from app.runs.run import MatrixRow
from harness.blenders import Blender, BlenderNotAvailable, choose, find_blenders

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


def diff(
    old: Annotated[str, typer.Argument(metavar="FROM", help="The old Blender, such as 4.5.")],
    new: Annotated[str, typer.Argument(metavar="TO", help="The new Blender, such as 5.0.")],
    file: Annotated[
        Path | None, typer.Option("--for", help="Only what this Python file uses; - reads standard input.")
    ] = None,
    prefix: Annotated[
        str, typer.Option(help="Only addresses that begin with this, such as bpy.types.SceneEEVEE.")
    ] = "",
    kinds: Annotated[
        list[str] | None, typer.Option("--kind", help="removed, renamed, added or changed; may be repeated.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most changes to show.")] = 10_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """Print what changed in the API between two installed Blenders."""
    for kind in kinds or []:
        if kind not in get_args(Kind):
            fail(f"--kind {kind}: it is one of {', '.join(KINDS)}", USAGE)
    snippet = read_text(file) if file else None
    settings = own_settings()
    with expected_errors():
        blenders = find_blenders(settings.home, settings.blender)
        pair = chosen(blenders, old), chosen(blenders, new)
        manifests = Manifests(settings.home)
        builds = [manifests.of(blender) for blender in pair]
        used = None if snippet is None else symbols_used(snippet, builds)
        wanted = ChangeFilter(cast("list[Kind]", kinds) if kinds else KINDS, prefix, used)
        found = changes_asked_for(builds[0], builds[1], wanted, 0, limit)
    if as_json:
        print(found.model_dump_json(indent=1))
        return
    for change in found.changes:
        for line in change_lines(change):
            print(line)
    counts = ", ".join(f"{count} {kind}" for kind, count in found.counts.items())
    talk.print(f"Blender {found.old.version} to {found.new.version}: {counts}")
    if found.next is not None:
        talk.print(f"the first {limit} are shown; --limit shows more")


def chosen(blenders: list[Blender], name: str) -> Blender:
    """The Blender of this name; raises BlenderNotAvailable with the command that installs it."""
    try:
        return choose(blenders, name)
    except BlenderNotAvailable as error:
        raise BlenderNotAvailable(f"{error} `blendproof blenders install {name}` adds it.") from None


def change_lines(change: SymbolChange) -> list[str]:
    """One change as people read it."""
    becomes = f" -> {change.new_address}{' (a guess)' if change.guess else ''}" if change.new_address else ""
    return [f"{change.kind:<8} {change.address}{becomes}", *(f"         {said}" for said in change.says)]
