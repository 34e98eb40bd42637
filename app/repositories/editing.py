"""Edits files of a repository: a model rewrites each whole, next to relevant units of the other files.

    file ──────────────┐
    instruction ───────┼─> prompts/editor.toml ─> model ─> between the markers ─> printed, a diff, or written
    units of others ───┘     (as many as fit)

The file itself is the source of truth, and is not among the retrieved units.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.errors import InvalidRequest
from app.jobs.spending import Spending
from app.llm.answers import AnswerUnusable
from app.llm.applying import BOM
from app.llm.edits import MARK
from app.llm.message import Message, QuestionTooLong, fit_chunks, tokens_of, tokens_of_all
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.patch_answers import changed_by
from app.repositories.edited import Journal, RememberedEdit
from app.repositories.hands import Hands, here
from app.repositories.project import TaskProblem
from app.repositories.tasks import as_text, or_problem
from codebase.ask.finding import find
from codebase.errors import RepositoryError
from codebase.index.files import SkippedFile, list_files, read_file
from codebase.index.secrets import is_secret
from codebase.tree.patches import patch_between
from codebase.tree.writing import refusal, replace_file

MARGIN: Final = 256
"""Tokens that are reserved for additions of the server to a question."""
GROWTH: Final = 1.25
"""Factor by which the answer may be longer than the file."""
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
class EditResult:
    """One file after its edit. `problem` is the reason if there is none; `state` is `again` if it was remembered;
    `patch` is empty if nothing is changed."""

    path: str
    old: str = ""
    new: str = ""
    patch: str = ""
    state: str = "asked"
    sizes: Sizes | None = None
    problem: str = ""


@dataclass(frozen=True)
class FileRewrite:
    """The file that an answer makes, and the change as a patch; or the problem of the answer."""

    new: str = ""
    patch: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Original:
    """The text of a file as it is now, or the reason why it is not edited."""

    text: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Editor:
    """Edits files of one repository. `index` is the folder of its index, which remembers edits too; `ask` works on its
    texts."""

    root: Path
    index: Path
    models: Spending
    ask: Hands = here

    async def edit_all(self, place: str, instruction: str, write: bool) -> AsyncIterator[EditResult]:
        """Edit a file, or each text file below a folder, one after another; a problem with one is its own result.

        Raises EditRefused if there is nothing at the place, ModelUnavailable if no model answers, and BudgetSpent.
        """
        for path in await self.paths_at(place):
            try:
                edited = await self.edit(path, instruction)
                if write and edited.new != edited.old:
                    old, new = encode(edited.old), encode(edited.new)
                    await asyncio.to_thread(replace_file, self.root, path, old, new)
            except (InvalidRequest, AnswerUnusable, QuestionTooLong, RepositoryError) as error:
                edited = EditResult(path, problem=str(error))
            yield edited

    async def paths_at(self, place: str) -> list[str]:
        """The files at a place of the repository. Raises EditRefused."""
        wanted = place.removeprefix("./").strip("/")
        reason = reason_against(wanted) if wanted and wanted != "." else None
        if reason:
            raise EditRefused(f"{place} is not edited: {reason}.")
        paths = await self.ask(paths_below, self.root, wanted)
        if not paths:
            raise EditRefused(f"There is no file to edit at {place}: it is missing, ignored, or holds secrets.")
        return paths

    async def edit(self, path: str, instruction: str) -> EditResult:
        """The edit of one file, without writing it. Raises EditRefused, AnswerUnusable, QuestionTooLong,
        ModelUnavailable and BudgetSpent."""
        original = await self.ask(text_of, self.root, path)
        if original.problem:
            raise EditRefused(f"{path} is not edited: {original.problem}.")
        old, form = original.text, prompt("editor")
        sha256 = digest(old)
        known = await self.ask(recall, self.index, path, instruction, form.identity, sha256)
        if known:
            new = old if sha256 == known.after else known.text
            return EditResult(path, old, new, await self.ask(patch_between, path, old, new), "again")
        filled, sizes = await self.question(path, old, instruction)
        messages = [Message("system", filled.system), Message("user", filled.user)]
        answer = await self.models.ask(messages, room=sizes.answer, exactly=True)
        made = await self.ask(rewrite, path, old, answer.text, answer.finish)
        if made.problem:
            raise AnswerUnusable(made.problem)
        kept = RememberedEdit(path=path, before=sha256, after=digest(made.new), text=made.new, model=answer.model)
        await self.ask(remember, self.index, instruction, form.identity, kept)
        return EditResult(path, old, made.new, made.patch, "asked", sizes)

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
            needs = f"{path} and its new version need about {window - room} tokens, and the window has {window}"
            raise QuestionTooLong(f"{needs}: take a model with a larger one, or split the file")
        chunks = fit_chunks(await self.ask(near, self.root, self.index, path, instruction), room // 2)
        filled = fill(material="\n\n".join(chunks) or NONE, **given)
        return filled, Sizes(window, size_of(filled), window - size_of(filled) - MARGIN)


def paths_below(root: Path, wanted: str) -> list[str] | TaskProblem:
    """The file at a path, or the files below it that hold no secrets."""

    def list_paths() -> list[str]:
        paths = [path for path in list_files(root).paths if as_text(path) == path]
        below = [path for path in paths if wanted in ("", ".") or path.startswith(f"{wanted}/")]
        return [wanted] if wanted in paths else [path for path in below if not is_secret(path)]

    return or_problem(list_paths)


def text_of(root: Path, path: str) -> Original | TaskProblem:
    """The text of a file as it is now."""

    def read() -> Original:
        file = read_file(root.resolve(), path)
        if isinstance(file, SkippedFile):
            return Original(problem=file.reason)
        text = (root / path).read_bytes().decode("utf-8")
        mark = MARK.search(text.replace("\r\n", "\n"))
        return Original(text, f"it has a line {mark[0].strip()} itself" if mark else "")

    return Original(problem=SECRET) if is_secret(path) else or_problem(read)


def near(root: Path, index: Path, path: str, instruction: str) -> list[str]:
    """Units of other files that an instruction is about, without secrets."""
    try:
        hits = find(root, index, f"{instruction}\n{path}", 2 * MOST_UNITS).hits
    except RepositoryError:
        return []
    others = [hit for hit in hits if (place := hit.citation.rpartition(":")[0]) != path and not is_secret(place)]
    return [as_text(f"{hit.citation}\n{hit.text}") for hit in others[:MOST_UNITS]]


def rewrite(path: str, old: str, answer: str, finish: str) -> FileRewrite:
    """The file that an answer makes. A Python file that was valid must stay valid."""
    try:
        new = changed_by(as_text(answer), finish, {path: old}, path).get(path, old)
    except AnswerUnusable as error:
        return FileRewrite(problem=str(error))
    return FileRewrite(new, patch_between(path, old, new))


def recall(index: Path, path: str, instruction: str, identity: str, sha256: str) -> RememberedEdit | None:
    """An edit of the same kind that was made before."""
    return Journal(index / "edits").find(path, instruction, identity, sha256)


def remember(index: Path, instruction: str, identity: str, edit: RememberedEdit) -> None:
    """Remember an edit."""
    Journal(index / "edits").keep(instruction, identity, edit)


def reason_against(path: str) -> str | None:
    """The reason why a file is not edited, by its path; None if it may be."""
    return refusal(path) or (SECRET if is_secret(path) else None)


def size_of(filled: FilledPrompt) -> int:
    """The tokens of a prompt."""
    return tokens_of_all([Message("system", filled.system), Message("user", filled.user)])


def digest(text: str) -> str:
    return hashlib.sha256(encode(text)).hexdigest()


def encode(text: str) -> bytes:
    return text.encode("utf-8")
