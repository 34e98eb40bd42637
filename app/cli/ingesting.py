"""The commands that fill the index: `ingest blender` and `ingest docs`."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from app.blenders.preparation import blenders_of
from app.cli.exits import NOT_PROVEN
from app.cli.terminal import expected_errors, own_settings, talk
from app.errors import IngestFailed
from app.observing.foreign import escape
from app.retrieval.indexing import NothingToIndex, index_blender, index_published
from app.service.search import index_errors
from app.settings import Settings
from harness.blenders import Blender, BlenderNotAvailable, choose
from ingest.build import IngestResult
from ingest.inventory import InventoryInvalid
from ingest.published import PublishedReference
from ingest.reference_store import IndexBusy, IndexStorageFailed
from ingest.source import SourceNotAvailable

SHOWN_PAGES = 10


def ingest_blender(
    blender: Annotated[
        str | None, typer.Option("--blender", help="Version, series or label; the default one unless given.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Index every available Blender.")] = False,
) -> None:
    """Index the API of a Blender, which is read from inside it; needs no network."""
    settings = own_settings()
    with expected_errors():
        found = blenders_of(settings)
        chosen = found if every and found else [choose(found, blender)]
    for one in chosen:
        with expected_errors(), ingest_errors(), shown_progress() as progress:
            built = index_blender(settings, one, progress)
        say_built(built)


def ingest_docs(
    where: Annotated[str, typer.Argument(help="Web address, folder or archive of the published reference.")],
) -> None:
    """Index a published reference; pages and texts that were fetched or embedded before are reused."""
    settings = own_settings()
    with expected_errors(), ingest_errors(), shown_progress() as progress:
        built, published = index_published(settings, where, blenders_or_none(settings), progress)
    say_published(published)
    say_built(built)
    if published.failed_pages:
        talk.print("[yellow]Run the same command again to read the pages that failed.[/]")
        raise typer.Exit(NOT_PROVEN)


@contextmanager
def ingest_errors() -> Generator[None, None, None]:
    """Turn what an ingest raises into errors that say who must act."""
    try:
        with index_errors():
            yield
    except (IndexBusy, IndexStorageFailed, SourceNotAvailable, InventoryInvalid, NothingToIndex) as error:
        raise IngestFailed(str(error)) from error


def blenders_or_none(settings: Settings) -> list[Blender]:
    """The Blenders that these settings reach; none if there is no Blender."""
    try:
        return blenders_of(settings)
    except BlenderNotAvailable:
        return []


@contextmanager
def shown_progress() -> Generator[Any, None, None]:
    """A bar per step on standard error, or a line per step if that is not a terminal."""
    began = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=talk, disable=not talk.is_terminal) as bars:
        steps: dict[str, TaskID] = {}

        def progress(step: str, done: int, total: int) -> None:
            for name, task in steps.items():
                if name != step:
                    bars.update(task, completed=bars.tasks[task].total)
            if step not in steps:
                if not talk.is_terminal:
                    talk.print(f"[{time.monotonic() - began:4.0f} s] {step}", markup=False)
                steps[step] = bars.add_task(step, total=total)
            bars.update(steps[step], completed=done, total=total)

        yield progress
        for task in steps.values():
            bars.update(task, completed=bars.tasks[task].total)


def say_published(published: PublishedReference) -> None:
    """Print the account: every object of the inventory is a symbol or skipped for a reason."""
    talk.print(f"{published.objects} objects in the inventory of {published.project} {published.version}:")
    talk.print(f"{len(published.symbols):>7} symbols")
    for reason, names in published.skipped.items():
        talk.print(f"{len(names):>7} {escape(reason)}")
    for page, reason in list(published.failed_pages.items())[:SHOWN_PAGES]:
        talk.print(f"[yellow]{escape(page)}: {escape(reason)}[/]")
    if len(published.failed_pages) > SHOWN_PAGES:
        talk.print(f"[yellow]... and {len(published.failed_pages) - SHOWN_PAGES} more pages[/]")


def say_built(built: IngestResult) -> None:
    reference = built.reference
    done = "was there already" if built.unchanged else f"{built.embedded} texts embedded, {built.known} known"
    talk.print(
        f"{reference.name} is in the index: {reference.symbols} symbols, {reference.questions} known answers"
        f" ({done}, {built.seconds:.1f} s)"
    )
