"""A run: the life of one request, as callers see it from the first poll to the last."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.errors import ErrorBody
from app.jobs.kinds import RunKind
from app.verdict.verdict import NAMED_TODAY, Author, Verdict


class JobStatus(StrEnum):
    """The status of a job; each kind has some of them."""

    QUEUED = "queued"
    RUNNING = "running"
    PROVEN = "proven"
    NOT_PROVEN = "not_proven"
    DISPUTED = "disputed"
    REFUSED = "refused"
    ACCEPTED = "accepted"
    PROPOSAL = "proposal"
    NOTHING_TO_CHANGE = "nothing_to_change"
    ANSWERED = "answered"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


UNFINISHED: Final = frozenset({JobStatus.QUEUED, JobStatus.RUNNING})
"""The states a job leaves by itself. In every other state it stays."""


class Attempt(BaseModel):
    """One version of the snippet with its verdict. Attempts are only ever added."""

    number: int
    author: Author
    notes: list[str]
    """Notes on the reading of the request, or the reasons of the healing."""
    snippet: str
    base: int | None = None
    """The attempt that it was made from; null for the first, and for one that returns to an earlier one."""
    diff: str = ""
    """The difference from that one, as a unified diff."""
    files: dict[str, str] = {}
    """The modules of the request that were healed too, by name, with their new text."""
    variant: int | None = None
    """The number of the variant among those asked for, from 1; null if it is not a variant."""
    picture: str | None = None
    """Path of the picture of a variant on this service; null if it is not a variant, or rendered nothing."""
    symbols: list[str]
    """Addresses of the Blender API that the snippet uses, in the order of their first use."""
    verdict: Verdict
    report: dict[str, Any] | None
    """The report of the execution; null when parse or policy forbade it."""


class MatrixRow(BaseModel):
    """The verdict on the snippet on one Blender."""

    attempt: int
    """The attempt that was judged there."""
    blender: str
    """Version of the Blender, or its label if another one here has that version."""
    build_hash: str
    proven: bool
    verdict: Verdict | None
    """Null if it could not be judged; `problem` says why."""
    problem: str | None
    report: dict[str, Any] | None
    """The report of the execution there; null if there was none."""
    picture: str | None
    """Path of the picture on this service; null if nothing was rendered."""
    seconds: float
    """The time of the execution, with the rendering."""


class SentMessage(BaseModel):
    """One message that a model was sent. `pictures` are named, not repeated."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: list[str] = []


class ModelCall(BaseModel):
    """One question to a model and its answer. Calls are only ever added.

    `sent` holds the messages that were new; before them went those of the earlier calls of the same `talk`, each with
    its answer.
    """

    number: int
    talk: str
    """`acceptance`, `arbiter`, `writer` (`writer 2` for a second variant), `healer` with the attempt to be made, or
    `critic` with the one that is judged."""
    step: str
    """The purpose of the question, such as `draft` or `heal 2`."""
    prompt: str
    """The prompt with its version and a digest of its text."""
    sent: list[SentMessage]
    answer: str
    finish: str
    """The server's word for the reason why the answer ended."""
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float
    """US dollars, by the prices that are set."""
    cached: bool = False
    """True if the model was not asked, because its answer to exactly the same question was kept."""


class AcceptanceRecord(BaseModel):
    """The acceptance checks that a run is held to, and who wrote them."""

    author: Annotated[Literal["request", "commands", "model"], NAMED_TODAY]
    checks: list[dict[str, Any]]
    unread: list[str] = []
    """A model's acceptance checks that could not be read, each with the reason; nothing is checked by them."""


class SecondReading(BaseModel):
    """A second reading of the request by a model, which saw what was measured and not the snippet, on the checks of a
    model that a result did not meet.
    """

    attempt: int
    """The attempt whose result it was."""
    seen: dict[int, str]
    """The checks that were not met, by number from 1, with what was seen."""
    contradict: dict[int, str]
    """Those of them that contradict the request, with the reasons of the model; nothing checked these."""
    aside: dict[int, str]
    """Those that the run is not held to any more; none if the result met no other check."""


EventKind = Literal["stage", "finding", "attempt", "healed", "matrix", "model", "ended"]


class Event(BaseModel):
    """One thing that happened in a run, numbered from 1."""

    number: int
    at: str
    kind: EventKind
    facts: dict[str, Any]


class Retrieved(BaseModel):
    """One symbol that was found for a request, and why."""

    address: str
    why: str


class ArtifactLinks(BaseModel):
    """The artifact of a proven run, as paths on this service."""

    id: str
    metadata: str
    picture: str
    snippet: str
    report: str

    @classmethod
    def of(cls, artifact_id: str) -> ArtifactLinks:
        base = f"/artifacts/{artifact_id}"
        return cls(
            id=artifact_id,
            metadata=base,
            picture=f"{base}.png",
            snippet=f"{base}/snippet.py",
            report=f"{base}/report.json",
        )


class Dispute(BaseModel):
    """Two views of an attempt that was not proven: the findings, and a model's reason why nothing is wrong."""

    model_config = ConfigDict(serialize_by_alias=True)

    attempt: int
    findings: list[str] = Field(alias="found")
    """The findings that fail it."""
    reason: str
    """The model's reason; it was not checked."""


class AnyJob(BaseModel):
    """The part that all jobs have. Times are ISO 8601 in UTC."""

    id: str
    status: JobStatus
    stage: str
    """The work that is being done, or was done last."""
    title: str
    """The request in words, or the first line of the snippet that was to be validated."""
    blender: str
    """Version of the Blender that a run is proven on; empty for other kinds."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    artifact: ArtifactLinks | None
    error: ErrorBody | None
    """The reason why it was refused, interrupted or failed."""


class RunSummary(AnyJob):
    """A run without its attempts. Times are ISO 8601 in UTC."""

    kind: RunKind


class Run(RunSummary):
    """A run with all that is known of it."""

    snippet: str | None
    """The snippet of the last attempt; for a proven run, the proven one."""
    retrieved: list[Retrieved]
    """The symbols that were found for the request, the best first; empty for a validation."""
    attempts: list[Attempt]
    matrix: list[MatrixRow] = []
    """The snippet on each Blender that was asked for, the target first, as far as they were judged; empty if no
    `verify_on` was asked for."""
    accept: AcceptanceRecord | None = None
    """The acceptance checks of the run; null if it has none."""
    second_reading: SecondReading | None = None
    """The second reading of the request; null if there was none."""
    model_calls: list[ModelCall] = []
    """The questions to models and their answers, in order."""
    ended_because: str | None = None
    """The reason why no further attempt was made; null if it is proven, under way, or was not to be healed."""
    dispute: Dispute | None = None
    """The dispute if the run is `disputed`; null otherwise."""
    no_artifact_because: str | None = None
    """The reason why a proven run has no artifact; null if it has one, or is not proven."""
