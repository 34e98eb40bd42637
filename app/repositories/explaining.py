"""Has a model explain a diagnosis: its citations are checked, and a patch that it proposes is tried on the files.

diagnosis ─> passages within the window ─> model ─┬─> text ─> citations checked
                                                  └─> patch ─> applied to the files as they are; nothing is run
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel

from app.errors import InvalidRequest
from app.jobs.budget import BudgetSpent
from app.jobs.spending import Spending
from app.llm.answers import without_reasoning
from app.llm.edits import start_of_edits
from app.llm.message import Message, ModelUnavailable, tokens_of_all
from app.llm.models import Models
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.file_texts import PatchResult, apply_answer
from app.repositories.hands import Hands
from app.repositories.project import Project, TaskProblem
from app.repositories.questions import (
    BYTES_A_TOKEN,
    SPARE_TOKENS,
    CitationBody,
    as_data,
    behind_bars,
)
from app.repositories.tasks import as_text, check_citations, or_problem
from codebase.ask.citations import CheckedAnswer, ShownLines, Struck
from codebase.ask.passages import Passage, passages_at
from codebase.diagnosis.shapes import Crash, Diagnosis
from codebase.index.secrets import is_secret
from codebase.index.store import open_index

FEWEST_TOKENS: Final = 500
MOST_SUSPECTS: Final = 6
MOST_USED: Final = 8


class Explanation(BaseModel):
    """The explanation of a diagnosis by a model.

    `explained` with at least one citation that holds; `unfounded` if none holds: do not rely on it; `unavailable` if no
    model answered, or there is nothing to explain.
    """

    status: Literal["explained", "unfounded", "unavailable"]
    text: str = ""
    citations: list[CitationBody] = []
    struck: list[Struck] = []
    patch: str = ""
    """A proposed patch, which git applies to the files as they are. No test has seen it."""
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    note: str = ""


@dataclass(frozen=True)
class ExplainedDiagnosis(Diagnosis):
    """A diagnosis with the explanation of a model, if it was asked."""

    explanation: Explanation | None


def add_explanation(diagnosis: Diagnosis, explanation: Explanation | None) -> ExplainedDiagnosis:
    """The diagnosis with the explanation."""
    return ExplainedDiagnosis(
        **{field.name: getattr(diagnosis, field.name) for field in dataclasses.fields(diagnosis)},
        explanation=explanation,
    )


@dataclass(frozen=True)
class ExplanationMaterial:
    """The passages of a diagnosis for a model, and the files that its patch may change."""

    passages: list[Passage]
    texts: dict[str, str]


@dataclass(frozen=True)
class ExplanationParts:
    """The words of an answer with their citations checked, and True if a patch comes after them."""

    judged: CheckedAnswer
    has_patch: bool


@dataclass(frozen=True)
class Explainer:
    """Has models explain diagnoses, each within `seconds`."""

    models: Models | Spending
    seconds: float

    async def explain(self, project: Project, diagnosis: Diagnosis, ask: Hands) -> Explanation:
        """The explanation of a diagnosis. Raises what the tasks raise."""
        if not self.models:
            return Explanation(status="unavailable", note="No model is set up: docs/models.md says how one is.")
        if not diagnosis.crashes and not diagnosis.suspects:
            return Explanation(status="unavailable", note="Nothing was found that a model could explain.")
        room = self.models.window - tokens_of_all(messages_of(question(diagnosis, []))) - SPARE_TOKENS
        if room < FEWEST_TOKENS:
            return Explanation(status="unavailable", note=f"{max(room, 0)} tokens of the window are left for code.")
        material = await ask(material_of, project, diagnosis, room * BYTES_A_TOKEN)
        try:
            answer = await self.models.ask(messages_of(question(diagnosis, material.passages)), self.seconds)
        except (ModelUnavailable, BudgetSpent) as error:
            return Explanation(status="unavailable", note=f"No model answered: {error}.")
        shown = [ShownLines(passage.path, passage.first, passage.last, passage.sha256) for passage in material.passages]
        parts = await ask(read_explanation, project, answer.text, shown)
        checked = parts.judged
        proposed = await proposal(answer.text, answer.finish, material, ask) if parts.has_patch else PatchResult({})
        notes = [proposed.problem and f"The patch is left out: {proposed.problem}."]
        notes += [f"{len(checked.struck)} citations do not hold and are struck out."] if checked.struck else []
        return Explanation(
            status="explained" if checked.citations else "unfounded",
            text=checked.text,
            citations=[CitationBody(citation=str(citation), sha256=citation.sha256) for citation in checked.citations],
            struck=checked.struck,
            patch=proposed.patch,
            model=f"{answer.provider} ({answer.model})",
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            note=" ".join(filter(None, notes)),
        )


def read_explanation(project: Project, answer: str, shown: list[ShownLines]) -> ExplanationParts | TaskProblem:
    """An answer up to its patch, its citations checked. A task, because a model's answer is the text of a stranger."""
    text = without_reasoning(as_text(answer))
    start = start_of_edits(text)
    checked = check_citations(project, text[:start], shown)
    return checked if isinstance(checked, TaskProblem) else ExplanationParts(checked, start < len(text))


async def proposal(answer: str, finish: str, material: ExplanationMaterial, ask: Hands) -> PatchResult:
    """The patch that a model proposes."""
    try:
        return await ask(apply_answer, answer, finish, material.texts, list[str]())
    except InvalidRequest as error:
        # The answer is too much for the process that reads it.
        return PatchResult({}, problem=str(error))


def messages_of(filled: FilledPrompt) -> list[Message]:
    return [Message("system", filled.system), Message("user", filled.user)]


def question(diagnosis: Diagnosis, passages: list[Passage]) -> FilledPrompt:
    """The question to a model."""
    facts = behind_bars("\n".join(fact_lines(diagnosis)))
    return prompt("explainer").fill(found=facts, passages="\n".join(map(as_data, passages)))


def fact_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """The facts of a diagnosis, in lines."""
    for error in diagnosis.errors:
        yield f"{error.title} {error.meaning}".rstrip()
        yield from (
            f"  at {frame.citation} in {frame.function} ({frame.says})" for frame in error.frames if frame.citation
        )
    yield from (
        f"suspect ({suspect.likelihood}): {suspect.citation} {suspect.name}: {'; '.join(suspect.reasons)}"
        for suspect in diagnosis.suspects
    )
    yield from (
        f"known error ({error.fit}): {error.title}: {error.fault} {error.solution}"[:500] for error in diagnosis.known
    )
    yield from (f"changed in Blender {change.blender}: {change.citation}: {change.says}" for change in diagnosis.drift)
    yield from (
        f"API of Blender {symbol.blender}: {symbol.address}{symbol.signature}: {symbol.says}"
        for symbol in diagnosis.symbols
    )


def material_of(project: Project, diagnosis: Diagnosis, room_bytes: int) -> ExplanationMaterial | TaskProblem:
    """The lines around crashes, the suspects and the definitions on crash lines, as many as fit; and their files."""

    def read() -> ExplanationMaterial:
        passages = passages_at(project.folder, places_of(diagnosis), room_bytes)
        paths = dict.fromkeys(passage.path for passage in passages if not is_secret(passage.path))
        with open_index(project.folder) as store:
            return ExplanationMaterial(passages, {path: store.text(path) or "" for path in paths})

    return or_problem(read)


def places_of(diagnosis: Diagnosis) -> list[tuple[str, str]]:
    """The places to show, each once, as citation and reason."""
    places = [(crash.around_citation, "it broke here") for crash in diagnosis.crashes]
    places += [(suspect.citation, "; ".join(suspect.reasons)) for suspect in diagnosis.suspects[:MOST_SUSPECTS]]
    for crash in diagnosis.crashes:
        places += [(citation, "used on the crash line") for citation in used_citations(crash)][:MOST_USED]
    first: dict[str, str] = {}
    for citation, reason in places:
        first.setdefault(citation, reason)
    return list(first.items())


def used_citations(crash: Crash) -> list[str]:
    return [definition.citation for definition in (*crash.definitions, *crash.values)]
