"""The record of a change: the request, the plan, each attempt with its patch and its tests, and the evidence."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.jobs.kinds import ChangeKind
from app.jobs.run import ModelCall
from app.jobs.storing import now, shorten

Kind = Literal["fix", "feature", "refactor", "test", "read"]
Status = Literal["queued", "working", "accepted", "proposal", "failed", "nothing_to_change", "cancelled", "interrupted"]
UNFINISHED: Final[tuple[Status, ...]] = ("queued", "working")
MOST_WORDS: Final = 20_000


class ChangeRequest(BaseModel):
    """A request for a change of a repository.

    `change`: a model changes it as `request` says, with tests as evidence. `edit`: a model rewrites the file, or each
    file of the folder, at `place`. `port`: rules adapt its add-ons to the first of `blenders`, and a model where
    they do not help, if it may.
    """

    model_config = ConfigDict(extra="forbid")

    kind: ChangeKind = "change"
    request: str = Field(default="", max_length=MOST_WORDS)
    """The change to make, in plain words; a port needs none."""
    tests: list[str] = Field(default=[], max_length=50)
    """Of a change: tests that fail now and must pass afterwards, such as `tests/test_price.py::test_negative`."""
    place: str = Field(default="", max_length=1000)
    """Of an edit: the file or folder. Of a port: only the add-ons at or below this path."""
    blenders: list[str] = Field(default=[], max_length=8)
    """Of a change: each add-on is registered on these before and after, as a further test. Of a port: the Blender to
    port to, then those that it should go on working with."""
    with_model: bool = False
    """Of a port: true to ask a model if no rule helps. Its changes are guesses that pass the same proof."""
    on_branch: bool = True
    """True to commit a result with its evidence on a new branch; otherwise, and for an edit, the result is a patch."""

    @model_validator(mode="after")
    def _is_whole(self) -> ChangeRequest:
        if self.kind != "port" and not self.request.strip():
            raise ValueError("`request` says what is to be changed; it is empty")
        if self.kind == "edit" and not self.place.strip():
            raise ValueError("an edit needs the `place` of a file or a folder")
        if self.kind == "port" and not self.blenders:
            raise ValueError("a port needs `blenders`: the one to port to first, such as 5.0")
        if self.kind != "port" and self.with_model:
            raise ValueError("`with_model` is of a port; a change and an edit are made by a model anyway")
        return self


class Step(BaseModel):
    """One step of a plan, with the lines it rests on as `path:first-last`."""

    model_config = ConfigDict(extra="ignore")

    do: str = Field(max_length=2000)
    why: str = Field(default="", max_length=2000)
    place: str = Field(default="", max_length=500)


class Plan(BaseModel):
    """The intention of a model. `read` is a question: nothing is to be changed."""

    model_config = ConfigDict(extra="ignore")

    kind: Kind
    goal: str = Field(max_length=2000)
    steps: list[Step] = Field(default=[], max_length=20)
    files: list[str] = Field(default=[], max_length=20)
    """The files to change or to add, by path."""


class Review(BaseModel):
    """The opinion of a model on a patch that passed its tests."""

    model_config = ConfigDict(extra="ignore")

    meets: bool
    concerns: list[str] = Field(default=[], max_length=10)


class TestsSaid(BaseModel):
    """One run of the tests: its files, its result in one line, and the first failures."""

    __test__ = False
    of: str
    said: str
    failures: list[str] = []
    """The first tests that did not pass, each with the beginning of its message."""
    seconds: float


class Evidence(BaseModel):
    """The results of the tests of a patch. It is accepted only if `missing` is empty."""

    mended: list[str]
    """Tests that failed on the code before and pass now, twice each."""
    broken: list[str]
    """Tests that passed before and do not pass now."""
    flaky: list[str]
    """Tests that passed before, failed once, and had another result when run again."""
    reached: list[str]
    """Tests that the graph reaches from the changed units; they were run first."""
    lint: list[str]
    """Findings of ruff that were not there before."""
    types: list[str] = []
    """Findings of mypy that were not there before. They are reported, but do not keep a patch from being accepted."""
    missing: list[str]
    """The gaps in the evidence."""
    runs: list[TestsSaid]


class ChangeAttempt(BaseModel):
    """One version of the patch, and its result. `problem` is also told to the model for the next version."""

    number: int
    patch: str
    evidence: Evidence | None = None
    review: Review | None = None
    problem: str = ""


class FileEdited(BaseModel):
    """One file of an edit. `problem` is the reason if it was not changed."""

    path: str
    changed: bool
    problem: str = ""


class ChangeEvent(BaseModel):
    """One event of a change, numbered from 1: a `stage` began, or it `ended`."""

    number: int
    at: str
    kind: Literal["stage", "ended"]
    text: str


class ChangeSummary(BaseModel):
    """A change in short. Times are ISO 8601 in UTC."""

    id: str
    repository: str
    kind: ChangeKind
    title: str
    """The request, in one line."""
    status: Status
    branch: str | None
    created_at: str


class Change(ChangeRequest):
    """A change of a repository, from the request to its end.

    `accepted` with evidence, on `branch`; a `proposal` applies, but lacks evidence, as edits do; `failed` without a
    patch that applies and breaks nothing. Times are ISO 8601 in UTC.
    """

    id: str
    repository: str
    created_at: str
    status: Status = "queued"
    commit: str | None = None
    plan: Plan | None = None
    attempts: list[ChangeAttempt] = []
    edits: list[FileEdited] = []
    report: dict[str, Any] | None = None
    """Of a port: per add-on the changes with reasons, the remaining findings, and its registrations."""
    patch: str = ""
    """The last patch, as a unified diff."""
    branch: str | None = None
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    note: str = ""
    events: list[ChangeEvent] = []

    @property
    def title(self) -> str:
        """The request, in one line."""
        ported = f"Port to Blender {self.blenders[0]}" if self.blenders else ""
        title = ported if self.kind == "port" else self.request
        return shorten(f"{self.place}: {title}" if self.place else title)

    def count(self, calls: Sequence[ModelCall]) -> None:
        """Write down the tokens of these questions, and the model that answered last."""
        self.tokens_in, self.tokens_out = sum(call.tokens_in for call in calls), sum(call.tokens_out for call in calls)
        self.model = f"{calls[-1].provider} ({calls[-1].model})" if calls else ""


SAID_ONCE: Final = {"id", "repository", "created_at", "status", "events", *ChangeRequest.model_fields}
"""The fields of a change that its job has outside its result."""


def new_change(repository: str, request: ChangeRequest) -> Change:
    """A change that waits for its work."""
    id = f"c-{secrets.token_hex(8)}"
    return Change(id=id, repository=repository, created_at=now(), **request.model_dump())
