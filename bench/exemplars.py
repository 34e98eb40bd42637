"""Measures the help of the memory for a drafter: the share of needed symbols that its exemplars use.

    python -m bench.exemplars [QUESTIONS.jsonl] [--first 3]

The examples of the command language are drafted, executed, and published into a fresh store if they are proven. Each
question of the file ({"query": ..., "gold": [addresses]}) then goes once to the cookbook and Blender's example scripts
alone, and once to these and the store. Whether more runs succeed cannot be measured without a model: only a model reads
exemplars.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any, Final

from app.artifacts.exemplars import load_withheld
from app.artifacts.gallery import Gallery
from app.artifacts.search.clip import Clip
from app.artifacts.store.artifact import Provenance
from app.artifacts.store.store import ArtifactStore, Proof
from app.blenders.manifests import Manifests
from app.blenders.preparation import blenders_of
from app.drafting.commands import Commands, load_examples
from app.jobs.run import Attempt
from app.pipeline.known import known_answers
from app.prompting.exemplar import Exemplar
from app.reading import addresses_used
from app.retrieval.retriever import open_retriever
from app.settings import read_settings
from app.verdict.verdict import STAGES, judged, make_verdict
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from harness.protocol import Outcome, RenderSettings
from ingest.manifest import Manifest

QUESTIONS: Final = Path(__file__).with_name("questions.jsonl")
RENDER: Final = RenderSettings(size_px=64, samples=1)


def main() -> None:
    """Fill a store, ask, and print both shares."""
    parser = argparse.ArgumentParser(description="Measure what proven snippets add to the exemplars.")
    parser.add_argument("questions", nargs="?", type=Path, default=QUESTIONS)
    parser.add_argument("--first", type=int, default=3, help="exemplars to show")
    given = parser.parse_args()
    settings = read_settings()
    blender = choose(blenders_of(settings), None)
    manifest = Manifests(settings.home).of(blender)
    retriever = open_retriever(settings)
    questions: list[dict[str, Any]] = [json.loads(line) for line in given.questions.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        store = ArtifactStore(Path(folder) / "artifacts")
        clip = Clip(settings.clip_model, None, settings.home)
        gallery = Gallery(store, Path(folder) / "gallery", clip, retriever.embedder, load_withheld(settings.withheld))
        gallery.start()
        asyncio.run(fill(gallery, blender, manifest, Path(folder) / "work"))
        gallery.settled()

        def covered(found: list[Exemplar], gold: list[str]) -> float:
            used = {address for one in found for address in addresses_used(one.snippet, manifest)}
            return len(used & set(gold)) / len(gold)

        alone = with_memory = changed = 0.0
        for question in questions:
            query, gold = question["query"], question["gold"]
            recipes = retriever.exemplars(query, blender.version, given.first)
            both = known_answers(retriever, gallery, query, blender.version, given.first)
            alone += covered(recipes, gold)
            with_memory += covered(both, gold)
            changed += recipes != both
        count = len(questions)
        print(f"{store.count()} artifacts; {count} questions, {given.first} exemplars each")
        print(f"share of the needed symbols that they use, recipes and example scripts alone: {alone / count:.3f}")
        print(f"the same with what was proven: {with_memory / count:.3f}; other exemplars for {changed:.0f} questions")
        gallery.close()


async def fill(gallery: Gallery, blender: Blender, manifest: Manifest, work: Path) -> None:
    """Publish the snippets of the examples, if they run."""
    provenance = Provenance(blendproof="bench", author="commands", checks={}, index={}, model=None, prompts={})
    commands = Commands()
    for number, request in enumerate(load_examples()):
        order = Order(commands.draft(request, manifest).snippet, render=RENDER)
        folder = work / str(number)
        report = await execute(blender, order, folder)
        if report["outcome"] != Outcome.PASSED:
            continue
        verdict = make_verdict([judged(name, []) for name in STAGES], {})
        attempt = Attempt(
            number=1, author="commands", notes=[], snippet=order.snippet, symbols=[], verdict=verdict, report=report
        )
        pictures = folder / "examine" / "out"
        await asyncio.to_thread(
            gallery.publish, Proof(f"r-{number}", "generate", request, attempt, order, pictures, provenance)
        )


if __name__ == "__main__":
    main()
