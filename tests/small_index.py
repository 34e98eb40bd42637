"""A small reference, indexed in no time: its embedder only knows which words two texts share."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest

from app.retrieval import retriever as retriever_module
from app.retrieval.retriever import Retriever
from ingest.build import IngestInput, build, fingerprint, with_reference, write_tables
from ingest.chunks import chunk_of
from ingest.questions import UserQuestion
from ingest.reference_store import Catalogue, Database, read_catalogue, write_catalogue
from ingest.symbol import Symbol
from search.embed import Embedder
from search.encoder import Vectors

DIMENSIONS: Final = 4096
MODEL: Final = "shared-words"

SYMBOLS: Final = (
    Symbol("bpy.ops", "module"),
    Symbol("bpy.ops.object", "module"),
    Symbol(
        "bpy.ops.mesh.primitive_uv_sphere_add",
        "operator",
        label="Add UV Sphere",
        signature="(segments=32, ring_count=16)",
        description="Construct a spherical mesh",
    ),
    Symbol("bpy.types.bpy_struct", "class"),
    Symbol("bpy.types.bpy_struct.keyframe_insert", "method", description="Insert a keyframe on the property given"),
    Symbol("bpy.types.Object", "class", label="Object", description="An object of the scene"),
    Symbol("bpy.types.ArmatureModifier.object", "attribute", label="Object", description="Armature object to deform"),
    Symbol("bpy.types.BooleanModifier.object", "attribute", label="Object", description="Mesh to use as operand"),
    Symbol(
        "bpy.types.SubsurfModifier",
        "class",
        label="Subdivision Surface Modifier",
        aliases=("SUBSURF", "Subdivision Surface"),
        description="Split faces into smaller parts.\nIt looks smoother",
    ),
    Symbol("bpy.types.SubsurfModifier.levels", "attribute", label="Levels Viewport", description="Subdivisions shown"),
    Symbol("bpy.types.BevelModifier", "class", label="Bevel Modifier", aliases=("BEVEL", "Bevel")),
    Symbol("bpy.types.BevelModifier.segments", "attribute", label="Segments", description="Steps of a rounded edge"),
    Symbol("bpy.types.MetaBall", "class", label="Metaballs"),
    *(Symbol(f"bpy.types.Gadget{letter}", "class", label="Gadget") for letter in "ABCDEFG"),
)

QUESTIONS: Final = (
    UserQuestion(
        "modelling/1",
        "question",
        ("round off sharp corners", "soften the borders"),
        ("bpy.types.BevelModifier", "bpy.types.BevelModifier.segments"),
    ),
    UserQuestion("animation/1", "question", ("make it move over time",), ("bpy.types.bpy_struct.keyframe_insert",)),
    UserQuestion(
        "cookbook/ball",
        "cookbook",
        ("put a ball into the scene",),
        ("bpy.ops.mesh.primitive_uv_sphere_add",),
        snippet="import bpy\nbpy.ops.mesh.primitive_uv_sphere_add()\n",
    ),
)


class SharedWords:
    """A vector has one place a word."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row, zlib.crc32(word.encode()) % DIMENSIONS] += 1
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        return vectors


def embedder(model: str = MODEL) -> Embedder:
    return Embedder(model, f"{model}@1", DIMENSIONS, cast(Any, SharedWords()))


def source(
    name: str = "5.0.1", symbols: Sequence[Symbol] = SYMBOLS, questions: Sequence[UserQuestion] = QUESTIONS
) -> IngestInput:
    series = ".".join(name.removesuffix("-published").split(".")[:2])
    return IngestInput(name, series, f"a test of {name}", symbols, questions)


def write_index(folder: Path, *sources: IngestInput) -> None:
    """Ingest these sources, or the small reference."""
    for one in sources or (source(),):
        build(folder, one, embedder())


def write_words(folder: Path, one: IngestInput | None = None) -> None:
    """The small reference as an ingest leaves it that was interrupted: without vectors."""
    one = one or source()
    folder.mkdir(parents=True, exist_ok=True)
    chunks = [chunk_of(symbol) for symbol in one.symbols]
    mark = fingerprint(chunks, one.questions)
    reference = write_tables(Database(folder), one, chunks, one.questions, mark, None)
    write_catalogue(folder, with_reference(read_catalogue(folder) or Catalogue(f"{MODEL}@1", {}), reference))


def open_small(folder: Path, monkeypatch: pytest.MonkeyPatch, cross_encoder: str | None = None) -> Retriever:
    """A retriever over an index in this folder that embeds as it was embedded."""
    use_embedder(monkeypatch)
    return Retriever(folder, folder.parent, MODEL, cross_encoder)


def use_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have retrievers embed as the small index was embedded."""

    def open_embedder(_home: Path, model: str) -> Embedder:
        return embedder(model)

    monkeypatch.setattr(retriever_module, "open_embedder", open_embedder)
