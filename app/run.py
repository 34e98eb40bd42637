"""A run: the life of one request, as callers see it from the first poll to the last."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import BaseModel

from app.checks.verdict import Author, Verdict
from app.errors import ErrorBody

RunKind = Literal["generate", "validate"]


class RunStatus(StrEnum):
    """Where a run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    PROVEN = "proven"
    NOT_PROVEN = "not_proven"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


UNFINISHED: Final = frozenset({RunStatus.QUEUED, RunStatus.RUNNING})
"""The states a run leaves by itself. In every other state it stays."""


class Attempt(BaseModel):
    """One version of the snippet with its verdict. Attempts are only ever added."""

    number: int
    author: Author
    notes: list[str]
    """How the request was read, or why the snippet was repaired."""
    snippet: str
    symbols: list[str]
    """Addresses of the Blender API that the snippet uses, in the order of their first use."""
    verdict: Verdict
    report: dict[str, Any] | None
    """The report of the execution; null when parse or policy forbade it."""


class Retrieved(BaseModel):
    """One symbol that was found for a request, and why."""

    address: str
    why: str


class ArtifactLinks(BaseModel):
    """Where the artifact of a proven run is found, as paths on this service."""

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


class RunSummary(BaseModel):
    """A run without its attempts. Times are ISO 8601 in UTC."""

    id: str
    kind: RunKind
    status: RunStatus
    stage: str
    """What is being done, or was done last."""
    title: str
    """The request in words, or the first line of the snippet that was to be validated."""
    blender: str
    """Version of the Blender it is proven on."""
    created_at: str
    started_at: str | None
    finished_at: str | None
    artifact: ArtifactLinks | None
    error: ErrorBody | None
    """Why it was refused, interrupted or failed."""


class Run(RunSummary):
    """A run with everything that is known of it."""

    snippet: str | None
    """The snippet of the last attempt; for a proven run, the proven one."""
    retrieved: list[Retrieved]
    """The symbols that were found for the request, the best first; empty for a validation."""
    attempts: list[Attempt]
