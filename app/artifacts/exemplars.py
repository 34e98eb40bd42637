"""Selects the proven snippets to show to the drafter: no near-duplicates, and no answers to a benchmark."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import structlog

from app.artifacts.search.index import Filters
from app.artifacts.search.legs import DEPTH, LEAST_MEANING
from app.artifacts.search.text import TextModel, thing_in
from app.artifacts.search.upkeep import IndexUpkeep
from app.artifacts.store.record import SNIPPET
from app.artifacts.store.store import ArtifactStore
from app.errors import ArtifactNotFound
from app.prompting.exemplar import Exemplar
from app.settings import CHECKOUT
from search.embed import Embedder
from search.encoder import Vectors
from search.exporting import ModelUnusable
from search.tables import TABLE_ERRORS

log = structlog.get_logger()

SAME_WORDS: Final = 0.8
"""Share of common words from which two requests count as the same."""
SAME_MEANING: Final = 0.9
SAME_SNIPPET: Final = 0.9
WORD: Final = re.compile(r"[a-z0-9_.]+")
NAME: Final = re.compile(r"[A-Za-z_]\w*")
NO_CODE: Final = re.compile(r'#[^\n]*|""".*?"""', re.DOTALL)
"""A comment, or a text of several lines."""


class WithheldRequests:
    """Requests whose answers must not be shown, because a measured drafter must find them itself."""

    def __init__(self, requests: Iterable[str]) -> None:
        self._requests = list(dict.fromkeys(requests))
        self._words = [words_of(request) for request in self._requests]
        self._vectors: tuple[str, Vectors] | None = None

    def covers(self, request: str, embedder: Embedder | None) -> bool:
        """True if the request is one of these, or one of them in other words."""
        if not self._requests:
            return False
        words = words_of(request)
        if any(similarity(words, other) >= SAME_WORDS for other in self._words):
            return True
        if embedder is None:
            return False
        try:
            if self._vectors is None or self._vectors[0] != embedder.identity:
                self._vectors = embedder.identity, embedder.embed(self._requests)
            nearest = float(np.max(self._vectors[1] @ embedder.embed([request])[0]))
        except ModelUnusable:
            return False
        return nearest >= SAME_MEANING


@dataclass(frozen=True)
class ProvenExemplars:
    """The artifacts in `store` that may be shown to the drafter: proven here, and not withheld."""

    store: ArtifactStore
    upkeep: IndexUpkeep
    text: TextModel
    withheld: WithheldRequests

    def near(self, request: str, series: str | None, limit: int) -> list[Exemplar]:
        """Proven snippets for requests like this one, the nearest first.

        Empty if there is no index or no model: callers can do without.
        """
        if not self.upkeep.ready.is_set() or not request.strip():
            return []
        try:
            near, facts = self._nearness(request, series)
        except (*TABLE_ERRORS, ModelUnusable) as error:
            log.warning("artifacts not offered as exemplars", problem=str(error))
            return []
        chosen: list[Exemplar] = []
        for artifact in [artifact for artifact, share in near.items() if share >= LEAST_MEANING]:
            if not facts[artifact]["offered"]:
                continue
            with contextlib.suppress(ArtifactNotFound, OSError, UnicodeDecodeError):
                if self._is_withheld(artifact):
                    continue
                snippet = self.store.content(artifact, SNIPPET).decode()
                if not any(nearly_same(snippet, other.snippet) for other in chosen):
                    chosen.append(
                        Exemplar(artifact, self.store.read(artifact).title, round(near[artifact], 4), snippet)
                    )
            if len(chosen) == limit:
                break
        return chosen

    def _nearness(self, request: str, series: str | None) -> tuple[dict[str, float], dict[str, dict[str, Any]]]:
        """The artifacts by the nearness of their requests, the nearest first, and the index's facts about each."""
        index, embedder = self.upkeep.index, self.text.embedder()
        vector = embedder.embed([thing_in(request)])[0]
        if index.models is None or index.models.text != embedder.identity:
            return {}, {}
        near = index.by_vector("text", vector, Filters(blender=series), DEPTH)
        facts = index.columns_of(list(near), ["offered", "words"])
        asked = set(request.lower().split())

        def order(artifact: str) -> tuple[float, int]:
            # The vectors know no numbers, so of those as near the one that shares more words comes first.
            return -round(near[artifact], 2), -len(asked & set(facts[artifact]["words"].lower().split()))

        return {artifact: near[artifact] for artifact in sorted(facts, key=order)}, facts

    def _is_withheld(self, artifact_id: str) -> bool:
        asked = {seen.request or seen.title for seen in self.store.sightings(artifact_id)}
        quoted = self.store.read(artifact_id).quoted
        if quoted is not None:
            asked.add(quoted.request or quoted.title)
        return any(self.withheld.covers(words, self.text.embedder()) for words in asked)


def load_withheld(file: Path | None) -> WithheldRequests:
    """The requests in a file, or those of the benchmarks in a checkout.

    A file of JSON lines has them under `request`, any other file has one per line. Raises OSError and ValueError.
    """
    files = [file] if file else sorted((CHECKOUT / "bench").glob("tasks*.jsonl"))
    return WithheldRequests(request for file in files for request in requests_in(file))


def requests_in(file: Path) -> list[str]:
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if file.suffix != ".jsonl":
        return lines
    read: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return [str(line["request"]) for line in read]


def merge(exemplars: Iterable[Exemplar], limit: int) -> list[Exemplar]:
    """The nearest of several sources, without near-duplicates."""
    chosen: list[Exemplar] = []
    for exemplar in sorted(exemplars, key=lambda exemplar: -exemplar.nearness):
        if len(chosen) < limit and not any(nearly_same(exemplar.snippet, other.snippet) for other in chosen):
            chosen.append(exemplar)
    return chosen


def nearly_same(first: str, second: str) -> bool:
    """True if two snippets are the same except for comments, numbers and a few words."""
    words, others = code_words(first), code_words(second)
    return words == others or similarity(set(words), set(others)) >= SAME_SNIPPET


def code_words(snippet: str) -> Sequence[str]:
    """The names in a snippet, in order, without its comments, docstrings and numbers."""
    return NAME.findall(NO_CODE.sub("", snippet))


def words_of(text: str) -> set[str]:
    return {word.strip(".") for word in WORD.findall(text.lower())} - {""}


def similarity(first: set[str], second: set[str]) -> float:
    """The number of common words as a share of all words."""
    either = first | second
    return len(first & second) / len(either) if either else 1.0
