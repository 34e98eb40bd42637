"""What is kept of a change: the plan, each attempt with its patch and its tests, and the evidence."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["fix", "feature", "refactor", "test", "read"]
Status = Literal["accepted", "proposal", "failed", "nothing_to_change"]


class Step(BaseModel):
    """One step of a plan, with the lines it rests on as `path:first-last`."""

    model_config = ConfigDict(extra="ignore")

    do: str = Field(max_length=2000)
    why: str = Field(default="", max_length=2000)
    place: str = Field(default="", max_length=500)


class Plan(BaseModel):
    """What a model means to do. `read` is a question: nothing is to be changed."""

    model_config = ConfigDict(extra="ignore")

    kind: Kind
    goal: str = Field(max_length=2000)
    steps: list[Step] = Field(default=[], max_length=20)
    files: list[str] = Field(default=[], max_length=20)
    """The files to change or to add, by path."""


class Review(BaseModel):
    """What a model says of a patch that passed its tests."""

    model_config = ConfigDict(extra="ignore")

    meets: bool
    concerns: list[str] = Field(default=[], max_length=10)


class TestsSaid(BaseModel):
    """One run of the tests: on which files, and how it ended in one line."""

    __test__ = False
    of: str
    said: str
    seconds: float


class Evidence(BaseModel):
    """What the tests show of a patch. It is accepted only if `missing` is empty."""

    mended: list[str]
    """Tests that failed on the code before and pass now, twice each."""
    broken: list[str]
    """Tests that passed before and do not pass now."""
    flaky: list[str]
    """Tests that passed before, failed once, and did otherwise when run again."""
    reached: list[str]
    """Tests that the graph leads to from what is touched; they were run first."""
    lint: list[str]
    """Findings of ruff that were not there before."""
    missing: list[str]
    """Why the evidence does not do."""
    runs: list[TestsSaid]


class ChangeAttempt(BaseModel):
    """One version of the patch, and what became of it. `problem` is also what the model is told next."""

    number: int
    patch: str
    evidence: Evidence | None = None
    review: Review | None = None
    problem: str = ""


class Change(BaseModel):
    """A change of a repository.

    `accepted` with evidence, on `branch`; a `proposal` applies, but lacks evidence; `failed` without a patch that
    applies and breaks nothing.
    """

    id: str
    repository: str
    request: str
    commit: str
    status: Status
    plan: Plan | None
    attempts: list[ChangeAttempt]
    branch: str | None
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    note: str

    @property
    def patch(self) -> str:
        """The last patch, as a unified diff."""
        return self.attempts[-1].patch if self.attempts else ""
