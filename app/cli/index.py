"""The commands of the index: fill it, search it."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from app.blenders.preparation import blenders_of
from app.cli.terminal import NOT_PROVEN, USAGE, expected_errors, fail, own_settings, talk
from app.observing.foreign import escape
from app.prompting.exemplar import Exemplar
from app.retrieval.indexing import index_blender, index_published
from app.retrieval.retriever import SymbolMatch, open_retriever
from app.service.search import exemplar_body, hit_body, index_errors
from app.settings import Settings
from harness.blenders import Blender, BlenderNotAvailable, choose
from ingest.build import IngestResult
from ingest.published import PublishedReference

SHOWN_PAGES = 10

ingest_app = typer.Typer(help="Fill the index that searches read.", no_args_is_help=True)


@ingest_app.command("blender")
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
        with expected_errors(), index_errors(), shown_progress() as progress:
            built = index_blender(settings, one, progress)
        say_built(built)


@ingest_app.command("docs")
def ingest_docs(
    where: Annotated[str, typer.Argument(help="Web address, folder or archive of the published reference.")],
) -> None:
    """Index a published reference; pages and texts that were fetched or embedded before are reused."""
    settings = own_settings()
    with expected_errors(), index_errors(), shown_progress() as progress:
        built, published = index_published(settings, where, blenders_or_none(settings), progress)
    say_published(published)
    say_built(built)
    if published.failed_pages:
        talk.print("[yellow]Run the same command again to read the pages that failed.[/]")
        raise typer.Exit(NOT_PROVEN)


def blenders_or_none(settings: Settings) -> list[Blender]:
    """The Blenders that these settings reach; none if there is no Blender."""
    try:
        return blenders_of(settings)
    except BlenderNotAvailable:
        return []


def search(
    query: Annotated[str, typer.Argument(help="What to look for: words, a name, an address.")],
    blender: Annotated[str | None, typer.Option("--blender", help="Version, series or reference.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Most hits shown.")] = 10,
    exemplars: Annotated[bool, typer.Option("--exemplars", help="Find recipes and example scripts instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole entries as JSON.")] = False,
) -> None:
    """Find symbols of the Blender API, or recipes, by what they are for; exit code 1 if nothing is found."""
    if not query.strip():
        fail("There is nothing to look for.", USAGE)
    with expected_errors(), index_errors():
        retriever = open_retriever(own_settings())
        found = retriever.exemplars(query, blender, limit) if exemplars else retriever.search(query, blender, limit)
    if as_json:
        print(json.dumps([body_of(one).model_dump() for one in found], indent=1))
    else:
        for one in found:
            show(one)
    if not found:
        fail("Nothing was found.", NOT_PROVEN)


def body_of(one: SymbolMatch | Exemplar) -> BaseModel:
    return hit_body(one) if isinstance(one, SymbolMatch) else exemplar_body(one)


def show(one: SymbolMatch | Exemplar) -> None:
    if isinstance(one, SymbolMatch):
        show_hit(one)
    else:
        print(f"# {one.name}: {one.title}\n{one.snippet.rstrip()}\n")


def show_hit(hit: SymbolMatch) -> None:
    """Print address and description on standard output, a tab between them, and the reason on standard error."""
    symbol = hit.symbol
    said = symbol.description or symbol.label or symbol.kind
    # One hit is one line, so a hit must not contain line breaks.
    print(f"{symbol.address}{' '.join(symbol.signature.split())}\t{' '.join(said.split())[:160]}")
    if hit.why:
        talk.print(f"    [dim]{escape(hit.why[0])}[/]")


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
