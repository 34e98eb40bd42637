"""The commands of the repositories: add, list, remove, index, search, structure, graph, path."""

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
from codebase.errors import NotARepository, RepositoryError, SymbolUnclear
from codebase.finding import Freshness, Hit, find, mended
from codebase.indexing import Indexed, update
from codebase.relations import Asked, Relation, related, way
from codebase.structure import BUDGET, structure

SHOWN_PROBLEMS: Final = 5
FAR: Final = 20
"""Steps that a change is followed."""

repositories_app = typer.Typer(
    help="Repositories of code: add, list, remove, index, search, structure, graph, path.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="Name of the repository.")]


@contextmanager
def repository_errors() -> Generator[None, None, None]:
    """Turn what can be wrong with a repository into a message and an exit code."""
    with expected_errors():
        try:
            yield
        except (NotARepository, SymbolUnclear) as error:
            fail(str(error), USAGE)
        except RepositoryError as error:
            fail(str(error), NOT_AVAILABLE)


def here() -> Repositories:
    return Repositories(own_settings().data_folder)


@repositories_app.command("add")
def add_repository(
    path: Annotated[Path, typer.Argument(help="A Git working tree or a plain folder; it is only read.")],
    name: Annotated[str | None, typer.Option(help="A name for it; that of the folder unless given.")] = None,
) -> None:
    """Add a repository and index it; prints its name."""
    repositories = here()
    with repository_errors():
        repository = repositories.add(path, name)
        say_indexed(index_of(repositories, repository))
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
def index_repository(name: Name) -> None:
    """Bring the index of a repository up to date; prints each file that is left out, with the reason."""
    repositories = here()
    with repository_errors():
        done = index_of(repositories, repositories.get(name))
    for path, reason in done.skipped.items():
        print(shown(f"{path}\t{reason}"))
    say_indexed(done)


def index_of(repositories: Repositories, repository: Repository) -> Indexed:
    folder = repositories.index_folder(repository)
    return update(repository.root, folder, lambda what: talk.print(what, markup=False))


def say_indexed(done: Indexed) -> None:
    """Print the account of an indexing: what was read, what was left out, what could not be parsed."""
    commit = f" at {done.commit[:12]}" if done.commit else ""
    talk.print(f"{done.files} files, {done.units} units{commit}: {done.read} read in {done.seconds:.1f} s")
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
        found = find(repository.root, repositories.index_folder(repository), question, limit)
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


@repositories_app.command("graph")
def show_graph(
    name: Name,
    symbol: Annotated[str, typer.Argument(help="A name, Class.method, path:name, path:line, or a path.")],
    callers: Annotated[bool, typer.Option("--callers", help="What calls or names it; the default.")] = False,
    callees: Annotated[bool, typer.Option("--callees", help="What it calls or names.")] = False,
    impact: Annotated[bool, typer.Option("--impact", help="What a change of it may reach.")] = False,
    tests: Annotated[bool, typer.Option("--tests", help="The tests that reach it.")] = False,
    depth: Annotated[int | None, typer.Option(min=1, help="Most steps away; 1, or 20 for impact and tests.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find what calls a symbol, what it calls, what a change may reach, or its tests; exit code 1 if nothing does."""
    options: dict[Asked, bool] = {"callers": callers, "callees": callees, "impact": impact, "tests": tests}
    chosen = [one for one, given in options.items() if given]
    if len(chosen) > 1:
        fail("Choose one of --callers, --callees, --impact and --tests.", USAGE)
    asked = chosen[0] if chosen else "callers"
    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        far = depth or (FAR if asked in ("impact", "tests") else 1)
        found = related(repository.root, repositories.index_folder(repository), symbol, asked, far)
    if as_json:
        print(document(dataclasses.asdict(found)))
    else:
        talk.print(f"{asked} of {escape(found.symbol.name)} at {escape(found.symbol.citation)}")
        for one in found.relations:
            show_relation(one)
        say_gaps(found.gaps)
    say_fresh(found.freshness)
    if not found.relations:
        fail(f"Nothing is known that stands in this relation to {found.symbol.name}.", NOT_PROVEN)


@repositories_app.command("path")
def show_path(
    name: Name,
    start: Annotated[str, typer.Argument(metavar="FROM", help="Where the way begins; see `repo graph`.")],
    goal: Annotated[str, typer.Argument(metavar="TO", help="Where it ends.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Find the shortest chain of calls from one symbol to another; exit code 1 if there is none."""
    repositories = here()
    with repository_errors():
        repository = repositories.get(name)
        found = way(repository.root, repositories.index_folder(repository), start, goal)
    if as_json:
        print(document(dataclasses.asdict(found)))
    else:
        print(shown(f"{found.start.citation}\t{found.start.name}"))
        for one in found.steps:
            show_relation(one)
        if not found.steps:
            say_gaps(found.gaps)
    say_fresh(found.freshness)
    if not found.steps:
        fail(f"No chain of calls is known from {found.start.name} to {found.goal.name}.", NOT_PROVEN)


def show_relation(one: Relation) -> None:
    """Print citation, name, and the edge with its certainty and line, a tab between them."""
    edge = f"{one.source} {one.kind} {one.target}\t{one.certainty}\t{one.line}"
    print(shown(f"{one.place.citation}\t{one.place.name}\t{edge}"))


def say_gaps(gaps: list[str]) -> None:
    """Print which calls cannot be followed."""
    if gaps:
        talk.print(f"{len(gaps)} calls cannot be followed: their receiver is not known, or only running them can tell")
        for gap in gaps[:SHOWN_PROBLEMS]:
            talk.print(f"    [dim]{escape(gap)}[/]")
