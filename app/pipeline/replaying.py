"""Makes an artifact again from its receipt, without model or network: policy, the same two processes, a comparison."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping
from typing import Any

from app.artifacts.replay import Replay, compare
from app.artifacts.store.artifact import Artifact
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import ArtifactStore
from app.checks.policy import check_policy
from app.checks.policy.signs import ASKS
from app.checks.screening import too_much
from app.errors import RunFailed
from app.verdict.parse import parse_snippet
from app.verdict.rules import Rules
from app.verdict.verdict import Finding, Severity
from harness.blenders import Blender
from harness.engine import Engine
from harness.launcher import ProcessLimits
from harness.order import DEFAULT_LIMITS, Order
from harness.protocol import Outcome
from harness.readers import Readers, ReadingFailed


@dataclasses.dataclass(frozen=True)
class ReplayResult:
    """An artifact that was made again: the comparison, the order that was executed, and the remarks of policy.

    `files` are the pictures by name, and the scene if it was wanted; empty if policy forbade it.
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
    keep_scene: bool = False,
) -> ReplayResult:
    """Make the artifact again on this Blender, within its limits and `most`; with its scene if `keep_scene`.

    Raises ArtifactNotFound, ArtifactDamaged if a file was changed, and RunFailed if our own parts fail.
    """
    artifact, order, scene, was = await asyncio.to_thread(read, store, artifact_id)
    limits = ProcessLimits(
        wall_s=min(order.run_limits.wall_s, most.wall_s),
        memory_bytes=min(order.run_limits.memory_bytes, most.memory_bytes),
    )
    order = dataclasses.replace(order, run_limits=limits, examine_limits=limits, keep_scene=keep_scene)
    # An archive may contain anything, so the policy applies to a receipt as to a request.
    try:
        remarks = await readers.ask(look_for_forbidden, [order.snippet, order.setup_snippet or ""], rules)
    except ReadingFailed as why:
        remarks = too_much(str(why)).parse
    errors = [f"line {remark.line}: {remark.message}" for remark in remarks if remark.severity is Severity.ERROR]
    if errors:
        forbidden = errors[0]
        facts = {"version": blender.version, "build_hash": blender.build_hash, "kind": blender.kind}
        report: dict[str, Any] = {"outcome": "forbidden", "reason": forbidden, "blender": facts, "evidence": {}}
        return ReplayResult(compare(artifact, scene, report, was, {}), order, report, {}, remarks)
    order = dataclasses.replace(order, asks=any(remark.code == ASKS for remark in remarks))
    executed = await engine.execute(order, blender)
    if executed.report["outcome"] == Outcome.HARNESS_FAULT:
        raise RunFailed(executed.report["reason"])
    comparison = await asyncio.to_thread(compare, artifact, scene, executed.report, was, executed.files)
    return ReplayResult(comparison, order, executed.report, executed.files, remarks)


def read(store: ArtifactStore, artifact_id: str) -> tuple[Artifact, Order, dict[str, Any], bytes]:
    """The artifact, the order that makes it again, its scene and its picture. Raises ArtifactNotFound."""
    scene: dict[str, Any] = store.report(artifact_id)["execution"]["evidence"]["scene"]
    return store.read(artifact_id), store.order(artifact_id), scene, store.content(artifact_id, PICTURE)


def look_for_forbidden(snippets: list[str], rules: Rules) -> list[Finding]:
    """The remarks of policy on the snippets, or the reason why one is not valid Python."""

    def severity(code: str) -> Severity | None:
        return rules.severity("policy", code, "caller")

    return [remark for snippet in snippets for remark in parse_snippet(snippet) or check_policy(snippet, severity)]
