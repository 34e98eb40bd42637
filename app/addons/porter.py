"""Asks a model to heal an add-on if no rule gets it further, and reads the answer.

line that raised, findings ─> prompts/porter.toml ─> model ─> functions, files or a diff ─> texts, or the fault

The answer is a guess: it is kept only if the add-on then gets further, and `taken.py` finds no loss in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.healing.trouble import Trouble
from app.jobs.spending import Spending
from app.llm.answers import without_reasoning
from app.llm.edits import start_of_edits
from app.llm.message import Message, tokens_of
from app.llm.prompts import prompt
from app.repositories.changing.file_texts import apply_answer
from app.repositories.hands import Hands
from app.repositories.questions import behind_bars, file_as_data
from app.repositories.tasks import as_text

BY_MODEL: Final = "model"
"""Takes the place of the rule in a reason."""
AROUND: Final = 150
"""Lines before and after the line that raised, of a file that does not fit whole."""
MOST_PATHS: Final = 200
MOST_OF_A_REASON: Final = 300


@dataclass(frozen=True)
class RegistrationEnd:
    """The end of a registration: the step, the file and line, and the findings of the API check there."""

    addon: str
    blender: str
    others: Sequence[str]
    step: str
    path: str
    trouble: Trouble
    findings: Sequence[str]


@dataclass(frozen=True)
class ModelChange:
    """The files that a model changed, whole by path, and its reason; or the problem if the answer cannot be used."""

    texts: dict[str, str]
    reason: str = ""
    problem: str = ""


async def ask_for_change(
    models: Spending, ask: Hands, ending: RegistrationEnd, texts: dict[str, str], before: str
) -> ModelChange:
    """The answer of a model. `texts` are the Python files of the add-on, `before` is the fault of its last answer.

    Raises ModelUnavailable, BudgetSpent and InvalidRequest.
    """
    filled = prompt("porter").fill(
        addon=ending.addon,
        blender=ending.blender,
        others=", ".join(ending.others) or "no other Blender",
        step=ending.step,
        problem=behind_bars(f"{ending.path}:{ending.trouble.line}: {ending.trouble.message}"),
        findings=behind_bars("\n".join(ending.findings)) if ending.findings else "nothing else",
        file=file_for_model(ending.path, texts[ending.path], ending.trouble.line, models.window // 2),
        paths=", ".join(path for path in list(texts)[:MOST_PATHS] if path != ending.path) or "none",
        before=f"Your last answer did not do: {before}\nIt was taken back." if before else "",
    )
    answer = await models.ask([Message("system", filled.system), Message("user", filled.user)])
    return await ask(read_change, answer.text, answer.finish, texts)


def read_change(answer: str, finish: str, texts: dict[str, str]) -> ModelChange:
    """The changes in an answer. A task, because a model's answer is the text of a stranger."""
    made = apply_answer(answer, finish, texts, [])
    new = next((path for path in made.changed if path not in texts), None)
    if new is not None:
        return ModelChange({}, problem=f"{new} is no Python file of the add-on")
    return ModelChange(made.changed, reason_in(as_text(answer)), made.problem)


def file_for_model(path: str, text: str, line: int, room: int) -> str:
    """A file for a model: whole if it takes at most `room` tokens, otherwise the lines around one line."""
    if tokens_of(text) <= room:
        return file_as_data(path, text)
    lines = text.split("\n")
    first, last = max(0, line - 1 - AROUND), min(len(lines), line + AROUND)
    part = "\n".join(lines[first:last])[: 2 * room]
    return file_as_data(path, part, f" lines={first + 1}-{last}")


def reason_in(answer: str) -> str:
    """The text of an answer before its code, in one line."""
    text = without_reasoning(answer)
    words = " ".join(text[: start_of_edits(text)].partition("```")[0].split())
    return words[:MOST_OF_A_REASON] or "no reason was given"
