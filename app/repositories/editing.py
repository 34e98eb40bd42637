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
from app.llm.client import Models
from app.llm.message import Message, QuestionTooLong, fit_chunks, tokens_of, tokens_of_all
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.edited import BEGIN, BOM, END, Journal, Remembered, fault_of, like, text_between
from codebase.errors import RepositoryError
from codebase.files import Skipped, list_files, read_file
from codebase.finding import Hit, find
from codebase.patches import hunks_of, patch_of
from codebase.secrets import is_secret
from codebase.writing import refused, replace_file

MARGIN: Final = 256
"""Tokens that are left over for what the server adds to a question."""
GROWTH: Final = 1.25
"""How much longer than the file the answer must be allowed to be."""
LEAST_GROWTH: Final = 256
MOST_UNITS: Final = 8
ASK_S: Final = 600.0
NONE: Final = "(none)"
SECRET: Final = "a file of this name usually holds secrets"


class EditRefused(InvalidRequest):
    code = "edit_refused"
    hint = "See docs/repositories.md for what can be edited."


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
    """One file after its edit. `problem` says why there is none; `state` is `again` if it was remembered."""

    path: str
    old: str = ""
    new: str = ""
    state: str = "asked"
    sizes: Sizes | None = None
    problem: str = ""

    @property
    def patch(self) -> str:
        """The difference as a patch; empty if there is none."""
        hunks = hunks_of(self.old, self.new)
        return patch_of(self.path, hunks) if hunks else ""


@dataclass(frozen=True)
class Editor:
    """Edits files of one repository. `index` is the folder of its index, in which edits are remembered too."""

    root: Path
    index: Path
    models: Models

    async def edit_all(self, place: str, instruction: str, write: bool) -> AsyncIterator[Edited]:
        """Edit a file, or each text file below a folder, one after another; a problem with one is its own result.

        Raises EditRefused if there is nothing at the place, and ModelUnavailable if no model answers.
        """
        for path in self.paths_at(place):
            try:
                edited = await self.edit(path, instruction)
                if write and edited.new != edited.old:
                    old, new = encoded(edited.old), encoded(edited.new)
                    await asyncio.to_thread(replace_file, self.root, path, old, new)
            except (EditRefused, AnswerUnusable, QuestionTooLong, RepositoryError) as error:
                edited = Edited(path, problem=str(error))
            yield edited

    def paths_at(self, place: str) -> list[str]:
        """The files at a place of the repository. Raises EditRefused."""
        wanted = place.removeprefix("./").strip("/")
        why = why_not(wanted) if wanted and wanted != "." else None
        if why:
            raise EditRefused(f"{place} is not edited: {why}.")
        paths = list_files(self.root).paths
        below = [path for path in paths if wanted in ("", ".") or path.startswith(f"{wanted}/")]
        found = [wanted] if wanted in paths else [path for path in below if not is_secret(path)]
        if not found:
            raise EditRefused(f"There is no file to edit at {place}: it is missing, ignored, or holds secrets.")
        return found

    async def edit(self, path: str, instruction: str) -> Edited:
        """The edit of one file, without writing it. Raises EditRefused, AnswerUnusable, ModelUnavailable and
        RepositoryError."""
        old = self.text_of(path)
        form = prompt("editor")
        sha256 = digest(old)
        journal = Journal(self.index / "edits")
        known = journal.find(path, instruction, form.identity, sha256)
        if known:
            return Edited(path, old, old if sha256 == known.after else known.text, "again")
        filled, sizes = await self.question(path, old, instruction)
        messages = [Message("system", filled.system), Message("user", filled.user)]
        answer = await self.models.ask(messages, ASK_S, room=sizes.answer, exactly=True)
        new = BOM * old.startswith(BOM) + like(old, text_between(answer.text, answer.finish))
        see_that_it_parses(path, old, new)
        kept = Remembered(path=path, before=sha256, after=digest(new), text=new, model=answer.model)
        journal.keep(instruction, form.identity, kept)
        return Edited(path, old, new, "asked", sizes)

    def text_of(self, path: str) -> str:
        """The text of a file as it is now. Raises EditRefused."""
        if is_secret(path):
            raise EditRefused(f"{path} is not edited: {SECRET}.")
        found = read_file(self.root.resolve(), path)
        if isinstance(found, Skipped):
            raise EditRefused(f"{path} is not edited: {found.reason}.")
        text = (self.root / path).read_bytes().decode("utf-8")
        if any(line.strip() in (BEGIN, END) for line in text.splitlines()):
            raise EditRefused(f"{path} is not edited: it has a line {BEGIN} or {END} itself.")
        return text

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
        hits = await asyncio.to_thread(self.near, path, instruction)
        chunks = fit_chunks([f"{hit.citation}\n{hit.text}" for hit in hits], room // 2)
        filled = fill(material="\n\n".join(chunks) or NONE, **given)
        return filled, Sizes(window, size_of(filled), window - size_of(filled) - MARGIN)

    def near(self, path: str, instruction: str) -> list[Hit]:
        """Units of other files that an instruction is about, without secrets."""
        try:
            hits = find(self.root, self.index, f"{instruction}\n{path}", 2 * MOST_UNITS).hits
        except RepositoryError:
            return []
        others = [hit for hit in hits if (place := hit.citation.rpartition(":")[0]) != path and not is_secret(place)]
        return others[:MOST_UNITS]


def why_not(path: str) -> str | None:
    """Why a file is not edited, by its path; None if it may be."""
    return refused(path) or (SECRET if is_secret(path) else None)


def see_that_it_parses(path: str, old: str, new: str) -> None:
    """Raise AnswerUnusable if a Python file that was right no longer is."""
    if not path.endswith(".py") or fault_of(old):
        return
    problem = fault_of(new)
    if problem:
        raise AnswerUnusable(f"what the model wrote is not Python: {problem}")


def size_of(filled: FilledPrompt) -> int:
    """The tokens of a prompt."""
    return tokens_of_all([Message("system", filled.system), Message("user", filled.user)])


def digest(text: str) -> str:
    return hashlib.sha256(encoded(text)).hexdigest()


def encoded(text: str) -> bytes:
    return text.encode("utf-8")
