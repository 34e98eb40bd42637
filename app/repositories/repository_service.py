"""The repositories of a running service. It parses none of their texts: each has a worker that reaches its files only.

request ─> record, allowed? ─> worker of the repository: files, index, question ─> answer
                            └─> a process of its own: an indexing
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple

from app.errors import BlendproofError, InvalidRequest, ServiceBusy, StorageFailed
from app.jobs.spending import Spending
from app.repositories import issue_tasks, tasks
from app.repositories.allowed import RepositoryRefused
from app.repositories.cloning import clone
from app.repositories.diagnose import DiagnosisRefused, confirm, with_renames
from app.repositories.explaining import ExplainedDiagnosis, Explainer, add_explanation
from app.repositories.further_sources import WantedSource, checked_source
from app.repositories.hands import Hands
from app.repositories.ordering import OrderBody
from app.repositories.project import Project, TaskProblem
from app.repositories.questions import Asker, RepositoryAnswer, RepositoryQuestion, answer_from
from app.repositories.register import Repositories, Repository, SourceRecord
from app.repositories.tasks import IndexAccount, Shape
from codebase.ask.finding import RepositoryHits
from codebase.ask.relations import Asked, SymbolRelations, Way
from codebase.diagnosis.known import ConfirmedDiagnosis
from harness.readers import ReadingFailed
from harness.readers.workers import WorkerReach, Workers, WorkersBusy

INDEX_S: Final = 600.0
QUESTION_S: Final = 60.0
"""Includes bringing the index up to date with changed files."""
CLONES_AT_ONCE: Final = 2

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


FoundPlaces = tuple[RepositoryHits, OrderBody | None]


class RepositoryNotIndexed(BlendproofError):
    status = 409
    code = "repository_not_indexed"
    hint = "POST /repositories/{name}/index makes the index."


class UnclearSymbol(InvalidRequest):
    code = "symbol_unclear"
    hint = "Write a name, Class.method, path:name, path:line or a path; a search finds them."


class TypesUnavailable(BlendproofError):
    status = 503
    code = "types_unavailable"
    hint = "Ask without `typed`."


class RepositoryTooMuch(InvalidRequest):
    code = "repository_too_much"
    hint = "Add a smaller folder, or ask a shorter question; the index is as it was."


KINDS: Final[dict[str, Callable[[str], BlendproofError]]] = {
    "IndexingBusy": ServiceBusy,
    "RepositoryIndexUnusable": RepositoryNotIndexed,
    "IndexingFailed": StorageFailed,
    "SymbolUnclear": UnclearSymbol,
    "ResolverFailed": TypesUnavailable,
    "DiagnosisRefused": DiagnosisRefused,
}
"""The errors of callers by the name of the problem; all others are refused repositories."""


@dataclass(frozen=True)
class Desk:
    """The place of work on a repository: its files and index, hands for its texts, and hands that write branches."""

    project: Project
    ask: Hands
    write: Hands


class RepositoryService:
    """Adds, indexes, searches and asks repositories, each apart from the others."""

    def __init__(self, repositories: Repositories, workers: Workers, asker: Asker) -> None:
        self._repositories = repositories
        self._workers = workers
        self._asker = asker
        self._changing = asyncio.Lock()
        self._cloning = asyncio.Semaphore(CLONES_AT_ONCE)

    async def desk(self, name: str) -> Desk:
        """The place of work on a repository. Raises RepositoryNotFound."""
        repository = await self.get(name)

        async def ask(task: Callable[[*Arguments], Result | TaskProblem], *arguments: *Arguments) -> Result:
            return await self._ask(repository, QUESTION_S, task, *arguments)

        async def write(task: Callable[[*Arguments], Result | TaskProblem], *arguments: *Arguments) -> Result:
            return await self._ask(repository, QUESTION_S, task, *arguments, alone=True, writes=True)

        return Desk(self._project(repository), ask, write)

    async def all(self) -> list[Repository]:
        """The repositories by name."""
        return await asyncio.to_thread(self._repositories.all)

    async def get(self, name: str) -> Repository:
        """A repository. Raises RepositoryNotFound."""
        return await asyncio.to_thread(self._repositories.get, name)

    async def add(self, path: Path | None, url: str | None, name: str | None) -> Repository:
        """Add a folder or an address, and index it.

        Raises RepositoryRefused, RepositoryTooMuch, ServiceBusy and StorageFailed; nothing of it is kept then.
        """
        if (path is None) == (url is None):
            raise RepositoryRefused("body: there is no one place to add.", "Send either `path` or `url`.")
        async with self._changing:
            if path is not None:
                wanted = await asyncio.to_thread(self._repositories.at, path, name)
            else:
                wanted = await asyncio.to_thread(self._repositories.of, url or "", name)
        with self._repositories.adding(wanted.name):
            # Another request may have taken the name meanwhile.
            wanted = await asyncio.to_thread(self._repositories.free, wanted)
            known = await self._of_same_name(wanted)
            if known:
                await self.index(known.name)
                return known
            return await self._add(wanted)

    async def _of_same_name(self, wanted: Repository) -> Repository | None:
        return next((known for known in await self.all() if known.name == wanted.name), None)

    async def _add(self, wanted: Repository) -> Repository:
        try:
            if wanted.url:
                async with self._cloning:
                    await asyncio.to_thread(clone, wanted.url, wanted.root)
            done = await self._ask(wanted, INDEX_S, tasks.index, self._project(wanted), alone=True)
            if not done.files:
                raise RepositoryRefused(
                    f"There are no files to read in {wanted.url or wanted.root}: it is empty, or everything is ignored."
                )
            await asyncio.to_thread(self._repositories.keep, wanted)
        except BaseException:
            await asyncio.to_thread(self._repositories.discard_unkept, wanted.name)
            raise
        return wanted

    async def state(self, name: str) -> tuple[Repository, IndexAccount]:
        """A repository and the contents of its index. Raises RepositoryNotFound and RepositoryNotIndexed."""
        repository = await self.get(name)
        account = await self._ask(repository, QUESTION_S, tasks.account_of, self._project(repository))
        return repository, account

    async def remove(self, name: str) -> Repository:
        """Forget a repository, its index and its clone. Raises RepositoryNotFound and StorageFailed."""
        async with self._changing:
            repository = await self.get(name)
            await asyncio.to_thread(self._workers.end, self._place(repository))
            await asyncio.to_thread(self._repositories.remove, name)
        return repository

    async def index(self, name: str) -> None:
        """Bring the index of a repository and of its sources up to date.

        Raises RepositoryNotFound, RepositoryRefused, RepositoryTooMuch, ServiceBusy and StorageFailed.
        """
        repository = await self.get(name)
        await self._ask(repository, INDEX_S, tasks.index, self._project(repository), alone=True)
        for source in self._repositories.allowed_sources(repository):
            indexed = await self._index_source(repository, source)
            if indexed != source:
                await self._with_source(name, indexed)

    async def answer(self, name: str, asked: RepositoryQuestion, models: Spending | None = None) -> Any:
        """The answer to a question, in the form of its way; with the models of a job, or those of all.

        Raises RepositoryNotFound, InvalidRequest if the question is too long, and what reading raises.
        """
        desk = await self.desk(name)
        asker = self._asker if models is None else dataclasses.replace(self._asker, models=models)
        return await {"ask": self._answer, "search": self._search, "explain": self._diagnose}[asked.way](
            desk, asked, asker
        )

    async def _search(
        self, desk: Desk, asked: RepositoryQuestion, asker: Asker
    ) -> tuple[RepositoryHits, OrderBody | None]:
        """The places for a question; if asked, in the order of a model, or with the reason why not."""
        names = tasks.known_sources(desk.project, asked.sources)
        if asked.by_model:
            return await asker.orderer.find(desk.project, asked.text, asked.most, names, desk.ask)
        return await desk.ask(tasks.find_units, desk.project, asked.text, asked.most, names), None

    async def _diagnose(self, desk: Desk, asked: RepositoryQuestion, asker: Asker) -> ExplainedDiagnosis:
        """The diagnosis of a log in a repository, with the explanation of a model if it is asked.

        The API of a Blender is not asked, because that would read the repository here; renames are known from the
        messages alone.
        """
        diagnosis = with_renames(await desk.ask(issue_tasks.diagnosis_of, desk.project, asked.text))
        explainer = Explainer(asker.models, asker.seconds)
        explanation = await explainer.explain(desk.project, diagnosis, desk.ask) if asked.by_model else None
        return add_explanation(diagnosis, explanation)

    async def _answer(self, desk: Desk, asked: RepositoryQuestion, asker: Asker) -> RepositoryAnswer:
        return await answer_from(desk.project, asked, asker, desk.ask)

    async def structure(self, name: str, budget: int) -> Shape:
        """The structure in at most `budget` characters. Raises RepositoryNotFound and what reading raises."""
        desk = await self.desk(name)
        return await desk.ask(tasks.structure_of, desk.project, budget)

    async def confirm(self, name: str, diagnosis: str, fault: str, note: str) -> ConfirmedDiagnosis:
        """Remember the fault of a diagnosis. Raises RepositoryNotFound, DiagnosisRefused, StorageFailed."""
        desk = await self.desk(name)
        return await desk.ask(confirm, desk.project, name, diagnosis, fault, note)

    async def related(
        self, name: str, symbol: str, asked: Asked, depth: int | None, typed: bool = False
    ) -> SymbolRelations:
        """The units in a relation to a symbol; if `typed`, with the verdicts of the typed resolver.

        Raises RepositoryNotFound, UnclearSymbol, what reading raises, and if `typed` TypesUnavailable.
        """
        if typed:
            # It may take as long as an indexing, so it has a process of its own too.
            repository = await self.get(name)
            project = self._project(repository)
            return await self._ask(
                repository, INDEX_S, tasks.relations_of, project, symbol, asked, depth, True, alone=True
            )
        desk = await self.desk(name)
        return await desk.ask(tasks.relations_of, desk.project, symbol, asked, depth)

    async def way(self, name: str, start: str, goal: str) -> Way:
        """The shortest chain of calls. Raises RepositoryNotFound, UnclearSymbol and what reading raises."""
        desk = await self.desk(name)
        return await desk.ask(tasks.way_between, desk.project, start, goal)

    async def add_source(self, name: str, wanted: WantedSource) -> Repository:
        """Add a source of truth to a repository, and index it; a source of the same name is replaced.

        Raises RepositoryNotFound, RepositoryRefused, RepositoryTooMuch, ServiceBusy and StorageFailed.
        """
        repository = await self.get(name)
        if wanted.package is not None:
            # Only of the project's own environment: the packages of the service are no business of a caller.
            package = await self._ask(
                repository, QUESTION_S, tasks.package_of, self._project(repository), wanted.package, False
            )
            source = checked_source(wanted, self._repositories.allowed, package)
        else:
            source = await asyncio.to_thread(checked_source, wanted, self._repositories.allowed, None)
        indexed = await self._index_source(repository, source)
        return await self._with_source(name, indexed)

    async def remove_source(self, name: str, source: str) -> Repository:
        """Remove a source from a repository. Raises RepositoryNotFound, SourceNotFound and StorageFailed."""
        repository = await self._with(name, lambda now: now.without(source))
        await asyncio.to_thread(self._repositories.discard_source, repository, source)
        return repository

    async def _with_source(self, name: str, source: SourceRecord) -> Repository:
        """Write down a repository with a source, in the place of one of its name."""
        return await self._with(name, lambda now: now.with_sources(source))

    async def _with(self, name: str, change: Callable[[Repository], Repository]) -> Repository:
        """Write down a repository with other sources."""
        async with self._changing:
            repository = await self.get(name)
            changed = change(repository)
            await asyncio.to_thread(self._workers.end, self._place(repository))
            await asyncio.to_thread(self._repositories.keep, changed)
        return changed

    async def _index_source(self, repository: Repository, source: SourceRecord) -> SourceRecord:
        """Bring the index of a source up to date; returns the source with its present version."""
        files = self._repositories.source_files(repository, source)
        alone = repository.model_copy(update={"sources": [source]})
        done = await self._ask(alone, INDEX_S, issue_tasks.index_source, files, alone=True)
        return source.model_copy(update={"version": done.version})

    async def _ask(
        self,
        repository: Repository,
        limit_s: float,
        task: Callable[[*Arguments], Result | TaskProblem],
        *arguments: *Arguments,
        alone: bool = False,
        writes: bool = False,
    ) -> Result:
        """The result of a task. Raises the error that tells a caller the problem."""
        await asyncio.to_thread(self._repositories.make_room, repository)
        place = await asyncio.to_thread(self._place, repository, writes)
        try:
            result = await self._workers.ask(place, limit_s, task, *arguments, alone=alone)
        except WorkersBusy as error:
            raise ServiceBusy(str(error)) from None
        except ReadingFailed as error:
            raise RepositoryTooMuch(f"{repository.name} is too much to be read: {error}.") from None
        if isinstance(result, TaskProblem):
            raise KINDS.get(result.problem, RepositoryRefused)(result.message)
        return result

    def _project(self, repository: Repository) -> Project:
        return self._repositories.project(repository)

    def _place(self, repository: Repository, writes: bool = False) -> WorkerReach:
        """The reach of a repository's worker: its files and those of its sources, and the folder of its index.

        If it `writes`, it also reaches the objects and branches that git keeps, but neither hooks nor configuration.
        """
        allowed = self._repositories.allowed
        readable = [*allowed.readable(repository.root)]
        for source in self._repositories.allowed_sources(repository):
            readable += allowed.readable(source.root)
        own = self._repositories.index_folder(repository)
        kept = allowed.written_by_branches(repository.root) if writes else ()
        return WorkerReach(tuple(map(str, readable)), (str(own.absolute()), *map(str, kept)))
