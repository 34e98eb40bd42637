"""`blendproof search`: symbols of the Blender API, and recipes."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from app.cli.exits import NOT_PROVEN, USAGE
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape
from app.prompting.exemplar import Exemplar
from app.retrieval.retriever import SymbolMatch, open_retriever
from app.service.search import index_errors


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
        matches = retriever.exemplars(query, blender, limit) if exemplars else retriever.search(query, blender, limit)
    if as_json:
        print(json.dumps([dataclasses.asdict(match) for match in matches], indent=1))
    else:
        for match in matches:
            show(match)
    if not matches:
        fail("Nothing was found.", NOT_PROVEN)


def show(match: SymbolMatch | Exemplar) -> None:
    if isinstance(match, SymbolMatch):
        show_hit(match)
    else:
        print(f"# {match.name}: {match.title}\n{match.snippet.rstrip()}\n")


def show_hit(hit: SymbolMatch) -> None:
    """Print address and description on standard output, a tab between them, and the reason on standard error."""
    symbol = hit.symbol
    said = symbol.description or symbol.label or symbol.kind
    # One hit is one line, so a hit must not contain line breaks.
    print(f"{symbol.address}{' '.join(symbol.signature.split())}\t{' '.join(said.split())[:160]}")
    if hit.why:
        talk.print(f"    [dim]{escape(hit.why[0])}[/]")
