"""The step that makes the verdict of an attempt from all findings on it, the critic's included."""

from __future__ import annotations

import asyncio
import difflib
from pathlib import Path
from typing import Any, Final, Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.artifacts.pictures import beside_each_other, contact_sheet
from app.checks.accept import acceptance_measures, judge_accept
from app.jobs.request import GenerateRequest
from app.jobs.run import AcceptanceRecord, Attempt, EventKind
from app.pipeline.context import RunContext, checks_of, unread_of
from app.pipeline.critic import Case, judge_critic, shots_of, shows_nothing_new
from app.pipeline.judges import executed_stages, forbidden_stages, measurements
from app.pipeline.second_reading import set_aside
from app.pipeline.state import Json, State, Tools, after_attempt, draft_of
from app.pipeline.variants import keep_picture
from app.verdict.verdict import EXECUTED, STAGES, Severity, Stage, StageState, make_verdict, skipped
from harness.readers import ReadingFailed

log = structlog.get_logger()

SHEET: Final = "sheet.png"
MOST_FINDINGS_SENT = 50
"""Findings of an attempt that the followers of the run are sent; all of them are in the attempt."""


async def judge(state: State, runtime: Runtime[RunContext]) -> Command[Literal["heal", "matrix"]]:
    """Make the verdict of the attempt from the findings of every judge, and write the attempt down."""
    context, tools, draft, number = runtime.context, runtime.context.tools, draft_of(state), state["number"]
    report = state["report"]
    stages = [Stage.model_validate(stage) for stage in (*state["screened"], *state["checked"])]
    if report is None:
        stages += forbidden_stages(stages)
    else:
        pictures = context.attempt_folder(number)
        author, snippet = draft["author"], draft["snippet"]
        stages += await asyncio.to_thread(executed_stages, report, pictures, author, tools.rules, snippet)
    accepted = await tools.runs.record(context.run_id, AcceptanceRecord)
    checks, by, unread = checks_of(accepted), accepted.author if accepted else "request", unread_of(accepted)
    aside = await set_aside(state, context, accepted, stages)
    stages.append(judge_accept(checks, report, draft["author"], tools.rules, by, unread, aside))
    critic, scores = await judge_by_model(state, context, stages)
    figures = {**measurements(report), **acceptance_measures(checks, report, by, unread, aside), **scores}
    verdict = make_verdict([*stages, critic], figures)
    base, diff = await change_since_base(state, context)
    picture = await keep_picture(draft, number, report, context)
    symbols = state.get("symbols", [])
    made = Attempt(number=number, **draft, base=base, diff=diff, symbols=symbols, verdict=verdict, report=report)
    attempt = made.model_copy(update={"picture": picture})
    await tools.runs.add_attempt(context.run_id, attempt)
    tools.metrics.judged(attempt.author, verdict)
    if context.request.portable:
        # A verdict on several Blenders is that of all rows.
        return Command(goto="matrix", update=after_attempt(number))
    await say_attempt(context.run_id, attempt, tools)
    return Command(goto="heal", update=after_attempt(number))


async def judge_by_model(state: State, context: RunContext, stages: list[Stage]) -> tuple[Stage, dict[str, Any]]:
    """The critic's stage and the scores it was made of, if there is a critic and something for it to judge."""
    tools, draft, report, request = context.tools, draft_of(state), state["report"], context.request
    if not tools.models:
        return skipped("critic", "no model is configured"), {}
    if not tools.settings.model_critic:
        return skipped("critic", "the critic is turned off"), {}
    if not isinstance(request, GenerateRequest):
        return skipped("critic", "there is no request in words to judge it by"), {}
    if draft["author"] != "model":
        return skipped("critic", "a model judges only what a model wrote"), {}
    executed = any(stage.name == "execute" and stage.state in EXECUTED for stage in stages)
    if report is None or not executed or any(stage.state is StageState.FAILED for stage in stages):
        return skipped("critic", "something else failed"), {}
    await tools.progress.begin_stage(context.run_id, f"attempt {state['number']}: critic")
    render, made = report["evidence"]["render"], context.attempt_folder(state["number"])
    looks = tools.models.sees and not shows_nothing_new(render)
    shown = await asyncio.to_thread(sheet_of, render, made) if looks else None
    case = Case(
        number=state["number"],
        request=request.for_a_model(),
        snippet=draft["snippet"],
        author=draft["author"],
        blender=context.target,
        stages=sorted(stages, key=lambda stage: STAGES.index(stage.name)),
        start=state.get("start", ""),
        report=report,
        picture=shown,
    )
    critic, scores = await judge_critic(context.talks(), case, tools.rules)
    return critic, {"scores": scores}


def sheet_of(render: dict[str, Any], made: Path) -> Path | None:
    """The pictures of an attempt in one file, next to them; None without pictures. All of them are known to decode."""
    shots = shots_of(render)
    pictures = [(shot["view"], made / shot["file"]) for shot in shots]
    if len(pictures) < 2:
        return pictures[0][1] if pictures else None
    sheet = made / SHEET
    sizes = [shot.get("size_px", render["size_px"]) for shot in shots]
    if sizes[0] > sizes[1]:
        smaller = contact_sheet(pictures[1:], sizes[1], rows=sizes[0] // sizes[1])
        beside_each_other(contact_sheet(pictures[:1], sizes[0]), smaller).save(sheet)
    else:
        contact_sheet(pictures, sizes[0]).save(sheet)
    return sheet


async def change_since_base(state: State, context: RunContext) -> tuple[int | None, str]:
    """The attempt that the one under way was made from, and the unified diff between them."""
    number = state["number"]
    base = next((record["base"] for record in state["tried"] if record["attempt"] == number), None)
    if base is None:
        return None, ""
    attempts = await context.tools.runs.records(context.run_id, Attempt)
    before = next(attempt for attempt in attempts if attempt.number == base)
    names = f"attempt {base}", f"attempt {number}"
    try:
        return base, await context.tools.readers.ask(diff_between, before.snippet, draft_of(state)["snippet"], *names)
    except ReadingFailed:
        return base, ""


def diff_between(old: str, new: str, old_name: str, new_name: str) -> str:
    """The unified diff of two texts."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), old_name, new_name, lineterm="")
    return "\n".join(lines) + "\n"


async def say_attempt(run_id: str, attempt: Attempt, tools: Tools) -> None:
    """Send the followers of the run the findings on an attempt and its ending."""
    verdict = attempt.verdict
    findings = [finding for finding in verdict.findings() if finding.severity is not Severity.INFO]
    told: list[tuple[EventKind, Json]] = [
        ("finding", {"attempt": attempt.number, **finding.model_dump(mode="json")})
        for finding in findings[:MOST_FINDINGS_SENT]
    ]
    facts: Json = {
        "number": attempt.number,
        "author": attempt.author,
        "passed": verdict.passed,
        "reached": verdict.reached,
    }
    if len(findings) > MOST_FINDINGS_SENT:
        facts["findings_left_out"] = len(findings) - MOST_FINDINGS_SENT
    await tools.progress.say_all(run_id, [*told, ("attempt", facts)])
    log.info("attempt judged", number=attempt.number, passed=verdict.passed, reached=verdict.reached)
