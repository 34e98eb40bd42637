"""The commands of the repositories: add, list, remove, index, watch, search, structure."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from app.cli.terminal import NOT_AVAILABLE, NOT_PROVEN, USAGE, expected_errors, fail, own_settings, talk
from app.observing.foreign import document, escape, shown
from app.repositories.repositories import Repositories, Repository
from codebase.errors import NotARepository, RepositoryError
from codebase.finding import Freshness, Hit, find, mended
from codebase.indexing import Indexed, update, without_vectors
from codebase.meaning import Model
from codebase.structure import BUDGET, structure
from search.cross import CrossEncoder
from search.exporting import ModelUnusable

SHOWN_PROBLEMS: Final = 5

repositories_app = typer.Typer(
    help="Repositories of code: add, list, remove, index, watch, search, structure.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="Name of the repository.")]
Vectors = Annotated[
    bool | None,
    typer.Option("--vectors/--no-vectors", help="Search by meaning too, from now on, or by words alone again."),
]


@contextmanager
def repository_errors() -> Generator[None, None, None]:
    """Turn what can be wrong with a repository into a message and an exit code."""
    with expected_errors():
        try:
            yield
        except NotARepository as error:
            fail(str(error), USAGE)
        except (RepositoryError, ModelUnusable) as error:
            fail(str(error), NOT_AVAILABLE)


def here() -> Repositories:
    return Repositories(own_settings().data_folder)


@repositories_app.command("add")
def add_repository(
    path: Annotated[Path, typer.Argument(help="A Git working tree or a plain folder; it is only read.")],
    name: Annotated[str | None, typer.Option(help="A name for it; that of the folder unless given.")] = None,
    vectors: Vectors = None,
) -> None:
    """Add a repository and index it; prints its name."""
    repositories = here()
    with repository_errors():
        repository = repositories.add(path, name)
        say_indexed(index_of(repositories, repository, vectors))
    print(shown(repository.name))


@repositories_app.command("list")
def list_repositories() -> None:
    """List the repositories: name and folder."""
    for repository in here().all():
        print(shown(f"{repository.name}\t{repository.root}"))


@repositories_app.command("remove")
def remove_repository(name: Name) -> None:
    """Forget a repository and its index; its own files stay."""
    repositories = here()
    with repository_errors():
        repository = repositories.remove(name)
    talk.print(f"{escape(repository.name)} is forgotten; its files stay in {escape(str(repository.root))}")


@repositories_app.command("index")
def index_repository(name: Name, vectors: Vectors = None) -> None:
    """Bring the index of a repository up to date; prints each file that is left out, with the reason."""
    repositories = here()
    with repository_errors():
        done = index_of(repositories, repositories.get(name), vectors)
    for path, reason in done.skipped.items():
        print(shown(f"{path}\t{reason}"))
    say_indexed(done)


@repositories_app.command("watch")
def watch_repository(name: Name) -> None:
    """Keep the index of a repository up to date, until Ctrl+C."""
    # Imported here, because no other command needs it.
    from codebase.watching import watch

    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        for done in watch(repository.root, repositories.index_folder(repository)):
            talk.print(f"{done.files} files: {done.read} read, {done.removed} removed in {done.seconds:.2f} s")


def index_of(repositories: Repositories, repository: Repository, vectors: bool | None = None) -> Indexed:
    """Bring an index up to date; `vectors` says whether it keeps some from now on, None that it goes on as it did."""
    folder, settings = repositories.index_folder(repository), own_settings()
    if vectors is False:
        without_vectors(folder)
    model = Model(settings.embedding_model, str(settings.home)) if vectors else None
    return update(repository.root, folder, lambda what: talk.print(what, markup=False), model)


def say_indexed(done: Indexed) -> None:
    """Print the account of an indexing: what was read, what was left out, what could not be parsed."""
    commit = f" at {done.commit[:12]}" if done.commit else ""
    talk.print(f"{done.files} files, {done.units} units{commit}: {done.read} read in {done.seconds:.1f} s")
    if done.embedded:
        talk.print(f"{done.embedded} units embedded")
    if done.problem:
        talk.print(f"[yellow]Searched by words alone: {escape(done.problem)}[/]")
    for reason, count in Counter(done.skipped.values()).most_common():
        talk.print(f"{count:>7} left out: {escape(reason)}")
    for path, problem in list(done.problems.items())[:SHOWN_PROBLEMS]:
        talk.print(f"[yellow]{escape(path)}: {escape(problem)}[/]")
    if len(done.problems) > SHOWN_PROBLEMS:
        talk.print(f"[yellow]... and {len(done.problems) - SHOWN_PROBLEMS} more files that are not parsed whole[/]")


@repositories_app.command("search")
def search_repository(
    name: Name,
    words: Annotated[list[str], typer.Argument(help="A question, an issue or a traceback; - reads standard input.")],
    limit: Annotated[int, typer.Option(min=1, max=50, help="Most units.")] = 12,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, the lines included.")] = False,
) -> None:
    """Find the places that a question is about; exit code 1 if there are none."""
    question = typer.get_text_stream("stdin").read() if words == ["-"] else " ".join(words)
    if not question.strip():
        fail("There is nothing to look for.", USAGE)
    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        cross = own_settings().cross_encoder
        judge = CrossEncoder(cross).judge if cross else None
        found = find(repository.root, repositories.index_folder(repository), question, limit, judge)
    say_fresh(found.freshness)
    if as_json:
        print(document(dataclasses.asdict(found)))
    else:
        for hit in found.hits:
            show_hit(hit)
    if not found.hits:
        fail("Nothing was found.", NOT_PROVEN)


def show_hit(hit: Hit) -> None:
    """Print citation and signature on standard output, a tab between them, and the reasons on standard error."""
    print(shown(f"{hit.citation}\t{' '.join((hit.signature or hit.name).split())[:160]}"))
    talk.print(f"    [dim]{escape('; '.join(hit.reasons[:4]))}[/]")


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


@repositories_app.command("structure")
def show_structure(
    name: Name,
    budget: Annotated[int, typer.Option(min=200, help="Most characters.")] = BUDGET,
) -> None:
    """Print the folders and files of a repository, with their lines and what each is, as far as the budget allows."""
    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        snapshot, freshness = mended(repository.root, repositories.index_folder(repository))
    print("\n".join(map(shown, structure(snapshot, budget).split("\n"))))
    say_fresh(freshness)
