"""The drafting source that asks a model: it sends the request, the target and the API, and reads the answer.

    request, target ─┐
    checks ──────────┼─> prompts/drafter.toml ─> model ─> snippet
    symbols, recipes ┘      (material.py, within a budget)

Before any code is written, another question turns the words of the request into acceptance checks (`derived.py`).
"""

from __future__ import annotations

import functools
from typing import Final

from app.accept import Check
from app.drafting.draft import PartialDraft, SnippetDraft
from app.drafting.material import PromptMaterial, room_beside, write_material
from app.jobs.talks import Talks
from app.llm.answers import code_answer
from app.llm.message import tokens_of
from app.llm.prompts import prompt
from app.prompting.target import CHECKS, SYMBOLS, Target, facts_of, section, shown_checks

WRITER: Final = ("writer", "draft")
"""The talk with the drafter, and what it is asked for first."""
PLAN: Final = "What was read of it already. The code does that part, made from the API of this build: keep what it does"
EXEMPLARS: Final = "A snippet that was proven, for a similar request"


async def draft_by_model(
    talks: Talks,
    request: str,
    target: Target,
    material: PromptMaterial,
    accept: list[Check],
    plan: PartialDraft | None,
    talk: tuple[str, str] = WRITER,
) -> SnippetDraft:
    """The first snippet for a request, with what the commands understood of it; raises AnswerUnusable, ModelUnavailable
    or BudgetSpent.
    """
    fill = functools.partial(
        prompt("drafter", talks.models.small).fill,
        **facts_of(target),
        shown=target.shown,
        request=request,
        plan=section(PLAN, shown_plan(plan)),
        checks=section(CHECKS, shown_checks(accept)),
    )
    bare = fill(symbols="", exemplars="")
    room = room_beside(tokens_of(bare.system) + tokens_of(bare.user), talks.models.window)
    shown = await write_material(talks.readers, material, request, room)
    filled = fill(symbols=section(SYMBOLS, shown.symbols), exemplars=section(EXEMPLARS, shown.exemplars))
    written = await talks.ask_for_code(*talk, filled, code_answer)
    note = f"written by a model with {filled.identity}, {shown.said}"
    return SnippetDraft(snippet=written.code, source="model", notes=[note])


def shown_plan(plan: PartialDraft | None) -> str:
    """The plan of the commands, for a model: each sentence, done or not, and the code for the done ones."""
    if plan is None or not plan.understood:
        return ""
    done = [f"- done below: {sentence}" for sentence in plan.understood]
    missing = [f"- not done: {sentence}" for sentence in plan.missing]
    return "\n".join([*done, *missing, f"```python\n{plan.snippet.strip()}\n```"])
