"""The input of tasks on a repository, and their problems; importing them imports no task."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Literal

from codebase.ask.source import FurtherSource


@dataclasses.dataclass(frozen=True)
class TaskProblem:
    """The reason for a missing result: the name of a RepositoryError, and its message."""

    problem: str
    message: str


@dataclasses.dataclass(frozen=True)
class Project:
    """The input of a task: the files, the index, and further sources."""

    root: Path
    folder: Path
    sources: list[FurtherSource]


@dataclasses.dataclass(frozen=True)
class SourceFiles:
    """The files of a source."""

    source: FurtherSource
    kind: Literal["package", "folder", "issues"]
    root: Path
