"""The answers of a search for artifacts."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from app.artifacts.search.hits import HitPage
from app.artifacts.store.artifact import Artifact


class ArtifactHit(BaseModel):
    """One artifact that was found, the score by which it was ranked, and why it was chosen."""

    artifact: Artifact
    score: float
    why: list[str]


class ArtifactHits(BaseModel):
    """A page of artifacts, the best first; `total` counts those on other pages too. `query` is null for a picture.

    `missing` names the ways of searching that were left out, with the reasons.
    """

    query: str | None
    kind: Literal["artifacts"]
    total: int
    missing: list[str]
    hits: list[ArtifactHit]


def artifact_hits(query: str | None, page: HitPage) -> ArtifactHits:
    """The hits as they are answered."""
    hits = [ArtifactHit(artifact=hit.artifact, score=hit.score, why=list(hit.why)) for hit in page.hits]
    return ArtifactHits(query=query, kind="artifacts", total=page.total, missing=page.missing, hits=hits)
