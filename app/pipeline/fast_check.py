"""The fast half of a validation: parse, policy, lint, types, and the API with the book of changes. Nothing is executed.

snippet ── each Blender: its stages ─> and, if asked for, what the sure rules would change, with their reasons
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from app.checks.screening import screen_text, too_much
from app.checks.static_stages import StaticTools, static_stages
from app.jobs.request import MAX_SNIPPET, without_mark
from app.verdict.verdict import Severity, Stage, StageState, judged
from harness.blenders import Blender, BlenderNotAvailable
from harness.readers import ReadingFailed, read_by


class CheckRequest(BaseModel):
    """A snippet to check, and on which Blenders."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    snippet: Annotated[
        str, Field(min_length=1, max_length=MAX_SNIPPET, examples=["import bpy\n"]), AfterValidator(without_mark)
    ]
    """The Python code; it is read, not executed."""
    blender: str | None = Field(default=None, max_length=60, examples=["5.0"])
    """The Blender; the default one unless given."""
    verify_on: list[str] = Field(default=[], max_length=8, examples=[["4.2"]])
    """Further Blenders to check it on."""
    fixes: bool = False
    """True also answers what the rules would change, with their reasons."""


class RuleFix(BaseModel):
    """A change by a rule."""

    line: int
    """The line of the snippet, from 1."""
    rule: str
    reason: str


class CheckedOn(BaseModel):
    """The stages on one Blender. It passed if none failed."""

    blender: str
    passed: bool
    stages: list[Stage]
    fixes: list[RuleFix] = []
    """The changes that the sure rules would make for this Blender."""
    fixed: str | None = None
    """The snippet with these changes; null if there are none."""


class CheckReport(BaseModel):
    """A check on one Blender or several. Nothing was executed, so nothing is proven."""

    passed: bool
    blenders: list[CheckedOn]


async def check_fast(tools: StaticTools, asked: CheckRequest, blenders: Sequence[Blender]) -> CheckReport:
    """Check a snippet on these Blenders."""
    try:
        screening = await read_by(tools.readers, screen_text, asked.snippet, (), "caller", tools.rules)
    except ReadingFailed as why:
        screening = too_much(str(why))
    parse = judged("parse", screening.parse, note="it is Python")
    policy = judged("policy", screening.policy, note="nothing that it can see")
    parsed = parse.state is not StageState.FAILED
    screened = [parse, policy] if parsed else [parse]
    rows = await asyncio.gather(*(check_on(tools, asked, blender, screened, parsed) for blender in blenders))
    return CheckReport(passed=all(row.passed for row in rows), blenders=rows)


async def check_on(
    tools: StaticTools, asked: CheckRequest, blender: Blender, screened: Sequence[Stage], parsed: bool
) -> CheckedOn:
    """The row of one Blender."""
    static, _ = await static_stages(tools, blender, asked.snippet, "caller") if parsed else ([], [])
    stages = [*screened, *static]
    row = CheckedOn(
        blender=blender.name, passed=all(stage.state is not StageState.FAILED for stage in stages), stages=stages
    )
    if not asked.fixes or not worth_healing(stages):
        return row
    try:
        manifest = await asyncio.to_thread(tools.manifests.of, blender)
        # Imported here, because a check without fixes needs none of the rules.
        from app.pipeline.sure_fixes import fixes_of

        fixed, faults = await read_by(tools.readers, fixes_of, asked.snippet, stages, manifest)
    except (BlenderNotAvailable, ReadingFailed):
        return row
    fixes = [RuleFix(line=fault.line, rule=fault.rule, reason=fault.reason) for fault in faults]
    return row.model_copy(update={"fixes": fixes, "fixed": fixed})


def worth_healing(stages: Sequence[Stage]) -> bool:
    """True if there is a finding that a rule may answer."""
    return any(finding.severity is not Severity.INFO for stage in stages for finding in stage.findings)
