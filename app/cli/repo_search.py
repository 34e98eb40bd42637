"""The commands `repo search` and `repo structure`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.exits import NOT_PROVEN
from app.cli.repositories import AsJson, Asked, ByModel, Name, Words, here, question_of, result_of, say_fresh
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import document, escape, shown
from app.repositories import tasks
from app.repositories.project import Project
from codebase.ask.brief import signed
from codebase.ask.finding import RepositoryHits, UnitHit
from codebase.ask.structure import BUDGET

if TYPE_CHECKING:
    from app.repositories.ordering import OrderBody


def search_repository(
    name: Name,
    words: Words,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Most units.")] = 12,
    source: Asked = [],  # noqa: B006 - typer reads it
    by_model: ByModel = False,
    for_model: Annotated[
        bool, typer.Option("--for-model", help="Print the places with their nearest lines, in 1,200 tokens.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Find the places that a question is about; exit code 1 if there are none."""
    question = question_of(words)
    repositories = here()
    with expected_errors():
        project = repositories.project(repositories.get(name))
        places, order = places_of(project, question, limit, tasks.known_sources(project, source), by_model)
    say_fresh(places.freshness)
    if order:
        talk.print(escape(order.note or f"ordered by {order.model}"))
    if as_json:
        print(document({**dataclasses.asdict(places), "order": order and order.model_dump()}))
    elif for_model:
        print("\n".join(map(shown, places.brief.split("\n"))))
    else:
        for hit in places.hits:
            show_hit(hit)
    if not places.hits:
        fail("Nothing was found.", NOT_PROVEN)


def places_of(
    project: Project, question: str, most: int, wanted: list[str], by_model: bool
) -> tuple[RepositoryHits, OrderBody | None]:
    """The places of a search; if asked, in the order of the model that is set up."""
    settings = own_settings()
    if by_model:
        # Imported here, because what asks models takes as long as a search.
        import asyncio

        from app.cli.repo_by_model import places_by_model

        return asyncio.run(places_by_model(settings, project, question, most, wanted))
    judge = None
    if settings.cross_encoder:
        # Imported here, because few set one up.
        from search.cross import CrossEncoder

        judge = CrossEncoder(settings.cross_encoder).judge
    return result_of(tasks.find_units(project, question, most, wanted, judge)), None


def show_hit(hit: UnitHit) -> None:
    """Print citation and signature on standard output, a tab between them, and the reasons on standard error."""
    print(shown(f"{hit.citation}\t{' '.join(signed(hit).split())[:160]}"))
    talk.print(f"    [dim]{escape('; '.join(hit.reasons[:4]))}[/]")


def show_structure(
    name: Name,
    budget: Annotated[int, typer.Option(min=200, help="Most characters.")] = BUDGET,
) -> None:
    """Print the folders and files of a repository, with their lines and what each is, as far as the budget allows."""
    repositories = here()
    with expected_errors():
        shape = result_of(tasks.structure_of(repositories.project(repositories.get(name)), budget))
    print("\n".join(map(shown, shape.text.split("\n"))))
    say_fresh(shape.freshness)
