"""Has a model put the places of a search in another order, with one question.

fifty places, two per file ─> the lines of each that share words ─> model ─> numbers ─┬─ of the places ─> these first
                                                                                    └─ anything else ─> as before
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, Field

from app.jobs.budget import BudgetSpent
from app.jobs.spending import Spending
from app.llm.answers import AnswerUnusable, read_json, without_reasoning
from app.llm.message import Message, ModelUnavailable, tokens_of_all
from app.llm.models import Models
from app.llm.prompts import prompt
from app.repositories.hands import Hands
from app.repositories.project import Project, TaskProblem
from app.repositories.tasks import as_text, or_problem, with_brief
from codebase.ask.brief import brief_places
from codebase.ask.finding import JUDGED, JUDGED_PER_FILE, RepositoryHits, UnitHit
from codebase.ask.sources import find_everywhere

NAMED: Final = 12
"""Places that a model may name."""
BYTES_A_TOKEN: Final = 3
MOST_TOKENS: Final = 6000
"""Most tokens of the whole question to a model."""
QUESTION_SHARE: Final = 3
"""The text of the asker gets at most one part of this many."""
SPARE_TOKENS: Final = 100
FEWEST_BYTES: Final = 120
"""Fewest bytes of one place: if the window is small, fewer places are shown."""
NUMBER_BYTES: Final = len("[50] \n")


class Numbers(BaseModel):
    """The answer of a model."""

    places: list[int] = Field(min_length=1, max_length=NAMED)


@dataclasses.dataclass(frozen=True)
class PlaceNumbers:
    """The numbers in an answer, from 1; or its problem."""

    numbers: list[int]
    problem: str = ""


class OrderBody(BaseModel):
    """The model that ordered the places, or None, and then the reason.

    `named` is the number of places that the model named: they come first.
    """

    model: str | None
    named: int
    note: str


def candidates(project: Project, question: str, wanted: list[str]) -> RepositoryHits | TaskProblem:
    """The places that a model is asked about."""
    return or_problem(
        lambda: find_everywhere(
            project.root, project.folder, project.sources, question, JUDGED, wanted, per_file=JUDGED_PER_FILE
        )
    )


def read_numbers(answer: str, count: int) -> PlaceNumbers | TaskProblem:
    """The numbers in an answer about `count` places. A task, because a model's answer is the text of a stranger."""
    return or_problem(lambda: numbers_in(as_text(answer), count))


def numbers_in(answer: str, count: int) -> PlaceNumbers:
    try:
        numbers = read_json(without_reasoning(answer), Numbers).places
    except AnswerUnusable as error:
        return PlaceNumbers([], str(error))
    wrong = [number for number in numbers if not 1 <= number <= count]
    if wrong:
        return PlaceNumbers([], f"there is no place {wrong[0]}; there are 1 to {count}")
    if len(set(numbers)) < len(numbers):
        return PlaceNumbers([], "it names a place twice")
    return PlaceNumbers(numbers)


@dataclasses.dataclass(frozen=True)
class Orderer:
    """Has models order places, each time within `seconds`."""

    models: Models | Spending
    seconds: float

    async def find(
        self, project: Project, question: str, most: int, wanted: list[str], ask: Hands
    ) -> tuple[RepositoryHits, OrderBody]:
        """The places for a question, in the order of a model. Raises what the tasks raise."""
        result = await ask(candidates, project, question, wanted)
        hits, order = await self.order(question, result.hits, ask)
        files = files_of(hits[: order.named], result.files)
        found = dataclasses.replace(result, hits=hits[:most], files=files[:most])
        return await ask(with_brief, question, found), order

    async def first(self, project: Project, question: str, wanted: list[str], ask: Hands) -> tuple[list[str], str]:
        """The citations that a model names, the best first; if none, the reason. Raises what the tasks raise."""
        if not self.models:
            return [], ""
        result, order = await self.find(project, question, NAMED, wanted, ask)
        return [hit.citation for hit in result.hits[: order.named]], order.note

    async def order(self, question: str, hits: Sequence[UnitHit], ask: Hands) -> tuple[list[UnitHit], OrderBody]:
        """The places in the order of a model, then the others; in the order of the search without a usable answer."""
        if not self.models:
            return self._unordered(hits, "no model is set up (docs/models.md)")
        if not hits:
            return self._unordered(hits, "nothing was found")
        messages, shown = await self._messages(question, hits, ask)
        if not shown:
            return self._unordered(hits, "the model's window is too small")
        try:
            answer = await self.models.ask(messages, self.seconds, Numbers.model_json_schema(), exactly=True)
        except (ModelUnavailable, BudgetSpent) as error:
            return self._unordered(hits, f"no model answered ({error})")
        read = await ask(read_numbers, answer.text, shown)
        if read.problem:
            return self._unordered(hits, f"the answer of {answer.model} is of no use: {read.problem}")
        model = f"{answer.provider} ({answer.model})"
        return in_model_order(hits, read.numbers, model), OrderBody(model=model, named=len(read.numbers), note="")

    def _unordered(self, hits: Sequence[UnitHit], reason: str) -> tuple[list[UnitHit], OrderBody]:
        return list(hits), OrderBody(model=None, named=0, note=f"The order is that of the search: {reason}.")

    async def _messages(self, question: str, hits: Sequence[UnitHit], ask: Hands) -> tuple[list[Message], int]:
        """The question to a model, and the number of places in it."""
        window = min(self.models.window, MOST_TOKENS)
        asked = question.encode()[: window * BYTES_A_TOKEN // QUESTION_SHARE].decode(errors="ignore")
        room_tokens = window - tokens_of_all(messages_for(asked, "")) - SPARE_TOKENS
        room = max(room_tokens, 0) * BYTES_A_TOKEN
        kept = list(hits[: room // FEWEST_BYTES])
        return messages_for(asked, await ask(as_places, question, kept, room)), len(kept)


def messages_for(question: str, places: str) -> list[Message]:
    made = prompt("ranker").fill(places=places, question=question, most=str(NAMED))
    return [Message("system", made.system), Message("user", made.user)]


def as_places(question: str, hits: list[UnitHit], room: int) -> str:
    """Numbered places in at most `room` bytes. A task, because it reads what the repository says.

    Each line begins with a number of ours, so that none can pass for another one.
    """
    parts = brief_places(question, hits, room - NUMBER_BYTES * len(hits))
    return "\n".join(f"[{number}] {part}" for number, part in enumerate(parts, 1))


def in_model_order(hits: Sequence[UnitHit], numbers: Sequence[int], model: str) -> list[UnitHit]:
    """The places of these numbers first, with the model as a reason; then the others."""
    best = max(hit.score for hit in hits)
    first = [
        dataclasses.replace(
            hits[number - 1],
            score=best + 1 / place,
            reasons=(f"{model} (place {place})", *hits[number - 1].reasons),
        )
        for place, number in enumerate(numbers, 1)
    ]
    return first + [hit for number, hit in enumerate(hits, 1) if number not in numbers]


def files_of(hits: Sequence[UnitHit], files: Sequence[str]) -> list[str]:
    """The files of these places of the repository, in their order, then the other files."""
    return list(dict.fromkeys([*(hit.citation.rpartition(":")[0] for hit in hits if not hit.source), *files]))
