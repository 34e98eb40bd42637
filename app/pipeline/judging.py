"""The step that makes the verdict of an attempt from all that was found on it, the critic's word included."""

from __future__ import annotations

import asyncio
import difflib
from typing import Any, Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.checks.accept import judge_accept
from app.checks.api import addresses_used
from app.checks.verdict import STAGES, Severity, Stage, StageState, make_verdict, skipped
from app.pipeline.critic import Case, judge_critic
from app.pipeline.judges import executed_stages, forbidden_stages, measured
from app.pipeline.state import Json, State, Tools, attempt_folder, attempt_number, checks_of, request_of, talks_of
from app.runs.request import GenerateRequest
from app.runs.run import Attempt, EventKind
from harness.blenders import Blender, BlenderNotAvailable

log = structlog.get_logger()

MOST_FINDINGS_TOLD = 50
"""Findings of an attempt that those who follow the run are told; all of them are in the attempt."""


async def judge(state: State, runtime: Runtime[Tools]) -> Command[Literal["heal", "elsewhere"]]:
    """Make the verdict of the attempt from what every judge found, and write the attempt down."""
    tools, latest, number = runtime.context, state["drafts"][-1], attempt_number(state)
    report = report_of(state, number)
    stages = [Stage.model_validate(timed["stage"]) for timed in state["stages"] if timed["attempt"] == number]
    if report is None:
        stages += forbidden_stages(stages)
    else:
        pictures = attempt_folder(state, tools) / "examine" / "out"
        stages += await asyncio.to_thread(executed_stages, report, pictures, latest["author"], tools.rules)
    stages.append(judge_accept(checks_of(state.get("accept", [])), report, latest["author"], tools.rules))
    critic, scores = await judge_by_model(state, tools, stages, report)
    verdict = make_verdict([*stages, critic], {**measured(report), **scores})
    symbols = await asyncio.to_thread(used_symbols, tools, tools.blender(state["blender"]), latest["snippet"])
    base, diff = change_since_base(state, number)
    attempt = Attempt(number=number, **latest, base=base, diff=diff, symbols=symbols, verdict=verdict, report=report)
    await tools.runs.add_attempt(state["run_id"], attempt)
    tools.metrics.judged(attempt.author, verdict)
    if request_of(state).portable:
        # Its verdict is that of all Blenders.
        return Command(goto="elsewhere", update={"passed": verdict.passed})
    await say_attempt(state["run_id"], attempt, tools)
    return Command(goto="heal", update={"passed": verdict.passed})


async def judge_by_model(
    state: State, tools: Tools, stages: list[Stage], report: Json | None
) -> tuple[Stage, dict[str, Any]]:
    """The critic's stage and the scores it was made of, where there is a critic and something for it to judge."""
    latest, request = state["drafts"][-1], request_of(state)
    if not tools.models:
        return skipped("critic", "no model is configured"), {}
    if not tools.settings.model_critic:
        return skipped("critic", "the critic is turned off"), {}
    if not isinstance(request, GenerateRequest):
        return skipped("critic", "there is no request in words to judge it by"), {}
    if latest["author"] != "model":
        return skipped("critic", "a model judges only what a model wrote"), {}
    executed = any(stage.name == "execute" and stage.state is StageState.PASSED for stage in stages)
    if report is None or not executed or any(stage.state is StageState.FAILED for stage in stages):
        return skipped("critic", "something else failed"), {}
    await tools.progress.begin_stage(state["run_id"], f"attempt {attempt_number(state)}: critic")
    pictures = report["evidence"]["render"]["pictures"]
    case = Case(
        number=attempt_number(state),
        request=request.request,
        snippet=latest["snippet"],
        author=latest["author"],
        blender=state["blender"],
        stages=sorted(stages, key=lambda stage: STAGES.index(stage.name)),
        report=report,
        picture=attempt_folder(state, tools) / "examine" / "out" / pictures[0]["file"] if pictures else None,
    )
    critic, scores = await judge_critic(talks_of(state, tools), case, tools.rules)
    return critic, {"scores": scores}


def change_since_base(state: State, number: int) -> tuple[int | None, str]:
    """The attempt that this one was made from, and the unified diff between them."""
    base = next((one["base"] for one in state.get("tried", []) if one["attempt"] == number), None)
    if base is None:
        return None, ""
    old, new = (state["drafts"][one - 1]["snippet"].splitlines() for one in (base, number))
    lines = difflib.unified_diff(old, new, f"attempt {base}", f"attempt {number}", lineterm="")
    return base, "\n".join(lines) + "\n"


async def say_attempt(run_id: str, attempt: Attempt, tools: Tools) -> None:
    """Tell those who follow the run what was found on an attempt and how it ended."""
    verdict = attempt.verdict
    findings = [finding for finding in verdict.findings() if finding.severity is not Severity.INFO]
    told: list[tuple[EventKind, Json]] = [
        ("finding", {"attempt": attempt.number, **finding.model_dump(mode="json")})
        for finding in findings[:MOST_FINDINGS_TOLD]
    ]
    facts: Json = {
        "number": attempt.number,
        "author": attempt.author,
        "passed": verdict.passed,
        "reached": verdict.reached,
    }
    if len(findings) > MOST_FINDINGS_TOLD:
        facts["findings_left_out"] = len(findings) - MOST_FINDINGS_TOLD
    await tools.progress.say_all(run_id, [*told, ("attempt", facts)])
    log.info("attempt judged", number=attempt.number, passed=verdict.passed, reached=verdict.reached)


def used_symbols(tools: Tools, blender: Blender, snippet: str) -> list[str]:
    """The addresses of the API that a snippet uses; none where the manifest cannot be had."""
    try:
        return addresses_used(snippet, tools.manifests.of(blender))
    except BlenderNotAvailable:
        return []


def report_of(state: State, number: int) -> Json | None:
    """The report of an attempt, or None where it was not executed."""
    return next((made["report"] for made in state["reports"] if made["attempt"] == number), None)
