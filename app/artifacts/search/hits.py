"""Searches among the artifacts: by words, by a picture, by what is like one of them.

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
    """One artifact that was found, the score by which it was ranked, and why it was chosen, the strongest first."""

    artifact: Artifact
    score: float
    why: tuple[str, ...]


@dataclass(frozen=True)
class HitPage:
    """One page of what was found, how many there are in all, and what could not be searched by."""

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
        """Artifacts for words: those they share, their meaning, and by CLIP what the picture shows."""
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
        """Artifacts that look like a picture: near-duplicates first, by their hashes, then what CLIP finds alike."""
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
            # Another process may have made them.
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
        scores = fuse({leg: list(found) for leg, found in why.items()}, WEIGHTS)
        if why.get("hash"):
            # A near-duplicate is what a search by picture is for, whatever else is alike.
            first = [one for one, said in why["hash"].items() if not said.startswith(RESEMBLES)]
            scores = {one: scores[one] for one in [*first, *(one for one in scores if one not in first)]}
        shown = self.store.read_first(list(scores)[offset:], limit)
        hits = [
            GalleryHit(one, round(scores[one.id], 4), tuple(leg[one.id] for leg in why.values() if one.id in leg))
            for one in shown
        ]
        return HitPage(hits, len(scores), list(dict.fromkeys(missing)))
