"""The steps of a run. Each takes the state, does one thing, and says what is next; see `graph.py` for the drawing."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable
from typing import Any, Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.checks.api import addresses_used, check_api
from app.checks.execution import judge_execution, judge_repeat, judge_scene
from app.checks.parse import parse_snippet
from app.checks.policy import check_policy
from app.checks.render import judge_render
from app.checks.ruff import check_ruff
from app.checks.types import check_mypy, check_pyright, strict_types_hold
from app.checks.verdict import Author, Finding, Severity, Stage, StageState, judged, make_verdict, skipped
from app.drafting.draft import NotUnderstood
from app.errors import RequestNotUnderstood
from app.healing.course import Tried, best_attempt, next_repair, notes_on
from app.healing.heal import Healed
from app.pipeline.state import DraftState, Json, State, Tools, attempt_folder, attempt_number, request_of
from app.request import ValidateRequest
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

MAX_ATTEMPTS = 4
SYMBOLS = 12
FORBIDDEN = "the snippet is not executed: {}"


async def retrieve(state: State, runtime: Runtime[Tools]) -> Command[Literal["draft"]]:
    """Find the symbols that an answer will need, and requests that were answered before and are near to this one."""
    tools = runtime.context
    tools.runs.set_stage(state["run_id"], "retrieve")
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


async def draft(state: State, runtime: Runtime[Tools]) -> Command[Literal["screen", "__end__"]]:
    """Write the first snippet, or take the caller's; refuse what is not understood as a whole."""
    tools = runtime.context
    tools.runs.set_stage(state["run_id"], "draft")
    request = request_of(state)
    if isinstance(request, ValidateRequest):
        first = DraftState(author="caller", notes=[], snippet=request.snippet)
        return Command(goto="screen", update={"drafts": [first]})
    try:
        written = await asyncio.to_thread(
            tools.drafter.draft, request.request, tools.manifests.of(tools.blender(state["blender"]))
        )
    except NotUnderstood as refused:
        details = {"not_understood": refused.words, "nearest": state["exemplars"]}
        return Command(
            goto="__end__",
            update={"refusal": RequestNotUnderstood(refused.reason, details=details).body().model_dump()},
        )
    first = DraftState(author=written.source, notes=written.notes, snippet=written.snippet)
    return Command(goto="screen", update={"drafts": [first]})


async def screen(state: State, runtime: Runtime[Tools]) -> Command[Literal["check", "execute", "judge"]]:
    """Parse, and read for what policy forbids; only what gets past both is run."""
    tools, latest = runtime.context, state["drafts"][-1]
    tools.runs.set_stage(state["run_id"], f"attempt {attempt_number(state)}: check and execute")

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


def python_series(blender: Blender) -> str:
    """The Python of this Blender, such as `3.11`."""
    return ".".join(blender.python.split(".")[:2])


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
    order = request_of(state).order(state["drafts"][-1]["snippet"], tools.settings)
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
    stages += [
        skipped("accept", "the request carries no acceptance checks"),
        skipped("critic", "no model is configured"),
    ]
    verdict = make_verdict(stages, measured(report))
    symbols = await asyncio.to_thread(used_symbols, tools, tools.blender(state["blender"]), latest["snippet"])
    attempt = Attempt(number=number, **latest, symbols=symbols, verdict=verdict, report=report)
    tools.runs.add_attempt(state["run_id"], attempt)
    log.info("attempt judged", number=number, passed=verdict.passed, reached=verdict.reached)
    return Command(goto="heal", update={"passed": verdict.passed})


def used_symbols(tools: Tools, blender: Blender, snippet: str) -> list[str]:
    """The addresses of the API that a snippet uses; none where the manifest cannot be had."""
    try:
        return addresses_used(snippet, tools.manifests.of(blender))
    except BlenderNotAvailable:
        return []


async def heal(state: State, runtime: Runtime[Tools]) -> Command[Literal["screen", "publish", "__end__"]]:
    """Repair the best snippet by rules, as long as there are attempts left and a rule applies.

    A repair that made nothing better is taken back. What passed is looked at too where its sender asked for healing,
    because it may only look wrong.
    """
    tools, request = runtime.context, request_of(state)
    number, tried = attempt_number(state), state.get("tried", [])
    # A run that was interrupted here may have returned to its best attempt already.
    attempts = [one for one in tools.runs.run(state["run_id"]).attempts if one.number <= number]
    wanted = request.heal if isinstance(request, ValidateRequest) else not state["passed"]
    if wanted and number < MAX_ATTEMPTS:
        tools.runs.set_stage(state["run_id"], "heal")
        healed = await asyncio.to_thread(look_for_repair, tools, state["blender"], attempts, tried)
        if healed:
            best = best_attempt(attempts)
            notes = notes_on(attempts, tried, healed.repairs)
            repaired = DraftState(author=best.author, notes=notes, snippet=healed.snippet)
            made = Tried(attempt=number + 1, base=best.number, rules=healed.rules)
            return Command(goto="screen", update={"drafts": [repaired], "tried": [made]})
    best = best_attempt(attempts)
    update = {} if best.number == number else return_to(best, state, tools, notes_on(attempts, tried))
    return Command(goto="publish" if best.verdict.passed else "__end__", update=update)


def look_for_repair(tools: Tools, blender: str, attempts: list[Attempt], tried: list[Tried]) -> Healed | None:
    """The next repair; none where the API of this Blender cannot be had."""
    try:
        return next_repair(attempts, tried, tools.manifests.of(tools.blender(blender)))
    except BlenderNotAvailable as error:
        log.warning("not healed", problem=str(error))
        return None


def return_to(best: Attempt, state: State, tools: Tools, notes: list[str]) -> Json:
    """Make the best attempt the last one again: attempts are only ever added. Answers what becomes of the state."""
    number = attempt_number(state) + 1
    work = tools.work_folder(state["run_id"])
    pictures = work / f"attempt-{best.number}" / "examine" / "out"
    if pictures.is_dir():
        shutil.copytree(pictures, work / f"attempt-{number}" / "examine" / "out", dirs_exist_ok=True)
    tools.runs.add_attempt(state["run_id"], best.model_copy(update={"number": number, "notes": notes}))
    again = DraftState(author=best.author, notes=notes, snippet=best.snippet)
    return {"drafts": [again], "passed": best.verdict.passed}


async def publish(state: State, runtime: Runtime[Tools]) -> Command[Literal["__end__"]]:
    """Store the proven attempt as an artifact."""
    tools = runtime.context
    tools.runs.set_stage(state["run_id"], "publish")
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
