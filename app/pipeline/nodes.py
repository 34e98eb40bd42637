"""The steps of a run. Each takes the state, does one thing, and names the next one; see `graph.py` for the drawing."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.artifacts.store.provenance import provenance
from app.artifacts.store.store import Proof
from app.checks.screening import screen_text, too_much
from app.checks.static_stages import static_stages
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import Retrieved
from app.pipeline.context import RunContext
from app.pipeline.judges import asks_where, execute_on
from app.pipeline.state import Json, State, Tools, draft_of
from app.verdict.of_blender import only_ran
from app.verdict.verdict import Stage, StageState, judged
from harness.blenders import Blender, BlenderNotAvailable
from harness.readers import ReadingFailed
from ingest.reference_store import ReferenceIndexUnusable
from search.exporting import ModelUnusable

log = structlog.get_logger()

SYMBOLS = 100
"""Candidates; a prompt shows as many as fit into its budget."""


async def retrieve(state: State, runtime: Runtime[RunContext]) -> Command[Literal["draft"]]:
    """Find the symbols that an answer will need."""
    context, tools = runtime.context, runtime.context.tools
    await tools.progress.begin_stage(context.run_id, "retrieve")
    if isinstance(context.request, ValidateRequest):
        return Command(goto="draft")
    symbols = await asyncio.to_thread(search_symbols, tools, context.request.all_requests(), context.blender)
    await tools.runs.set_retrieved(context.run_id, symbols)
    return Command(goto="draft")


def search_symbols(tools: Tools, request: str, blender: Blender) -> list[Retrieved]:
    """The symbols for each part of a request, each with the strongest reason; empty if this Blender is not indexed."""
    try:
        with tools.metrics.searching("retrieve"):
            symbols = tools.retriever.gather(request, tools.manifests.of(blender), SYMBOLS)
    except (ReferenceIndexUnusable, ModelUnusable, BlenderNotAvailable) as error:
        log.warning("symbols not searched", problem=str(error))
        return []
    return [Retrieved(address=symbol.address, why=symbol.why) for symbol in symbols]


async def screen(state: State, runtime: Runtime[RunContext]) -> Command[Literal["check", "execute", "judge"]]:
    """Parse, and look for what policy forbids: only what parses is checked, and only what passes both is run."""
    context, tools, draft = runtime.context, runtime.context.tools, draft_of(state)
    await tools.progress.begin_stage(context.run_id, f"attempt {state['number']}: check and execute")

    request = context.request
    accompanying = [
        (f"check {number}", check.code) for number, check in enumerate(request.accept, 1) if check.check == "python"
    ]
    if request.setup and request.setup.snippet:
        accompanying.append(("the setup", request.setup.snippet))
    try:
        reading = await tools.readers.ask(screen_text, draft["snippet"], accompanying, draft["author"], tools.rules)
    except ReadingFailed as why:
        reading = too_much(str(why))
    parse = judged("parse", reading.parse, note="it is Python")
    if parse.state is StageState.FAILED:
        return Command(goto="judge", update={"screened": as_json(parse)})
    policy = judged("policy", reading.policy, note="nothing that it can see")
    update = {"screened": as_json(parse, policy)}
    return Command(goto="check" if policy.state is StageState.FAILED else ["check", "execute"], update=update)


async def check(state: State, runtime: Runtime[RunContext]) -> Command[Literal["judge"]]:
    """The static judges, side by side."""
    context, draft = runtime.context, draft_of(state)
    stages, symbols = await static_stages(context.tools, context.blender, draft["snippet"], draft["author"])
    return Command(goto="judge", update={"checked": as_json(*stages), "symbols": symbols})


async def execute(state: State, runtime: Runtime[RunContext]) -> Command[Literal["judge"]]:
    """Execute the latest snippet, and keep its pictures."""
    context, tools = runtime.context, runtime.context.tools
    draft = draft_of(state)
    order = context.order(draft["snippet"], await context.accept(), draft.get("files"))
    order = replace(order, asks=asks_where([Stage.model_validate(stage) for stage in state["screened"]]))
    report = await execute_on(tools, context.blender, order, context.attempt_folder(state["number"]))
    return Command(goto="judge", update={"report": report})


async def publish(state: State, runtime: Runtime[RunContext]) -> Command[Literal["__end__"]]:
    """Store the proven attempt as an artifact."""
    context, tools, request = runtime.context, runtime.context.tools, runtime.context.request
    await tools.progress.begin_stage(context.run_id, "publish")
    run = await tools.runs.run(context.run_id)
    attempt = run.attempts[-1]
    if only_ran(attempt.verdict):
        return Command(goto="__end__", update={"artifact": None})
    proof = Proof(
        run=run.id,
        kind=run.kind,
        request=request.all_requests() if isinstance(request, GenerateRequest) else None,
        attempt=attempt,
        order=context.order(attempt.snippet, [], attempt.files),
        pictures=context.attempt_folder(attempt.number),
        provenance=provenance(
            tools.retriever.index_searched(context.blender.version),
            context.blender,
            attempt.author,
            run.model_calls,
            run.matrix,
        ),
        title=run.title if isinstance(request, ValidateRequest) and request.continues else None,
    )
    artifact = await asyncio.to_thread(tools.gallery.publish, proof)
    return Command(goto="__end__", update={"artifact": artifact.id if artifact else None})


def as_json(*stages: Stage) -> list[Json]:
    """Stages as the state keeps them."""
    return [stage.model_dump(mode="json") for stage in stages]
