"""Rankings of files and units for a question: three plain ones to compare with, and those of the project."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import json
import re
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from app.llm.message import Answer, Message, tokens_of_all
from app.llm.models import Models
from app.repositories.hands import here
from app.repositories.ordering import OrderBody, Orderer, files_of
from bench.recorded.records import Record
from codebase.ask import lists
from codebase.ask.finding import JUDGED, JUDGED_PER_FILE, UnitHit, hits_in, nearness_of
from codebase.ask.question import read_question
from codebase.ask.ranking import first_units, rank
from codebase.index.matrices import Vector
from codebase.index.snapshot import Snapshot

SECONDS: Final = 600.0
WINDOW: Final = 65_536
Ranked = tuple[list[int], list[int]]
"""Files and units by their numbers, each best first."""


@dataclasses.dataclass(frozen=True, eq=False)
class Corpus:
    """An index in memory, and the text of each of its files."""

    snapshot: Snapshot
    texts: dict[str, str]

    @functools.lru_cache(maxsize=1)  # noqa: B019 - the ablations of one question follow each other
    def near(self, question: str) -> Vector | None:
        """The nearness of each unit to a question, if the index keeps vectors."""
        return nearness_of(self.snapshot, question)[0]


Ranker = Callable[[Corpus, str], Ranked]


def ours(*left_out: str) -> Ranker:
    """The ranking of the project without some of its lists."""

    def ranked(corpus: Corpus, question: str) -> Ranked:
        found = rank(corpus.snapshot, question, left_out, corpus.near(question))
        return list(found.files), list(found.units)

    return ranked


def by_model(answering: Callable[[str, Sequence[UnitHit]], Models]) -> Ranker:
    """The ranking of the project, its first fifty in the order of a model. Raises ValueError if it gives none."""

    async def asked(question: str, found: list[UnitHit]) -> tuple[list[UnitHit], OrderBody]:
        async with answering(question, found) as models:
            return await Orderer(models, SECONDS).order(question, found, here)

    def ranked(corpus: Corpus, question: str) -> Ranked:
        snapshot = corpus.snapshot
        found, ranking, _ = hits_in(snapshot, snapshot.folder, question, JUDGED, per_file=JUDGED_PER_FILE)
        hits, order = asyncio.run(asked(question, found))
        if not order.model:
            raise ValueError(order.note)
        number = dict(
            zip([hit.citation for hit in found], first_units(snapshot, ranking, JUDGED, JUDGED_PER_FILE), strict=True)
        )
        files = files_of(hits[: order.named], [snapshot.paths[file] for file in ranking.files])
        units = [number[hit.citation] for hit in hits]
        return [snapshot.number[path] for path in files], list(dict.fromkeys([*units, *ranking.units]))

    return ranked


class RecordedModel(Models):
    """Answers with the places that a model named once, by the numbers that they have in the question of now.

    A place that the question no longer shows is left out, so the answer is never better than the one that was given.
    """

    def __init__(self, record: Record, found: Sequence[UnitHit]) -> None:
        super().__init__([])
        numbers = {f"{hit.citation.rpartition(':')[0]}:{hit.name}": number for number, hit in enumerate(found, 1)}
        named: list[str] = json.loads(record.answer)["places"]
        self._answer = json.dumps({"places": [numbers[name] for name in named if name in numbers]})

    def __bool__(self) -> bool:
        return True

    @property
    def window(self) -> int:
        return WINDOW

    async def ask(self, messages: Sequence[Message], seconds: float, *_: object, **__: object) -> Answer:
        tokens = tokens_of_all(messages)
        return Answer(self._answer, "stop", "recorded", "recorded", tokens, 0, 0.0, 0.0)


def by_identifiers(corpus: Corpus, question: str) -> Ranked:
    """Files and units by how many of the identifiers of the question they hold, then by how often."""
    names = sorted(read_question(question).identifiers, key=len, reverse=True)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b") if names else re.compile(r"(?!)")
    snapshot = corpus.snapshot
    files = np.zeros(len(snapshot.paths), dtype=np.float32)
    units = np.zeros(len(snapshot.units), dtype=np.float32)
    for place, path in enumerate(snapshot.paths):
        lines = [pattern.findall(line) for line in corpus.texts[path].split("\n")]
        files[place] = amount(lines)
        for unit in snapshot.file_units[place] if files[place] else ():
            units[unit] = amount(lines[snapshot.units[unit].first - 1 : snapshot.units[unit].last])
    return lists.best_places(files), lists.best_places(units)


def amount(lines: Sequence[Sequence[str]]) -> float:
    """The number of names that were found, and a little for each time."""
    found = [name for line in lines for name in line]
    return len(set(found)) + min(len(found), 9999) / 10000


def by_file_words(corpus: Corpus, question: str) -> Ranked:
    """Files by BM25, and no units."""
    return lists.best_places(corpus.snapshot.files_bm25.scores(terms_of(corpus, question))), []


def by_unit_words(corpus: Corpus, question: str) -> Ranked:
    """Units by BM25, and files by their best unit."""
    scores = corpus.snapshot.units_bm25.scores(terms_of(corpus, question))
    return lists.best_places(lists.best_per_file(corpus.snapshot, scores)), lists.best_places(scores)


def terms_of(corpus: Corpus, question: str) -> dict[int, float]:
    return lists.known_terms(read_question(question).terms, corpus.snapshot.terms)


COMPARED: Final[dict[str, Ranker]] = {
    "identifiers, as by ripgrep": by_identifiers,
    "BM25 over files": by_file_words,
    "BM25 over units": by_unit_words,
    "the ranking": ours(),
}
"""The rankings to compare, the plainest first."""
