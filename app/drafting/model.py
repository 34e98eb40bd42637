"""The drafting source that asks a model: it sends the request, the target and the API, and reads the answer.

    request, target ─┐
    checks ──────────┼─> prompts/drafter.toml ─> model ─> snippet
    symbols, recipes ┘      (material.py, within a budget)

Before any code is written, another question turns the words of the request into acceptance checks.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from app.accept import CHECK, MOST_CHECKS, Check, PythonCheck, reads_as_degrees
from app.accept.language import for_a_model
from app.drafting.draft import PartialDraft, SnippetDraft
from app.drafting.material import PromptMaterial, room_beside, write_material
from app.jobs.talks import Talks
from app.llm.answers import AnswerUnusable, code_answer
from app.llm.message import tokens_of
from app.llm.prompts import prompt
from app.prompting.scene_lines import one_line
from app.prompting.target import CHECKS, SYMBOLS, Target, facts_of, section, shown_checks

WRITER: Final = ("writer", "draft")
"""The talk with the drafter, and what it is asked for first."""
PLAN: Final = "What was read of it already. The code does that part, made from the API of this build: keep what it does"
UNREAD_LENGTH: Final = 200
PYTHON_BY_A_MODEL: Final = "a model may not check by Python"
EXEMPLARS: Final = "Snippets that were proven, for similar requests"


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
    shown = await write_material(talks.readers, material, request, room, fewer=talks.models.small)
    filled = fill(symbols=section(SYMBOLS, shown.symbols), exemplars=section(EXEMPLARS, shown.exemplars))
    written = await talks.ask_for_code(*talk, filled, code_answer)
    note = f"written by a model with {filled.identity}, {shown.said}"
    return SnippetDraft(snippet=written.code, source="model", notes=[note])


class _ChecksAnswer(BaseModel):
    """The answer that the acceptance prompt asks for; its checks are judged one by one."""

    # Models get the schema with this title; recorded answers depend on it.
    model_config = ConfigDict(extra="ignore", title="_Derived")

    checks: list[dict[str, Any]]

    @model_validator(mode="before")
    @classmethod
    def _only_the_list(cls, said: Any) -> Any:
        # Small models leave out the object around the list.
        return {"checks": cast("list[Any]", said)} if isinstance(said, list) else said  # type: ignore[redundant-cast]


@dataclass(frozen=True)
class Derivation:
    """The checks that a model derived from a request, and a line for each item of its answer that is no check."""

    checks: list[Check]
    unread: list[str]


async def derive_checks(talks: Talks, request: str, target: Target) -> Derivation:
    """The acceptance checks that a model reads in a request; no checks if its answer cannot be used.

    Raises ModelUnavailable or BudgetSpent.
    """
    filled = prompt("acceptance").fill(
        language=for_a_model(request), blender=target.blender, start=target.start, request=request
    )
    try:
        derived = await talks.ask_for_json("acceptance", "accept", filled, _ChecksAnswer)
    except AnswerUnusable as problem:
        return Derivation([], [f"the answer of the model: {problem}"])
    derivation = Derivation([], [])
    for raw in derived.checks:
        read = read_check(raw)
        if isinstance(read, str):
            derivation.unread.append(f"{one_line(json.dumps(raw))[:UNREAD_LENGTH]}: {read}")
        else:
            derivation.checks.append(read)
    return Derivation(derivation.checks[:MOST_CHECKS], derivation.unread[:MOST_CHECKS])


def read_check(raw: dict[str, Any]) -> Check | str:
    """A check as a model wrote it, or the reason against it: no model judges its own code with its own code."""
    try:
        check = CHECK.validate_python({name: value for name, value in raw.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return f"{place}: {first['msg']}" if place else first["msg"]
    return PYTHON_BY_A_MODEL if isinstance(check, PythonCheck) else reads_as_degrees(check) or check


def shown_plan(plan: PartialDraft | None) -> str:
    """The plan of the commands, for a model: each sentence, done or not, and the code for the done ones."""
    if plan is None or not plan.understood:
        return ""
    done = [f"- done below: {sentence}" for sentence in plan.understood]
    missing = [f"- not done: {sentence}" for sentence in plan.missing]
    return "\n".join([*done, *missing, f"```python\n{plan.snippet.strip()}\n```"])
