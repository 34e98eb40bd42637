"""Times an ingest, step by step, into a temporary index.

    python -m bench.ingest                    the API of the default Blender
    python -m bench.ingest WHERE              a published reference: web address, folder or archive
    python -m bench.ingest --backends         texts per second with PyTorch and with ONNX, exact and int8, by batch size

Prints the seconds of each step, the seconds until the first search by words could be answered, chunks per second, the
peak memory of this process, and the same for a second ingest of the unchanged reference.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from app.blenders.preparation import blenders_of
from app.retrieval.indexing import index_blender, index_published
from app.settings import Settings, read_settings
from harness.blenders import choose
from harness.dump import dump_manifest
from ingest.build import IngestProgress, IngestResult
from ingest.chunks import chunk_of
from ingest.dumped import read_dumped
from ingest.manifest import read_manifest
from search import torchvision_schemas
from search.embed import open_embedder
from search.encoder import OnnxEncoder
from search.export import MODEL_FILE, TOKENIZER_FILE, write_encoder
from search.exporting import write_int8
from search.weights import packaged_weights

SAMPLE: Final = 1500
SEED: Final = 7


class Steps:
    """Notes when each step of an ingest began."""

    def __init__(self) -> None:
        self.began: dict[str, float] = {}
        self.ended = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        self.began.setdefault(step, time.perf_counter())
        self.ended = time.perf_counter()

    def show(self) -> None:
        """One line per step."""
        names = list(self.began)
        ends = [*(self.began[name] for name in names[1:]), self.ended]
        for name, end in zip(names, ends, strict=True):
            print(f"  {end - self.began[name]:6.1f} s  {name}")
        if "embedding" in self.began:
            first = self.began["embedding"] - next(iter(self.began.values()))
            print(f"  {first:6.1f} s  until the first search by words can be answered")


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("where", nargs="?", help="a published reference; default: the default Blender")
    parser.add_argument("--backends", action="store_true", help="compare ways to embed")
    given = parser.parse_args()
    settings = read_settings()
    if given.backends:
        compare_backends(settings)
        return
    # The model is made once per machine, the index once for this measurement.
    open_embedder(settings.home, settings.embedding_model)
    with tempfile.TemporaryDirectory() as temporary:
        own = settings_over(settings, Path(temporary))
        for title in ("first", "second, unchanged"):
            steps = Steps()
            started = time.perf_counter()
            built = ingest(own, given.where, steps)
            report(title, built, steps, time.perf_counter() - started)


def settings_over(settings: Settings, home: Path) -> Settings:
    """The same settings with an empty home that borrows the Blenders and the models."""
    for name in ("blenders", "models"):
        (home / name).symlink_to((settings.home / name).resolve())
    return settings.model_copy(update={"home": home})


def ingest(settings: Settings, where: str | None, progress: IngestProgress) -> IngestResult:
    if where:
        return index_published(settings, where, blenders_of(settings), progress)[0]
    return index_blender(settings, choose(blenders_of(settings), None), progress)


def report(title: str, built: IngestResult, steps: Steps, seconds: float) -> None:
    reference = built.reference
    print(f"{title} ingest of {reference.name}: {seconds:.1f} s")
    steps.show()
    print(f"  {reference.symbols} symbols and {reference.questions} known answers, {built.embedded} texts embedded")
    print(f"  {(reference.symbols + reference.questions) / seconds:.0f} chunks per second in total")
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


def compare_backends(settings: Settings) -> None:
    """Texts per second on a sample of the default Blender's symbols, the same texts for each."""
    blender = choose(blenders_of(settings), None)
    symbols = read_dumped(read_manifest(dump_manifest(settings.home, blender)))
    texts = [chunk_of(symbol).text for symbol in random.Random(SEED).sample(symbols, SAMPLE)]
    texts.sort(key=len)
    shuffled = random.Random(SEED).sample(texts, SAMPLE)
    import torch

    torchvision_schemas.declare()
    from sentence_transformers import SentenceTransformer

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        exact: Any = SentenceTransformer(str(packaged_weights(folder)), device="cpu").eval()
        write_encoder(torch, exact, folder / "exact.onnx")
        write_int8(folder / "exact.onnx", folder / MODEL_FILE)
        exact.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER_FILE))
        for size in (16, 64):
            show("PyTorch", size, texts, lambda batch: exact.encode(batch, batch_size=len(batch)))
        for name in ("exact.onnx", MODEL_FILE):
            encoder = OnnxEncoder(folder / name, folder / TOKENIZER_FILE, 256)
            kind = "ONNX int8" if name == MODEL_FILE else "ONNX"
            for size in (8, 16, 64):
                show(kind, size, texts, encoder.encode)
            show(f"{kind}, not sorted by length", 16, shuffled, encoder.encode)


def show(name: str, size: int, texts: list[str], encode: Callable[[list[str]], Any]) -> None:
    encode(texts[:size])
    started = time.perf_counter()
    for start in range(0, len(texts), size):
        encode(texts[start : start + size])
    print(f"{len(texts) / (time.perf_counter() - started):7.0f} texts per second  {name}, batches of {size}")


if __name__ == "__main__":
    main()
