"""The judges' results on a snippet: findings, stages and the verdict made of them.

    attempt ── verdict ── stages, in the order of STAGES ── findings

A failing snippet is ordinary data, not an exception: every judge returns findings, and only this module computes the
verdict from them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict


def _named_today(author: Any) -> Any:
    return "commands" if author == "composer" else author


NAMED_TODAY: Final = BeforeValidator(_named_today)
"""Accepts stored data from when commands were called "composer"."""

Author = Annotated[Literal["commands", "cookbook", "model", "caller"], NAMED_TODAY]
"""The author of a snippet. Our own (commands, cookbook) must meet stricter rules."""

OURS: Final[frozenset[Author]] = frozenset({"commands", "cookbook"})

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
    """The weight of a finding: an error fails its stage, a warning is shown, an info is only kept."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(BaseModel):
    """One remark of one check. `line` and `column` are 1-based; both are null if there is no place."""

    model_config = ConfigDict(frozen=True)

    check: str
    code: str
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None
    symbol: str | None = None


MOST_FINDINGS: Final = 200
"""Findings of one check that are kept: a line of a snippet can make thousands, and each is written and shown often."""


def shortlist(findings: list[Finding]) -> list[Finding]:
    """The findings of one check if they are few; otherwise as many of them, errors before others, and a note."""
    if len(findings) <= MOST_FINDINGS:
        return findings
    gravest = sorted(range(len(findings)), key=lambda place: (findings[place].severity is not Severity.ERROR, place))
    kept = [findings[place] for place in sorted(gravest[:MOST_FINDINGS])]
    said = f"The check has more findings than the {MOST_FINDINGS} that are listed."
    return [*kept, Finding(check=kept[0].check, code="left-out", severity=Severity.INFO, message=said)]


class StageState(StrEnum):
    """The end of a stage."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    SKIPPED = "skipped"


EXECUTED: Final = frozenset({StageState.PASSED, StageState.WARNED})
"""The states of the stage `execute` of a snippet that ran to its end."""


class Stage(BaseModel):
    """One stage of a verdict. `reason` says why it failed or was skipped, in one sentence."""

    name: StageName
    state: StageState
    reason: str
    seconds: float
    findings: list[Finding]


class Verdict(BaseModel):
    """All findings and measurements of an attempt.

    `reached` is the first stage that failed, or the last of all if none did. `measured` holds figures measured
    outside the process that ran the snippet.
    """

    passed: bool
    reached: StageName
    stages: list[Stage]
    measured: dict[str, Any]

    @property
    def score(self) -> float:
        """The share that the critic and the measures accepted, from 0 to 1; 0 without a critic."""
        return float(self.measured.get("scores", {}).get("accepted", 0.0))

    def findings(self) -> list[Finding]:
        """Every finding, in stage order."""
        return [finding for stage in self.stages for finding in stage.findings]


def judged(name: StageName, findings: list[Finding], seconds: float = 0.0, note: str = "") -> Stage:
    """The stage made of these findings. `note` is the reason to give if there are none."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    warnings = [finding for finding in findings if finding.severity is Severity.WARNING]
    if errors:
        state, reason = StageState.FAILED, summary(errors)
    elif warnings:
        state, reason = StageState.WARNED, summary(warnings)
    else:
        state, reason = StageState.PASSED, note
    return Stage(name=name, state=state, reason=reason, seconds=round(seconds, 3), findings=findings)


def skipped(name: StageName, reason: str) -> Stage:
    """A stage that could not be judged, with the reason."""
    return Stage(name=name, state=StageState.SKIPPED, reason=reason, seconds=0.0, findings=[])


def summary(findings: list[Finding]) -> str:
    """The first finding in one line, with the number of others."""
    first = findings[0]
    where = f"line {first.line}: " if first.line else ""
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return f"{where}{first.message.splitlines()[0] if first.message else first.code}{more}"


def make_verdict(stages: list[Stage], measured: dict[str, Any]) -> Verdict:
    """The verdict of one attempt; it needs every stage once.

    It passes only if the snippet was executed and examined and no stage failed: a check that could not be made is no
    reason to pass.
    """
    by_name = {stage.name: stage for stage in stages}
    if len(stages) != len(STAGES) or by_name.keys() != set(STAGES):
        raise ValueError(f"a verdict needs each of {', '.join(STAGES)} once")
    in_order = [by_name[name] for name in STAGES]
    failed: StageName | None = next((stage.name for stage in in_order if stage.state is StageState.FAILED), None)
    executed = by_name["execute"].state in EXECUTED
    return Verdict(
        passed=failed is None and executed,
        reached=failed or STAGES[-1],
        stages=in_order,
        measured=measured,
    )


def unchecked(verdict: Verdict) -> str:
    """The sentence that says that nothing of the request was checked; empty if something was, or if it is not known."""
    return verdict.measured.get("acceptance", {}).get("unchecked") or ""


def said_aside(verdict: Verdict) -> str:
    """The sentence on checks that a second reading of the request set aside; empty if there are none."""
    aside = verdict.measured.get("acceptance", {}).get("aside", 0)
    return f"A second reading of the request set aside {aside} of its checks, which are not met." if aside else ""
