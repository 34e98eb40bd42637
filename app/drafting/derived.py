"""Acceptance checks that a model derives from a request: asked before any code is written, and mended once.

request ─> prompts/acceptance.toml ─> model ─> checks ─┬─> read and resolved: frozen
                                        ^              └─> not: sent back once, with what there is; then left out
                                        └──────────────────────┘
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from app.accept import CHECK, MOST_CHECKS, Check, PythonCheck, reads_as_degrees
from app.accept.language import for_a_model
from app.jobs.budget import BudgetSpent
from app.jobs.talks import Talks
from app.llm.answers import AnswerUnusable, read_json
from app.llm.message import ModelUnavailable
from app.llm.prompts import prompt
from app.prompting.scene_lines import in_short, one_line
from app.prompting.target import Target

UNREAD_LENGTH: Final = 200
PYTHON_BY_A_MODEL: Final = "a model may not check by Python"
SENT_BACK: Final = "these checks cannot be made, so correct or leave out each, and write the others as they were:\n{}\n"

WhyBroken = Callable[[Check], str]
"""The reason why a check can never be made; empty if nothing is known against it."""


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
    """The checks that a model derived from a request, and a line for each item of its answer that can be no check."""

    checks: list[Check]
    unread: list[str]


async def derive_checks(talks: Talks, request: str, target: Target, why_broken: WhyBroken) -> Derivation:
    """The acceptance checks that a model reads in a request; no checks if its answer cannot be used.

    What cannot be made is sent back once. Raises ModelUnavailable or BudgetSpent.
    """
    filled = prompt("acceptance").fill(
        language=for_a_model(request), blender=target.blender, start=in_short(target.start), request=request
    )
    first: list[Derivation] = []

    async def read(answer: str, _finish: str) -> Derivation:
        derived = read_derived(read_json(answer, _ChecksAnswer), why_broken)
        if derived.unread and not first:
            first.append(derived)
            raise AnswerUnusable(SENT_BACK.format("\n".join(derived.unread)))
        return with_first(first[0], derived) if first else derived

    try:
        return await talks.ask("acceptance", "accept", filled, read, schema=_ChecksAnswer.model_json_schema())
    except AnswerUnusable as problem:
        return first[0] if first else Derivation([], [f"the answer of the model: {problem}"])
    except (ModelUnavailable, BudgetSpent):
        if first:
            return first[0]
        raise


def with_first(first: Derivation, second: Derivation) -> Derivation:
    """The second answer, with the good checks of the first if it has fewer: some models send corrected ones alone."""
    if len(second.checks) >= len(first.checks):
        return second
    new = [check for check in second.checks if check not in first.checks]
    return Derivation([*first.checks, *new], second.unread if new else first.unread)


def read_derived(said: _ChecksAnswer, why_broken: WhyBroken) -> Derivation:
    """The checks of an answer, and for each that cannot be read or made the reason."""
    derivation = Derivation([], [])
    for raw in said.checks:
        read = read_check(raw)
        problem = read if isinstance(read, str) else why_broken(read)
        if problem:
            derivation.unread.append(f"{one_line(json.dumps(raw))[:UNREAD_LENGTH]}: {problem}")
        elif not isinstance(read, str):
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
