"""Searches among the artifacts: by words, by a picture, by likeness to one of them.

words, meaning, pictures by CLIP, hashes ─> fused ─> hits, each with why
"""

from __future__ import annotations

import io
from concurrent.futures import Future
from dataclasses import dataclass

from PIL import Image

from app.artifacts.pictures import looks_of, open_own, small_copy
from app.artifacts.search.clip import Clip
from app.artifacts.search.index import Filters
from app.artifacts.search.legs import RESEMBLES, WEIGHTS, Legs, Reasons
from app.artifacts.search.text import TextModel, words_to_embed
from app.artifacts.search.upkeep import IndexUpkeep
from app.artifacts.store.artifact import Artifact
from app.artifacts.store.embeddings import read_vector
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import ArtifactStore
from search.encoder import Vectors
from search.fuse import fuse


@dataclass(frozen=True)
class GalleryHit:
    """One artifact that was found, its score for the ranking, and the reasons of the choice, the strongest first."""

    artifact: Artifact
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True)
class HitPage:
    """One page of hits, the number of all, and the ways of searching that were not available."""

    hits: list[GalleryHit]
    total: int
    missing: list[str]


@dataclass(frozen=True)
class ArtifactSearch:
    """Searches the artifacts in `store` by the index that `upkeep` keeps. Each search raises GalleryNotReady."""

    store: ArtifactStore
    upkeep: IndexUpkeep
    clip: Clip
    text: TextModel

    def words(self, query: str, filters: Filters, limit: int, offset: int) -> HitPage:
        """Artifacts for words: by shared words, by meaning, and by the picture's contents according to CLIP."""
        missing: list[str] = []
        vector = self._clip_vector(query)

        def ask() -> HitPage:
            legs = self._legs(filters, missing)
            why = {
                "written": legs.written(query),
                "meant": legs.meant(query, self.text),
                "looks": legs.looks(vector, self.clip, "the picture shows it"),
            }
            return self._page(why, limit, offset, missing)

        return self.upkeep.ask(ask)

    def picture(self, picture: Image.Image, filters: Filters, limit: int, offset: int) -> HitPage:
        """Artifacts that look like a picture: near-duplicates by their hashes first, then those alike for CLIP."""
        vector = self._clip_vector(picture)
        looks, small = looks_of(picture), small_copy(picture)
        missing: list[str] = []

        def ask() -> HitPage:
            legs = self._legs(filters, missing)
            why = {"hash": legs.hashes(looks, small), "looks": legs.looks(vector, self.clip, "looks like it")}
            return self._page(why, limit, offset, missing)

        return self.upkeep.ask(ask)

    def similar(self, artifact_id: str, limit: int) -> HitPage:
        """Artifacts like this one, by picture and by meaning. Raises ArtifactNotFound."""
        artifact = self.store.read(artifact_id)
        with open_own(io.BytesIO(self.store.content(artifact_id, PICTURE))) as picture:
            small = small_copy(picture)
        folder = self.store.folder / artifact_id
        missing: list[str] = []

        def ask() -> HitPage:
            models = self.upkeep.index.models
            known = self.upkeep.index.vectors(artifact_id) if self.upkeep.sharing else {}
            text = read_vector(folder, "text", models.text, words_to_embed(artifact)) if models else None
            sha256 = artifact.sha256.get(PICTURE, "")
            vector = read_vector(folder, "picture", models.picture, sha256) if models else None
            # Another process may have made the vectors.
            text = known.get("text") if text is None else text
            vector = known.get("picture") if vector is None else vector
            legs = Legs(self.upkeep.index, Filters(), None, missing)
            why = {
                "hash": legs.hashes(artifact.looks, small),
                "looks": legs.looks(vector, self.clip, "looks like it"),
                "meant": legs.near_in_meaning(text, "asked alike") if text is not None else {},
            }
            for leg in why.values():
                leg.pop(artifact_id, None)
            return self._page(why, limit, 0, missing)

        return self.upkeep.ask(ask)

    def _legs(self, filters: Filters, missing: list[str]) -> Legs:
        return Legs(self.upkeep.index, filters, self.upkeep.index.passing(filters), missing)

    def _clip_vector(self, content: Image.Image | str) -> Future[Vectors] | None:
        """The vector by CLIP, soon; None if the index has no vectors to compare it with."""
        return self.clip.submit(content) if self.upkeep.index.length("picture") else None

    def _page(self, why: dict[str, Reasons], limit: int, offset: int, missing: list[str]) -> HitPage:
        scores = fuse({leg: list(reasons) for leg, reasons in why.items()}, WEIGHTS)
        if why.get("hash"):
            # A search by picture looks for near-duplicates first, whatever else is alike.
            first = [artifact for artifact, said in why["hash"].items() if not said.startswith(RESEMBLES)]
            others = [artifact for artifact in scores if artifact not in first]
            scores = {artifact: scores[artifact] for artifact in [*first, *others]}
        shown = self.store.read_first(list(scores)[offset:], limit)
        hits = [
            GalleryHit(
                artifact,
                round(scores[artifact.id], 4),
                tuple(leg[artifact.id] for leg in why.values() if artifact.id in leg),
            )
            for artifact in shown
        ]
        return HitPage(hits, len(scores), list(dict.fromkeys(missing)))
