"""The commands `repo add` and `repo index`: the index of a repository and of its sources."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import typer

from app.cli.exits import USAGE
from app.cli.repositories import Name, here, result_of
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape, shown
from app.repositories import issue_tasks, tasks
from app.repositories.allowed import is_address
from app.repositories.cloning import clone
from app.repositories.register import Repositories, Repository, SourceRecord
from codebase.index.indexing import IndexingResult, update, without_vectors
from codebase.index.meaning import EmbeddingModel

SHOWN_PROBLEMS: Final = 5

Vectors = Annotated[
    bool | None,
    typer.Option("--vectors/--no-vectors", help="Search by meaning too, from now on, or by words alone again."),
]


def add_repository(
    place: Annotated[str, typer.Argument(help="A folder, which is only read, or an address to clone.")],
    name: Annotated[str | None, typer.Option(help="A name for it; that of the folder unless given.")] = None,
    vectors: Vectors = None,
) -> None:
    """Add a repository and index it; prints its name."""
    repositories = here()
    with expected_errors():
        is_url = is_address(place)
        repository = repositories.of(place, name) if is_url else repositories.at(Path(place), name)
        with repositories.adding(repository.name):
            try:
                repository = repositories.free(repository)
                if is_url:
                    talk.print(f"cloning {escape(place)}")
                    clone(place, repository.root)
                done = index_of(repositories, repository, vectors)
                if not done.files:
                    fail(f"There are no files to read in {place}: it is empty, or everything is ignored.", USAGE)
                repositories.keep(repository)
            finally:
                repositories.discard_unkept(repository.name)
    say_indexed(done)
    print(shown(repository.name))


def index_repository(name: Name, vectors: Vectors = None) -> None:
    """Bring the index of a repository and its sources up to date; prints what is left out, and why."""
    repositories = here()
    with expected_errors():
        repository = repositories.get(name)
        done = index_of(repositories, repository, vectors)
        again = [index_source(repositories, repository, source) for source in repositories.allowed_sources(repository)]
        if again != repositories.allowed_sources(repository):
            repositories.keep(repository.with_sources(*again))
    for path, reason in done.skipped.items():
        print(shown(f"{path}\t{reason}"))
    say_indexed(done)


def index_of(repositories: Repositories, repository: Repository, vectors: bool | None = None) -> IndexingResult:
    """Bring an index up to date; `vectors` says whether it keeps some from now on, None that it goes on as it did."""
    project, settings = repositories.project(repository), own_settings()
    if vectors is False:
        without_vectors(project.folder)
    model = EmbeddingModel(settings.embedding_model, str(settings.home)) if vectors else None

    def say(what: str) -> None:
        talk.print(what, markup=False)

    return result_of(tasks.or_problem(lambda: update(project.root, project.folder, say, model)))


def index_source(repositories: Repositories, repository: Repository, source: SourceRecord) -> SourceRecord:
    """Bring the index of a source up to date; the source in the version that it has now."""
    done = result_of(issue_tasks.index_source(repositories.source_files(repository, source)))
    now = source.model_copy(update={"version": done.version})
    talk.print(f"{escape(now.mark)}: {done.result.files} files, {done.result.units} units")
    return now


def say_indexed(done: IndexingResult) -> None:
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
