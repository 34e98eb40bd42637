"""The contents of a diagnosis, as plain data."""

from __future__ import annotations

import dataclasses

from codebase.ask.finding import Freshness
from codebase.diagnosis.evidence import Suspect
from codebase.diagnosis.known import KnownError
from codebase.diagnosis.recent_commits import LineCommit
from codebase.graph.edge import Certainty


@dataclasses.dataclass(frozen=True)
class FrameReport:
    """A frame as the log has it, and its place here: `citation` is `path:line`, None if not in the repository."""

    path: str
    line: int | None
    function: str
    citation: str | None
    says: str


@dataclasses.dataclass(frozen=True)
class ErrorReport:
    """An error of the log. `line` is in the log; `meaning` is the usual meaning of such an error."""

    title: str
    type: str
    message: str
    relation: str
    language: str
    line: int
    frames: list[FrameReport]
    meaning: str


@dataclasses.dataclass(frozen=True)
class DefinitionReport:
    """A definition that a crash line uses by the name `used`; `depth` counts the assignments between."""

    citation: str
    name: str
    kind: str
    signature: str
    certainty: Certainty
    used: str
    depth: int


@dataclasses.dataclass(frozen=True)
class CallerReport:
    """A unit that calls the function which broke, or that a framework connects with it; `citation` is the line."""

    citation: str
    name: str
    kind: str
    certainty: Certainty


@dataclasses.dataclass(frozen=True)
class Crash:
    """A line of the repository where an error was raised. `around` are about fifty lines of the file as it is now."""

    citation: str
    function: str
    signature: str
    error: str
    says: str
    """The kind of match of the line."""
    around: str
    around_citation: str
    definitions: list[DefinitionReport]
    """Definitions that the line itself uses."""
    values: list[DefinitionReport]
    """Definitions that made the values on the line."""
    parameters: list[str]
    """The parameters of the function that reach it."""
    callers: list[CallerReport]
    frameworks: list[CallerReport]
    """Units that a framework connects with the function."""
    changes: list[LineCommit]
    changes_missing: str
    """The reason if there are no changes."""


@dataclasses.dataclass(frozen=True)
class RequestReport:
    """A failed request, with the views that answer it here and the usual meaning of such a failure."""

    method: str
    path: str
    status: int | None
    line: int
    answered_by: list[CallerReport]
    meaning: str


@dataclasses.dataclass(frozen=True)
class DiagnosisDrift:
    """A change between Blenders of a name that is used near a crash; `citation` is the line that uses it."""

    citation: str
    symbol: str
    says: str
    blender: str


@dataclasses.dataclass(frozen=True)
class DiagnosisSymbol:
    """An entry of the Blender API that a crash line uses."""

    address: str
    signature: str
    says: str
    blender: str


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """The way from a log into a repository."""

    id: str
    errors: list[ErrorReport]
    crashes: list[Crash]
    requests: list[RequestReport]
    known: list[KnownError]
    drift: list[DiagnosisDrift]
    symbols: list[DiagnosisSymbol]
    suspects: list[Suspect]
    examined: list[str]
    """The extent of the examination, in words."""
    stopped: str | None
    """The reason why nothing fits, if no frame of the log is in the repository."""
    versions: dict[str, str]
    left_out: int
    freshness: Freshness
