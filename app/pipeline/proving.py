"""Proves an imported artifact here: its replay is judged like a caller's snippet, and published if it passes.

The archive's statements about it, its title, its request and its author among them, are only quoted.
"""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

from app.artifacts.replay import Replay
from app.artifacts.store.artifact import Quotation
from app.artifacts.store.provenance import provenance
from app.artifacts.store.store import Proof
from app.checks.accept import judge_accept
from app.checks.static_stages import static_stages
from app.jobs.run import Attempt
from app.pipeline.judges import executed_stages, measurements, write_files
from app.pipeline.replaying import ReplayResult
from app.pipeline.state import Tools
from app.verdict.verdict import Verdict, judged, make_verdict, skipped
from harness.blenders import Blender
from harness.folders import remove_tree

Judgement = tuple[Verdict, list[str]]
"""A verdict, and the addresses of the API that its snippet uses."""


async def prove_here(tools: Tools, blender: Blender, remade: ReplayResult) -> Replay:
    """The replay with a verdict of its own, and with the id of the artifact that it made if that verdict proves it."""
    replay = remade.comparison
    name = f"replay-{secrets.token_hex(4)}"
    pictures = tools.work_folder(name)
    try:
        await asyncio.to_thread(write_files, pictures, remade.files)
        verdict, symbols = await judge_anew(tools, blender, remade, pictures)
        if not verdict.passed:
            return replay.model_copy(update={"verdict": verdict})
        proof = await proof_of(tools, blender, remade, (verdict, symbols), name)
        made = await asyncio.to_thread(tools.gallery.publish, proof)
    finally:
        await asyncio.to_thread(remove_tree, pictures)
    return replay.model_copy(update={"verdict": verdict, "proof": made.id if made else None})


async def keep_remade(tools: Tools, remade: ReplayResult) -> None:
    """Keep the scene of a replay with its artifact, which is proven here already."""
    results = tools.work_folder(f"replay-{secrets.token_hex(4)}")
    try:
        await asyncio.to_thread(write_files, results, remade.files)
        await asyncio.to_thread(tools.artifacts.keep_scene, remade.comparison.artifact, results)
    finally:
        await asyncio.to_thread(remove_tree, results)


async def judge_anew(tools: Tools, blender: Blender, remade: ReplayResult, pictures: Path) -> Judgement:
    """The verdict of the replay. The request is a quotation, so nothing is checked against it."""
    snippet, report = remade.order.snippet, remade.report
    static, symbols = await static_stages(tools, blender, snippet, "caller")
    stages = [
        judged("parse", [], note="it is Python"),
        judged("policy", remade.remarks, note="nothing that it can see"),
        *static,
        *await asyncio.to_thread(executed_stages, report, pictures, "caller", tools.rules),
        judge_accept([], report, "caller", tools.rules),
        skipped("critic", "a replay has no request of its own"),
    ]
    return make_verdict(stages, measurements(report)), symbols


async def proof_of(tools: Tools, blender: Blender, remade: ReplayResult, judgement: Judgement, name: str) -> Proof:
    """The proof by a replay, with the words of the import as a quotation."""
    imported = remade.comparison.artifact
    verdict, symbols = judgement
    index = await asyncio.to_thread(tools.retriever.index_searched, blender.version)
    attempt = Attempt(
        number=1,
        author="caller",
        notes=[],
        symbols=symbols,
        snippet=remade.order.snippet,
        verdict=verdict,
        report=remade.report,
    )
    return Proof(
        run=name,
        kind="validate",
        request=None,
        attempt=attempt,
        order=remade.order,
        pictures=tools.work_folder(name),
        provenance=provenance(index, blender, "caller"),
        origin="replay",
        quoted=await asyncio.to_thread(quotation, tools, imported),
    )


def quotation(tools: Tools, imported: str) -> Quotation:
    """The statements of an import's receipt about itself. Raises ArtifactNotFound."""
    said = tools.artifacts.receipt(imported)
    return Quotation(
        artifact=imported,
        run=said.run,
        title=said.title,
        request=said.request,
        author=said.provenance.author,
        model=said.provenance.model,
        created_at=said.created_at,
    )
