"""Asks a model for a repair of an add-on where no rule gets it further, and reads the answer.

where it raised, what was found ─> prompts/porter.toml ─> model ─> functions, files or a diff ─> texts, or what is wrong

A repair is a guess: it is kept only if the add-on then gets further, and `taken.py` finds nothing that was taken away.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.healing.trouble import Trouble
from app.llm.answers import without_reasoning
from app.llm.message import Message, tokens_of
from app.llm.prompts import prompt
from app.repositories.changing.file_texts import patched
from app.repositories.changing.patch_answers import BEGIN
from app.repositories.changing.spending import Spending
from app.repositories.hands import Hands
from app.repositories.questions import quoted
from app.repositories.tasks import as_text

BY_MODEL: Final = "model"
"""Takes the place of the rule in a reason."""
AROUND: Final = 150
"""Lines before and after the one that raised, of a file that does not fit whole."""
MOST_PATHS: Final = 200
MOST_OF_A_REASON: Final = 300


@dataclass(frozen=True)
class Ending:
    """Where the registration of an add-on ends: the step, the file and line, and what the API check finds there."""

    addon: str
    blender: str
    others: Sequence[str]
    step: str
    path: str
    trouble: Trouble
    findings: Sequence[str]


@dataclass(frozen=True)
class Repair:
    """The files that a model changed, whole by path, and why; or why the answer is no repair."""

    texts: dict[str, str]
    reason: str = ""
    problem: str = ""


async def ask_for_repair(models: Spending, ask: Hands, ending: Ending, texts: dict[str, str], before: str) -> Repair:
    """The repair of a model. `texts` are the Python files of the add-on, `before` what came of its last answer.

    Raises ModelUnavailable, BudgetSpent and InvalidRequest.
    """
    filled = prompt("porter").fill(
        addon=ending.addon,
        blender=ending.blender,
        others=", ".join(ending.others) or "no other Blender",
        step=ending.step,
        problem=quoted(f"{ending.path}:{ending.trouble.line}: {ending.trouble.message}"),
        findings=quoted("\n".join(ending.findings)) if ending.findings else "nothing else",
        file=shown(ending.path, texts[ending.path], ending.trouble.line, models.window // 2),
        paths=", ".join(path for path in list(texts)[:MOST_PATHS] if path != ending.path) or "none",
        before=f"Your last answer did not do: {before}\nIt was taken back." if before else "",
    )
    answer = await models.ask([Message("system", filled.system), Message("user", filled.user)])
    return await ask(read_repair, answer.text, answer.finish, texts)


def read_repair(answer: str, finish: str, texts: dict[str, str]) -> Repair:
    """The repair in an answer. A task, because what a model says is the text of a stranger."""
    made = patched(answer, finish, texts, [])
    new = next((path for path in made.changed if path not in texts), None)
    if new is not None:
        return Repair({}, problem=f"{new} is no Python file of the add-on")
    return Repair(made.changed, reason_in(as_text(answer)), made.problem)


def shown(path: str, text: str, line: int, room: int) -> str:
    """A file for a model: whole if it takes at most `room` tokens, otherwise the lines around one of them."""
    if tokens_of(text) <= room:
        return f"<file path={json.dumps(path)}>\n{text}\n</file>"
    lines = text.split("\n")
    first, last = max(0, line - 1 - AROUND), min(len(lines), line + AROUND)
    part = "\n".join(lines[first:last])[: 2 * room]
    return f"<file path={json.dumps(path)} lines={first + 1}-{last}>\n{part}\n</file>"


def reason_in(answer: str) -> str:
    """What a model says before its code, in one line."""
    text = without_reasoning(answer)
    begin = BEGIN.search(text)
    said = " ".join(text[: begin.start() if begin else len(text)].partition("```")[0].split())
    return said[:MOST_OF_A_REASON] or "no reason was given"
