"""`blendproof search`: symbols of the Blender API, and recipes."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from pydantic import BaseModel

from app.cli.exits import NOT_PROVEN, USAGE
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape
from app.prompting.exemplar import Exemplar
from app.retrieval.retriever import SymbolMatch, open_retriever
from app.service.search import exemplar_body, hit_body, index_errors


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
