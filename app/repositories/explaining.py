"""A model explains a diagnosis: its citations are checked, and a patch that it proposes is applied to the files.

diagnosis ─> passages within the window ─> model ─┬─> text ─> citations checked
                                                  └─> patch ─> applied to the files as they are; nothing is run
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel

from app.errors import InvalidRequest
from app.llm.answers import without_reasoning
from app.llm.message import Message, ModelUnavailable, QuestionTooLong, tokens_of_all
from app.llm.models import Models
from app.llm.prompts import FilledPrompt, prompt
from app.repositories.changing.file_texts import Patched, patched
from app.repositories.hands import Hands
from app.repositories.questions import (
    BYTES_A_TOKEN,
    SPARE_TOKENS,
    CitationBody,
    StruckBody,
    as_data,
    quoted,
    struck_bodies,
)
from app.repositories.tasks import Problem, Project, as_text, judged, or_problem
from codebase.ask.citations import CheckedAnswer, ShownLines
from codebase.ask.passages import Passage, passages_at
from codebase.diagnosis.shapes import Crash, Diagnosis
from codebase.index.secrets import is_secret
from codebase.index.store import open_index

FEWEST_TOKENS: Final = 500
MOST_SUSPECTS: Final = 6
MOST_USED: Final = 8
PATCH: Final = re.compile(r"^(?:<<BEGIN_(?:FILE|UNIT) |```(?:diff|patch)\b)", re.MULTILINE)


class Explanation(BaseModel):
    """What a model says of a diagnosis.

    `explained` with at least one citation that holds; `unfounded` if none holds: do not rely on it; `unavailable` if no
    model answered, or nothing was found that one could explain.
    """

    status: Literal["explained", "unfounded", "unavailable"]
    text: str = ""
    citations: list[CitationBody] = []
    struck: list[StruckBody] = []
    patch: str = ""
    """A proposed patch, which git applies to the files as they are. No test has seen it."""
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    note: str = ""


@dataclass(frozen=True)
class Explained(Diagnosis):
    """A diagnosis with what a model says of it, if it was asked."""

    explanation: Explanation | None


def explained(found: Diagnosis, said: Explanation | None) -> Explained:
    """The diagnosis with the explanation."""
    return Explained(**{one.name: getattr(found, one.name) for one in dataclasses.fields(found)}, explanation=said)


@dataclass(frozen=True)
class Material:
    """What a model is shown of a diagnosis, and the files that its patch may change."""

    passages: list[Passage]
    texts: dict[str, str]


@dataclass(frozen=True)
class Read:
    """The words of an answer, and whether a patch comes after them."""

    judged: CheckedAnswer
    has_patch: bool


@dataclass(frozen=True)
class Explainer:
    """Has models explain diagnoses, each within so many seconds."""

    models: Models
    seconds: float

    async def explain(self, project: Project, found: Diagnosis, ask: Hands) -> Explanation:
        """The explanation of a diagnosis. Raises what the tasks raise."""
        if not self.models:
            return Explanation(status="unavailable", note="No model is set up: docs/models.md says how one is.")
        if not found.crashes and not found.suspects:
            return Explanation(status="unavailable", note="Nothing was found that a model could explain.")
        room = self.models.window - tokens_of_all(messages_of(question(found, []))) - SPARE_TOKENS
        if room < FEWEST_TOKENS:
            return Explanation(status="unavailable", note=f"{max(room, 0)} tokens of the window are left for code.")
        material = await ask(material_of, project, found, room * BYTES_A_TOKEN)
        try:
            said = await self.models.ask(messages_of(question(found, material.passages)), self.seconds)
        except (ModelUnavailable, QuestionTooLong) as error:
            return Explanation(status="unavailable", note=f"No model answered: {error}.")
        shown = [ShownLines(one.path, one.first, one.last, one.sha256) for one in material.passages]
        read = await ask(read_explanation, project, said.text, shown)
        checked = read.judged
        proposed = await proposal(said.text, said.finish, material, ask) if read.has_patch else Patched({})
        notes = [proposed.problem and f"The patch is left out: {proposed.problem}."]
        notes += [f"{len(checked.struck)} citations do not hold and are struck out."] if checked.struck else []
        return Explanation(
            status="explained" if checked.citations else "unfounded",
            text=checked.text,
            citations=[CitationBody(citation=str(one), sha256=one.sha256) for one in checked.citations],
            struck=struck_bodies(checked),
            patch=proposed.patch,
            model=f"{said.provider} ({said.model})",
            tokens_in=said.tokens_in,
            tokens_out=said.tokens_out,
            note=" ".join(filter(None, notes)),
        )


def read_explanation(project: Project, answer: str, shown: list[ShownLines]) -> Read | Problem:
    """An answer up to its patch, its citations checked. A task, because what a model says is the text of a stranger."""
    text = without_reasoning(as_text(answer))
    patch = PATCH.search(text)
    found = judged(project, text[: patch.start()] if patch else text, shown)
    return found if isinstance(found, Problem) else Read(found, patch is not None)


async def proposal(answer: str, finish: str, material: Material, ask: Hands) -> Patched:
    """The patch in an answer."""
    try:
        return await ask(patched, answer, finish, material.texts, list[str]())
    except InvalidRequest as error:
        # It is too much for the process that reads it.
        return Patched({}, problem=str(error))


def messages_of(filled: FilledPrompt) -> list[Message]:
    return [Message("system", filled.system), Message("user", filled.user)]


def question(found: Diagnosis, passages: list[Passage]) -> FilledPrompt:
    """What a model is asked."""
    said = quoted("\n".join(found_lines(found)))
    return prompt("explainer").fill(found=said, passages="\n".join(map(as_data, passages)))


def found_lines(found: Diagnosis) -> Iterator[str]:
    """What was found, in lines."""
    for error in found.errors:
        yield f"{error.title} {error.meaning}".rstrip()
        yield from (f"  at {one.citation} in {one.function} ({one.says})" for one in error.frames if one.citation)
    yield from (
        f"suspect ({one.likelihood}): {one.citation} {one.name}: {'; '.join(one.reasons)}" for one in found.suspects
    )
    yield from (f"known error ({one.fit}): {one.title}: {one.fault} {one.solution}"[:500] for one in found.known)
    yield from (f"changed in Blender {one.blender}: {one.citation}: {one.says}" for one in found.drift)
    yield from (f"API of Blender {one.blender}: {one.address}{one.signature}: {one.says}" for one in found.symbols)


def material_of(project: Project, found: Diagnosis, room_bytes: int) -> Material | Problem:
    """The lines around crashes, the suspects and what crash lines use, as many as fit; and the texts of their files."""

    def read() -> Material:
        passages = passages_at(project.folder, places_of(found), room_bytes)
        paths = dict.fromkeys(one.path for one in passages if not is_secret(one.path))
        with open_index(project.folder) as store:
            return Material(passages, {path: store.text(path) or "" for path in paths})

    return or_problem(read)


def places_of(found: Diagnosis) -> list[tuple[str, str]]:
    """The places to show, each once, as citation and reason."""
    places = [(crash.around_citation, "it broke here") for crash in found.crashes]
    places += [(one.citation, "; ".join(one.reasons)) for one in found.suspects[:MOST_SUSPECTS]]
    for crash in found.crashes:
        places += [(one, "used on the crash line") for one in used(crash)][:MOST_USED]
    return list(dict(reversed(places)).items())[::-1]


def used(crash: Crash) -> list[str]:
    return [one.citation for one in (*crash.definitions, *crash.values)]
