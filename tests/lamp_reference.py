"""The reference of a lamp with questions about it, and an embedder without a model: what tests fill an index with."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np

from app.retrieval.directory import Directory, open_directory
from ingest.build import IngestInput, IngestProgress, IngestResult, build, no_progress
from ingest.questions import UserQuestion
from ingest.reference_store import (
    Catalogue,
    read_catalogue,
)
from ingest.symbol import Symbol
from search.embed import Embedder
from search.encoder import Vectors

DIMENSIONS = 8
COUNT = 50


class FakeEmbedder:
    """Makes a vector of the digest of each text; fails at a text that holds `fails_at`."""

    def __init__(self, identity: str = "fake@1", dimensions: int = DIMENSIONS) -> None:
        self.model = identity.partition("@")[0]
        self.identity = identity
        self.dimensions = dimensions
        self.embedded: list[str] = []
        self.fails_at = ""
        self.failure: BaseException = RuntimeError()

    def embed(self, texts: Sequence[str], done: Callable[[int], None] = lambda _count: None) -> Vectors:
        for text in texts:
            if self.fails_at and self.fails_at in text:
                raise self.failure
        self.embedded += texts
        done(len(texts))
        vectors = [self.vector(text) for text in texts]
        return np.array(vectors, dtype=np.float32).reshape(-1, self.dimensions)

    def vector(self, text: str) -> list[float]:
        return list(hashlib.sha256(f"{self.identity}{text}".encode()).digest()[: self.dimensions])


def symbols(count: int = COUNT, changed: str = "") -> list[Symbol]:
    """Symbols of a lamp; `changed` is another description of the first."""
    said = [changed or "It says 0.", *(f"It says {number}." for number in range(1, count))]
    return [Symbol(f"bpy.lamp.part_{place}", "function", description=words) for place, words in enumerate(said)]


QUESTIONS = (
    UserQuestion("lamps/1", "question", ("light the lamp", "make it bright"), ("bpy.lamp.part_1", "bpy.lamp.part_2")),
    UserQuestion("lamps/2", "cookbook", ("who's there",), ("bpy.lamp.part_3",), "import bpy\n"),
    UserQuestion("lamps/3", "question", ("what no lamp has",), ("bpy.torch",)),
)
TEXTS = COUNT + 3


def source(
    name: str = "9.1.0", listed: Sequence[Symbol] = (), questions: Sequence[UserQuestion] = QUESTIONS
) -> IngestInput:
    return IngestInput(name, name[:3], f"Blender {name}", listed or symbols(), questions)


def fill(
    folder: Path, embedder: FakeEmbedder, what: IngestInput | None = None, progress: IngestProgress = no_progress
) -> IngestResult:
    return build(folder, what or source(), cast(Embedder, embedder), progress)


def catalogue(folder: Path) -> Catalogue:
    read = read_catalogue(folder)
    assert read is not None
    return read


def opened(folder: Path, name: str = "9.1.0") -> Directory:
    return open_directory(folder, catalogue(folder).references[name])


def answers(directory: Directory, embedder: FakeEmbedder | None = None) -> None:
    """The reference can be searched, and by vectors too if the embedder that made them is given."""
    assert len(directory.addresses) == COUNT
    assert directory.by_words("says 7", 5)
    assert directory.symbols([7])[0].address == "bpy.lamp.part_7"
    assert directory.snippet("lamps/2") == "import bpy\n"
    assert (directory.vectors is None) == (embedder is None)
    if embedder is not None:
        assert directory.vectors is not None and directory.wording_vectors is not None
        assert directory.vectors[7].tolist() == embedder.vector("lamp: part 7. It says 7.")
        assert directory.wording_vectors[2].tolist() == embedder.vector("who's there")
