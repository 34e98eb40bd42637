"""Edits files of a repository: a model rewrites each whole, with what is near in the other files beside it.

    file ──────────────┐
    instruction ───────┼─> prompts/editor.toml ─> model ─> between the markers ─> printed, a diff, or written
    units of others ───┘     (as many as fit)

The file itself is the source of truth, and is left out of what is retrieved.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from app.llm.answers import AnswerUnusable
from app.llm.message import Message, QuestionTooLong, fit_chunks, tokens_of, tokens_of_all
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.spending import Spending
from app.repositories.edited import BEGIN, BOM, END, Journal, Remembered, fault_of, like, text_between, unfenced
from app.repositories.hands import Hands, here
from app.repositories.tasks import Problem, as_text, or_problem
from codebase.ask.finding import find
from codebase.errors import RepositoryError
from codebase.index.files import SkippedFile, list_files, read_file
from codebase.index.secrets import is_secret
from codebase.tree.patches import hunks_of, patch_of
from codebase.tree.writing import refusal, replace_file

MARGIN: Final = 256
"""Tokens that are left over for what the server adds to a question."""
GROWTH: Final = 1.25
"""How much longer than the file the answer must be allowed to be."""
LEAST_GROWTH: Final = 256
MOST_UNITS: Final = 8
NONE: Final = "(none)"
SECRET: Final = "a file of this name usually holds secrets"


class EditRefused(InvalidRequest):
    code = "edit_refused"
    hint = "See docs/editing.md for what can be edited."


@dataclass(frozen=True)
class Sizes:
    """The tokens of one question: the window, the question, and the most that the answer may have."""

    window: int
    question: int
    answer: int

    def said(self) -> str:
        return f"window {self.window}, question {self.question}, margin {MARGIN}, largest answer {self.answer} tokens"


@dataclass(frozen=True)
class Edited:
    """One file after its edit. `problem` says why there is none; `state` is `again` if it was remembered; `patch` is
    empty if nothing is changed."""

    path: str
    old: str = ""
    new: str = ""
    patch: str = ""
    state: str = "asked"
    sizes: Sizes | None = None
    problem: str = ""


@dataclass(frozen=True)
class Rewritten:
    """What an answer makes of a file, and that as a patch; or why it is no file."""

    new: str = ""
    patch: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Original:
    """The text of a file as it is now, or why it is not edited."""

    text: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Editor:
    """Edits files of one repository. `index` is the folder of its index, in which edits are remembered too; `ask` works
    on its texts."""

    root: Path
    index: Path
    models: Spending
    ask: Hands = here

    async def edit_all(self, place: str, instruction: str, write: bool) -> AsyncIterator[Edited]:
        """Edit a file, or each text file below a folder, one after another; a problem with one is its own result.

        Raises EditRefused if there is nothing at the place, ModelUnavailable if no model answers, and BudgetSpent.
        """
        for path in await self.paths_at(place):
            try:
                edited = await self.edit(path, instruction)
                if write and edited.new != edited.old:
                    old, new = encoded(edited.old), encoded(edited.new)
                    await asyncio.to_thread(replace_file, self.root, path, old, new)
            except (InvalidRequest, AnswerUnusable, QuestionTooLong, RepositoryError) as error:
                edited = Edited(path, problem=str(error))
            yield edited

    async def paths_at(self, place: str) -> list[str]:
        """The files at a place of the repository. Raises EditRefused."""
        wanted = place.removeprefix("./").strip("/")
        why = why_not(wanted) if wanted and wanted != "." else None
        if why:
            raise EditRefused(f"{place} is not edited: {why}.")
        found = await self.ask(paths_below, self.root, wanted)
        if not found:
            raise EditRefused(f"There is no file to edit at {place}: it is missing, ignored, or holds secrets.")
        return found

    async def edit(self, path: str, instruction: str) -> Edited:
        """The edit of one file, without writing it. Raises EditRefused, AnswerUnusable, QuestionTooLong,
        ModelUnavailable and BudgetSpent."""
        original = await self.ask(text_of, self.root, path)
        if original.problem:
            raise EditRefused(f"{path} is not edited: {original.problem}.")
        old, form = original.text, prompt("editor")
        sha256 = digest(old)
        known = await self.ask(remembered, self.index, path, instruction, form.identity, sha256)
        if known:
            new = old if sha256 == known.after else known.text
            return Edited(path, old, new, await self.ask(patch_between, path, old, new), "again")
        filled, sizes = await self.question(path, old, instruction)
        messages = [Message("system", filled.system), Message("user", filled.user)]
        answer = await self.models.ask(messages, room=sizes.answer, exactly=True)
        made = await self.ask(rewritten, path, old, answer.text, answer.finish)
        if made.problem:
            raise AnswerUnusable(made.problem)
        kept = Remembered(path=path, before=sha256, after=digest(made.new), text=made.new, model=answer.model)
        await self.ask(remember, self.index, instruction, form.identity, kept)
        return Edited(path, old, made.new, made.patch, "asked", sizes)

    async def question(self, path: str, old: str, instruction: str) -> tuple[FilledPrompt, Sizes]:
        """The prompt, with as much of the other files as fits, and the sizes. Raises QuestionTooLong."""
        fill = prompt("editor").fill
        content = old.removeprefix(BOM).replace("\r\n", "\n")
        given = {"path": path, "instruction": instruction, "content": content.removesuffix("\n")}
        bare = fill(material=NONE, **given)
        needed = max(int(tokens_of(old) * GROWTH), tokens_of(old) + LEAST_GROWTH)
        window = self.models.context
        room = window - size_of(bare) - needed - MARGIN
        if room < 0:
            said = f"{path} and its new version need about {window - room} tokens, and the window has {window}"
            raise QuestionTooLong(f"{said}: take a model with a larger one, or split the file")
        chunks = fit_chunks(await self.ask(near, self.root, self.index, path, instruction), room // 2)
        filled = fill(material="\n\n".join(chunks) or NONE, **given)
        return filled, Sizes(window, size_of(filled), window - size_of(filled) - MARGIN)


def paths_below(root: Path, wanted: str) -> list[str] | Problem:
    """The file at a path, or the files below it that hold no secrets."""

    def listed() -> list[str]:
        paths = [path for path in list_files(root).paths if as_text(path) == path]
        below = [path for path in paths if wanted in ("", ".") or path.startswith(f"{wanted}/")]
        return [wanted] if wanted in paths else [path for path in below if not is_secret(path)]

    return or_problem(listed)


def text_of(root: Path, path: str) -> Original | Problem:
    """The text of a file as it is now."""

    def read() -> Original:
        found = read_file(root.resolve(), path)
        if isinstance(found, SkippedFile):
            return Original(problem=found.reason)
        text = (root / path).read_bytes().decode("utf-8")
        marked = any(line.strip() in (BEGIN, END) for line in text.splitlines())
        return Original(text, f"it has a line {BEGIN} or {END} itself" if marked else "")

    return Original(problem=SECRET) if is_secret(path) else or_problem(read)


def near(root: Path, index: Path, path: str, instruction: str) -> list[str]:
    """Units of other files that an instruction is about, without secrets."""
    try:
        hits = find(root, index, f"{instruction}\n{path}", 2 * MOST_UNITS).hits
    except RepositoryError:
        return []
    others = [hit for hit in hits if (place := hit.citation.rpartition(":")[0]) != path and not is_secret(place)]
    return [as_text(f"{hit.citation}\n{hit.text}") for hit in others[:MOST_UNITS]]


def rewritten(path: str, old: str, answer: str, finish: str) -> Rewritten:
    """What an answer makes of a file. A Python file that was right must be right."""
    try:
        new = BOM * old.startswith(BOM) + like(old, unfenced(old, text_between(as_text(answer), finish)))
    except AnswerUnusable as error:
        return Rewritten(problem=str(error))
    problem = fault_of(new) if path.endswith(".py") and not fault_of(old) else ""
    if problem:
        return Rewritten(problem=f"what the model wrote is not Python: {problem}")
    return Rewritten(new, patch_between(path, old, new))


def patch_between(path: str, old: str, new: str) -> str:
    """The difference as a patch; empty if there is none."""
    hunks = hunks_of(old, new)
    return patch_of(path, hunks) if hunks else ""


def remembered(index: Path, path: str, instruction: str, identity: str, sha256: str) -> Remembered | None:
    """An edit that was made before."""
    return Journal(index / "edits").find(path, instruction, identity, sha256)


def remember(index: Path, instruction: str, identity: str, edit: Remembered) -> None:
    """Remember an edit."""
    Journal(index / "edits").keep(instruction, identity, edit)


def why_not(path: str) -> str | None:
    """Why a file is not edited, by its path; None if it may be."""
    return refusal(path) or (SECRET if is_secret(path) else None)


def size_of(filled: FilledPrompt) -> int:
    """The tokens of a prompt."""
    return tokens_of_all([Message("system", filled.system), Message("user", filled.user)])


def digest(text: str) -> str:
    return hashlib.sha256(encoded(text)).hexdigest()


def encoded(text: str) -> bytes:
    return text.encode("utf-8")
