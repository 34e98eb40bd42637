"""Asks a model about a repository: passages within its window, an answer, and each of its citations checked.

question ─> room of the window ─> passages ─┬─ no model, or none answers ─> the places themselves
                                            └─ model ─> answer ─> citations checked ─> answered | unfounded | not here
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel

from app.errors import InvalidRequest, SettingsInvalid
from app.jobs.budget import BudgetSpent
from app.jobs.kinds import QuestionKind
from app.jobs.spending import Spending
from app.llm.message import Answer, Message, ModelUnavailable, tokens_of, tokens_of_all
from app.llm.models import Models
from app.llm.prompts import prompt
from app.repositories import tasks
from app.repositories.hands import Hands
from app.repositories.ordering import Orderer
from app.repositories.project import Project
from codebase.ask.citations import CheckedAnswer, ShownLines, Struck
from codebase.ask.finding import Freshness
from codebase.ask.passages import Passage, PassageSelection

THE_PLACES: Final = "these are the places that were found."
NOT_HERE: Final = "NOT IN THIS REPOSITORY"
BYTES_A_TOKEN: Final = 3
FEWEST_TOKENS: Final = 500
"""Room for passages below which no question is asked."""
SPARE_TOKENS: Final = 100
ROOM_WITHOUT_MODEL: Final = 64 << 10
"""Bytes of passages if no model reads them."""

Status = Literal["answered", "unfounded", "not_in_repository", "places"]
ReadPassages = Callable[[int], Awaitable[PassageSelection]]
"""Selects passages for the question, within a number of bytes."""
Check = Callable[[str, list[ShownLines]], Awaitable[CheckedAnswer]]


class RepositoryQuestion(BaseModel):
    """A question about a repository: `ask` for an answer, `search` for places in the order of a model, `explain` for an
    explanation of the log that is its text."""

    way: Literal["ask", "search", "explain"]
    text: str
    most: int = 0
    sources: Sequence[str] = ()
    show_sources: bool = False
    by_model: bool = True

    @property
    def kind(self) -> QuestionKind:
        """The kind of its job."""
        return "explain" if self.way == "explain" else "ask"


class CitationBody(BaseModel):
    """A citation that holds, with the SHA-256 of the file as it was read."""

    citation: str
    sha256: str


class PassageBody(BaseModel):
    """A place for the question, with the reasons; its text with line numbers only if that was asked for."""

    citation: str
    name: str
    kind: str
    source: str
    """Its origin, if not the repository: a package, a folder, solved issues."""
    reasons: list[str]
    text: str | None


class BudgetBody(BaseModel):
    """The tokens for the question, by the window of the model, and their use."""

    window: int | None
    """Tokens of the question that the smallest model takes; null without a model."""
    used: int
    passages: int
    structure: int
    left_out: int
    """Passages that did not fit."""


class RepositoryAnswer(BaseModel):
    """An answer about a repository.

    `answered` by a model with citations that hold; `unfounded` if none of its citations holds; `not_in_repository` if
    nothing fits or the model says so; `places` if there is no model that answers: see `passages`.
    """

    status: Status
    text: str
    citations: list[CitationBody]
    struck: list[Struck]
    passages: list[PassageBody]
    budget: BudgetBody
    model: str | None
    note: str
    """Further facts of this answer, such as the reason why no model answered."""
    freshness: Freshness


@dataclass(frozen=True)
class Asker:
    """Asks about repositories; `system` is the operator's own system prompt, if there is one."""

    models: Models | Spending
    system: str | None
    seconds: float

    @property
    def orderer(self) -> Orderer:
        """The orderer of places with the same models."""
        return Orderer(self.models, self.seconds)

    async def ask(
        self, question: str, read: ReadPassages, check: Check, show_sources: bool, note: str = ""
    ) -> RepositoryAnswer:
        """The answer to a question; `note` is added to the note of the answer.

        Raises InvalidRequest if the question leaves no room for passages.
        """
        window = self.models.window if self.models else None
        room = ROOM_WITHOUT_MODEL if window is None else self._room(question, window)
        reading = await read(room)
        messages = self._messages(question, reading)
        answer = _AnswerMaker(reading, messages, window, show_sources, note)
        if not reading.passages:
            return answer.without_model("not_in_repository", "Nothing was found for this question.")
        if window is None:
            return answer.without_model("places", f"No model is set up (docs/models.md): {THE_PLACES}")
        try:
            by_model = await self.models.ask(messages, self.seconds)
        except (ModelUnavailable, BudgetSpent) as error:
            return answer.without_model("places", f"No model answered ({error}): {THE_PLACES}")
        return answer.by(by_model, await check(by_model.text, answer.shown_lines))

    def _room(self, question: str, window: int) -> int:
        """Bytes that a window has for passages and structure."""
        empty = PassageSelection([], "", 0, Freshness(None, False, 0, 0, None))
        room = window - tokens_of_all(self._messages(question, empty)) - SPARE_TOKENS
        if room < FEWEST_TOKENS:
            raise InvalidRequest(
                f"body.question: with it, {max(room, 0)} tokens of the model's window are left for code.",
                "Ask a shorter question, or let the operator set up a model with a larger window.",
            )
        return room * BYTES_A_TOKEN

    def _messages(self, question: str, reading: PassageSelection) -> list[Message]:
        filled = prompt("asker").fill(
            structure=behind_bars(reading.structure),
            passages="\n".join(map(as_data, reading.passages)),
            question=question,
        )
        return [Message("system", self.system or filled.system), Message("user", filled.user)]


async def answer_from(project: Project, asked: RepositoryQuestion, asker: Asker, ask: Hands) -> RepositoryAnswer:
    """The answer of a model about a repository with checked citations, or the places if there is no answer.

    If `by_model`, the model first chooses the places that it is shown before others. Raises InvalidRequest, and what
    the tasks raise.
    """
    names = tasks.known_sources(project, asked.sources)
    first, note = list[str](), ""
    if asked.by_model:
        first, note = await asker.orderer.first(project, asked.text, names, ask)

    async def read(room_bytes: int) -> PassageSelection:
        return await ask(tasks.read_passages, project, asked.text, asked.most, room_bytes, names, first)

    async def check(answer: str, shown: list[ShownLines]) -> CheckedAnswer:
        return await ask(tasks.check_citations, project, answer, shown)

    return await asker.ask(asked.text, read, check, asked.show_sources, note)


def open_asker(models: Models, prompt_file: Path | None, seconds: float) -> Asker:
    """The asker of these settings. Raises SettingsInvalid if the file of the prompt cannot be read."""
    try:
        system = prompt_file.read_text(encoding="utf-8").strip() if prompt_file else None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsInvalid(f"BLENDPROOF_REPOSITORY_PROMPT={prompt_file}: {error}") from None
    return Asker(models, system, seconds)


def behind_bars(text: str) -> str:
    """Lines of data, each behind a bar, so that none of them looks like one of ours."""
    return "\n".join(f"| {line}" for line in text.split("\n"))


def file_as_data(path: str, text: str, lines: str = "") -> str:
    """A file for a model as it is, so that a diff of it fits; its hash marks its end, which no file can write."""
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    end = "" if text.endswith("\n") else "\n"
    return f"<file {mark} path={json.dumps(path)}{lines}>\n{text}{end}</file {mark}>"


def as_data(passage: Passage) -> str:
    """A passage for a model. Its lines are numbered, so that none of them looks like its end."""
    origin = f" source={json.dumps(passage.source)}" if passage.source else ""
    head = f"path={json.dumps(passage.path, ensure_ascii=False)} lines={passage.first}-{passage.last}{origin}"
    return f"<passage {head}>\n{passage.text}\n</passage>"


class _AnswerMaker:
    """Makes the answer from the selected passages."""

    def __init__(
        self, reading: PassageSelection, messages: Sequence[Message], window: int | None, show_sources: bool, note: str
    ) -> None:
        self._reading = reading
        self._note = note
        self._show_sources = show_sources
        self._budget = BudgetBody(
            window=window,
            used=tokens_of_all(messages) if window is not None else 0,
            passages=sum(tokens_of(passage.text) for passage in reading.passages),
            structure=tokens_of(reading.structure),
            left_out=reading.left_out,
        )

    @property
    def shown_lines(self) -> list[ShownLines]:
        """The lines that the model was shown."""
        return [
            ShownLines(passage.path, passage.first, passage.last, passage.sha256) for passage in self._reading.passages
        ]

    def without_model(self, status: Status, note: str) -> RepositoryAnswer:
        return self._answer(status, "", [], [], None, note)

    def by(self, answer: Answer, judged: CheckedAnswer) -> RepositoryAnswer:
        """The answer of a model after its citations were checked."""
        citations = [CitationBody(citation=str(citation), sha256=citation.sha256) for citation in judged.citations]
        struck = judged.struck
        notes: list[str] = []
        if not citations and judged.text.strip(" *_`.\n").upper().startswith(NOT_HERE):
            status: Status = "not_in_repository"
            notes.append("The model finds no answer in the places that were found.")
        elif citations:
            status = "answered"
        else:
            status = "unfounded"
            notes.append("The model cites nothing that holds: do not rely on this answer.")
        if struck:
            notes.append(f"{len(struck)} citations do not hold and are struck out.")
        if answer.finish == "length":
            notes.append("The answer was cut off.")
        return self._answer(
            status, judged.text, citations, struck, f"{answer.provider} ({answer.model})", " ".join(notes)
        )

    def _answer(
        self,
        status: Status,
        text: str,
        citations: list[CitationBody],
        struck: list[Struck],
        model: str | None,
        note: str,
    ) -> RepositoryAnswer:
        return RepositoryAnswer(
            status=status,
            text=text,
            citations=citations,
            struck=struck,
            passages=[self._body(passage) for passage in self._reading.passages],
            budget=self._budget,
            model=model,
            note=f"{note} {self._note}".strip(),
            freshness=self._reading.freshness,
        )

    def _body(self, passage: Passage) -> PassageBody:
        return PassageBody(
            citation=passage.citation,
            name=passage.name,
            kind=passage.kind,
            source=passage.source,
            reasons=list(passage.reasons),
            text=passage.text if self._show_sources else None,
        )
