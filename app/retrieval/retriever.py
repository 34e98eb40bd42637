"""Finds symbols and known answers for a request: the only access to the index.

query ─> choose the reference ─> rank.py ─> cross-encoder, if one is configured ─> entries, each with reasons
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from app.prompting.exemplar import Exemplar
from app.retrieval.cross import rerank
from app.retrieval.directory import Directory, choose_reference, open_directory
from app.retrieval.gather import RankedSymbol, gather
from app.retrieval.rank import LEGS, SymbolEvidence, best_of_each_question, rank
from app.settings import Settings
from ingest.manifest import Manifest
from ingest.reference_store import Catalogue, IndexedReference, ReferenceIndexUnusable, read_catalogue
from ingest.symbol import Symbol
from ingest.ways import ways_of
from search.clauses import parts_of
from search.cross import CrossEncoder
from search.embed import Embedder, open_embedder
from search.encoder import Vectors
from search.tables import TABLE_ERRORS

QUERY_LIMIT: Final = 2000
"""Characters of a query that are read; a model reads no more, and names come at its beginning."""
CROSS_DEPTH: Final = 30
SEARCHES_AT_ONCE: Final = 2
"""More threads would not be faster: they share the interpreter with each other and the rest of the service."""

Read = TypeVar("Read")


@dataclasses.dataclass(frozen=True)
class SymbolMatch:
    """One found symbol, with its score and the reasons, the strongest first."""

    symbol: Symbol
    score: float
    why: tuple[str, ...]


class Retriever:
    """Searches the index in `folder`; uses what an ingest publishes without a restart.

    Calls may come from several threads. Every call raises ReferenceIndexUnusable if there is nothing to search, and
    those that embed raise ModelUnusable. `catalogue` and `reference` answer at once; call the others in a thread, such
    as one of `pool`.
    """

    def __init__(self, folder: Path, home: Path, model: str, cross_encoder: str | None = None) -> None:
        self._folder = folder
        self._home = home
        self._model = model
        self._cross = CrossEncoder(cross_encoder) if cross_encoder else None
        self.pool: Final = ThreadPoolExecutor(SEARCHES_AT_ONCE, "search")
        self._catalogue_lock = threading.Lock()
        # Sometimes held for seconds, so calls that answer at once must not wait for it.
        self._loading_lock = threading.Lock()
        self._embedder: Embedder | None = None
        self._directories: dict[str, Directory] = {}
        self._read: tuple[tuple[int, ...], Catalogue] | None = None

    def search(self, query: str, blender: str | None = None, limit: int = 10) -> list[SymbolMatch]:
        """The symbols for a request in words, the best first; `blender` is a version, a series or a reference."""
        query = readable(query)
        return self._read_from(blender, lambda directory: self._search(directory, query, limit))

    def _search(self, directory: Directory, query: str, limit: int) -> list[SymbolMatch]:
        ranked = rank(directory, query, self.embed(query, directory), LEGS)
        if self._cross:
            ranked = rerank(self._cross, query, ranked, CROSS_DEPTH, directory)
        top = ranked[:limit]
        symbols = directory.symbols([row for row, _, _ in top])
        return [
            SymbolMatch(symbol, round(score, 4), reasons(evidence))
            for symbol, (_, score, evidence) in zip(symbols, top, strict=True)
        ]

    def gather(self, request: str, manifest: Manifest, limit: int) -> list[RankedSymbol]:
        """The symbols for each part of a request to the build of this manifest, the best first."""
        request = readable(request)
        parts = parts_of(request)

        def look(directory: Directory) -> list[RankedSymbol]:
            vectors = self.embed_all(parts, directory)
            return gather(directory, request, vectors, ways_of(manifest))[:limit]

        return self._read_from(manifest.version, look)

    def symbol(self, address: str, blender: str | None = None) -> Symbol | None:
        """The symbol at exactly this address, or the only one that scripts write this way; None without one."""

        def look_up(directory: Directory) -> Symbol | None:
            row = directory.row_of.get(address)
            if row is None:
                row = directory.names.row_of(address)
            return directory.symbols([row])[0] if row is not None else None

        return self._read_from(blender, look_up)

    def near(self, address: str, blender: str | None = None) -> list[str]:
        """The addresses nearest to one that does not exist."""
        return self.directory(blender).names.near(address)

    def exemplars(self, query: str, blender: str | None = None, limit: int = 3) -> list[Exemplar]:
        """Recipes and example scripts for requests like this one, the nearest first."""
        query = readable(query)
        return self._read_from(blender, lambda directory: self._exemplars(directory, query, limit))

    def _exemplars(self, directory: Directory, query: str, limit: int) -> list[Exemplar]:
        vector = self.embed(query, directory)
        if vector is None or directory.wording_vectors is None:
            return []
        nearness = directory.wording_vectors @ vector
        with_snippet = np.where(directory.by_hand, -1.0, nearness)
        best = list(best_of_each_question(directory, with_snippet).values())[:limit]
        return [
            Exemplar(wording.question, wording.title, round(near, 4), directory.snippet(wording.question))
            for wording, near in best
            if near > 0
        ]

    def reference(self, blender: str | None = None) -> IndexedReference:
        """The reference that a search would use; raises ReferenceIndexUnusable."""
        return choose_reference(self.catalogue(), blender)

    def index_searched(self, blender: str) -> dict[str, str]:
        """The fingerprint of the reference for a Blender and the embedding model; empty if nothing can be searched."""
        try:
            reference = self.reference(blender)
            return {reference.name: reference.fingerprint, "embedding": self.catalogue().model}
        except ReferenceIndexUnusable:
            return {}

    def catalogue(self) -> Catalogue:
        """The current contents of the index; raises ReferenceIndexUnusable."""
        file = self._folder / "index.json"
        with self._catalogue_lock:
            try:
                stat = file.stat()
                changed = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
            except OSError as error:
                raise ReferenceIndexUnusable("Nothing is indexed yet. Run `blendproof ingest blender`.") from error
            if self._read is None or self._read[0] != changed:
                catalogue = read_catalogue(self._folder)
                if catalogue is None:
                    raise ReferenceIndexUnusable("Nothing is indexed yet. Run `blendproof ingest blender`.")
                self._read = (changed, catalogue)
            return self._read[1]

    def directory(self, blender: str | None = None) -> Directory:
        """The reference in memory; opened at the first call, which takes about half a second."""
        reference = self.reference(blender)
        with self._loading_lock:
            directory = self._directories.get(reference.name)
            if directory is None or directory.reference != reference:
                directory = open_directory(self._folder, reference)
                self._directories[reference.name] = directory
            return directory

    def _read_from(self, blender: str | None, read: Callable[[Directory], Read]) -> Read:
        """The result of `read` on a reference; its tables are opened again if they were replaced meanwhile."""
        directory = self.directory(blender)
        try:
            return read(directory)
        except TABLE_ERRORS:
            with self._loading_lock:
                if self._directories.get(directory.reference.name) is directory:
                    del self._directories[directory.reference.name]
        try:
            return read(self.directory(blender))
        except TABLE_ERRORS as error:
            said = " ".join(str(error).split())[:300] or type(error).__name__
            raise ReferenceIndexUnusable(
                f"The index cannot be read: {said}. {MEND_INDEX.format(self._folder)}"
            ) from error

    @property
    def has_cross_encoder(self) -> bool:
        """True if a cross-encoder is configured."""
        return self._cross is not None

    def embed(self, query: str, directory: Directory) -> Vectors | None:
        """The vector of a query; None if the query is empty or the reference has no vectors.

        Raises ModelUnusable, and ReferenceIndexUnusable if the index was made with another model.
        """
        vectors = self.embed_all([query], directory)
        return None if vectors is None else vectors[0]

    def embed_all(self, queries: Sequence[str], directory: Directory) -> Vectors | None:
        """The same for several queries, a row for each; None if the first is empty."""
        if directory.vectors is None or not queries[0].strip():
            return None
        embedder = self.embedder()
        made_with = self.catalogue().model
        if made_with != embedder.identity:
            raise ReferenceIndexUnusable(OTHER_MODEL.format(made_with, embedder.identity))
        return embedder.embed(queries)

    def embedder(self) -> Embedder:
        """The embedding model, loaded at the first call; raises ModelUnusable."""
        with self._loading_lock:
            if self._embedder is None:
                self._embedder = open_embedder(self._home, self._model)
            return self._embedder


def open_retriever(settings: Settings) -> Retriever:
    """The retriever of these settings; nothing is read before the first call."""
    return Retriever(settings.index_folder, settings.home, settings.embedding_model, settings.cross_encoder)


MEND_INDEX: Final = "Remove the folder {} and run `blendproof ingest blender`."

OTHER_MODEL: Final = (
    "The index was made with the embedding model {}, and {} is set. Run `blendproof ingest blender`, or set"
    " BLENDPROOF_EMBEDDING_MODEL to the first."
)


def model_problem(catalogue: Catalogue, model: str) -> str | None:
    """The problem if an index was made with another model than this one; only the names are compared."""
    made_with = catalogue.model.rpartition("@")[0]
    return None if made_with == model else OTHER_MODEL.format(made_with, model)


def readable(query: str) -> str:
    """The part of the query that is read, without invalid characters, which a command line may contain."""
    return query[:QUERY_LIMIT].encode(errors="replace").decode()


def reasons(evidence: SymbolEvidence) -> tuple[str, ...]:
    """The reasons for a symbol in words, the strongest leg first."""
    order: Sequence[str] = ("spelled", "called", "asked", "meant", "written")
    return tuple(evidence.why[leg] for leg in order if leg in evidence.why)
