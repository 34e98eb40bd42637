"""The rankings that a search is made of: shared words, meaning, what CLIP sees, and the hashes of pictures.

Each ranking has a reason per artifact, by its id, the best first; what it cannot do it says in `missing`.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from app.artifacts.pictures import Looks
from app.artifacts.search.clip import PREPARING, Clip
from app.artifacts.search.index import ArtifactIndex, Filters
from app.artifacts.search.text import TextModel, thing_in
from app.artifacts.search.towers import ClipUnusable
from search.encoder import Vectors
from search.exporting import ModelUnusable

DEPTH: Final = 200
"""Hits of each leg that take part in a search."""
HASH_DEPTH: Final = 256
SAME_BITS: Final = 24
"""The bits of the 128 of both hashes by which pictures of the same scene may differ."""
ALIKE_BITS: Final = 40
LEAST_MEANING: Final = 0.25
"""Nearness below which two texts have nothing to do with each other."""
LEAST_OF_WORDS: Final = 0.34
"""The same for words that are searched: "cat" is as near as 0.30 to a red cube, and "crimson box" 0.37."""
LEAST_LOOKS: Final = 0.85
"""Share of the best nearness by CLIP below which a picture does not count: its nearnesses all lie close together."""
WEIGHTS: Final = {"written": 1.0, "meant": 1.0, "looks": 1.0, "hash": 2.0}

OTHER_VECTORS: Final = "the {} vectors are being made again, because the model is another"
RESEMBLES: Final = "resembles"

Reasons = dict[str, str]
"""The reason of the choice, by artifact."""


@dataclass(frozen=True)
class Legs:
    """The legs of one search among the artifacts that pass its filters; `passing` is what `ArtifactIndex` takes."""

    index: ArtifactIndex
    filters: Filters
    passing: set[str] | None
    missing: list[str]

    def written(self, query: str) -> Reasons:
        """Artifacts that share words with the query."""
        found = self.index.by_words(query, self.filters, DEPTH)
        return {artifact: f"shares words ({share:.2f})" for artifact, share in found.items()}

    def meant(self, query: str, text: TextModel) -> Reasons:
        """Artifacts whose requests have the same meaning."""
        try:
            embedder = text.embedder()
            vector = embedder.embed([thing_in(query)])[0]
        except ModelUnusable as error:
            self.missing.append(str(error))
            return {}
        if self.index.models is None or self.index.models.text != embedder.identity:
            self.missing.append(OTHER_VECTORS.format("text"))
            return {}
        return self.near_in_meaning(vector, "near in meaning", LEAST_OF_WORDS)

    def near_in_meaning(self, vector: Vectors, said: str, least: float = LEAST_MEANING) -> Reasons:
        """Artifacts whose text vectors are near by `least`; `said` describes their nearness in the reason."""
        near = self.index.by_vector("text", vector, self.filters, DEPTH, self.passing)
        return {artifact: f"{said} ({share:.2f})" for artifact, share in near.items() if share >= least}

    def looks(self, vector: Vectors | Future[Vectors] | None, clip: Clip, said: str) -> Reasons:
        """Artifacts whose pictures CLIP finds near; `said` describes their nearness in the reason."""
        if vector is None:
            preparing = PREPARING if clip.preparing else None
            self.missing.append(preparing or clip.problem or "no picture has a CLIP vector yet")
            return {}
        try:
            wanted = vector.result() if isinstance(vector, Future) else vector
        except ClipUnusable as error:
            self.missing.append(str(error))
            return {}
        if self.index.length("picture") != len(wanted):
            self.missing.append(OTHER_VECTORS.format("CLIP"))
            return {}
        near = self.index.by_vector("picture", wanted, self.filters, DEPTH, self.passing)
        least = LEAST_LOOKS * max(near.values(), default=0.0)
        return {artifact: f"{said} ({share:.2f})" for artifact, share in near.items() if share >= least > 0}

    def hashes(self, looks: Looks, small: Any) -> Reasons:
        """Artifacts whose pictures are nearly the same: the nearest copy first, then those that resemble it."""
        by_hash = self.index.by_hash(looks.both, self.filters, HASH_DEPTH, self.passing)
        near = {artifact: copy for artifact, copy in by_hash.items() if copy.bits <= ALIKE_BITS}
        copies = np.array([copy.small for copy in near.values()], dtype=np.int16).reshape(len(near), small.size)
        distance = dict(zip(near, np.abs(copies - small.ravel()).mean(axis=1).tolist(), strict=True))
        ranked = sorted(near, key=lambda artifact: (near[artifact].bits > SAME_BITS, distance[artifact]))
        return {artifact: said_of_hash(near[artifact].bits, distance[artifact]) for artifact in ranked}


def said_of_hash(bits: int, distance: float) -> str:
    """The nearness of a picture by its hashes, in words."""
    if bits <= SAME_BITS:
        return "the same picture" if bits == 0 and distance == 0 else f"nearly the same picture ({bits} of 128 bits)"
    return f"{RESEMBLES} it ({bits} of 128 bits)"
