"""The step that writes the first snippet: commands if the whole request is written in the command language, otherwise a
model; without a model the request is refused.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from typing import Final, Literal

import structlog
from langgraph.runtime import Runtime
from langgraph.types import Command

from app.accept import Check
from app.drafting.derived import WhyBroken, derive_checks
from app.drafting.draft import NotUnderstood, PartialDraft, SnippetDraft, ValueOutOfRange
from app.drafting.material import PromptMaterial
from app.drafting.model import WRITER, draft_by_model
from app.drafting.resolving import CheckResolver
from app.errors import ModelNotAvailable
from app.jobs.budget import BudgetSpent
from app.jobs.earlier import Earlier, as_one_text
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import AcceptanceRecord
from app.llm.answers import AnswerUnusable
from app.llm.message import ModelUnavailable
from app.pipeline.context import RunContext
from app.pipeline.known import known_answers
from app.pipeline.refusing import nearest_proven, refusal
from app.pipeline.start import StartScene, start_of
from app.pipeline.state import DraftState, State, Tools
from app.pipeline.variants import another_approach, go_on_with, no_more_variants, variant_of
from app.versions.merge import CannotMerge, merge
from harness.blenders import Blender, BlenderNotAvailable
from harness.versions import version_key
from ingest.reference_store import ReferenceIndexUnusable
from ingest.ways import ways_of
from search.exporting import ModelUnusable

log = structlog.get_logger()

EXEMPLARS = 3
NOT_WRITTEN_BY_COMMANDS: Final = (
    "The earlier snippet is not what its requests come to in the command language, so only a model can change it."
)


async def draft(state: State, runtime: Runtime[RunContext]) -> Command[Literal["screen", "heal"]]:
    """Write the first snippet, or take the caller's.

    Raises RequestNotUnderstood for a request that is not understood as a whole, and ModelNotAvailable.
    """
    context, tools, request = runtime.context, runtime.context.tools, runtime.context.request
    await tools.progress.begin_stage(context.run_id, "draft")
    if isinstance(request, ValidateRequest):
        await freeze_checks(context, "request", request.accept)
        return first_draft(SnippetDraft(request.snippet, "caller", []))
    refused: NotUnderstood | None = None
    plan: PartialDraft | None = None
    if request.drafter != "model":
        try:
            blenders = context.blenders() if request.portable else context.blenders()[:1]
            written = await asyncio.to_thread(draft_all_by_commands, tools, request, blenders)
        except NotUnderstood as error:
            refused = error
        else:
            await freeze_checks(context, "request", request.accept)
            await freeze_checks(context, "commands", written.accept)
            return first_draft(written)
    # A value that Blender does not take was understood; a model could only guess another one.
    model_may = tools.models and request.drafter != "commands" and request.max_attempts > 0
    if refused and not isinstance(refused, ValueOutOfRange):
        plan = await asyncio.to_thread(plan_of, tools, request, context.blender)
    if refused and (isinstance(refused, ValueOutOfRange) or not model_may):
        near = await asyncio.to_thread(nearest_proven, tools, request.request, context.blender)
        raise refusal(refused, plan, near, bool(tools.models))
    start = await start_of(state, context)
    try:
        written = await ask_model(context, request, start, refused, plan, variant_of(state))
    except ModelNotAvailable:
        if variant_of(state) == 1:
            raise
        return no_more_variants(request)
    return await go_on_with(written, start.words, state, context, request)


def draft_all_by_commands(tools: Tools, request: GenerateRequest, blenders: Sequence[Blender]) -> SnippetDraft:
    """The draft by the commands of all requests, the earlier ones too. Raises NotUnderstood.

    A snippet that commands would write differently is not theirs to change: they would drop the difference.
    """
    if request.earlier and not is_by_commands(tools, request.earlier, blenders):
        raise NotUnderstood([], NOT_WRITTEN_BY_COMMANDS)
    return draft_by_commands(tools, request.all_requests(), blenders)


def is_by_commands(tools: Tools, earlier: Earlier, blenders: Sequence[Blender]) -> bool:
    """True if commands write this earlier snippet exactly so."""
    try:
        written = draft_by_commands(tools, as_one_text(earlier.requests), blenders)
    except NotUnderstood:
        return False
    return written.snippet.strip() == earlier.snippet.strip()


def plan_of(tools: Tools, request: GenerateRequest, blender: Blender) -> PartialDraft | None:
    """The part of a refused request that the commands understand; None for one that changes a snippet."""
    return None if request.earlier else tools.drafter.plan(request.request, tools.manifests.of(blender))


def draft_by_commands(tools: Tools, request: str, blenders: Sequence[Blender]) -> SnippetDraft:
    """One snippet by the commands for these Blenders, the target first, with branches if they differ.

    Raises NotUnderstood if the request is not written in the command language, or not all of it works on each of them.
    """
    drafts: dict[tuple[int, ...], SnippetDraft] = {}
    for blender in blenders:
        try:
            drafts[version_key(blender.version)] = tools.drafter.draft(request, tools.manifests.of(blender))
        except NotUnderstood as refused:
            if blender is not blenders[0]:
                refused.reason = f"On Blender {blender.version}: {refused.reason}"
            raise
    target = drafts[version_key(blenders[0].version)]
    try:
        merged = merge({version: draft.snippet for version, draft in drafts.items()})
    except CannotMerge as problem:
        raise NotUnderstood([], f"No one snippet does this on each of these Blenders: {problem}.") from None
    return dataclasses.replace(target, snippet=merged)


async def ask_model(
    context: RunContext,
    request: GenerateRequest,
    start: StartScene,
    refused: NotUnderstood | None,
    plan: PartialDraft | None,
    variant: int = 1,
) -> SnippetDraft:
    """The first snippet by a model, after its acceptance checks are known; raises ModelNotAvailable.

    `start` is the scene before, `refused` is why the commands did not write it, and `plan` what they
    understood nevertheless.
    """
    tools, talks, target = context.tools, context.talks(), context.target_shown(start.words)
    asked = request.for_a_model()
    try:
        if not request.accept and await tools.runs.record(context.run_id, AcceptanceRecord) is None:
            why_broken = await asyncio.to_thread(resolver, context, request.all_requests(), start)
            derived = await derive_checks(talks, request.for_checks(), target, why_broken)
            await freeze_checks(context, "model", derived.checks, derived.unread)
        await freeze_checks(context, "request", request.accept)
        retrieved = [symbol.address for symbol in (await tools.runs.run(context.run_id)).retrieved]
        material = await asyncio.to_thread(find_material, tools, request.all_requests(), context.blender, retrieved)
        talk = WRITER
        if variant > 1:
            asked = await another_approach(asked, variant, context, request.variants)
            talk = (f"writer {variant}", f"draft, variant {variant}")
        return await draft_by_model(talks, asked, target, material, await context.accept(), plan, talk)
    except (AnswerUnusable, ModelUnavailable, BudgetSpent) as problem:
        details = {"not_understood": refused.words} if refused else {}
        first = "The request is not written in the command language, and no" if refused else "No"
        raise ModelNotAvailable(f"{first} model wrote it: {problem}.", details=details) from None


def resolver(context: RunContext, words: str, start: StartScene) -> WhyBroken:
    """The reasons why checks can never be made on the target; none are known if its API is not here any more."""
    try:
        manifest = context.tools.manifests.of(context.blender)
    except BlenderNotAvailable:
        return lambda _check: ""
    return CheckResolver(manifest, words, start.objects).why_broken


def first_draft(written: SnippetDraft) -> Command[Literal["screen", "heal"]]:
    """Go on with the first snippet."""
    first = DraftState(author=written.source, notes=written.notes, snippet=written.snippet)
    return Command(goto="screen", update={"number": 1, "draft": first})


async def freeze_checks(
    context: RunContext,
    author: Literal["request", "commands", "model"],
    checks: list[Check],
    unread: Sequence[str] = (),
) -> None:
    """Write down the acceptance checks of the run, if there are any; the first that are written stay."""
    if checks or unread:
        record = AcceptanceRecord(author=author, checks=[check.wanted() for check in checks], unread=list(unread))
        await context.tools.runs.keep(context.run_id, record)


def find_material(tools: Tools, request: str, blender: Blender, retrieved: list[str]) -> PromptMaterial:
    """The symbols that were found for the request, and proven recipes; empty if the index cannot be read."""
    try:
        exemplars = known_answers(tools.retriever, tools.gallery, request, blender.version, EXEMPLARS)
        return PromptMaterial(retrieved, exemplars, ways_of(tools.manifests.of(blender)))
    except (ReferenceIndexUnusable, ModelUnusable, BlenderNotAvailable) as error:
        log.warning("drafted without the index", problem=str(error))
        return PromptMaterial([], [], None)
