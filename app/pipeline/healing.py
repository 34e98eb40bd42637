"""The step that decides the future of an attempt: healing by rules, then by a model, or the end of the loop."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from typing import Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.healing.course import best_number, next_healing, notes_on
from app.healing.everywhere import Build, next_healing_everywhere
from app.healing.feedback import blame, blames_looks
from app.healing.heal import UNASKED, HealedSnippet
from app.healing.model import BY_MODEL, NothingWrong, Patient, SameAgain, heal_by_model
from app.healing.tried import HealingRecord
from app.jobs.budget import BudgetSpent
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import Attempt, Dispute, MatrixRow
from app.jobs.storing import matrix_of
from app.llm.answers import AnswerUnusable
from app.llm.message import ModelUnavailable
from app.pipeline.context import RunContext
from app.pipeline.judging import sheet_of
from app.pipeline.start import start_shown
from app.pipeline.state import DraftState, Json, State, Tools, after_attempt
from app.pipeline.variants import best_variant, notes_on_choice, variant_of, wants_another
from harness.blenders import BlenderNotAvailable
from harness.protocol import Outcome
from harness.readers import ReadingFailed
from harness.versions import version_key
from ingest.reference_store import ReferenceIndexUnusable
from ingest.ways import Ways, ways_of

log = structlog.get_logger()

RULE_HEALINGS = 5
"""Healings by rules, one after another, before a model is asked or the loop ends."""
LARGEST_HEALED = 256 << 10
"""The longest snippet that is healed, in characters: rules take 4 s to read that."""
VAIN_HEALINGS = 2
"""Healings by a model that may meet exactly the findings blamed before."""
CHECK_FAILED = "the check failed: "
"""The beginning of the remark of `harness.inside.witness.accept` on a check that raised: our fault, or an odd scene."""
LACKING = {
    Outcome.NEEDS_SCENE: "a scene",
    Outcome.NEEDS_FILE: "a file",
    Outcome.NEEDS_ARGUMENTS: "arguments",
    Outcome.NEEDS_ADDON: "an add-on",
    Outcome.NEEDS_WINDOW: "a window",
}


class NoMore(Exception):
    """No further attempt is made; the message says why."""


async def heal(
    state: State, runtime: Runtime[RunContext]
) -> Command[Literal["draft", "screen", "matrix", "publish", "__end__"]]:
    """Heal the best snippet: by rules as long as one applies, then by a model as long as it may.

    A healing that made nothing better is taken back. An attempt that passed is looked at too if its sender asked for
    healing, because it may only look wrong.
    """
    context, tools, request = runtime.context, runtime.context.tools, runtime.context.request
    number, tried = state["number"], state["tried"]
    # A run that was interrupted here may have returned to its best attempt already.
    attempts = [attempt for attempt in await tools.runs.records(context.run_id, Attempt) if attempt.number <= number]
    if wants_another(state, context, attempts):
        return Command(goto="draft", update={"variant": variant_of(state) + 1})
    chosen = best_variant(attempts)
    best = chosen or await best_so_far(tools, attempts, tried)
    wanted = request.heal if isinstance(request, ValidateRequest) else not best.verdict.passed
    if wanted:
        await tools.progress.begin_stage(context.run_id, "heal")
        try:
            return await next_attempt(state, context, attempts, best)
        except NoMore as why:
            if not best.verdict.passed:
                await tools.runs.set_ended_because(context.run_id, str(why))
        except NothingWrong as why:
            dispute = Dispute(attempt=best.number, found=blame(best), reason=str(why))
            await tools.runs.keep(context.run_id, dispute)
            await tools.runs.set_ended_because(context.run_id, f"a model holds that nothing is wrong with it: {why}")
    notes = notes_on_choice(best, attempts) if chosen else notes_on(best, attempts, tried)
    update = {} if best.number == number else await return_to(best, number + 1, context, notes)
    if request.verify_on and not request.portable:
        return Command(goto="matrix", update=update)
    return Command(goto="publish" if best.verdict.passed else "__end__", update=update)


async def best_so_far(tools: Tools, attempts: list[Attempt], tried: list[HealingRecord]) -> Attempt:
    """The best of the attempts; the first one if they cannot be compared."""
    if len(attempts) == 1:
        return attempts[0]
    try:
        number = await tools.readers.ask(best_number, attempts, tried)
    except ReadingFailed:
        return attempts[0]
    return next(attempt for attempt in attempts if attempt.number == number)


async def next_attempt(
    state: State, context: RunContext, attempts: list[Attempt], best: Attempt
) -> Command[Literal["draft", "screen", "matrix", "publish", "__end__"]]:
    """Choose the next step; raises NoMore."""
    number, tried = state["number"], state["tried"]
    if len(best.snippet) > LARGEST_HEALED:
        raise NoMore(f"too large to be healed: {len(best.snippet) >> 10} KiB, at most {LARGEST_HEALED >> 10} KiB")
    if by_rules_since_model(tried) < RULE_HEALINGS:
        healing = await look_for_healing(tried, context, attempts, best)
        if healing:
            healed, apart = healing
            notes = notes_on(best, attempts, tried, healed.faults)
            draft = DraftState(author=best.author, notes=notes, snippet=healed.snippet, files=healed.files)
            because = [note.note() for note in healed.faults]
            made = HealingRecord(attempt=number + 1, base=best.number, rules=healed.rules, apart=apart)
            return await attempt_with(draft, made, "rules", because, state.get("start", ""), context)
    snippet, because, start = await ask_model(state, context, attempts, best)
    notes = [*notes_on(best, attempts, tried), *because]
    draft = DraftState(author="model", notes=notes, snippet=snippet, files=best.files)
    log.info("healed by a model", number=number + 1)
    made = HealingRecord(attempt=number + 1, base=best.number, rules=[BY_MODEL])
    return await attempt_with(draft, made, "model", because, start, context)


async def attempt_with(
    draft: DraftState,
    made: HealingRecord,
    by: Literal["rules", "model"],
    because: list[str],
    start: str,
    context: RunContext,
) -> Command[Literal["draft", "screen", "matrix", "publish", "__end__"]]:
    """Go on with the healed snippet; `start` is the scene before in words, empty as long as no model was asked."""
    facts = {"attempt": made["attempt"], "base": made["base"], "by": by, "because": because}
    await context.tools.progress.say(context.run_id, "healed", **facts)
    update = {"number": made["attempt"], "draft": draft, "tried": [made], "start": start}
    return Command(goto="screen", update=update)


def by_rules_since_model(tried: list[HealingRecord]) -> int:
    """The number of healings by rules since a model last wrote."""
    count = 0
    for record in reversed(tried):
        if record["rules"] == [BY_MODEL]:
            break
        count += 1
    return count


async def look_for_healing(
    tried: list[HealingRecord], context: RunContext, attempts: list[Attempt], best: Attempt
) -> tuple[HealedSnippet, bool] | None:
    """The next healing by rules, with True if it uses branches only; None if the API of a Blender is not available.

    Raises NoMore if no reader can read the snippet.
    """
    tools = context.tools
    ran = best.report is not None and best.report["outcome"] == Outcome.PASSED
    left_out = UNASKED if ran and not isinstance(context.request, ValidateRequest) else frozenset[str]()
    judged = await tools.runs.records(context.run_id, MatrixRow) if context.request.portable else []
    rows = matrix_of(best, attempts, judged)
    try:
        if rows:
            builds = [await asyncio.to_thread(build_of, row, tools) for row in rows if row.verdict]
            everywhere = await tools.readers.ask(next_healing_everywhere, attempts, tried, builds, left_out)
            return (replace(everywhere[0], files=best.files), everywhere[1]) if everywhere else None
        manifest = await asyncio.to_thread(tools.manifests.of, context.blender)
        modules = [(file.name, file.content) for file in context.request.files if file.name.endswith(".py")]
        healed = await tools.readers.ask(next_healing, attempts, tried, manifest, modules, left_out)
        return (healed, False) if healed else None
    except BlenderNotAvailable as error:
        log.warning("not healed", problem=str(error))
        return None
    except ReadingFailed as why:
        raise NoMore(f"no rule can read it: {why}") from None


def build_of(row: MatrixRow, tools: Tools) -> Build:
    """The facts about the snippet on one Blender; raises BlenderNotAvailable."""
    blender = tools.blender(row.blender)
    assert row.verdict is not None
    exception = row.report["claims"]["exception"] if row.report else None
    return Build(version_key(blender.version), tools.manifests.of(blender), row.verdict, exception)


async def ask_model(
    state: State, context: RunContext, attempts: list[Attempt], best: Attempt
) -> tuple[str, list[str], str]:
    """The next snippet by a model, notes on it, and the scene before in words; raises NoMore or NothingWrong."""
    tools, request = context.tools, context.request
    if best.verdict.passed:
        raise NoMore("it passes, and no rule has anything to say")
    if why := obstacle_to_healing(best, request) or met_again(state["tried"], attempts):
        raise NoMore(why)
    if not tools.models:
        raise NoMore("no rule heals it, and no model is configured")
    written = sum(record["rules"] == [BY_MODEL] for record in state["tried"])
    written += max(attempts[0].author == "model", len({attempt.variant for attempt in attempts} - {None}))
    if written >= request.max_attempts:
        raise NoMore(f"no rule heals it, and models wrote {written} of {request.max_attempts} attempts")
    start = await start_shown(state, context)
    try:
        patient = await patient_of(context, attempts, best)
        return *await heal_by_model(context.talks(), patient, context.target_shown(start)), start
    except SameAgain as why:
        raise NoMore(str(why)) from None
    except (AnswerUnusable, ModelUnavailable, BudgetSpent) as problem:
        raise NoMore(f"no model healed it: {problem}") from None


async def patient_of(context: RunContext, attempts: list[Attempt], best: Attempt) -> Patient:
    """The best attempt with all that a model needs to heal it."""
    tools, request = context.tools, context.request

    def near(address: str) -> list[str]:
        try:
            return tools.retriever.near(address, context.blender.version)
        except ReferenceIndexUnusable:
            return []

    picture, render = None, best.report["evidence"]["render"] if best.report else None
    if render and tools.models.sees and blames_looks(best):
        picture = await asyncio.to_thread(sheet_of, render, context.attempt_folder(best.number))
    return Patient(
        attempts,
        best,
        request.for_a_model() if isinstance(request, GenerateRequest) else "",
        await context.accept(),
        near,
        [picture] if picture and picture.is_file() else [],
        [symbol.address for symbol in (await tools.runs.run(context.run_id)).retrieved],
        await asyncio.to_thread(ways_here, context),
    )


def ways_here(context: RunContext) -> Ways | None:
    """The API of the target; None if it is not here any more."""
    try:
        return ways_of(context.tools.manifests.of(context.blender))
    except BlenderNotAvailable:
        return None


def obstacle_to_healing(best: Attempt, request: GenerateRequest | ValidateRequest) -> str | None:
    """The reason why it cannot be healed, or None: the caller must bring what is missing, or a check of ours failed."""
    outcome = best.report["outcome"] if best.report else None
    if outcome == Outcome.SETUP_FAILED:
        return "the setup of the request fails"
    if outcome in LACKING and isinstance(request, ValidateRequest):
        return f"it needs {LACKING[Outcome(outcome)]} that nobody can invent"
    blamed = blame(best)
    if blamed and all(CHECK_FAILED in message for message in blamed):
        return f"a check failed by itself, which no snippet can heal: {blamed[0]}"
    return None


def met_again(tried: list[HealingRecord], attempts: list[Attempt]) -> str | None:
    """The reason against a third healing by a model, or None: two of them met exactly the findings blamed before."""
    by_model = {record["attempt"]: record["base"] for record in tried if record["rules"] == [BY_MODEL]}
    by_number = {attempt.number: blame(attempt) for attempt in attempts}
    vain = [number for number, base in by_model.items() if by_number.get(number) == by_number.get(base)]
    if len(vain) < VAIN_HEALINGS or not by_number[vain[-1]]:
        return None
    return f"{VAIN_HEALINGS} healings by a model met the same as before: {by_number[vain[-1]][0]}"


async def return_to(best: Attempt, number: int, context: RunContext, notes: list[str]) -> Json:
    """Make the best attempt the last one again: attempts are only ever added. Answers the update of the state."""
    pictures = context.attempt_folder(best.number)
    if pictures.is_dir():
        made = context.attempt_folder(number)
        await asyncio.to_thread(shutil.copytree, pictures, made, dirs_exist_ok=True)
    again = best.model_copy(update={"number": number, "notes": notes, "base": None, "diff": ""})
    await context.tools.runs.add_attempt(context.run_id, again)
    return after_attempt(number)
