"""The index on disk: LanceDB tables, and one small file that says which of them count.

<home>/index/
├── index.json     the references there are, the tables of each, the embedding model        swapped in one rename
├── lock           held by the ingest that is under way
└── *.lance        symbols-*    one row a symbol: vector, words, the whole entry
                   questions-*  one row a wording: vector, the symbols that answer it
                   vectors      every text that was embedded: an ingest embeds only what is new

A reader that has a table open keeps it: what an ingest replaces is dropped by the one after it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
from collections.abc import Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ingest.chunks import Chunk, text_digest
from ingest.embed import Vectors
from ingest.questions import Question
from ingest.symbol import Symbol, symbol_from_json

INDEX_SCHEMA: Final = 1
"""Version of the form of the tables and of `index.json`."""
VECTORS: Final = "vectors"

Arrow = Any
"""A pyarrow table; its package brings no types."""


class IndexBusy(Exception):
    """Another ingest is under way."""


class IndexUnusable(Exception):
    """The index cannot be read as it is; the message says why and what to do."""


class ReferenceNotIndexed(IndexUnusable):
    """The reference that is asked for is not in the index."""


class IndexStorageFailed(Exception):
    """The index could not be written; what was there before is untouched."""


@dataclasses.dataclass(frozen=True)
class Reference:
    """One reference in the index: the API of one build, or one published reference."""

    name: str
    """Such as `5.0.1` for a build, or `4.4-published`."""
    series: str
    """Such as 5.0."""
    source: str
    """Where it was read from, in words."""
    fingerprint: str
    """Changes with what was ingested."""
    symbols_table: str
    questions_table: str
    symbols: int
    questions: int
    dense: bool
    """Whether the vectors are there; without them search goes by words alone."""
    built: str
    """When, in ISO 8601."""

    @property
    def published(self) -> bool:
        """Whether it was read from published pages and not from a build."""
        return self.name.endswith("-published")


@dataclasses.dataclass(frozen=True)
class Catalogue:
    """What `index.json` says."""

    model: str
    references: Mapping[str, Reference]


def read_catalogue(folder: Path) -> Catalogue | None:
    """The catalogue, or None where nothing was ingested yet. Raises IndexUnusable."""
    file = folder / "index.json"
    try:
        facts: dict[str, Any] = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise IndexUnusable(f"{file} cannot be read ({error}). {AGAIN}") from error
    if facts.get("schema") != INDEX_SCHEMA:
        raise IndexUnusable(f"{file} has schema {facts.get('schema')}, this program reads {INDEX_SCHEMA}. {AGAIN}")
    references = {name: Reference(name=name, **one) for name, one in facts["references"].items()}
    return Catalogue(facts["model"], references)


AGAIN: Final = "Remove that folder and run `blendproof ingest blender`."


def write_catalogue(folder: Path, catalogue: Catalogue) -> None:
    """Make the catalogue the one that counts, in one rename."""
    references = {name: dataclasses.asdict(one) for name, one in catalogue.references.items()}
    for one in references.values():
        del one["name"]
    facts = {"schema": INDEX_SCHEMA, "model": catalogue.model, "references": references}
    unfinished = folder / f".index.json.{os.getpid()}"
    unfinished.write_text(json.dumps(facts, indent=1))
    unfinished.replace(folder / "index.json")


@contextlib.contextmanager
def ingest_lock(folder: Path) -> Generator[None, None, None]:
    """Hold the index for one ingest; readers are not kept out. Raises IndexBusy."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise IndexBusy("Another ingest is under way. Wait for its end, then try again.") from None
        yield


@contextlib.contextmanager
def storage_errors(folder: Path) -> Generator[None, None, None]:
    """Say that the index could not be written, and that the one before it still counts."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        # LanceDB says RuntimeError for what the file system refused.
        said = str(error).splitlines()[0][:300]
        raise IndexStorageFailed(
            f"The index in {folder} could not be written: {said}. Make room or mend the folder, then ingest again; "
            "what was there before is still used."
        ) from error


class Database:
    """The LanceDB database of the index."""

    def __init__(self, folder: Path) -> None:
        # Loaded here, because it takes a second that most commands need not wait for.
        import lancedb
        import pyarrow

        self._arrow: Any = pyarrow
        self._connection: Any = lancedb.connect(str(folder))

    def open(self, name: str) -> Any:
        """A table by its name; raises IndexUnusable where it is missing or damaged."""
        try:
            return self._connection.open_table(name)
        except (ValueError, OSError, RuntimeError) as error:
            raise IndexUnusable(f"The table {name} of the index cannot be opened. {AGAIN}") from error

    def names(self) -> set[str]:
        return set(self._connection.list_tables().tables)

    def drop(self, names: Iterable[str]) -> None:
        for name in names:
            self._connection.drop_table(name, ignore_missing=True)

    def write_symbols(self, name: str, chunks: Sequence[Chunk], vectors: Vectors | None) -> None:
        """One row a symbol, in the order of the chunks, searchable by words."""
        columns: dict[str, Any] = {
            "row": self._arrow.array(range(len(chunks)), self._arrow.int32()),
            "address": [chunk.symbol.address for chunk in chunks],
            "terms": [chunk.terms for chunk in chunks],
            "symbol": [chunk.symbol.to_json() for chunk in chunks],
        }
        self._write(name, columns, vectors)

    def write_questions(self, name: str, questions: Sequence[Question], vectors: Vectors | None) -> None:
        """One row a wording, in the order of the questions and of their wordings."""
        rows = [(question, ask) for question in questions for ask in question.asks]
        columns: dict[str, Any] = {
            "row": self._arrow.array(range(len(rows)), self._arrow.int32()),
            "name": [question.name for question, _ in rows],
            "source": [question.source for question, _ in rows],
            "title": [question.title for question, _ in rows],
            "terms": [ask for _, ask in rows],
            "symbols": self._arrow.array(
                [list(question.symbols) for question, _ in rows], self._arrow.list_(self._arrow.string())
            ),
            "snippet": [question.snippet for question, _ in rows],
        }
        self._write(name, columns, vectors)

    def _write(self, name: str, columns: dict[str, Any], vectors: Vectors | None) -> None:
        if vectors is not None:
            columns["vector"] = self._vector_column(vectors)
        table = self._connection.create_table(name, self._arrow.table(columns))
        from lancedb.index import FTS

        table.create_index("terms", config=FTS(stem=True, remove_stop_words=True, ascii_folding=True))

    def _vector_column(self, vectors: Vectors) -> Arrow:
        flat = self._arrow.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        return self._arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])

    def known_vectors(self, model: str) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors that this model made before, by the digest of their text."""
        if VECTORS not in self.names():
            return {}
        rows = self.open(VECTORS).search().where(f"model = '{model}'").select(["digest", "vector"]).to_arrow()
        flat = rows["vector"].combine_chunks().flatten().to_numpy()
        vectors = flat.reshape(len(rows), -1) if len(rows) else flat
        return dict(zip(rows["digest"].to_pylist(), vectors, strict=True))

    def keep_vectors(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember vectors for the next ingest, or for this one when it is taken up again."""
        rows = self._arrow.table(
            {
                "digest": [text_digest(text) for text in texts],
                "model": [model] * len(texts),
                "vector": self._vector_column(vectors),
            }
        )
        if VECTORS in self.names():
            self.open(VECTORS).add(rows)
        else:
            self._connection.create_table(VECTORS, rows)


def symbols_of(rows: Arrow) -> list[Symbol]:
    """The symbols of rows of a symbols table."""
    return [symbol_from_json(text) for text in rows["symbol"].to_pylist()]
