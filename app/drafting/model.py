"""The drafting source that asks a model: it sends the request, the target and the API, and reads the answer.

    request, target ─┐
    checks ──────────┼─> prompts/drafter.toml ─> model ─> snippet
    symbols, recipes ┘      (material.py, within a budget)

Before any code is written, another question turns the words of the request into acceptance checks.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from app.checks.accept import CHECK, MOST_CHECKS, Check, PythonCheck, reads_as_degrees
from app.checks.accept.language import for_a_model
from app.drafting.draft import Draft, Plan
from app.drafting.material import Material, room_beside, write_material
from app.llm.answers import AnswerUnusable, code_answer
from app.llm.message import tokens_of
from app.llm.prompts import prompt
from app.runs.talks import Talks

NONE: Final = "(none)"
START: Final = "Blender's factory scene: a mesh object Cube, a light object Light, a camera object Camera."
OWN_START: Final = "a scene of the caller's own, made by this snippet:\n{}"
ALSO_ON: Final = (
    "{}, and the same snippet must hold on Blender {} too (branch on `bpy.app.version` where they differ, and only "
    "there)"
)
BLEND_START: Final = "a .blend of the caller's own, which you do not see."


@dataclass(frozen=True)
class Target:
    """The target of a snippet: the versions, and in words the scene it starts from."""

    blender: str
    python: str
    start: str
    others: tuple[str, ...] = ()
    """Versions of further Blenders that the same snippet must work on."""


async def draft_by_model(
    talks: Talks, request: str, target: Target, material: Material, accept: list[Check], plan: Plan | None
) -> Draft:
    """The first snippet for a request, with what the commands understood of it; raises AnswerUnusable, ModelUnavailable
    or BudgetSpent.
    """
    fill = functools.partial(
        prompt("drafter").fill,
        **facts_of(target),
        start=target.start,
        request=request,
        plan=shown_plan(plan),
        checks=shown_checks(accept),
    )
    bare = fill(symbols="", exemplars="")
    room = room_beside(tokens_of(bare.system) + tokens_of(bare.user), talks.models.window)
    shown = await write_material(talks.readers, material, request, room)
    filled = fill(symbols=shown.symbols or NONE, exemplars=shown.exemplars or NONE)
    written = await talks.ask_for_code("writer", "draft", filled, code_answer)
    note = f"written by a model with {filled.identity}, {shown.said}"
    return Draft(snippet=written.code, source="model", notes=[note])


def facts_of(target: Target) -> dict[str, str]:
    """The target as variables of a prompt."""
    blender = target.blender
    if target.others:
        blender = ALSO_ON.format(target.blender, ", ".join(target.others))
    return {"blender": blender, "python": target.python}


class _DerivedChecks(BaseModel):
    """The answer that the acceptance prompt asks for; its checks are judged one by one."""

    # Models are sent the schema with this title.
    model_config = ConfigDict(extra="ignore", title="_Derived")

    checks: list[dict[str, Any]]

    @model_validator(mode="before")
    @classmethod
    def _only_the_list(cls, said: Any) -> Any:
        # Small models leave out the object around the list.
        return {"checks": cast("list[Any]", said)} if isinstance(said, list) else said  # type: ignore[redundant-cast]


async def derive_checks(talks: Talks, request: str, target: Target) -> list[Check]:
    """The acceptance checks that a model reads in a request; none if its answer cannot be used.

    Invalid checks are left out, and so are assertions: no model judges its own code with its own code.

    Raises ModelUnavailable or BudgetSpent.
    """
    filled = prompt("acceptance").fill(
        language=for_a_model(), blender=target.blender, start=target.start, request=request
    )
    try:
        derived = await talks.ask_for_json("acceptance", "accept", filled, _DerivedChecks)
    except AnswerUnusable:
        return []
    found: list[Check] = []
    for raw in derived.checks:
        try:
            check = CHECK.validate_python({name: value for name, value in raw.items() if value is not None})
        except ValidationError:
            continue
        if not isinstance(check, PythonCheck) and not reads_as_degrees(check):
            found.append(check)
    return found[:MOST_CHECKS]


def shown_plan(plan: Plan | None) -> str:
    """What the commands understood, for a model: each sentence, done or not, and the code for the done ones."""
    if plan is None or not plan.understood:
        return NONE
    done = [f"- done below: {sentence}" for sentence in plan.understood]
    missing = [f"- not done: {sentence}" for sentence in plan.missing]
    return "\n".join([*done, *missing, f"```python\n{plan.snippet.strip()}\n```"])


def shown_checks(accept: Sequence[Check]) -> str:
    """The acceptance checks as a model reads them, one per line."""
    return "\n".join(json.dumps(check.said()) for check in accept) or NONE
