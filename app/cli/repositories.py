"""The commands `repo add`, `list`, `remove`, `index`, `watch`, `search` and `structure`."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from app.cli.terminal import NOT_AVAILABLE, NOT_PROVEN, USAGE, expected_errors, fail, own_settings, talk
from app.llm.models import Models
from app.observing.foreign import document, escape, shown
from app.repositories import tasks
from app.repositories.allowed import AllowedPlaces
from app.repositories.cloning import clone
from app.repositories.hands import here as in_this_process
from app.repositories.ordering import OrderBody, Orderer
from app.repositories.questions import FreshnessBody
from app.repositories.register import Repositories, Repository, SourceRecord
from app.repositories.tasks import TaskProblem
from app.settings import Settings
from codebase.ask.finding import Freshness, RepositoryHits, UnitHit
from codebase.ask.structure import BUDGET
from codebase.errors import RepositoryError
from codebase.index.indexing import IndexingResult, update, without_vectors
from codebase.index.meaning import EmbeddingModel
from search.cross import CrossEncoder
from search.exporting import ModelUnusable

SHOWN_PROBLEMS: Final = 5

repositories_app = typer.Typer(
    help="Repositories of code: index, search, ask, follow, port and change them.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="Name of the repository.")]
Words = Annotated[list[str], typer.Argument(help="A question, an issue or a traceback; - reads standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON, the lines included.")]
Asked = Annotated[list[str], typer.Option("--source", help="A source that ranks as high as the repository itself.")]

ByModel = Annotated[
    bool, typer.Option("--by-model", help="Let a model put the first fifty places in their order: one question.")
]
Vectors = Annotated[
    bool | None,
    typer.Option("--vectors/--no-vectors", help="Search by meaning too, from now on, or by words alone again."),
]

Result = TypeVar("Result")


@contextmanager
def repository_errors() -> Generator[None, None, None]:
    """Turn what can be wrong with a repository into a message and an exit code."""
    with expected_errors():
        try:
            yield
        except RepositoryError as error:
            fail(str(error), exit_code_of(type(error).__name__))
        except ModelUnusable as error:
            fail(str(error), NOT_AVAILABLE)


def here() -> Repositories:
    """The repositories in the folders that the operator allowed; in any, if none were named."""
    settings = own_settings()
    folders = tuple(settings.repositories) or None
    return Repositories(settings.data_folder, AllowedPlaces(folders, tuple(settings.repository_urls)))


def found(result: Result | TaskProblem) -> Result:
    """What a task found; a problem becomes a message and an exit code."""
    if isinstance(result, TaskProblem):
        fail(result.message, exit_code_of(result.problem))
    return result


def exit_code_of(problem: str) -> int:
    """The exit code for a problem, by the name of its error."""
    return USAGE if problem in ("NotARepository", "SymbolUnclear") else NOT_AVAILABLE


@repositories_app.command("add")
def add_repository(
    place: Annotated[str, typer.Argument(help="A folder, which is only read, or an address to clone.")],
    name: Annotated[str | None, typer.Option(help="A name for it; that of the folder unless given.")] = None,
    vectors: Vectors = None,
) -> None:
    """Add a repository and index it; prints its name."""
    repositories = here()
    with repository_errors():
        is_url = place.startswith(("http://", "https://"))
        repository = repositories.of(place, name) if is_url else repositories.at(Path(place), name)
        try:
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


@repositories_app.command("list")
def list_repositories() -> None:
    """List the repositories: name and folder."""
    for repository in here().all():
        print(shown(f"{repository.name}\t{repository.root}"))


@repositories_app.command("remove")
def remove_repository(name: Name) -> None:
    """Forget a repository, its index and its clone; files elsewhere stay."""
    repositories = here()
    with repository_errors():
        repository = repositories.remove(name)
    stay = "it was a clone" if repository.url else f"its files stay in {repository.root}"
    talk.print(f"{escape(repository.name)} is forgotten; {escape(stay)}")


@repositories_app.command("index")
def index_repository(name: Name, vectors: Vectors = None) -> None:
    """Bring the index of a repository and its sources up to date; prints what is left out, and why."""
    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        done = index_of(repositories, repository, vectors)
        again = [index_source(repositories, repository, source) for source in repositories.allowed_sources(repository)]
        if again != repositories.allowed_sources(repository):
            repositories.keep(with_sources(repository, *again))
    for path, reason in done.skipped.items():
        print(shown(f"{path}\t{reason}"))
    say_indexed(done)


@repositories_app.command("watch")
def watch_repository(name: Name) -> None:
    """Keep the index of a repository up to date, until Ctrl+C."""
    # Imported here, because no other command needs it.
    from codebase.index.watching import watch

    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        for done in watch(repository.root, repositories.index_folder(repository)):
            talk.print(f"{done.files} files: {done.read} read, {done.removed} removed in {done.seconds:.2f} s")


def index_of(repositories: Repositories, repository: Repository, vectors: bool | None = None) -> IndexingResult:
    """Bring an index up to date; `vectors` says whether it keeps some from now on, None that it goes on as it did."""
    project, settings = repositories.project(repository), own_settings()
    if vectors is False:
        without_vectors(project.folder)
    model = EmbeddingModel(settings.embedding_model, str(settings.home)) if vectors else None

    def say(what: str) -> None:
        talk.print(what, markup=False)

    return found(tasks.or_problem(lambda: update(project.root, project.folder, say, model)))


def index_source(repositories: Repositories, repository: Repository, source: SourceRecord) -> SourceRecord:
    """Bring the index of a source up to date; the source in the version that it has now."""
    done = found(tasks.index_source(repositories.source_files(repository, source)))
    now = source.model_copy(update={"version": done.version})
    talk.print(f"{escape(now.mark)}: {done.result.files} files, {done.result.units} units")
    return now


def with_sources(repository: Repository, *sources: SourceRecord) -> Repository:
    """A repository with these sources, in the place of those with the same names."""
    names = [source.name for source in sources]
    kept = [one for one in repository.sources if one.name not in names]
    return repository.model_copy(update={"sources": [*kept, *sources]})


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


def question_of(words: list[str]) -> str:
    """The question in the arguments, or on standard input."""
    question = typer.get_text_stream("stdin").read() if words == ["-"] else " ".join(words)
    if not question.strip():
        fail("There is nothing to look for.", USAGE)
    return question.encode("utf-8", "replace").decode()


@repositories_app.command("search")
def search_repository(
    name: Name,
    words: Words,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Most units.")] = 12,
    source: Asked = [],  # noqa: B006 - typer reads it
    by_model: ByModel = False,
    as_json: AsJson = False,
) -> None:
    """Find the places that a question is about; exit code 1 if there are none."""
    question = question_of(words)
    repositories = here()
    with repository_errors():
        project = repositories.project(repositories.get(name))
        places, order = places_of(project, question, limit, tasks.known_sources(project, source), by_model)
    say_fresh(places.freshness)
    if order:
        talk.print(escape(order.note or f"ordered by {order.model}"))
    if as_json:
        print(document({**dataclasses.asdict(places), "order": order and order.model_dump()}))
    else:
        for hit in places.hits:
            show_hit(hit)
    if not places.hits:
        fail("Nothing was found.", NOT_PROVEN)


def places_of(
    project: tasks.Project, question: str, most: int, wanted: list[str], by_model: bool
) -> tuple[RepositoryHits, OrderBody | None]:
    """What a search finds; if asked, in the order of the model that is set up."""
    settings = own_settings()
    if by_model:
        return asyncio.run(places_by_model(settings, project, question, most, wanted))
    judge = CrossEncoder(settings.cross_encoder).judge if settings.cross_encoder else None
    return found(tasks.find_units(project, question, most, wanted, judge)), None


async def places_by_model(
    settings: Settings, project: tasks.Project, question: str, most: int, wanted: list[str]
) -> tuple[RepositoryHits, OrderBody]:
    models = Models(settings.model_providers())
    try:
        orderer = Orderer(models, settings.model_run_s)
        return await orderer.find(project, question, most, wanted, in_this_process)
    finally:
        await models.close()


def show_hit(hit: UnitHit) -> None:
    """Print citation and signature on standard output, a tab between them, and the reasons on standard error."""
    print(shown(f"{hit.citation}\t{' '.join(headline(hit).split())[:160]}"))
    talk.print(f"    [dim]{escape('; '.join(hit.reasons[:4]))}[/]")


def headline(hit: UnitHit) -> str:
    """The signature of a unit, a method with its class: an add-on has many an `execute`."""
    short = hit.name.rpartition(".")[2]
    return hit.signature.replace(f"def {short}(", f"def {hit.name}(", 1) if hit.signature else hit.name


def say_fresh(freshness: Freshness | FreshnessBody) -> None:
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
        shape = found(tasks.structure_of(repositories.project(repositories.get(name)), budget))
    print("\n".join(map(shown, shape.text.split("\n"))))
    say_fresh(shape.freshness)
