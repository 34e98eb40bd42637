"""Makes an artifact again from its receipt, without model or network, and compares.

receipt ─> policy ─> the same two Blender processes ─> same outcome? same geometry? same picture?

What an archive brought is also judged anew: only the verdict of the replay can prove it here.
"""

from __future__ import annotations

import asyncio
import dataclasses
import io
from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import BaseModel

from app.artifacts import geometry
from app.artifacts.pictures import bits_apart, looks_of, open_own
from app.artifacts.store.artifact import Artifact
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import ArtifactStore
from app.checks.policy import check_policy
from app.checks.screening import too_much
from app.errors import RunFailed
from app.verdict.parse import parse_snippet
from app.verdict.rules import Rules
from app.verdict.verdict import Finding, Severity, Verdict
from harness.blenders import Blender
from harness.engine import Engine
from harness.launcher import ProcessLimits
from harness.order import DEFAULT_LIMITS, Order
from harness.protocol import Outcome
from harness.readers import Readers, ReadingFailed

ALIKE_BITS: Final = 8
"""How many of the 64 bits of a picture's hash may differ between two renders of the same scene."""


class GeometryComparison(BaseModel):
    """Whether the geometry is the same: `exact` by a hash of every vertex, `same` by counts, sizes and places."""

    state: Literal["exact", "same", "different", "none"]
    signature: str
    was: str
    differences: list[str]


class PictureComparison(BaseModel):
    """Whether the picture is the same: `exact` to the pixel, `same` by its hash, of which `bits_apart` differ."""

    state: Literal["exact", "same", "different", "none"]
    phash: str | None
    was: str
    bits_apart: int | None


class Replay(BaseModel):
    """How an artifact came out when it was made again. `same` if it ran and neither geometry nor picture differ."""

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
    """Of this replay, if an archive brought the artifact and it came out the same; otherwise null."""
    proof: str | None = None
    """The artifact that the replay made of an import, because it is proven here by that verdict; otherwise null."""


@dataclasses.dataclass(frozen=True)
class Remade:
    """An artifact that was made again: how it compares, what was executed, and what policy remarks.

    `files` are the pictures by name; none if policy forbade it.
    """

    comparison: Replay
    order: Order
    report: dict[str, Any]
    files: Mapping[str, bytes]
    remarks: list[Finding]


async def replay(
    store: ArtifactStore,
    artifact_id: str,
    blender: Blender,
    engine: Engine,
    rules: Rules,
    readers: Readers,
    most: ProcessLimits = DEFAULT_LIMITS,
) -> Remade:
    """Make the artifact again on this Blender, within its limits and `most`.

    Raises ArtifactNotFound, ArtifactDamaged if a file was changed, and RunFailed if our own parts fail.
    """
    artifact, order, scene, was = await asyncio.to_thread(read, store, artifact_id)
    limits = ProcessLimits(
        wall_s=min(order.run_limits.wall_s, most.wall_s),
        memory_bytes=min(order.run_limits.memory_bytes, most.memory_bytes),
    )
    order = dataclasses.replace(order, run_limits=limits, examine_limits=limits)
    # An archive may contain anything, so the policy applies to a receipt as to a request.
    try:
        remarks = await readers.ask(look_for_forbidden, [order.snippet, order.setup_snippet or ""], rules)
    except ReadingFailed as why:
        remarks = too_much(str(why)).parse
    forbidden = next((f"line {one.line}: {one.message}" for one in remarks if one.severity is Severity.ERROR), None)
    if forbidden:
        facts = {"version": blender.version, "build_hash": blender.build_hash, "kind": blender.kind}
        report: dict[str, Any] = {"outcome": "forbidden", "reason": forbidden, "blender": facts, "evidence": {}}
        return Remade(compare(artifact, scene, report, was, {}), order, report, {}, remarks)
    executed = await engine.execute(order, blender)
    if executed.report["outcome"] == Outcome.HARNESS_FAULT:
        raise RunFailed(executed.report["reason"])
    comparison = await asyncio.to_thread(compare, artifact, scene, executed.report, was, executed.files)
    return Remade(comparison, order, executed.report, executed.files, remarks)


def read(store: ArtifactStore, artifact_id: str) -> tuple[Artifact, Order, dict[str, Any], bytes]:
    """The artifact, the order that makes it again, its scene and its picture. Raises ArtifactNotFound."""
    scene: dict[str, Any] = store.report(artifact_id)["execution"]["evidence"]["scene"]
    return store.read(artifact_id), store.order(artifact_id), scene, store.content(artifact_id, PICTURE)


def look_for_forbidden(snippets: list[str], rules: Rules) -> list[Finding]:
    """What policy remarks on the snippets, or why one is not valid Python."""

    def severity(code: str) -> Severity | None:
        return rules.severity("policy", code, "caller")

    return [found for snippet in snippets for found in parse_snippet(snippet) or check_policy(snippet, severity)]


def compare(
    artifact: Artifact, scene: dict[str, Any], report: dict[str, Any], was: bytes, pictures: Mapping[str, bytes]
) -> Replay:
    """Compare the new execution with what was published."""
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
