"""The steps of a run. Each takes the state, does one thing, and says what is next; see `graph.py` for the drawing."""

from __future__ import annotations

import asyncio
from typing import Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.artifacts.store.provenance import provenance
from app.artifacts.store.store import Proof
from app.checks.parse import parse_snippet
from app.checks.policy import check_policy
from app.checks.verdict import Finding, Severity, Stage, StageState, judged
from app.pipeline.judges import execute_on, static_stages
from app.pipeline.state import (
    Json,
    State,
    Tools,
    attempt_folder,
    attempt_number,
    checks_of,
    order_of,
    request_of,
)
from app.runs.request import GenerateRequest, ValidateRequest
from app.runs.run import Retrieved
from ingest.store import IndexUnusable
from search.exporting import ModelUnusable

log = structlog.get_logger()

SYMBOLS = 12


async def retrieve(state: State, runtime: Runtime[Tools]) -> Command[Literal["draft"]]:
    """Find the symbols that an answer will need."""
    tools = runtime.context
    await tools.progress.begin_stage(state["run_id"], "retrieve")
    request = request_of(state)
    if isinstance(request, ValidateRequest):
        return Command(goto="draft")
    found = await asyncio.to_thread(search_symbols, tools, request.request, tools.blender(state["blender"]).version)
    await tools.runs.set_retrieved(state["run_id"], found)
    return Command(goto="draft")


def search_symbols(tools: Tools, request: str, blender: str) -> list[Retrieved]:
    """The symbols for a request, each with the strongest reason; none where this Blender is not indexed."""
    try:
        with tools.metrics.searching("retrieve"):
            hits = tools.retriever.search(request, blender, SYMBOLS)
    except (IndexUnusable, ModelUnusable) as error:
        log.warning("symbols not searched", problem=str(error))
        return []
    return [Retrieved(address=hit.symbol.address, why=hit.why[0] if hit.why else "") for hit in hits]


async def screen(state: State, runtime: Runtime[Tools]) -> Command[Literal["check", "execute", "judge"]]:
    """Parse, and read for what policy forbids; only what gets past both is run."""
    tools, latest = runtime.context, state["drafts"][-1]
    await tools.progress.begin_stage(state["run_id"], f"attempt {attempt_number(state)}: check and execute")

    def severity(code: str) -> Severity | None:
        return tools.rules.severity("policy", code, latest["author"])

    parse = judged("parse", parse_snippet(latest["snippet"]), note="it is Python")
    if parse.state is StageState.FAILED:
        return Command(goto="judge", update={"stages": [as_state(state, parse)]})
    remarks = await asyncio.to_thread(check_policy, latest["snippet"], severity)
    request = request_of(state)
    beside = [(f"check {number}", one.code) for number, one in enumerate(request.accept, 1) if one.check == "python"]
    if request.setup and request.setup.snippet:
        beside.append(("the setup", request.setup.snippet))
    for place, code in beside:
        remarks += [found_in(place, found) for found in await asyncio.to_thread(check_policy, code, severity)]
    policy = judged("policy", remarks, note="nothing that is forbidden")
    update = {"stages": [as_state(state, parse), as_state(state, policy)]}
    return Command(goto="judge" if policy.state is StageState.FAILED else ["check", "execute"], update=update)


def found_in(place: str, found: Finding) -> Finding:
    """A finding on code that came beside the snippet, told apart from one on the snippet."""
    where = f"in line {found.line} of {place}: " if found.line else f"in {place}: "
    return found.model_copy(update={"message": where + found.message, "line": None, "column": None})


async def check(state: State, runtime: Runtime[Tools]) -> Command[Literal["judge"]]:
    """The static judges, side by side."""
    tools, latest = runtime.context, state["drafts"][-1]
    stages = await static_stages(tools, tools.blender(state["blender"]), latest["snippet"], latest["author"])
    return Command(goto="judge", update={"stages": [as_state(state, stage) for stage in stages]})


async def execute(state: State, runtime: Runtime[Tools]) -> Command[Literal["judge"]]:
    """Execute the latest snippet in its two Blender processes."""
    tools = runtime.context
    checks = checks_of(state.get("accept", []))
    order = await order_of(state, tools, state["drafts"][-1]["snippet"], checks)
    report = await execute_on(tools, tools.blender(state["blender"]), order, attempt_folder(state, tools), tools.pool)
    return Command(goto="judge", update={"reports": [{"attempt": attempt_number(state), "report": report}]})


async def publish(state: State, runtime: Runtime[Tools]) -> Command[Literal["__end__"]]:
    """Store the proven attempt as an artifact."""
    tools = runtime.context
    await tools.progress.begin_stage(state["run_id"], "publish")
    run, request = await tools.runs.run(state["run_id"]), request_of(state)
    attempt = run.attempts[-1]
    proof = Proof(
        run=run.id,
        kind=run.kind,
        request=request.request if isinstance(request, GenerateRequest) else None,
        attempt=attempt,
        order=await order_of(state, tools, attempt.snippet, []),
        pictures=attempt_folder(state, tools) / "examine" / "out",
        provenance=provenance(
            tools.retriever, tools.blender(state["blender"]), attempt.author, run.model_calls, run.matrix
        ),
    )
    artifact = await asyncio.to_thread(tools.gallery.publish, proof)
    return Command(goto="__end__", update={"artifact": artifact.id if artifact else None})


def as_state(state: State, stage: Stage) -> Json:
    """A stage as the state keeps it, with the attempt it belongs to."""
    return {"attempt": attempt_number(state), "stage": stage.model_dump(mode="json")}
