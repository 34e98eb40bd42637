"""The step that judges the snippet on the other Blenders of a request: a row per Blender, the target's first.

    verify_on     heal ──────> matrix ──> publish or end     judges the snippet that was found
    portable      judge ─────> matrix ──> heal               each attempt passes if it passes on all of them

A row is written as soon as it is known, so a run that is taken up again makes only those that are missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.accept import Check
from app.checks.accept import NONE_ASIDE, acceptance_measures, judge_accept
from app.checks.static_stages import static_stages
from app.drafting.draft import NotUnderstood
from app.errors import BlendproofError, StorageFailed, fault_of
from app.jobs.request import GenerateRequest
from app.jobs.run import AcceptanceRecord, Attempt, MatrixRow, SecondReading
from app.jobs.storing import matrix_of
from app.pipeline.across import across
from app.pipeline.context import RunContext, checks_of
from app.pipeline.drafting import draft_by_commands
from app.pipeline.judges import (
    asks_where,
    execute_on,
    executed_stages,
    forbidden_stages,
    may_pass,
    measurements,
)
from app.pipeline.judging import say_attempt
from app.pipeline.state import Json, State, Tools
from app.verdict.verdict import StageState, Verdict, make_verdict, skipped
from harness.blenders import Blender, BlenderNotAvailable
from harness.launcher import HarnessFault
from harness.together import side_by_side

log = structlog.get_logger()

ROWS_ON_A_CLUSTER = 8
TRIES = 2
"""A fault of ours gets one more try."""


async def judge_matrix(state: State, runtime: Runtime[RunContext]) -> Command[Literal["heal", "publish", "__end__"]]:
    """Judge the last attempt on every Blender of the request that has no row yet."""
    context, tools, run_id = runtime.context, runtime.context.tools, runtime.context.run_id
    attempt = (await tools.runs.records(run_id, Attempt))[-1]
    done = {row.blender for row in await rows_of(attempt, context)}
    missing = [(number, blender) for number, blender in enumerate(context.blenders()) if blender.name not in done]
    # The rows of one machine would only share its processors.
    for together in batches(missing, ROWS_ON_A_CLUSTER if tools.settings.engine == "ray" else 1):
        await side_by_side(add_row(number, blender, attempt, context) for number, blender in together)
    if not context.request.portable:
        return Command(goto="publish" if attempt.verdict.passed else "__end__")
    rows = await rows_of(attempt, context)
    attempt = attempt.model_copy(update={"verdict": across(rows)})
    await tools.runs.add_attempt(run_id, attempt)
    await say_attempt(run_id, attempt, tools)
    return Command(goto="heal")


async def add_row(number: int, blender: Blender, attempt: Attempt, context: RunContext) -> None:
    """Make the row of one Blender, and write it down."""
    tools, run_id = context.tools, context.run_id
    if number == 0:
        row = await target_row(attempt, blender, context)
    else:
        await tools.progress.begin_stage(run_id, f"matrix: Blender {blender.name}")
        row = await row_on(blender, attempt, context)
    await tools.runs.add_row(run_id, number, row)
    await say_row(run_id, row, tools)


def batches(missing: list[tuple[int, Blender]], most: int) -> Iterator[list[tuple[int, Blender]]]:
    """The missing rows, at most `most` at a time."""
    return (missing[begin : begin + most] for begin in range(0, len(missing), most))


async def rows_of(attempt: Attempt, context: RunContext) -> list[MatrixRow]:
    """The rows of an attempt so far, the target first."""
    runs, run_id = context.tools.runs, context.run_id
    return matrix_of(attempt, await runs.records(run_id, Attempt), await runs.records(run_id, MatrixRow))


async def target_row(attempt: Attempt, blender: Blender, context: RunContext) -> MatrixRow:
    """The row of the target, from the verdict that was made already."""
    made = context.attempt_folder(attempt.number)
    picture = await asyncio.to_thread(
        context.tools.pictures.keep_row, context.run_id, attempt.number, blender.name, attempt.report, made
    )
    return row_of(attempt, blender, attempt.verdict, attempt.report, picture)


async def row_on(blender: Blender, attempt: Attempt, context: RunContext) -> MatrixRow:
    """The row of another Blender; if it cannot be judged the row says why, and the run goes on.

    Raises StorageFailed: nothing else of the run could be kept either.
    """
    folder, problem = context.work_folder / f"matrix-{blender.name}", ""
    for tried in range(1, TRIES + 1):
        try:
            verdict, report = await judge_on(blender, attempt, context)
            picture = await asyncio.to_thread(
                context.tools.pictures.keep_row, context.run_id, attempt.number, blender.name, report, folder
            )
            return row_of(attempt, blender, verdict, report, picture)
        except HarnessFault as fault:
            problem = f"{fault} This says nothing of the snippet."
            log.warning("matrix row not judged", blender=blender.name, problem=problem, tried=tried)
            if not may_pass(fault):
                break
        except StorageFailed:
            raise
        except Exception as error:
            log.exception("matrix row not judged", blender=blender.name)
            problem = error.message if isinstance(error, BlendproofError) else fault_of(error).message
            break
    return row_of(attempt, blender, None, None, None, problem)


async def judge_on(blender: Blender, attempt: Attempt, context: RunContext) -> tuple[Verdict, Json | None]:
    """Verdict and report of an attempt on another Blender; raises HarnessFault, or an exception of a judge."""
    tools, author, report = context.tools, attempt.author, None
    checks = await checks_on(blender, context)
    accepted = await tools.runs.record(context.run_id, AcceptanceRecord)
    by = accepted.author if accepted else "request"
    reading = await tools.runs.record(context.run_id, SecondReading)
    aside = reading.aside if reading else NONE_ASIDE
    # These stages say the same on every Blender.
    stages = [stage for stage in attempt.verdict.stages if stage.name in ("parse", "policy")]
    failed = [stage.name for stage in stages if stage.state is StageState.FAILED]
    if "parse" in failed:
        stages = stages[:1] + forbidden_stages(stages[:1])
    elif failed:
        stages += (await static_stages(tools, blender, attempt.snippet, author))[0]
        stages += forbidden_stages(stages)
    else:
        folder = context.work_folder / f"matrix-{blender.name}"
        order = context.order(attempt.snippet, checks, attempt.files)
        # The row keeps one picture.
        render = replace(order.render, views=order.render.views[:1])
        order = replace(order, render=render, keep_scene=False, asks=asks_where(stages))
        # Warm places are for the default Blender: a place for a single job would cost as much, and push another out.
        report = await execute_on(tools, blender, order, folder, warm=blender == tools.blenders[0])
        stages += (await static_stages(tools, blender, attempt.snippet, author))[0]
        stages += await asyncio.to_thread(executed_stages, report, folder, author, tools.rules)
    stages.append(judge_accept(checks, report, author, tools.rules, by, aside=aside))
    stages.append(skipped("critic", "a model judges only on the target"))
    measured = {**measurements(report), **acceptance_measures(checks, report, by, aside=aside)}
    return make_verdict(stages, measured), report


async def checks_on(blender: Blender, context: RunContext) -> list[Check]:
    """The acceptance checks on another Blender: the names of what commands set may differ there."""
    accepted, request = await context.tools.runs.record(context.run_id, AcceptanceRecord), context.request
    if accepted and accepted.author == "commands" and isinstance(request, GenerateRequest):
        try:
            return (await asyncio.to_thread(draft_by_commands, context.tools, request.all_requests(), [blender])).accept
        except (NotUnderstood, BlenderNotAvailable):
            pass
    return checks_of(accepted)


def row_of(
    attempt: Attempt,
    blender: Blender,
    verdict: Verdict | None,
    report: Json | None,
    picture: str | None,
    problem: str | None = None,
) -> MatrixRow:
    return MatrixRow(
        attempt=attempt.number,
        blender=blender.name,
        build_hash=blender.build_hash,
        proven=verdict is not None and verdict.passed,
        verdict=verdict,
        problem=problem,
        report=report,
        picture=picture,
        seconds=report["evidence"]["timings"]["total_s"] if report else 0.0,
    )


async def say_row(run_id: str, row: MatrixRow, tools: Tools) -> None:
    """Send the followers of the run the row of one Blender."""
    reached = row.verdict.reached if row.verdict else None
    facts = {"blender": row.blender, "proven": row.proven, "reached": reached, "problem": row.problem}
    await tools.progress.say(run_id, "matrix", attempt=row.attempt, **facts)
    log.info("matrix row judged", blender=row.blender, proven=row.proven, reached=reached)
