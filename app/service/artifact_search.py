"""The answers of a search for artifacts."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from app.artifacts.search.hits import GalleryHit, HitPage


class ArtifactHits(BaseModel):
    """A page of artifacts, the best first; `total` counts those on other pages too. `query` is null for a picture.

    `missing` names the ways of searching that were left out, with the reasons.
    """

    query: str | None
    kind: Literal["artifacts"]
    total: int
    missing: list[str]
    hits: list[GalleryHit]


def artifact_hits(query: str | None, page: HitPage) -> ArtifactHits:
    """The hits as they are answered."""
    return ArtifactHits(query=query, kind="artifacts", total=page.total, missing=page.missing, hits=page.hits)
