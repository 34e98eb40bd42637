"""The commands `repo list` and `repo remove`, and what all commands of repositories share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, TypeVarTuple

import typer

from app.cli.exits import USAGE, exit_code_of_problem
from app.cli.terminal import expected_errors, fail, own_settings, read_bytes, talk
from app.observing.foreign import escape, shown
from app.repositories.allowed import AllowedPlaces
from app.repositories.project import TaskProblem
from app.repositories.register import Repositories

if TYPE_CHECKING:
    from codebase.ask.finding import Freshness

Name = Annotated[str, typer.Argument(help="Name of the repository.")]
Words = Annotated[list[str], typer.Argument(help="A question, an issue or a traceback; - reads standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON, the lines included.")]
Asked = Annotated[list[str], typer.Option("--source", help="A source that ranks as high as the repository itself.")]
ByModel = Annotated[
    bool, typer.Option("--by-model", help="Let a model put the first fifty places in their order: one question.")
]

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


def here() -> Repositories:
    """The repositories in the folders that the operator allowed; in any, if none were named."""
    settings = own_settings()
    folders = tuple(settings.repositories) or None
    return Repositories(settings.data_folder, AllowedPlaces(folders, tuple(settings.repository_urls)))


def result_of(result: Result | TaskProblem) -> Result:
    """The result of a task; a problem becomes a message and an exit code."""
    if isinstance(result, TaskProblem):
        fail(result.message, exit_code_of_problem(result.problem))
    return result


async def own_hands(task: Callable[[*Arguments], Result | TaskProblem], *arguments: *Arguments) -> Result:
    """The same for a task that is done in a thread of this process."""
    # Imported here, because it takes as long as a search, which needs none.
    import asyncio

    return result_of(await asyncio.to_thread(task, *arguments))


def list_repositories() -> None:
    """List the repositories: name and folder."""
    for repository in here().all():
        print(shown(f"{repository.name}\t{repository.root}"))


def remove_repository(name: Name) -> None:
    """Forget a repository, its index and its clone; files elsewhere stay."""
    repositories = here()
    with expected_errors():
        repository = repositories.remove(name)
    stay = "it was a clone" if repository.url else f"its files stay in {repository.root}"
    talk.print(f"{escape(repository.name)} is forgotten; {escape(stay)}")


def question_of(words: list[str]) -> str:
    """The question in the arguments, or on standard input."""
    question = read_bytes(Path("-")).decode("utf-8", "replace") if words == ["-"] else " ".join(words)
    if not question.strip():
        fail("There is nothing to look for.", USAGE)
    return question.encode("utf-8", "replace").decode()


def say_fresh(freshness: Freshness) -> None:
    """Print what an answer rests on."""
    if freshness.problem:
        talk.print(f"[yellow]The index is as it was: {escape(freshness.problem)}[/]")
    elif freshness.was_stale:
        talk.print(f"the files were newer than the index: {freshness.read} read, {freshness.removed} removed")
    if freshness.words_alone:
        talk.print(f"[yellow]Searched by words alone: {escape(freshness.words_alone)}[/]")
    if freshness.commit:
        talk.print(f"commit {freshness.commit[:12]}")
