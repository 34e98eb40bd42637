"""Tasks on the files and the index of a repository: in a worker for the service, here for the command line.

Each function returns its result or a TaskProblem, because the output of a worker is data.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

from app.errors import InvalidRequest
from app.llm.answers import without_reasoning
from app.repositories.project import Project, TaskProblem
from codebase.ask.brief import brief
from codebase.ask.citations import CheckedAnswer, ShownLines, judge
from codebase.ask.finding import Freshness, Judge, RepositoryHits, fresh_snapshot
from codebase.ask.passages import PassageSelection, length_of, read_for
from codebase.ask.relations import Asked, SymbolRelations, Way, find_relations, way
from codebase.ask.sources import find_everywhere
from codebase.ask.structure import structure
from codebase.errors import RepositoryError
from codebase.index.indexing import IndexingResult, update
from codebase.index.store import open_index
from codebase.tree.site_packages import InstalledPackage, find_package

MOST_NAMED: Final = 500
"""Most files in an account that are left out or not parsed whole."""

FAR: Final = 20
"""Steps to which the reach of a change is followed, unless a depth is given."""

Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class IndexAccount:
    """The state of an index: its contents, and the first files that were left out, with the reasons."""

    files: int
    units: int
    commit: str | None
    skipped: dict[str, str]
    skipped_by_reason: dict[str, int]
    problems: dict[str, str]
    source_files: dict[str, int]
    """The number of files of each source."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """The structure of a repository."""

    text: str
    freshness: Freshness


def find_units(
    project: Project, question: str, most: int, wanted: list[str], judge: Judge | None = None
) -> RepositoryHits | TaskProblem:
    """The units that a question is about."""
    sources = project.sources
    return or_problem(
        lambda: with_brief(
            question, find_everywhere(project.root, project.folder, sources, question, most, wanted, judge)
        )
    )


def with_brief(question: str, places: RepositoryHits) -> RepositoryHits:
    """The same units with short text for a model. A task, because it reads what the repository says."""
    return dataclasses.replace(places, brief=brief(question, places.hits))


def read_passages(
    project: Project, question: str, most: int, room_bytes: int, wanted: list[str], first: Sequence[str] = ()
) -> PassageSelection | TaskProblem:
    """The passages for a question that a model is shown, the citations in `first` before others."""
    return or_problem(
        lambda: read_for(project.root, project.folder, project.sources, question, most, room_bytes, wanted, first),
    )


def structure_of(project: Project, budget: int) -> Shape | TaskProblem:
    """The structure in at most `budget` characters."""

    def shape() -> Shape:
        snapshot, freshness = fresh_snapshot(project.root, project.folder)
        return Shape(as_text(structure(snapshot, budget)), freshness)

    return or_problem(shape)


def relations_of(
    project: Project, symbol: str, asked: Asked, depth: int | None, typed: bool = False
) -> SymbolRelations | TaskProblem:
    """Callers, callees, reach of a change, or tests of a symbol, to a depth; 1 step unless given, or 20."""
    far = depth or (FAR if asked in ("impact", "tests") else 1)
    return or_problem(lambda: find_relations(project.root, project.folder, symbol, asked, far, typed))


def way_between(project: Project, start: str, goal: str) -> Way | TaskProblem:
    """The shortest chain of calls from one symbol to another."""
    return or_problem(lambda: way(project.root, project.folder, start, goal))


def check_citations(project: Project, answer: str, shown: list[ShownLines]) -> CheckedAnswer | TaskProblem:
    """An answer without reasoning, with its citations checked."""

    @functools.cache
    def lines(path: str) -> int | None:
        return length_of(project.folder, project.sources, path)

    return or_problem(lambda: judge(without_reasoning(as_text(answer)).strip(), shown, lines))


def index(project: Project) -> IndexingResult | TaskProblem:
    """Bring the index up to date."""
    return or_problem(lambda: update(project.root, project.folder))


def account_of(project: Project) -> IndexAccount | TaskProblem:
    """The contents of the index."""

    def account() -> IndexAccount:
        with open_index(project.folder) as store:
            files, units, problems = store.totals()
            skipped, commit = store.skipped(), store.meta().get("commit") or None
        return IndexAccount(
            files=files,
            units=units,
            commit=commit,
            skipped=dict(list(skipped.items())[:MOST_NAMED]),
            skipped_by_reason=dict(Counter(skipped.values()).most_common()),
            problems=dict(list(problems.items())[:MOST_NAMED]),
            source_files={source.name: files_in(source.folder) for source in project.sources},
        )

    return or_problem(account)


def files_in(folder: Path) -> int:
    """The number of files in an index; 0 if there is none."""
    try:
        with open_index(folder) as store:
            return store.totals()[0]
    except RepositoryError:
        return 0


def package_of(project: Project, name: str, own: bool) -> InstalledPackage | TaskProblem:
    """The source of an installed package."""
    return or_problem(lambda: find_package(project.root, name, own))


def as_text(text: str) -> str:
    """A text that UTF-8 can encode: names of files, and escapes in code, may bring half of a pair."""
    return text.encode("utf-8", "replace").decode()


def or_problem(work: Callable[[], Result]) -> Result | TaskProblem:
    """The result of the work, or the problem."""
    try:
        return work()
    except RepositoryError as error:
        return TaskProblem(type(error).__name__, as_text(str(error)))
    except RecursionError:
        raise
    except (OSError, RuntimeError) as error:
        # Such as a folder that went away meanwhile, or a loop of links.
        return TaskProblem("NotARepository", as_text(str(error)))


def known_sources(project: Project, wanted: Sequence[str]) -> list[str]:
    """Names of existing sources. Raises InvalidRequest for another name."""
    known = [source.name for source in project.sources]
    for name in wanted:
        if name not in known:
            raise InvalidRequest(f"sources: there is no source {name}; there are: {', '.join(known) or 'none'}.")
    return list(wanted)
