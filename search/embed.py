"""Turns texts into vectors: a sentence-transformers model, exported once to ONNX (see `export.py`).

<home>/models/<model>/model.onnx tokenizer.json model.json
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from search.encoder import OnnxEncoder, Vectors
from search.export import FACTS_FILE, MODEL_FILE, TOKENIZER_FILE
from search.exporting import PACKAGED, ModelUnusable, run_export

BATCH: Final = 16
"""Texts per batch; on two cores larger batches exceed the processor's caches and take three times as long."""
EXPORT_TIMEOUT_S: Final = 900


@dataclasses.dataclass(frozen=True)
class Embedder:
    """A loaded embedding model. `identity` is the model and its exact file: vectors of others cannot be compared."""

    model: str
    identity: str
    dimensions: int
    encoder: OnnxEncoder

    def embed(self, texts: Sequence[str], done: Callable[[int], None] = lambda _count: None) -> Vectors:
        """One unit vector per text, in the order of the texts; `done` gets the number finished so far.

        Texts of similar length share a batch, to keep padding small. Raises ModelUnusable.
        """
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            try:
                vectors[places] = self.encoder.encode([texts[place] for place in places])
            except Exception as error:
                # The runtime's errors have no other base class, and none of them is the index's fault.
                raise ModelUnusable(f"The embedding model {self.model} failed: {error}") from error
            done(start + len(places))
        return vectors


def open_embedder(home: Path, model: str, say: Callable[[str], None] = lambda _what: None) -> Embedder:
    """The embedder of a model: the packaged one by its name, any other by hub name or path.

    The first call exports the model, which takes about ten seconds. A file that was damaged later is made again.
    Raises ModelUnusable.
    """
    folder = exported_folder(home, model)
    facts = read_facts(folder, model)
    if facts is None:
        say(f"preparing the embedding model {model}")
        failed = f"The embedding model {model} cannot be exported"
        run_export("search.export", [model, str(folder)], failed=failed, timeout_s=EXPORT_TIMEOUT_S)
        facts = read_facts(folder, model)
        if facts is None:
            raise ModelUnusable(f"The embedding model {model} was not written to {folder}.")
    encoder = OnnxEncoder(folder / MODEL_FILE, folder / TOKENIZER_FILE, facts["max_tokens"])
    return Embedder(model, f"{model}@{facts['sha256'][:12]}", facts["dimensions"], encoder)


def exported_folder(home: Path, model: str) -> Path:
    """The folder of an exported model; no two models share one, and none leads out of `models`."""
    if model == PACKAGED:
        return home / "models" / model
    words = re.sub(r"\W+", "-", model, flags=re.ASCII).strip("-")[-60:]
    return home / "models" / f"{words}-{hashlib.sha256(model.encode()).hexdigest()[:8]}"


def read_facts(folder: Path, model: str) -> dict[str, Any] | None:
    """The facts stored with an exported model, or None if the model is not complete."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS_FILE).read_text(encoding="utf-8"))
        whole = all(
            hashlib.sha256((folder / file).read_bytes()).hexdigest() == facts[digest]
            for file, digest in ((MODEL_FILE, "sha256"), (TOKENIZER_FILE, "tokenizer_sha256"))
        )
        known = facts["model"] == model and int(facts["dimensions"]) > 0 and int(facts["max_tokens"]) > 0
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return facts if whole and known else None
