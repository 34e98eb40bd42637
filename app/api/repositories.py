"""The repositories: add, index, search and ask them; see docs/repositories.md."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query

from app.api.common import TheCaller, TheService, answers
from app.api.repository_bodies import (
    AddBody,
    AskBody,
    FaultBody,
    LogBody,
    Places,
    QuestionBody,
    RepositoryBody,
    RepositoryList,
    RepositoryState,
    SourceToAdd,
    body_of,
    state_body,
)
from app.errors import InvalidRequest, QuotaSpent, ServiceBusy, StorageFailed
from app.repositories.allowed import RepositoryNotFound, RepositoryRefused, SourceNotFound
from app.repositories.diagnose import DiagnosisRefused
from app.repositories.explaining import ExplainedDiagnosis
from app.repositories.further_sources import WantedSource
from app.repositories.questions import RepositoryAnswer, RepositoryQuestion
from app.repositories.repository_service import RepositoryNotIndexed, RepositoryTooMuch, TypesUnavailable, UnclearSymbol
from app.repositories.tasks import Shape
from codebase.ask.relations import Asked, SymbolRelations, Way
from codebase.ask.structure import BUDGET
from codebase.diagnosis.known import ConfirmedDiagnosis

router = APIRouter(prefix="/repositories", tags=["repositories"])

READING: Final = (RepositoryNotFound, RepositoryTooMuch, RepositoryRefused, InvalidRequest, ServiceBusy, StorageFailed)
"""The errors of an operation that reads a repository."""
ASKING: Final = (RepositoryNotIndexed, QuotaSpent)
"""The further errors of an operation that may ask a model."""

Name = Annotated[str, Path(max_length=100, description="Name of a repository.", examples=["my-addon"])]
Symbol = Annotated[
    str,
    Query(max_length=500, description="Name, Class.method, path:name or path:line.", examples=["Exporter.write"]),
]
DiagnosisId = Annotated[str, Path(max_length=100, description="Id of a diagnosis.", examples=["d-0123456789abcdef"])]
SourceName = Annotated[str, Path(max_length=100, description="Name of a source.", examples=["django"])]


@router.get(
    "",
    summary="List the repositories",
    responses=answers("REPOSITORIES", "The repositories by name.", InvalidRequest),
)
async def list_repositories(service: TheService) -> RepositoryList:
    """The repositories that lie in folders that the operator allowed (`BLENDPROOF_REPOSITORIES`), and the clones."""
    return RepositoryList(repositories=[body_of(repository) for repository in await service.repositories.all()])


@router.post(
    "",
    status_code=201,
    summary="Add a repository",
    responses=answers(
        "STATE",
        "The repository, indexed.",
        RepositoryRefused,
        RepositoryTooMuch,
        InvalidRequest,
        ServiceBusy,
        StorageFailed,
        status=201,
    ),
)
async def add_repository(service: TheService, body: AddBody) -> RepositoryState:
    """Add a folder, or clone an address, and index it. Its files are only read, and nothing of it is run.

    If it is there already, its index is brought up to date.
    """
    added = await service.repositories.add(body.path, body.url, body.name)
    return await state_of(service, added.name)


@router.get(
    "/{name}",
    summary="Get a repository",
    responses=answers("STATE", "The repository.", *READING, RepositoryNotIndexed),
)
async def get_repository(service: TheService, name: Name) -> RepositoryState:
    """The contents of its index, and the files that are left out, with the reasons."""
    return await state_of(service, name)


@router.delete(
    "/{name}",
    summary="Remove a repository",
    responses=answers("REPOSITORY", "The repository as it was.", RepositoryNotFound, InvalidRequest, StorageFailed),
)
async def remove_repository(service: TheService, name: Name) -> RepositoryBody:
    """Forget a repository, its index, its jobs and its clone; files elsewhere stay, and so do branches."""
    return body_of(await service.remove_repository(name))


@router.post(
    "/{name}/index",
    summary="Index a repository",
    responses=answers("STATE", "The repository, indexed.", *READING, RepositoryNotIndexed),
)
async def index_repository(service: TheService, name: Name) -> RepositoryState:
    """Bring its index, and those of its sources, up to date with the files. Searches go on meanwhile."""
    await service.repositories.index(name)
    return await state_of(service, name)


@router.post(
    "/{name}/search",
    summary="Find the places that a question is about",
    responses=answers("FOUND", "The places, the best first.", *READING, *ASKING),
)
async def search_repository(service: TheService, caller: TheCaller, name: Name, body: QuestionBody) -> Places:
    """Find places for a question, an issue or a traceback. A model is asked only with `by_model`: for their order.

    The index is brought up to date first; `freshness` says whether the files were newer, and what was read.
    """
    with service.tools.metrics.searching("repository"):
        asked = RepositoryQuestion(way="search", text=plain(body.question), most=body.limit, **options_of(body))
        found, order = await answer(service, name, asked, caller)
    return Places(
        hits=found.hits,
        brief=found.brief,
        files=found.files,
        order=order,
        freshness=found.freshness,
    )


@router.post(
    "/{name}/diagnose",
    summary="Find where the errors of a log are from",
    responses=answers("DIAGNOSIS", "Crash lines and suspects.", *READING, *ASKING),
)
async def diagnose_log(service: TheService, caller: TheCaller, name: Name, body: LogBody) -> ExplainedDiagnosis:
    """Find the crash lines of a log, what is used there, and suspects with reasons.

    `stopped` says why nothing fits, if no frame of the log is in the repository. A model is asked only with `explain`;
    its citations are checked, and a patch that it proposes applies, but is not tested.
    """
    asked = RepositoryQuestion(way="explain", text=plain(body.log), by_model=body.explain)
    explained: ExplainedDiagnosis = await answer(service, name, asked, caller)
    return explained


@router.post(
    "/{name}/diagnoses/{diagnosis}",
    summary="Confirm a diagnosis",
    responses=answers("CONFIRMED", "What is remembered.", *READING, RepositoryNotIndexed, DiagnosisRefused),
)
async def confirm_diagnosis(
    service: TheService, name: Name, diagnosis: DiagnosisId, body: FaultBody
) -> ConfirmedDiagnosis:
    """Remember where the fault was, so that the next diagnosis of such an error names it as known."""
    return await service.repositories.confirm(name, plain(diagnosis), plain(body.fault), plain(body.note))


@router.get(
    "/{name}/graph",
    summary="Find what is related to a symbol",
    responses=answers(
        "RELATED", "What was found, nearest first.", *READING, RepositoryNotIndexed, UnclearSymbol, TypesUnavailable
    ),
)
async def get_relations(
    service: TheService,
    name: Name,
    symbol: Symbol,
    asked: Annotated[Asked, Query(description="What to look for.")] = "callers",
    depth: Annotated[int | None, Query(ge=1, le=100, description="Most steps; 1, or 20 for impact and tests.")] = None,
    typed: Annotated[bool, Query(description="Also ask pyrefly, which takes seconds after a change.")] = False,
) -> SymbolRelations:
    """The callers of a symbol, its callees, the units that a change of it may reach, or its tests; each with its edge.

    `gaps` are calls that cannot be followed. With `typed`, a typed resolver confirms or contradicts calls of Python
    functions, and adds those that it alone has; null is no answer.
    """
    return await service.repositories.related(name, plain(symbol), asked, depth, typed)


@router.get(
    "/{name}/path",
    summary="Find how one symbol leads to another",
    responses=answers("WAY", "The steps; none if no chain is known.", *READING, RepositoryNotIndexed, UnclearSymbol),
)
async def get_path(
    service: TheService,
    name: Name,
    start: Annotated[str, Query(alias="from", max_length=500, description="Where it begins.", examples=["main"])],
    goal: Annotated[str, Query(alias="to", max_length=500, description="Where it ends.", examples=["Exporter.write"])],
) -> Way:
    """The shortest chain of calls from one symbol to another."""
    return await service.repositories.way(name, plain(start), plain(goal))


@router.get(
    "/{name}/structure",
    summary="Get the structure of a repository",
    responses=answers("SHAPE", "The structure.", *READING, RepositoryNotIndexed),
)
async def get_structure(
    service: TheService,
    name: Name,
    budget: Annotated[int, Query(ge=200, le=200_000, description="Most characters.")] = BUDGET,
) -> Shape:
    """Its folders and files, with their lines and what each is."""
    return await service.repositories.structure(name, budget)


@router.post(
    "/{name}/ask",
    summary="Ask about a repository",
    responses=answers("ANSWER", "The answer.", *READING, *ASKING),
)
async def ask_repository(service: TheService, caller: TheCaller, name: Name, body: AskBody) -> RepositoryAnswer:
    """Have a model answer from the places that are found, and check each of its citations.

    A citation of lines that the model was not shown is struck out, and `struck` says why. Without a model the places
    are the answer.
    """
    asked = RepositoryQuestion(
        way="ask", text=plain(body.question), most=body.limit, show_sources=body.show_sources, **options_of(body)
    )
    answered: RepositoryAnswer = await answer(service, name, asked, caller)
    return answered


@router.post(
    "/{name}/sources",
    status_code=201,
    summary="Add a source of truth to a repository",
    responses=answers("REPOSITORY", "The repository with its sources.", *READING, status=201),
)
async def add_source(service: TheService, name: Name, body: SourceToAdd) -> RepositoryBody:
    """Add the source of a package, a folder of documents, or an export of solved issues.

    What is found there is marked, and ranks lower than the repository itself unless the question names it.
    """
    wanted = WantedSource(body.package, body.path, body.name)
    return body_of(await service.repositories.add_source(name, wanted))


@router.delete(
    "/{name}/sources/{source}",
    summary="Remove a source from a repository",
    responses=answers(
        "WITHOUT_SOURCE",
        "The repository without it.",
        *(RepositoryNotFound, SourceNotFound, InvalidRequest, StorageFailed),
    ),
)
async def remove_source(service: TheService, name: Name, source: SourceName) -> RepositoryBody:
    """Take a source away; its files stay."""
    return body_of(await service.repositories.remove_source(name, source))


async def answer(service: TheService, name: str, asked: RepositoryQuestion, caller: str) -> Any:
    """The answer to a question of a caller."""
    return await service.questions.answer(name, asked, service.sending(asked.kind, asked, caller))


def options_of(body: QuestionBody) -> dict[str, Any]:
    """The options that every question has."""
    return {"sources": body.sources, "by_model": body.by_model}


async def state_of(service: TheService, name: str) -> RepositoryState:
    repository, account = await service.repositories.state(name)
    return state_body(repository, account)


def plain(question: str) -> str:
    """The question as text that can be sent on: JSON may bring half of a pair."""
    return question.encode("utf-8", "replace").decode()
