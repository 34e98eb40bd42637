"""The steps of a run. Each takes the state, does one thing, and says what is next; see `graph.py` for the drawing."""

from __future__ import annotations

import asyncio
import difflib
import time
from collections.abc import Awaitable
from typing import Any, Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.checks.accept import judge_accept
from app.checks.api import addresses_used, check_api
from app.checks.critic import Case, judge_critic
from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.parse import parse_snippet
from app.checks.policy import check_policy
from app.checks.render import judge_render
from app.checks.ruff import check_ruff
from app.checks.types import check_mypy, check_pyright, strict_types_hold
from app.checks.verdict import STAGES, Author, Finding, Severity, Stage, StageState, judged, make_verdict, skipped
from app.pipeline.state import (
    Json,
    State,
    Tools,
    attempt_folder,
    attempt_number,
    checks_of,
    python_series,
    request_of,
    talks_of,
)
from app.request import GenerateRequest, ValidateRequest
from app.retrieval.exemplars import nearest_exemplars
from app.run import Attempt, Retrieved
from harness.blenders import Blender, BlenderNotAvailable
from harness.execution import execute as execute_order
from harness.folders import remove_tree
from harness.launcher import HarnessFault
from harness.protocol import Outcome
from ingest.export import ModelUnusable
from ingest.store import IndexUnusable

log = structlog.get_logger()

SYMBOLS = 12
FORBIDDEN = "the snippet is not executed: {}"


async def retrieve(state: State, runtime: Runtime[Tools]) -> Command[Literal["draft"]]:
    """Find the symbols that an answer will need, and requests that were answered before and are near to this one."""
    tools = runtime.context
    tools.progress.begin_stage(state["run_id"], "retrieve")
    request = request_of(state)
    if isinstance(request, ValidateRequest):
        return Command(goto="draft", update={"exemplars": []})
    found = await asyncio.to_thread(search_symbols, tools, request.request, state["blender"])
    tools.runs.set_retrieved(state["run_id"], found)
    known = [*tools.examples, *tools.runs.proven_titles()]
    exemplars = nearest_exemplars(request.request, known)
    return Command(goto="draft", update={"exemplars": exemplars})


def search_symbols(tools: Tools, request: str, blender: str) -> list[Retrieved]:
    """The symbols for a request, each with the strongest reason; none where this Blender is not indexed."""
    try:
        hits = tools.retriever.search(request, blender, SYMBOLS)
    except (IndexUnusable, ModelUnusable) as error:
        log.warning("symbols not searched", problem=str(error))
        return []
    return [Retrieved(address=hit.symbol.address, why=hit.why[0] if hit.why else "") for hit in hits]


async def screen(state: State, runtime: Runtime[Tools]) -> Command[Literal["check", "execute", "judge"]]:
    """Parse, and read for what policy forbids; only what gets past both is run."""
    tools, latest = runtime.context, state["drafts"][-1]
    tools.progress.begin_stage(state["run_id"], f"attempt {attempt_number(state)}: check and execute")

    def severity(code: str) -> Severity | None:
        return tools.rules.severity("policy", code, latest["author"])

    parse = judged("parse", parse_snippet(latest["snippet"]), note="it is Python")
    if parse.state is StageState.FAILED:
        return Command(goto="judge", update={"stages": [as_state(state, parse)]})
    remarks = await asyncio.to_thread(check_policy, latest["snippet"], severity)
    setup = request_of(state).setup
    if setup and setup.snippet:
        remarks += [in_setup(found) for found in await asyncio.to_thread(check_policy, setup.snippet, severity)]
    policy = judged("policy", remarks, note="nothing that is forbidden")
    update = {"stages": [as_state(state, parse), as_state(state, policy)]}
    return Command(goto="judge" if policy.state is StageState.FAILED else ["check", "execute"], update=update)


def in_setup(found: Finding) -> Finding:
    """A finding on the setup snippet, told apart from one on the snippet."""
    where = f"in line {found.line} of the setup: " if found.line else "in the setup: "
    return found.model_copy(update={"message": where + found.message, "line": None, "column": None})


async def check(state: State, runtime: Runtime[Tools]) -> Command[Literal["judge"]]:
    """The static judges, side by side."""
    tools, latest = runtime.context, state["drafts"][-1]
    blender = tools.blender(state["blender"])
    snippet, author = latest["snippet"], latest["author"]
    stages = await asyncio.gather(
        judge_with("lint", check_ruff(snippet, author, tools.rules, python_version=python_series(blender))),
        judge_types(tools, blender, snippet, author),
        judge_api(tools, blender, snippet, author),
    )
    return Command(goto="judge", update={"stages": [as_state(state, stage) for stage in stages]})


async def judge_types(tools: Tools, blender: Blender, snippet: str, author: Author) -> Stage:
    """The stage of both type checkers with the stubs of this Blender's series."""
    stubs = tools.stubs(blender)
    if not stubs.is_dir():
        return skipped("types", f"no stubs of Blender {blender.series}; run `blendproof blenders install`")
    cache = tools.settings.home / "cache" / "mypy" / blender.series
    held = author if strict_types_hold(blender.series) else "caller"
    python = python_series(blender)
    return await judge_with(
        "types",
        check_mypy(snippet, held, tools.rules, stubs, cache, python_version=python, warm=tools.checkers),
        check_pyright(snippet, held, tools.rules, stubs, python_version=python, warm=tools.checkers),
    )


async def judge_api(tools: Tools, blender: Blender, snippet: str, author: Author) -> Stage:
    """The stage that reads the snippet against the manifest of the very build that runs it."""
    try:
        manifest = await asyncio.to_thread(tools.manifests.of, blender)
    except BlenderNotAvailable as error:
        return skipped("api", str(error))

    def severity(code: str) -> Severity | None:
        return tools.rules.severity("api", code, author)

    return await judge_with("api", asyncio.to_thread(check_api, snippet, manifest, severity))


async def judge_with(name: Literal["lint", "types", "api"], *checks: Awaitable[list[Finding]]) -> Stage:
    started = time.monotonic()
    found = await asyncio.gather(*checks)
    findings = [finding for part in found for finding in part]
    return judged(name, findings, time.monotonic() - started, "no findings")


async def execute(state: State, runtime: Runtime[Tools]) -> Command[Literal["judge"]]:
    """Execute the latest snippet in its two Blender processes."""
    tools = runtime.context
    folder = attempt_folder(state, tools)
    # A run that was interrupted left a half-used folder.
    remove_tree(folder)
    folder.mkdir(parents=True)
    order = request_of(state).order(state["drafts"][-1]["snippet"], tools.settings, checks_of(state.get("accept", [])))
    report = await execute_order(tools.blender(state["blender"]), order, folder, tools.sandbox)
    if report["outcome"] == Outcome.HARNESS_FAULT:
        raise HarnessFault(report["reason"])
    return Command(goto="judge", update={"reports": [{"attempt": attempt_number(state), "report": report}]})


async def judge(state: State, runtime: Runtime[Tools]) -> Command[Literal["heal"]]:
    """Make the verdict of the attempt from what every judge found, and write the attempt down."""
    tools, latest, number = runtime.context, state["drafts"][-1], attempt_number(state)
    report = report_of(state, number)
    stages = [Stage.model_validate(timed["stage"]) for timed in state["stages"] if timed["attempt"] == number]
    if report is None:
        failed = next(stage for stage in stages if stage.state is StageState.FAILED)
        reason = FORBIDDEN.format(f"{failed.name} failed")
        done = {stage.name for stage in stages}
        rest: tuple[Any, ...] = ("policy", "lint", "types", "api", "execute", "repeat", "scene", "render")
        stages += [skipped(name, reason) for name in rest if name not in done]
    else:
        author, rules = latest["author"], tools.rules
        pictures = attempt_folder(state, tools) / "examine" / "out"
        stages += [
            judge_execution(report, author, rules),
            judge_repeat(report, author, rules),
            judge_scene(report, author, rules),
            judge_render(report, pictures, author, rules),
        ]
    stages.append(judge_accept(checks_of(state.get("accept", [])), report, latest["author"], tools.rules))
    critic, scores = await judge_by_model(state, tools, stages, report)
    verdict = make_verdict([*stages, critic], {**measured(report), **scores})
    symbols = await asyncio.to_thread(used_symbols, tools, tools.blender(state["blender"]), latest["snippet"])
    base, diff = change_since_base(state, number)
    attempt = Attempt(number=number, **latest, base=base, diff=diff, symbols=symbols, verdict=verdict, report=report)
    tools.runs.add_attempt(state["run_id"], attempt)
    say_attempt(state["run_id"], attempt, tools)
    log.info("attempt judged", number=number, passed=verdict.passed, reached=verdict.reached)
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
    tools.progress.begin_stage(state["run_id"], f"attempt {attempt_number(state)}: critic")
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


def say_attempt(run_id: str, attempt: Attempt, tools: Tools) -> None:
    """Tell those who follow the run what was found on an attempt and how it ended."""
    for finding in attempt.verdict.findings():
        if finding.severity is not Severity.INFO:
            tools.progress.say(run_id, "finding", attempt=attempt.number, **finding.model_dump(mode="json"))
    verdict = attempt.verdict
    facts = {"number": attempt.number, "author": attempt.author, "passed": verdict.passed, "reached": verdict.reached}
    tools.progress.say(run_id, "attempt", **facts)


def used_symbols(tools: Tools, blender: Blender, snippet: str) -> list[str]:
    """The addresses of the API that a snippet uses; none where the manifest cannot be had."""
    try:
        return addresses_used(snippet, tools.manifests.of(blender))
    except BlenderNotAvailable:
        return []


async def publish(state: State, runtime: Runtime[Tools]) -> Command[Literal["__end__"]]:
    """Store the proven attempt as an artifact."""
    tools = runtime.context
    tools.progress.begin_stage(state["run_id"], "publish")
    run = tools.runs.run(state["run_id"])
    pictures = attempt_folder(state, tools) / "examine" / "out"
    artifact = tools.artifacts.publish(run.id, run.kind, run.title, run.attempts[-1], pictures)
    return Command(goto="__end__", update={"artifact": artifact.id if artifact else None})


def as_state(state: State, stage: Stage) -> Json:
    """A stage as the state keeps it, with the attempt it belongs to."""
    return {"attempt": attempt_number(state), "stage": stage.model_dump(mode="json")}


def report_of(state: State, number: int) -> Json | None:
    """The report of an attempt, or None where it was not executed."""
    return next((made["report"] for made in state["reports"] if made["attempt"] == number), None)


def measured(report: Json | None) -> Json:
    """The figures of a report that were taken outside the process that ran the snippet."""
    if report is None:
        return {}
    evidence = report["evidence"]
    return {
        "timings": evidence["timings"],
        "processes": evidence["processes"],
        "isolation": report["isolation"],
    }
