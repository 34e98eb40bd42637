"""Makes an artifact again from its receipt, without model or network, and compares.

receipt ─> policy ─> the same two Blender processes ─> same outcome? same geometry? same picture?

An artifact from an archive is also judged anew: only the verdict of the replay can prove it here.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel

from app.artifacts import geometry
from app.artifacts.pictures import bits_apart, looks_of, open_own
from app.artifacts.store.artifact import Artifact
from app.verdict.verdict import Verdict
from harness.protocol import Outcome

ALIKE_BITS: Final = 8
"""The number of the 64 bits of a picture's hash that may differ between two renders of the same scene."""


class GeometryComparison(BaseModel):
    """A comparison of geometry: `exact` by a hash of every vertex, `same` by counts, sizes and places."""

    state: Literal["exact", "same", "different", "none"]
    signature: str
    was: str
    differences: list[str]


class PictureComparison(BaseModel):
    """A comparison of pictures: `exact` to the pixel, `same` by its hash, of which `bits_apart` differ."""

    state: Literal["exact", "same", "different", "none"]
    phash: str | None
    was: str
    bits_apart: int | None


class Replay(BaseModel):
    """The result of making an artifact again. `same` if it ran and neither geometry nor picture differ."""

    artifact: str
    same: bool
    blender: dict[str, Any]
    was_blender: dict[str, Any]
    outcome: str
    reason: str
    geometry: GeometryComparison
    picture: PictureComparison
    seconds: float
    verdict: Verdict | None = None
    """The verdict on this replay, if an archive brought the artifact and it came out the same; otherwise null."""
    proof: str | None = None
    """The artifact that the replay made of an import, because it is proven here by that verdict; otherwise null."""


def compare(
    artifact: Artifact, scene: dict[str, Any], report: dict[str, Any], was: bytes, pictures: Mapping[str, bytes]
) -> Replay:
    """Compare the new execution with the published artifact."""
    shape = compare_geometry(artifact, scene, report["evidence"].get("scene"))
    picture = compare_pictures(artifact, report["evidence"].get("render"), was, pictures)
    ran = report["outcome"] == Outcome.PASSED.value
    return Replay(
        artifact=artifact.id,
        same=ran and shape.state in ("exact", "same") and picture.state in ("exact", "same"),
        blender=report["blender"],
        was_blender=artifact.blender,
        outcome=report["outcome"],
        reason=report["reason"],
        geometry=shape,
        picture=picture,
        seconds=report["evidence"].get("timings", {}).get("total_s", 0.0),
    )


def compare_geometry(artifact: Artifact, before: dict[str, Any], after: dict[str, Any] | None) -> GeometryComparison:
    if after is None:
        return GeometryComparison(state="none", signature="", was=artifact.geometry, differences=[])
    signature = geometry.signature(after)
    differing = [] if signature == artifact.geometry else geometry.differences(before, after)
    state: Literal["exact", "same", "different"] = "different" if differing else "same"
    if signature == artifact.geometry:
        state = "exact"
    return GeometryComparison(state=state, signature=signature, was=artifact.geometry, differences=differing)


def compare_pictures(
    artifact: Artifact, render: dict[str, Any] | None, before: bytes, pictures: Mapping[str, bytes]
) -> PictureComparison:
    was = artifact.looks.phash
    if not render or render["nothing_to_render"]:
        return PictureComparison(state="none", phash=None, was=was, bits_apart=None)
    picture = open_own(io.BytesIO(pictures.get(render["pictures"][0]["file"], b"")))
    phash = looks_of(picture).phash
    apart = bits_apart(phash, was)
    state: Literal["exact", "same", "different"] = "same" if apart <= ALIKE_BITS else "different"
    if picture.tobytes() == open_own(io.BytesIO(before)).tobytes():
        state = "exact"
    return PictureComparison(state=state, phash=phash, was=was, bits_apart=apart)
