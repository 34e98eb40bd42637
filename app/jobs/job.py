"""A job of any kind, as lists show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from app.jobs.kinds import JobKind
from app.jobs.run import AnyJob, JobStatus, Run, RunSummary


class JobSummary(AnyJob):
    """A job in short. Times are ISO 8601 in UTC."""

    kind: JobKind
    repository: str | None
    """Name of the repository that it works on; null for a run."""
    caller: str
    """The name of the caller's token; empty for the token of the service."""
    cost: float
    """US dollars that models cost, by the prices that are set."""
    branch: str | None
    """The branch of a change that was accepted."""


def run_of(job: JobSummary) -> RunSummary:
    """The same job as a run."""
    return RunSummary.model_validate(job, from_attributes=True)


def begun(job: JobSummary) -> Run:
    """A job that nothing was done for yet, as a run."""
    return Run(**dict(run_of(job)), snippet=None, retrieved=[], attempts=[])


@dataclass(frozen=True)
class JobFilter:
    """The jobs that a list shows; None for any."""

    kinds: Collection[JobKind] | None = None
    status: JobStatus | None = None
    caller: str | None = None
    repositories: Collection[str] | None = None
    """Only jobs of these repositories, and those that are on none."""
