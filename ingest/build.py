"""Builds the index of one reference, step by step. The old index stays in use until the last step is done.

symbols ─> chunks ─> text tables ─> publish*  ─> vectors ─> tables ─> publish ─> drop the tables of two ingests ago
                     * only if the index has nothing of this reference yet: search by words can begin after seconds
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from ingest.chunks import Chunk, chunk_of
from ingest.naming import names_of
from ingest.questions import UserQuestion, within
from ingest.reference_store import (
    Catalogue,
    Database,
    IndexedReference,
    ingest_lock,
    read_catalogue,
    storage_errors,
    write_catalogue,
)
from ingest.symbol import Symbol
from search.embed import Embedder
from search.encoder import Vectors
from search.tables import VECTORS, text_digest

KEPT_AT_ONCE: Final = 2048
"""Texts to embed between two writes: an interrupted ingest loses at most this many."""
WORDINGS: Final = 4
"""Approximate number of wordings per question."""


class IngestProgress(Protocol):
    """Receives the progress of an ingest: the step, the number of parts that are done, and of all."""

    def __call__(self, step: str, done: int, total: int) -> None: ...


def no_progress(step: str, done: int, total: int) -> None:
    """Show nothing."""


@dataclasses.dataclass(frozen=True)
class IngestInput:
    """The input of an ingest: the symbols of one reference, and their origin."""

    name: str
    series: str
    source: str
    symbols: Sequence[Symbol]
    questions: Sequence[UserQuestion]


@dataclasses.dataclass(frozen=True)
class IngestResult:
    """The result of an ingest. Times are wall-clock seconds."""

    reference: IndexedReference
    embedded: int
    known: int
    unchanged: bool
    seconds: float


def build(
    folder: Path, source: IngestInput, embedder: Embedder, progress: IngestProgress = no_progress
) -> IngestResult:
    """Add a reference to the index in `folder`, unless it is there already.

    Raises IndexBusy, IndexUnusable, IndexStorageFailed or ModelUnusable; the old index then stays in use.
    """
    started = time.monotonic()
    with storage_errors(folder), ingest_lock(folder):
        catalogue = read_catalogue(folder) or Catalogue(embedder.identity, {})
        chunks = [chunk_of(symbol) for symbol in source.symbols]
        questions = within(source.questions, {symbol.address for symbol in source.symbols})
        texts = [chunk.text for chunk in chunks] + [ask for question in questions for ask in question.asks]
        before = catalogue.references.get(source.name)
        mark = fingerprint(chunks, questions)
        if before and before.dense and before.fingerprint == mark and catalogue.model == embedder.identity:
            return IngestResult(before, 0, len(texts), True, time.monotonic() - started)
        database = Database(folder)
        drop_leftovers(database, catalogue)
        forget_unused(database, catalogue, embedder.identity, texts)
        if before is None:
            progress("writing the words", 0, 1)
            first = write_tables(database, source, chunks, questions, mark, None)
            catalogue = with_reference(catalogue, first)
            write_catalogue(folder, catalogue)
        vectors, embedded = embed_new(database, embedder, texts, progress)
        progress("writing the index", 0, 1)
        reference = write_tables(database, source, chunks, questions, mark, vectors)
        write_catalogue(folder, with_reference(for_model(catalogue, embedder.identity), reference))
        progress("writing the index", 1, 1)
        return IngestResult(reference, embedded, len(texts) - embedded, False, time.monotonic() - started)


def fingerprint(chunks: Sequence[Chunk], questions: Sequence[UserQuestion]) -> str:
    """A digest that changes with any part of the reference."""
    sha = hashlib.sha256()
    for chunk in chunks:
        sha.update(chunk.symbol.to_json().encode())
        sha.update(repr(names_of(chunk.symbol)).encode())
        sha.update(chunk.terms.encode())
        sha.update(chunk.text.encode())
    for question in questions:
        sha.update(repr(question).encode())
    return sha.hexdigest()[:24]


def drop_leftovers(database: Database, catalogue: Catalogue) -> None:
    """Drop the tables that no reference names, leftovers of an ingest before the last one or of an interrupted one."""
    named = {VECTORS}
    for reference in catalogue.references.values():
        named |= {reference.symbols_table, reference.questions_table}
    database.drop(database.names() - named)


def write_tables(
    database: Database,
    source: IngestInput,
    chunks: Sequence[Chunk],
    questions: Sequence[UserQuestion],
    mark: str,
    vectors: Vectors | None,
) -> IndexedReference:
    """Write both tables under new names; they are not read until the catalogue names them."""
    name = re.sub(r"[^\w.-]", "_", source.name, flags=re.ASCII)
    ending = f"{name}-{mark[:8]}-{'dense' if vectors is not None else 'words'}-{time.time_ns():x}"
    reference = IndexedReference(
        name=source.name,
        series=source.series,
        source=source.source,
        fingerprint=mark,
        symbols_table=f"symbols-{ending}",
        questions_table=f"questions-{ending}",
        symbols=len(chunks),
        questions=len(questions),
        dense=vectors is not None,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    split = len(chunks)
    database.write_symbols(reference.symbols_table, chunks, None if vectors is None else vectors[:split])
    database.write_questions(reference.questions_table, questions, None if vectors is None else vectors[split:])
    return reference


def for_model(catalogue: Catalogue, model: str) -> Catalogue:
    """The catalogue for an index by this model.

    Vectors of two models cannot be compared: a reference with another model's vectors is searched by words until it is
    ingested again.
    """
    if catalogue.model == model:
        return catalogue
    by_words = {name: dataclasses.replace(reference, dense=False) for name, reference in catalogue.references.items()}
    return Catalogue(model, by_words)


def forget_unused(database: Database, catalogue: Catalogue, model: str, texts: Sequence[str]) -> None:
    """Delete the vectors that neither these texts nor any reference uses, if they are the larger part."""
    references = catalogue.references.values()
    used = len(texts) + sum(reference.symbols + WORDINGS * reference.questions for reference in references)
    if database.vectors_kept() > 2 * used:
        needed = {text_digest(text) for text in texts}
        for reference in references:
            needed |= {text_digest(text) for text in database.embedded_texts(reference)}
        database.forget_vectors(model, needed)
    else:
        database.tidy_vectors()


def with_reference(catalogue: Catalogue, reference: IndexedReference) -> Catalogue:
    return Catalogue(catalogue.model, {**catalogue.references, reference.name: reference})


def embed_new(
    database: Database, embedder: Embedder, texts: Sequence[str], progress: IngestProgress
) -> tuple[Vectors, int]:
    """One vector per text, and the number of texts that had to be embedded; the others were embedded before."""
    digests = [text_digest(text) for text in texts]
    known = database.known_vectors(embedder.identity, set(digests))
    missing = sorted(
        {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}.items(),
        key=lambda pair: len(pair[1]),
    )
    step = "embedding"
    progress(step, 0, len(missing))
    for start in range(0, len(missing), KEPT_AT_ONCE):
        part = missing[start : start + KEPT_AT_ONCE]
        words = [text for _, text in part]
        made = embedder.embed(words, report_from(progress, step, start, len(missing)))
        database.keep_vectors(embedder.identity, words, made)
        known.update(zip((digest for digest, _ in part), made, strict=True))
    vectors = np.stack([known[digest] for digest in digests]) if texts else np.zeros((0, embedder.dimensions))
    return vectors.astype(np.float32), len(missing)


def report_from(progress: IngestProgress, step: str, start: int, total: int) -> Callable[[int], None]:
    return lambda done: progress(step, start + done, total)
