"""The bodies of `/repositories`."""

from __future__ import annotations

import pathlib
from typing import Annotated, Final

from pydantic import BaseModel, Field

from app.repositories.ordering import OrderBody
from app.repositories.register import Repository, SourceKind
from app.repositories.tasks import IndexAccount
from codebase.ask.finding import Freshness, UnitHit

MAX_QUESTION: Final = 50_000
"""Characters; more is not read of a question."""
MAX_LOG: Final = 1_000_000
"""Characters; more is not read of a log."""


class SourceBody(BaseModel):
    """A further source of truth of a repository. `version` is that of a package."""

    name: str
    kind: SourceKind
    version: str


class RepositoryBody(BaseModel):
    """A repository. `url` is where it was cloned from, if it was."""

    name: str
    root: pathlib.Path
    url: str | None
    sources: list[SourceBody]


class RepositoryList(BaseModel):
    """The repositories by name."""

    repositories: list[RepositoryBody]


class RepositoryState(RepositoryBody):
    """A repository and what its index holds.

    `skipped` has the files that are left out, with the reasons, and `problems` those that are not parsed whole: at most
    500 of each. `source_files` says how many files each source has.
    """

    files: int
    units: int
    commit: str | None
    skipped: dict[str, str]
    skipped_by_reason: dict[str, int]
    problems: dict[str, str]
    source_files: dict[str, int]


class AddBody(BaseModel):
    """A repository to add: the path of a folder, or an address to clone."""

    path: pathlib.Path | None = Field(default=None, examples=["/srv/add-ons/my-addon"])
    """The absolute path of a Git working tree or a plain folder, below a folder that the operator allowed."""
    url: str | None = Field(default=None, max_length=2000, examples=["https://github.com/someone/my-addon"])
    """An address that begins as the operator allowed."""
    name: str | None = Field(default=None, min_length=1, max_length=64, examples=["my-addon"])
    """A name for it; that of the folder unless given."""


class SourceToAdd(BaseModel):
    """A source to add: a package of the repository's own environment, or a path that the operator allowed."""

    package: str | None = Field(default=None, max_length=100, pattern=r"^[A-Za-z0-9._-]+$", examples=["django"])
    """The name of a package that is installed in `.venv` or `venv` of the repository."""
    path: pathlib.Path | None = Field(default=None, examples=["/srv/docs/blender"])
    """A folder of documents or code, or an export of solved issues as JSON."""
    name: str | None = Field(default=None, min_length=1, max_length=64)
    """A name for it, which its citations begin with."""


class QuestionBody(BaseModel):
    """A question, an issue or a traceback."""

    question: str = Field(
        min_length=1, max_length=MAX_QUESTION, pattern=r"\S", examples=["Where is the mesh exported?"]
    )
    """The question."""
    limit: int = Field(default=12, ge=1, le=50)
    """Most places that are found."""
    sources: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=20)
    """Names of sources that rank as high as the repository itself."""
    by_model: bool = False
    """True to have a model order the first fifty places, with one question to it."""


class LogBody(BaseModel):
    """A log to diagnose."""

    log: str = Field(min_length=1, max_length=MAX_LOG, pattern=r"\S", examples=["Traceback ..."])
    """Anything with errors in it: tracebacks, an error page, the output of a console."""
    explain: bool = False
    """True to have a model explain the diagnosis, with checked citations; it may propose a patch."""


class FaultBody(BaseModel):
    """The place of the fault of a diagnosis."""

    fault: str = Field(min_length=1, max_length=1100, examples=["ops/export.py:120"])
    """The lines at fault, as `path:line` or `path:first-last`."""
    note: str = Field(default="", max_length=5000)
    """The cause, and the solution."""


class AskBody(QuestionBody):
    """A question to a model."""

    show_sources: bool = False
    """True to get the text of the passages that were shown to the model."""


class Places(BaseModel):
    """The places that a question is about, the best first, and the files they are ranked by."""

    hits: list[UnitHit]
    brief: str
    """The same places as short text for a model, in at most 1,200 tokens."""
    files: list[str]
    order: OrderBody | None
    """The model that ordered them, or the reason why no model did; null if that was not asked for."""
    freshness: Freshness


def body_of(repository: Repository) -> RepositoryBody:
    """The repository as it is answered."""
    return RepositoryBody.model_validate(repository, from_attributes=True)


def state_body(repository: Repository, account: IndexAccount) -> RepositoryState:
    """The same with what the index holds."""
    return RepositoryState(**dict(body_of(repository)), **vars(account))
