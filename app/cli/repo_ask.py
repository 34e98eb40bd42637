"""The command `repo ask`: an answer of a model about a repository, each citation checked."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from app.cli.exits import NOT_PROVEN
from app.cli.repositories import (
    AsJson,
    Asked,
    ByModel,
    Name,
    Words,
    here,
    own_hands,
    question_of,
    say_fresh,
)
from app.cli.terminal import expected_errors, own_settings, talk
from app.llm.models import Models
from app.observing.foreign import document, escape, shown, visible
from app.observing.logs import log_for_people
from app.repositories.project import Project
from app.repositories.questions import RepositoryAnswer, RepositoryQuestion, answer_from, open_asker
from app.settings import Settings


def ask_repository(
    name: Name,
    words: Words,
    top_k: Annotated[int, typer.Option(min=1, max=50, help="Most places that the model is shown.")] = 12,
    source: Asked = [],  # noqa: B006 - typer reads it
    show_sources: Annotated[bool, typer.Option(help="Print the passages that the model was shown.")] = False,
    by_model: ByModel = False,
    as_json: AsJson = False,
) -> None:
    """Have a model answer from the code, each citation checked; without a model, print the places.

    Exit code 1 if the answer is not in the repository, or if none of its citations holds.
    """
    question = question_of(words)
    log_for_people("error")
    repositories = here()
    with expected_errors():
        project = repositories.project(repositories.get(name))
        asking = RepositoryQuestion(
            way="ask", text=question, most=top_k, sources=source, show_sources=show_sources, by_model=by_model
        )
        answer = asyncio.run(asked(own_settings(), project, asking))
    say_fresh(answer.freshness)
    if as_json:
        print(document(answer.model_dump(mode="json")))
    else:
        show_answer(answer)
    if answer.status in ("not_in_repository", "unfounded"):
        raise typer.Exit(NOT_PROVEN)


async def asked(settings: Settings, project: Project, question: RepositoryQuestion) -> RepositoryAnswer:
    """The answer of the model that is set up."""
    async with Models(settings.model_providers()) as models:
        asker = open_asker(models, settings.repository_prompt, settings.model_run_s)
        return await answer_from(project, question, asker, own_hands)


def show_answer(answer: RepositoryAnswer) -> None:
    """Print the answer on standard output, or the places if no model answered; the rest on standard error."""
    if answer.status == "places":
        for passage in answer.passages:
            print(shown(f"{passage.citation}\t{passage.name}"))
            talk.print(f"    [dim]{escape('; '.join(passage.reasons[:4]))}[/]")
    elif answer.text:
        print("\n".join(map(shown, answer.text.split("\n"))))
    for passage in answer.passages:
        if passage.text is not None:
            talk.print(
                f"\n[bold]{escape(passage.citation)}[/] {escape(passage.source)}\n{escape(visible(passage.text))}"
            )
    for struck in answer.struck:
        talk.print(f"[yellow]struck out: {escape(struck.citation)}: {escape(struck.reason)}[/]")
    budget = answer.budget
    if answer.model:
        left = f", {budget.left_out} places did not fit" if budget.left_out else ""
        talk.print(f"{escape(answer.model)}: about {budget.used} of {budget.window} tokens{left}")
    if answer.note:
        talk.print(escape(answer.note))
