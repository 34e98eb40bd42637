"""Repairs a snippet with a model when no rule applies any more.

best attempt, feedback ─> prompts/healer.toml ─> model ─┬─> a unified diff, applied strictly, then with fuzz
                                                        └─> a whole snippet
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Sequence
from typing import Final

from app.checks.accept import Check
from app.drafting.model import Target, facts_of, shown_checks
from app.healing.diffs import DoesNotApply, apply_diff
from app.healing.feedback import Near, feedback
from app.llm.answers import AnswerUnusable, CodeAnswer, read_repair
from app.llm.prompts import prompt
from app.runs.run import Attempt
from app.runs.talks import Talks
from harness.readers import ReadingFailed
from harness.syntax import parse_python

BY_MODEL: Final = "model"
"""Takes the place of the rules in the record if a model made the repair."""
AS_IT_IS: Final = (
    "(nothing is said of it: it is a script of the caller's own, which must run and keep doing what it does)"
)


class SameAgain(Exception):
    """The model wrote a snippet that was tried before; trying it again would go round in a circle."""


async def repair_by_model(
    talks: Talks,
    attempts: Sequence[Attempt],
    best: Attempt,
    request: str,
    target: Target,
    accept: list[Check],
    near: Near,
) -> tuple[str, list[str]]:
    """The next snippet, and notes on it.

    Raises SameAgain, AnswerUnusable, ModelUnavailable or BudgetSpent.
    """
    last = attempts[-1]
    # In a thread, because finding the nearest names takes a while.
    findings = await asyncio.to_thread(feedback, best, near)
    history = ""
    if last.number != best.number:
        history = (
            f"The last repair was no better and was taken back: {last.verdict.reached} failed then. "
            f"What it met:\n{await asyncio.to_thread(feedback, last, near)}\n"
        )
    filled = prompt("healer", talks.models.small).fill(
        **facts_of(target),
        request=request or AS_IT_IS,
        checks=shown_checks(accept),
        history=history,
        snippet=best.snippet.rstrip("\n"),
        findings=findings,
    )

    written = await talks.ask_for_code("healer", f"heal {last.number + 1}", filled, repair_answer, best.snippet)
    try:
        again = await talks.readers.ask(is_among, written.code, [attempt.snippet for attempt in attempts])
    except ReadingFailed:
        again = False
    if again:
        raise SameAgain("the model wrote a snippet that had been tried before")
    form = "a diff" if written.is_diff else "whole"
    return written.code, [
        f"attempt {best.number} failed at {best.verdict.reached}; repaired by a model ({form}) with {filled.identity}"
    ]


def repair_answer(answer: str, finish: str, snippet: str) -> CodeAnswer:
    """The repaired snippet in an answer, which may be a diff of this one."""
    try:
        text, is_diff = read_repair(answer, finish)
        return CodeAnswer(apply_diff(snippet, text) if is_diff else text, is_diff)
    except DoesNotApply as problem:
        again = "Send the diff again against the snippet as it is, or all of it"
        return CodeAnswer(problem=f"{problem}. {again}")
    except AnswerUnusable as problem:
        return CodeAnswer(problem=str(problem))


def is_among(snippet: str, others: list[str]) -> bool:
    """Whether the snippet is one of the others, apart from comments and layout."""
    return any(alike(snippet, other) for other in others)


def alike(one: str, two: str) -> bool:
    """Whether two snippets are the same apart from comments and layout."""
    try:
        return ast.dump(parse_python(one)) == ast.dump(parse_python(two))
    except (SyntaxError, ValueError, RecursionError):
        return one.strip() == two.strip()
