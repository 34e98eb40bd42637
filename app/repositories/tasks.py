"""What is done with the files and the index of a repository: in a worker for the service, here for the command line.

Each function returns what it found or a Problem, because what a worker says is data.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeVar

from app.errors import InvalidRequest
from app.llm.answers import without_reasoning
from codebase.ask.citations import CheckedAnswer, ShownLines, judge
from codebase.ask.finding import Freshness, Judge, RepositoryHits, fresh_snapshot
from codebase.ask.passages import PassageSelection, length_of, read_for
from codebase.ask.relations import Asked, SymbolRelations, Way, find_relations, way
from codebase.ask.sources import FurtherSource, find_everywhere
from codebase.ask.structure import structure
from codebase.diagnosis.diagnose import diagnose
from codebase.diagnosis.issues import Issue, kept_issues, write_pages
from codebase.diagnosis.shapes import Diagnosis
from codebase.errors import RepositoryError
from codebase.index.indexing import IndexingResult, update
from codebase.index.store import open_index
from codebase.tree.site_packages import InstalledPackage, find_package, version_at

MOST_NAMED: Final = 500
"""Files that are left out, or not parsed whole, which an account names."""

FAR: Final = 20
"""Steps that what a change may reach is followed, unless a depth is given."""

Result = TypeVar("Result")


@dataclasses.dataclass(frozen=True)
class Problem:
    """Why nothing was found: the name of a RepositoryError, and its message."""

    problem: str
    message: str


@dataclasses.dataclass(frozen=True)
class Project:
    """What a task works on: the files, the index, and further sources."""

    root: Path
    folder: Path
    sources: list[FurtherSource]


@dataclasses.dataclass(frozen=True)
class SourceFiles:
    """Where a source is read from."""

    source: FurtherSource
    kind: Literal["package", "folder", "issues"]
    root: Path


@dataclasses.dataclass(frozen=True)
class SourceIndexed:
    """What the indexing of a source did, and the version of a package as it is now."""

    indexed: IndexingResult
    version: str


@dataclasses.dataclass(frozen=True)
class Account:
    """The state of an index: what it holds, and what was left out, with the first of those files and the reasons."""

    files: int
    units: int
    commit: str | None
    skipped: dict[str, str]
    skipped_by_reason: dict[str, int]
    problems: dict[str, str]
    sources: dict[str, int]
    """How many files each source has."""


@dataclasses.dataclass(frozen=True)
class Shape:
    """The structure of a repository."""

    text: str
    freshness: Freshness


def found(
    project: Project, question: str, most: int, wanted: list[str], judge: Judge | None = None
) -> RepositoryHits | Problem:
    """The units that a question is about."""
    return or_problem(
        lambda: find_everywhere(project.root, project.folder, project.sources, question, most, wanted, judge),
    )


def read(
    project: Project, question: str, most: int, room_bytes: int, wanted: list[str], first: Sequence[str] = ()
) -> PassageSelection | Problem:
    """What a model is to be shown for a question, the citations in `first` before others."""
    return or_problem(
        lambda: read_for(project.root, project.folder, project.sources, question, most, room_bytes, wanted, first),
    )


def shaped(project: Project, budget: int) -> Shape | Problem:
    """The structure within so many characters."""

    def shape() -> Shape:
        snapshot, freshness = fresh_snapshot(project.root, project.folder)
        return Shape(as_text(structure(snapshot, budget)), freshness)

    return or_problem(shape)


def relations_of(
    project: Project, symbol: str, asked: Asked, depth: int | None, typed: bool = False
) -> SymbolRelations | Problem:
    """Callers, callees, what a change may reach, or tests of a symbol, to a depth; 1 step unless given, or 20."""
    far = depth or (FAR if asked in ("impact", "tests") else 1)
    return or_problem(lambda: find_relations(project.root, project.folder, symbol, asked, far, typed))


def way_between(project: Project, start: str, goal: str) -> Way | Problem:
    """The shortest chain of calls from one symbol to another."""
    return or_problem(lambda: way(project.root, project.folder, start, goal))


def diagnosed(project: Project, log: str) -> Diagnosis | Problem:
    """Where a log leads in a repository."""
    return or_problem(lambda: diagnose(project.root, project.folder, log, issues_of(project)))


def issues_of(project: Project) -> list[Issue]:
    """The solved issues that were added as sources, which are known errors."""
    return [issue for source in project.sources for issue in kept_issues(source.folder)]


def judged(project: Project, answer: str, shown: list[ShownLines]) -> CheckedAnswer | Problem:
    """An answer without reasoning, its citations checked."""

    @functools.cache
    def lines(path: str) -> int | None:
        return length_of(project.folder, project.sources, path)

    return or_problem(lambda: judge(without_reasoning(as_text(answer)).strip(), shown, lines))


def indexed(project: Project) -> IndexingResult | Problem:
    """Bring the index up to date."""
    return or_problem(lambda: update(project.root, project.folder))


def source_indexed(files: SourceFiles) -> SourceIndexed | Problem:
    """Bring the index of a source up to date."""

    def index() -> SourceIndexed:
        root = files.root
        if files.kind == "issues":
            root = files.source.folder / "pages"
            write_pages(files.root, root)
        done = update(root, files.source.folder)
        return SourceIndexed(done, version_at(root, files.source.name) if files.kind == "package" else "")

    return or_problem(index)


def account_of(project: Project) -> Account | Problem:
    """What the index holds."""

    def account() -> Account:
        with open_index(project.folder) as store:
            files, units, problems = store.totals()
            skipped, commit = store.skipped(), store.meta().get("commit") or None
        return Account(
            files=files,
            units=units,
            commit=commit,
            skipped=dict(list(skipped.items())[:MOST_NAMED]),
            skipped_by_reason=dict(Counter(skipped.values()).most_common()),
            problems=dict(list(problems.items())[:MOST_NAMED]),
            sources={source.name: files_in(source.folder) for source in project.sources},
        )

    return or_problem(account)


def files_in(folder: Path) -> int:
    """How many files an index has; 0 if there is none."""
    try:
        with open_index(folder) as store:
            return store.totals()[0]
    except RepositoryError:
        return 0


def package_of(project: Project, name: str, own: bool) -> InstalledPackage | Problem:
    """The source of an installed package."""
    return or_problem(lambda: find_package(project.root, name, own))


def as_text(text: str) -> str:
    """A text that UTF-8 can say: names of files, and escapes in code, may bring half of a pair."""
    return text.encode("utf-8", "replace").decode()


def or_problem(work: Callable[[], Result]) -> Result | Problem:
    """What the work returns, or what is wrong."""
    try:
        return work()
    except RepositoryError as error:
        return Problem(type(error).__name__, as_text(str(error)))
    except RecursionError:
        raise
    except (OSError, RuntimeError) as error:
        # Such as a folder that went away meanwhile, or a loop of links.
        return Problem("NotARepository", as_text(str(error)))


def known_sources(project: Project, wanted: Sequence[str]) -> list[str]:
    """Names of sources that there are. Raises InvalidRequest for another."""
    known = [source.name for source in project.sources]
    for name in wanted:
        if name not in known:
            raise InvalidRequest(f"sources: there is no source {name}; there are: {', '.join(known) or 'none'}.")
    return list(wanted)
