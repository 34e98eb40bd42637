"""Several first snippets for one request, each another approach: all are proven, and the critic's scores choose.

    draft 1 ─> ... judge ─> heal ─> draft 2 ─> ... judge ─> heal ─> ... ─> the best of them: healed, or published

A variant is an attempt like any other, so the limits of a run hold for all of them together. A variant that does
the same as an earlier one is not proven again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, Literal

from langgraph.types import Command

from app.drafting.draft import SnippetDraft
from app.healing.model import is_among
from app.jobs.request import GenerateRequest
from app.jobs.run import Attempt
from app.pipeline.context import RunContext
from app.pipeline.state import DraftState, Json, State
from harness.readers import ReadingFailed

SHOWN: Final = 1500
"""Characters of each earlier variant that a model is shown."""
ANOTHER: Final = """{request}

(This is variant {number} of {of}. Answer the request just as exactly, but take clearly another approach: other means of
the API, another construction, or another look of what the request leaves open. Earlier variants began so:
{earlier})"""


def variant_of(state: State) -> int:
    """The number of the variant that is drafted, from 1."""
    return state.get("variant", 1)


def wants_another(state: State, context: RunContext, attempts: Sequence[Attempt]) -> bool:
    """True if one more variant is to be drafted before anything is healed; commands have one way only."""
    request = context.request
    several = isinstance(request, GenerateRequest) and variant_of(state) < request.variants
    return several and attempts[0].author == "model"


async def another_approach(asked: str, number: int, context: RunContext, of: int) -> str:
    """The request as a model is asked for one more variant of its answer."""
    drafted = [attempt for attempt in await context.tools.runs.records(context.run_id, Attempt) if attempt.variant]
    earlier = "\n".join(f"```python\n{attempt.snippet[:SHOWN].rstrip()}\n```" for attempt in drafted)
    return ANOTHER.format(request=asked, number=number, of=of, earlier=earlier)


async def go_on_with(
    written: SnippetDraft, start: str, state: State, context: RunContext, request: GenerateRequest
) -> Command[Literal["screen", "heal"]]:
    """Go on with a variant, or without it if it is an earlier one again; `start` is the scene before, in words."""
    number, drafted = variant_of(state), DraftState(author="model", notes=written.notes, snippet=written.snippet)
    if request.variants == 1:
        return Command(goto="screen", update={"number": 1, "draft": drafted, "start": start})
    drafted["variant"] = number
    drafted["notes"] = [f"variant {number} of {request.variants}", *written.notes]
    if number == 1:
        return Command(goto="screen", update={"number": 1, "draft": drafted, "start": start, "variant": 1})
    before = [attempt.snippet for attempt in await context.tools.runs.records(context.run_id, Attempt)]
    try:
        again = await context.tools.readers.ask(is_among, written.snippet, before)
    except ReadingFailed:
        again = written.snippet in before
    if again:
        return Command(goto="heal", update={"variant": number})
    return Command(goto="screen", update={"number": state["number"] + 1, "draft": drafted, "variant": number})


def no_more_variants(request: GenerateRequest) -> Command[Literal["screen", "heal"]]:
    """Go on with the variants so far, because no model wrote another one."""
    return Command(goto="heal", update={"variant": request.variants})


def best_variant(attempts: Sequence[Attempt]) -> Attempt | None:
    """The variant that passed with the highest score of its critic, the first of equals; None if none passed."""
    passed = [attempt for attempt in attempts if attempt.variant and attempt.verdict.passed]
    return max(passed, key=lambda attempt: attempt.verdict.score, default=None)


def notes_on_choice(best: Attempt, attempts: Sequence[Attempt]) -> list[str]:
    """The notes of the chosen variant, with the reason of the choice."""
    score = best.verdict.score
    variants = [attempt for attempt in attempts if attempt.variant and attempt is not best]
    others = [f"{attempt.verdict.score:.2f} for variant {attempt.variant}" for attempt in variants]
    chosen = f"chosen with the score {score:.2f}" if score else "chosen as the first that passed"
    return [*best.notes, f"{chosen}, against {', '.join(others)}" if score and others else chosen]


async def keep_picture(draft: DraftState, number: int, report: Json | None, context: RunContext) -> str | None:
    """Keep the picture of a variant with the run; answers its path on the service, None if there is no variant."""
    if draft.get("variant") is None:
        return None
    made = context.attempt_folder(number)
    return await asyncio.to_thread(context.tools.pictures.keep_row, context.run_id, number, "variant", report, made)
