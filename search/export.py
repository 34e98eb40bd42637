"""Turns a sentence-transformers model into an int8 ONNX file, once per machine.

With it a text is embedded in two milliseconds, and the reference of a Blender in under half a minute on two cores, and
the service needs no PyTorch in its memory. The packaged model is written from its weights and needs no PyTorch at all.
Run as a process of its own: `python -m search.export MODEL FOLDER`.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from search import torchvision_schemas
from search.encoder import OnnxEncoder
from search.exporting import PACKAGED, ModelUnusable, appearing, exit_of, no_model_at, write_int8, write_onnx

NEAREST_ALLOWED: Final = 0.96
"""Least cosine between the int8 and the exact vector of a probe; if a processor misses it, the exact model is used."""
PROBES: Final = (
    "add a bevel modifier to the cube",
    "Subdivision Surface",
    "why does my render come out black when the script runs without a window",
    "mathutils.Vector.to_track_quat: return a quaternion rotation from the vector and the track and up axis",
)
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
FACTS_FILE: Final = "model.json"


def export(model: str, folder: Path) -> None:
    """Write model, tokenizer and facts into `folder`, which appears complete or not at all. Raises ModelUnusable."""
    with appearing(folder) as work:
        exact, small = work / "exact.onnx", work / MODEL_FILE
        write = write_packaged if model == PACKAGED else write_loaded
        max_tokens, vectors = write(model, work, exact)
        write_int8(exact, small)
        near = min(cosines(small, work / TOKENIZER_FILE, max_tokens, vectors))
        if near < NEAREST_ALLOWED:
            exact.replace(small)
        exact.unlink(missing_ok=True)
        facts = {
            "model": model,
            "dimensions": int(vectors.shape[1]),
            "max_tokens": max_tokens,
            "precision": "int8" if near >= NEAREST_ALLOWED else "float32",
            "nearness": round(near, 4),
            "sha256": hashlib.sha256(small.read_bytes()).hexdigest(),
            "tokenizer_sha256": hashlib.sha256((work / TOKENIZER_FILE).read_bytes()).hexdigest(),
        }
        (work / FACTS_FILE).write_text(json.dumps(facts), encoding="utf-8")


def write_packaged(model: str, work: Path, exact: Path) -> tuple[int, Any]:
    """Write the packaged model and its tokenizer; return the longest text in tokens, and the vectors of the probes."""
    # Imported here, because readers of an exported model need not wait for it.
    import numpy as np

    from search.minilm import MAX_TOKENS, write_minilm
    from search.weights import packaged_weights

    with tempfile.TemporaryDirectory() as scratch:
        source = packaged_weights(Path(scratch))
        write_minilm(source, exact)
        shutil.copyfile(source / TOKENIZER_FILE, work / TOKENIZER_FILE)
    return MAX_TOKENS, np.concatenate(list(encoded(exact, work / TOKENIZER_FILE, MAX_TOKENS)))


def write_loaded(model: str, work: Path, exact: Path) -> tuple[int, Any]:
    """The same with a model that sentence-transformers loads. Raises ModelUnusable, and ImportError without PyTorch."""
    source = Path(model)
    missing = no_model_at(model)
    if missing:
        raise cannot_be_loaded(model, missing)
    # Imported here, because it takes seconds and only this function needs it.
    import torch

    torchvision_schemas.declare()
    from sentence_transformers import SentenceTransformer

    try:
        encoder: Any = SentenceTransformer(str(source), device="cpu", local_files_only=source.exists()).eval()
    except (OSError, ValueError, RuntimeError) as error:
        # The reader of this message expects one line, and some of these errors have twenty.
        raise cannot_be_loaded(model, " ".join(str(error).split())[:300]) from error
    write_encoder(torch, encoder, exact)
    encoder.tokenizer.backend_tokenizer.save(str(work / TOKENIZER_FILE))
    return int(encoder.get_max_seq_length() or 256), encoder.encode(list(PROBES), normalize_embeddings=True)


def cannot_be_loaded(model: str, why: str) -> ModelUnusable:
    return ModelUnusable(
        f"The embedding model {model} cannot be loaded: {why.rstrip('.')}. "
        f"Set BLENDPROOF_EMBEDDING_MODEL to {PACKAGED}, or to the folder of a sentence-transformers model."
    )


def write_encoder(torch: Any, encoder: Any, file: Path) -> None:
    class Encoder(torch.nn.Module):  # type: ignore[misc]
        """Tokens in, unit vectors out."""

        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.encoder = encoder

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            return torch.nn.functional.normalize(self.encoder(features)["sentence_embedding"], dim=1)

    tokens = torch.ones(2, 8, dtype=torch.long)
    free = {0: "texts", 1: "tokens"}
    inputs = {"input_ids": tokens, "attention_mask": tokens}
    write_onnx(Encoder(), file, inputs, ["vectors"], {**dict.fromkeys(inputs, free), "vectors": {0: "texts"}})


def cosines(file: Path, tokenizer: Path, max_tokens: int, exact: Any) -> list[float]:
    """The cosine between an exported model's vector and the exact one, per probe."""
    vectors = encoded(file, tokenizer, max_tokens)
    return [float((vector[0] * wanted).sum()) for vector, wanted in zip(vectors, exact, strict=True)]


def encoded(file: Path, tokenizer: Path, max_tokens: int) -> Iterator[Any]:
    """The vectors of the probes by an exported model, each in a batch of its own."""
    encoder = OnnxEncoder(file, tokenizer, max_tokens)
    return (encoder.encode([text]) for text in PROBES)


if __name__ == "__main__":
    exit_of(export, sys.argv[1], Path(sys.argv[2]))
