"""What a diagnosis says, as plain data."""

from __future__ import annotations

import dataclasses

from codebase.ask.finding import Freshness
from codebase.diagnosis.evidence import Suspect
from codebase.diagnosis.known import Known
from codebase.diagnosis.recent_commits import Change
from codebase.graph.edge import Certainty


@dataclasses.dataclass(frozen=True)
class FrameSaid:
    """A frame as the log has it, and where it is here: `citation` is `path:line`, None if not in the repository."""

    path: str
    line: int | None
    function: str
    citation: str | None
    says: str


@dataclasses.dataclass(frozen=True)
class ErrorSaid:
    """An error of the log. `line` is in the log; `meaning` is what such an error usually means."""

    title: str
    type: str
    message: str
    relation: str
    language: str
    line: int
    frames: list[FrameSaid]
    meaning: str


@dataclasses.dataclass(frozen=True)
class DefinitionSaid:
    """A definition that a crash line uses, as `used` says; `depth` counts the assignments between."""

    citation: str
    name: str
    kind: str
    signature: str
    certainty: Certainty
    used: str
    depth: int


@dataclasses.dataclass(frozen=True)
class CallerSaid:
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
    """How the line was found."""
    around: str
    around_citation: str
    definitions: list[DefinitionSaid]
    """What the line itself uses."""
    values: list[DefinitionSaid]
    """What made the values that reach it."""
    parameters: list[str]
    """The parameters of the function that reach it."""
    callers: list[CallerSaid]
    frameworks: list[CallerSaid]
    """What a framework connects with the function."""
    changes: list[Change]
    changes_missing: str
    """Why there are no changes, if there are none."""


@dataclasses.dataclass(frozen=True)
class RequestSaid:
    """A request that failed, with what answers it here and what such a failure usually means."""

    method: str
    path: str
    status: int | None
    line: int
    answered_by: list[CallerSaid]
    meaning: str


@dataclasses.dataclass(frozen=True)
class Drift:
    """What changed between Blenders of what is used near a crash; `citation` is the line that uses it."""

    citation: str
    symbol: str
    says: str
    blender: str


@dataclasses.dataclass(frozen=True)
class Symbol:
    """An entry of the Blender API that a crash line uses."""

    address: str
    signature: str
    says: str
    blender: str


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """Where a log leads in a repository."""

    id: str
    errors: list[ErrorSaid]
    crashes: list[Crash]
    requests: list[RequestSaid]
    known: list[Known]
    drift: list[Drift]
    symbols: list[Symbol]
    suspects: list[Suspect]
    examined: list[str]
    """What was looked at, in words."""
    stopped: str | None
    """Why nothing fits, if no frame of the log is in the repository."""
    versions: dict[str, str]
    left_out: int
    freshness: Freshness
