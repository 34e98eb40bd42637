"""What the judges say of a snippet: findings, stages and the verdict made of them.

    attempt ── verdict ── stages, in the order of STAGES ── findings

A snippet that fails is ordinary data, not an exception: every judge answers with findings, and the verdict is
computed from them here and nowhere else.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

Author = Literal["composer", "cookbook", "model", "caller"]
"""Who wrote a snippet. What we wrote ourselves (composer, cookbook) is held to stricter rules."""

OURS: Final[frozenset[Author]] = frozenset({"composer", "cookbook"})

StageName = Literal[
    "parse", "policy", "lint", "types", "api", "execute", "repeat", "scene", "render", "accept", "critic"
]

STAGES: Final[tuple[StageName, ...]] = (
    "parse",
    "policy",
    "lint",
    "types",
    "api",
    "execute",
    "repeat",
    "scene",
    "render",
    "accept",
    "critic",
)


class Severity(StrEnum):
    """How much a finding weighs: an error fails its stage, a warning is shown, an info is only kept."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(BaseModel):
    """One remark of one check. `line` is 1-based, `column` 1-based; both are null where there is no place."""

    model_config = ConfigDict(frozen=True)

    check: str
    code: str
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    symbol: str | None = None


class StageState(StrEnum):
    """How a stage ended."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    SKIPPED = "skipped"


class Stage(BaseModel):
    """One stage of a verdict. `reason` says why it failed or was skipped, in one sentence."""

    name: StageName
    state: StageState
    reason: str
    seconds: float
    findings: list[Finding]


class Verdict(BaseModel):
    """All findings and measurements of an attempt.

    `reached` is the last stage that did not fail and was not skipped for want of an earlier one. `measured`
    holds figures taken outside the process that ran the snippet.
    """

    passed: bool
    reached: StageName
    stages: list[Stage]
    measured: dict[str, Any]

    def findings(self) -> list[Finding]:
        """Every finding, in stage order."""
        return [finding for stage in self.stages for finding in stage.findings]
