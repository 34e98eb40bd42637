"""Heals a snippet with a model when no rule applies any more.

best attempt, feedback ─> prompts/healer.toml ─> model ─┬─> edits: a diff, functions, or the whole snippet
                                                        └─> NothingWrong: the snippet is right, for a reason
"""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.accept import Check
from app.healing.feedback import Near, feedback, in_brief
from app.jobs.run import Attempt
from app.jobs.talks import Talks
from app.llm.answers import AnswerUnusable, CodeAnswer, code_answer, tidy
from app.llm.applying import apply_edits
from app.llm.edits import DiffEdit, FileEdit, UnitEdit, ends_whole, read_dispute, read_edits
from app.llm.prompts import FilledPrompt, prompt
from app.prompting.scene_lines import shown_end
from app.prompting.shown import write_symbols
from app.prompting.target import CHECKS, SYMBOLS, Target, facts_of, section, shown_checks
from codebase.units.read import spans_of
from harness.readers import ReadingFailed
from ingest.ways import Ways
from python.parsing import parse_python

FORMS: Final = {FileEdit: "whole", UnitEdit: "a unit", DiffEdit: "a diff"}
BY_MODEL: Final = "model"
"""Takes the place of the rules in the record if a model healed the snippet."""
AS_IT_IS: Final = (
    "(nothing is said of it: it is a script of the caller's own, which must run and keep doing what it does)"
)

EARLIER: Final = "Healings of this snippet that made nothing better"
MOST_EARLIER: Final = 3
END: Final = "\nThe scene that it left"
SYMBOL_TOKENS: Final = 800
WORD: Final = re.compile(r"[A-Za-z_]\w*")
PICTURE: Final = "The picture that is blamed is attached."


class SameAgain(Exception):
    """The model wrote a snippet that was tried before; trying it again would go round in a circle."""


class NothingWrong(Exception):
    """The model holds that nothing is wrong with the snippet; the message is its reason."""


@dataclass(frozen=True)
class Patient:
    """A snippet that is to be healed: its attempts so far, the best of them, and its purpose.

    `pictures` are those of the best attempt that the model is shown; `near` finds the nearest names that exist.
    """

    attempts: Sequence[Attempt]
    best: Attempt
    request: str
    accept: list[Check]
    near: Near
    pictures: Sequence[Path] = ()
    retrieved: Sequence[str] = ()
    """Addresses of symbols that were found for the request, the best first."""
    ways: Ways | None = None
    """None if nothing is known of the API of the target."""


async def heal_by_model(talks: Talks, patient: Patient, target: Target) -> tuple[str, list[str]]:
    """The next snippet, and notes on it.

    Raises NothingWrong, SameAgain, AnswerUnusable, ModelUnavailable or BudgetSpent.
    """
    best, last = patient.best, patient.attempts[-1]
    filled = await asyncio.to_thread(question, patient, target, talks.models.small)
    step = f"heal {last.number + 1}"
    # Each healing is a talk of its own, so that it does not carry the whole snippets of those before.
    talk = f"healer {last.number + 1}"
    written = await talks.ask_for_code(talk, step, filled, healing_answer, best.snippet, pictures=patient.pictures)
    if written.disputed:
        raise NothingWrong(written.disputed)
    try:
        again = await talks.readers.ask(is_among, written.code, [attempt.snippet for attempt in patient.attempts])
    except ReadingFailed:
        again = False
    if again:
        raise SameAgain("the model wrote a snippet that had been tried before")
    healed = f"healed by a model ({written.form}) with {filled.identity}"
    return written.code, [f"attempt {best.number} failed at {best.verdict.reached}; {healed}"]


def question(patient: Patient, target: Target, small: bool) -> FilledPrompt:
    """The prompt with everything known of the snippet. It takes a while, because the nearest names are looked up."""
    best, request = patient.best, patient.request
    later = [
        in_brief(attempt) for attempt in patient.attempts if attempt.number > best.number and attempt.base is not None
    ]
    end = shown_end(best.report, request) if best.report else ""
    findings = feedback(best, patient.near)
    return prompt("healer", small).fill(
        **facts_of(target),
        request=request or AS_IT_IS,
        checks=section(CHECKS, shown_checks(patient.accept)),
        history=section(EARLIER, "\n".join(later[-MOST_EARLIER:])),
        snippet=best.snippet.rstrip("\n"),
        findings=findings,
        symbols=section(SYMBOLS, shown_symbols(patient, findings)).rstrip(),
        end=(section(END, end) + (PICTURE if patient.pictures else "")).rstrip(),
    )


def shown_symbols(patient: Patient, findings: str) -> str:
    """The symbols of this build that the findings name and the snippet uses, then those found for the request."""
    if patient.ways is None:
        return ""
    words = set(WORD.findall(findings))
    known = [*patient.best.symbols, *patient.retrieved]
    named = [address for address in known if address.rpartition(".")[2] in words]
    asked = f"{patient.request} {findings}"
    return str(write_symbols([*named, *patient.retrieved], asked, patient.ways, SYMBOL_TOKENS))


def healing_answer(answer: str, finish: str, snippet: str) -> CodeAnswer:
    """The healed snippet in an answer, which may be edits of this one, or the reason why it is right as it is."""
    if reason := read_dispute(answer):
        return CodeAnswer(disputed=reason)
    try:
        # The snippet is judged again, so that words at the end of an answer may be missing.
        edits = read_edits(answer, "" if ends_whole(answer) else finish, None)
        if not edits:
            return code_answer(answer, finish)
        changed = apply_edits(edits, {"": snippet}, lambda _path, text, name: spans_of("snippet.py", text, name))
        form = next((FORMS[type(edit)] for edit in edits), "")
        if not changed and form != FORMS[FileEdit]:
            raise AnswerUnusable(f"{form} changes nothing. Write the lines as they are to be")
        return CodeAnswer(tidy(changed.get("", snippet)), form)
    except AnswerUnusable as problem:
        return CodeAnswer(problem=str(problem))


def is_among(snippet: str, others: list[str]) -> bool:
    """True if the snippet is one of the others, apart from comments and layout."""
    return any(alike(snippet, other) for other in others)


def alike(snippet: str, other: str) -> bool:
    """True if two snippets are the same apart from comments and layout."""
    try:
        return ast.dump(parse_python(snippet)) == ast.dump(parse_python(other))
    except (SyntaxError, ValueError, RecursionError):
        return snippet.strip() == other.strip()
