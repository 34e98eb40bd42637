"""The records that tasks on a repository take and give; no task is imported for them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Literal

from codebase.ask.source import Source


@dataclasses.dataclass(frozen=True)
class Problem:
    """Why nothing was found: the name of a RepositoryError, and its message."""

    problem: str
    message: str


@dataclasses.dataclass(frozen=True)
class Project:
    """What a task works on: the files, the index, and further sources."""

    root: Path
    folder: Path
    sources: list[Source]


@dataclasses.dataclass(frozen=True)
class SourceFiles:
    """Where a source is read from."""

    source: Source
    kind: Literal["package", "folder", "issues"]
    root: Path
