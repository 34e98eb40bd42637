"""The commands of the Blenders: list, install, add and remove them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from app.blenders.preparation import (
    Say,
    add_blender,
    blenders_of,
    install_blender,
    remove_blender,
)
from app.checks.types.check import fill_cache
from app.cli.exits import NOT_AVAILABLE
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape
from harness.blenders import Blender, choose, look

NONE: Final = "No Blender is installed. Run `blendproof blenders install`."


def blenders_list() -> None:
    """List the available Blenders, the default first: version, kind, source, label, build hash, path."""
    settings = own_settings()
    with expected_errors():
        usable, unusable = look(settings.home, settings.blender, search=settings.find_blenders)
    for blender in usable:
        print(row(blender, blender.build_hash, str(blender.path)))
    for one in unusable:
        talk.print(f"[yellow]{escape(one.problem)}[/]")
    if not usable:
        fail(NONE, NOT_AVAILABLE)


def row(blender: Blender, *more: str) -> str:
    """A line about a Blender, with tabs between its fields."""
    return "\t".join([blender.version, blender.kind, blender.source, blender.label or "-", *more])


def blenders_install(
    version: Annotated[
        str | None,
        typer.Argument(help="Series or version, such as 4.5 or 4.5.3; the newest one for this Python unless given."),
    ] = None,
    fill: Annotated[
        bool, typer.Option("--fill-cache", help="Also let the type checker read the stubs, as for an image.")
    ] = False,
) -> None:
    """Install the `bpy` wheel of a Blender, its type stubs and its manifest; keeps existing ones."""
    settings, say = own_settings(), saying()
    with expected_errors():
        blender = install_blender(settings, version, say)
    if fill:
        say(f"reading the type stubs of Blender {blender.series}")
        stubs, cache = settings.home / "stubs" / blender.series, settings.mypy_cache(blender.series)
        if stubs.is_dir():
            asyncio.run(fill_cache(blender, stubs, cache))
    talk.print(f"Blender {blender.version} is ready ({blender.kind})")


def blenders_add(
    path: Annotated[Path, typer.Argument(help="A blender executable, or the folder or app that contains it.")],
    label: Annotated[str | None, typer.Option(help="A name for requests; `blender-<version>` unless given.")] = None,
) -> None:
    """Register a Blender of your own, so that requests may name it by version or label."""
    with expected_errors():
        blender = add_blender(own_settings(), path, label, saying())
    talk.print(f"Blender {blender.version} is ready ({blender.kind}, label {blender.label})")


def blenders_remove(
    name: Annotated[str, typer.Argument(help="Version, series or label.")],
) -> None:
    """Remove an installed wheel, or forget a registered executable, whose files stay."""
    settings = own_settings()
    with expected_errors():
        blender = choose(blenders_of(settings), name)
        remove_blender(settings, blender)
    talk.print(
        f"Blender {blender.version} is {'removed' if blender.source == 'wheel' else 'forgotten'}: {blender.path}"
    )


def saying() -> Say:
    """A function that prints each step with the time since the first."""
    began = time.monotonic()

    def say(what: str) -> None:
        talk.print(f"[{time.monotonic() - began:4.0f} s] {what}", markup=False)

    return say
