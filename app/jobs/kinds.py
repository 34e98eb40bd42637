"""The kinds of jobs, and in which way they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

JobKind = Literal["generate", "validate", "change", "edit", "port", "addon", "ask", "explain"]
RunKind = Literal["generate", "validate"]
ChangeKind = Literal["change", "edit", "port"]
QuestionKind = Literal["ask", "explain"]


@dataclass(frozen=True)
class JobGroup:
    """Kinds that share places."""

    name: str
    kinds: tuple[JobKind, ...]
    letter: str
    """The first letter of their ids."""
    resumes: bool
    """True if a job is taken up again after a kill. Nobody waits for the answer to a question after that."""
    places: int | None
    """Jobs that are worked on at once per service; None if the settings say so."""
    waiting: int | None
    """Further jobs that a caller may have waiting; None if the settings say so."""


RUNS: Final = JobGroup("runs", ("generate", "validate"), "r", True, None, None)
CHANGES: Final = JobGroup("changes", ("change", "edit", "port"), "c", True, 1, 15)
ADDONS: Final = JobGroup("checks of add-ons", ("addon",), "k", True, 1, 15)
QUESTIONS: Final = JobGroup("questions", ("ask", "explain"), "q", False, 8, 24)
GROUPS: Final = (RUNS, CHANGES, ADDONS, QUESTIONS)


def group_of(kind: JobKind) -> JobGroup:
    """The group of a kind."""
    return next(group for group in GROUPS if kind in group.kinds)
