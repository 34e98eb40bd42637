"""`blendproof diff`: the changes of the API between two Blenders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from app.blenders.api_differences import KINDS, ChangeFilter, Kind, SymbolChange, changes_asked_for, symbols_used
from app.blenders.manifests import Manifests
from app.cli.exits import USAGE
from app.cli.terminal import expected_errors, fail, own_settings, read_text, talk
from harness.blenders import Blender, BlenderUnknown, choose, find_blenders


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
    """The Blender of this name; raises BlenderUnknown with the command that installs it."""
    try:
        return choose(blenders, name)
    except BlenderUnknown as error:
        raise BlenderUnknown(f"{error} `blendproof blenders install {name}` adds it.") from None


def change_lines(change: SymbolChange) -> list[str]:
    """One change as people read it."""
    becomes = f" -> {change.new_address}{' (a guess)' if change.guess else ''}" if change.new_address else ""
    return [f"{change.kind:<8} {change.address}{becomes}", *(f"         {said}" for said in change.says)]
