"""The commands `repo graph` and `repo path`: what is related to a symbol, and how one leads to another."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Final

import typer

from app.cli.exits import NOT_PROVEN, USAGE
from app.cli.repositories import Name, here, result_of, say_fresh
from app.cli.terminal import expected_errors, fail, talk
from app.observing.foreign import document, escape, shown
from app.repositories import tasks
from codebase.ask.relations import Asked, Relation

SHOWN_GAPS: Final = 5


def show_graph(
    name: Name,
    symbol: Annotated[str, typer.Argument(help="A name, Class.method, path:name, path:line, or a path.")],
    callers: Annotated[bool, typer.Option("--callers", help="What calls or names it; the default.")] = False,
    callees: Annotated[bool, typer.Option("--callees", help="What it calls or names.")] = False,
    impact: Annotated[bool, typer.Option("--impact", help="What a change of it may reach.")] = False,
    tests: Annotated[bool, typer.Option("--tests", help="The tests that reach it.")] = False,
    depth: Annotated[int | None, typer.Option(min=1, help="Most steps away; 1, or 20 for impact and tests.")] = None,
    typed: Annotated[bool, typer.Option("--typed", help="Have pyrefly confirm and add calls.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find what calls a symbol, what it calls, what a change may reach, or its tests; exit code 1 if nothing does."""
    options: dict[Asked, bool] = {"callers": callers, "callees": callees, "impact": impact, "tests": tests}
    chosen: list[Asked] = [one for one, given in options.items() if given]
    if len(chosen) > 1:
        fail("Choose one of --callers, --callees, --impact and --tests.", USAGE)
    asked: Asked = chosen[0] if chosen else "callers"
    repositories = here()
    with expected_errors():
        project = repositories.project(repositories.get(name))
        said = result_of(tasks.relations_of(project, symbol, asked, depth, typed))
    if as_json:
        print(document(dataclasses.asdict(said)))
    else:
        talk.print(f"{asked} of {escape(said.symbol.name)} at {escape(said.symbol.citation)}")
        for one in said.relations:
            show_relation(one, typed)
        say_gaps(said.gaps)
    say_fresh(said.freshness)
    if not said.relations:
        fail(f"Nothing is known that stands in this relation to {said.symbol.name}.", NOT_PROVEN)


def show_path(
    name: Name,
    start: Annotated[str, typer.Argument(metavar="FROM", help="Where the way begins; see `repo graph`.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help="Where it ends.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find the shortest chain of calls from one symbol to another; exit code 1 if there is none."""
    repositories = here()
    with expected_errors():
        said = result_of(tasks.way_between(repositories.project(repositories.get(name)), start, goal))
    if as_json:
        print(document(dataclasses.asdict(said)))
    else:
        print(shown(f"{said.start.citation}\t{said.start.name}"))
        for one in said.steps:
            show_relation(one)
        if not said.steps:
            say_gaps(said.gaps)
    say_fresh(said.freshness)
    if not said.steps:
        fail(f"No chain of calls is known from {said.start.name} to {said.goal.name}.", NOT_PROVEN)


def show_relation(relation: Relation, typed: bool = False) -> None:
    """Print citation, name, and the edge with its certainty and line, a tab between them; if `typed`, the verdict."""
    edge = f"{relation.source} {relation.kind} {relation.target}\t{relation.certainty}\t{relation.line}"
    if typed:
        edge += f"\t{relation.typed or '-'}"
    print(shown(f"{relation.place.citation}\t{relation.place.name}\t{edge}"))


def say_gaps(gaps: list[str]) -> None:
    """Print which calls cannot be followed."""
    if gaps:
        why = "their receiver is not known, they lead too far, or only running them can tell"
        talk.print(f"{len(gaps)} calls cannot be followed: {why}")
        for gap in gaps[:SHOWN_GAPS]:
            talk.print(f"    [dim]{escape(gap)}[/]")
