"""A second reading of the request, if a result does not meet checks that a model derived.

    checks that are not met, what was seen, the scene after ─> prompts/arbiter.toml ─> those that contradict the request

The reader is told what was measured and nothing of the snippet. It is asked once per run, and only if nothing else
failed. A check is set aside only if the result meets another one, so that no model alone acquits its own draft; what is
set aside stays on record, lowers what was measured, and is shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from app.accept import Check
from app.checks.accept import unmet_and_met
from app.jobs.budget import BudgetSpent
from app.jobs.request import GenerateRequest
from app.jobs.run import AcceptanceRecord, SecondReading
from app.llm.answers import AnswerUnusable
from app.llm.message import ModelUnavailable
from app.llm.prompts import prompt
from app.pipeline.context import RunContext, checks_of
from app.pipeline.state import Json, State, draft_of
from app.prompting.scene_lines import in_short, shown_end
from app.verdict.verdict import Stage, StageState


class Objection(BaseModel):
    """A check that contradicts the request, and why."""

    model_config = ConfigDict(extra="ignore")

    check: int
    why: str = Field(min_length=1, max_length=1000)


class ArbiterAnswer(BaseModel):
    """The answer that the prompt asks for."""

    model_config = ConfigDict(extra="ignore")

    contradict: list[Objection]


async def set_aside(
    state: State, context: RunContext, accepted: AcceptanceRecord | None, stages: Sequence[Stage]
) -> Mapping[int, str]:
    """The checks, by number, that the result is not held to after a second reading, each with the reason."""
    tools, report, request = context.tools, state["report"], context.request
    if kept := await tools.runs.record(context.run_id, SecondReading):
        return kept.aside
    by_models = accepted is not None and accepted.author == "model" and draft_of(state)["author"] == "model"
    failed = any(stage.state is StageState.FAILED for stage in stages)
    if not by_models or failed or report is None or not tools.models or not isinstance(request, GenerateRequest):
        return {}
    checks = checks_of(accepted)
    unmet, met = unmet_and_met(checks, report)
    if not unmet:
        return {}
    try:
        said = await ask_again(context, request, state.get("start", ""), report, checks, unmet)
    except (AnswerUnusable, ModelUnavailable, BudgetSpent):
        return {}
    contradict = {one.check: one.why for one in said.contradict if one.check in unmet}
    aside = contradict if met else {}
    reading = SecondReading(attempt=state["number"], seen=unmet, contradict=contradict, aside=aside)
    await tools.runs.keep(context.run_id, reading)
    return aside


async def ask_again(
    context: RunContext,
    request: GenerateRequest,
    start: str,
    report: Json,
    checks: Sequence[Check],
    unmet: Mapping[int, str],
) -> ArbiterAnswer:
    """The answer of the second reading. Raises AnswerUnusable, ModelUnavailable or BudgetSpent."""
    lines = [f"{number}. {json.dumps(checks[number - 1].said())}\n   seen: {seen}" for number, seen in unmet.items()]
    filled = prompt("arbiter").fill(
        blender=context.target,
        start=in_short(start),
        request=request.for_a_model(),
        scene=shown_end(report, request.request),
        checks="\n".join(lines),
    )
    return await context.talks().ask_for_json("arbiter", "second reading", filled, ArbiterAnswer)
