"""The index on disk: LanceDB tables, and one small file that says which of them count.

<home>/index/
├── index.json     the references there are, the tables of each, the embedding model        swapped in one rename
├── lock           held by the ingest that is under way
└── *.lance        symbols-*    one row a symbol: vector, words, the whole entry
                   questions-*  one row a wording: vector, the symbols that answer it
                   vectors      every text that was embedded: an ingest embeds only what is new

A reader that has a table open keeps it: what an ingest replaces is dropped by the one after it.
Vectors that no reference uses are forgotten when they are more than the used ones.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ingest.chunks import Chunk, chunk_of, text_digest
from ingest.questions import Question
from ingest.symbol import Symbol, symbol_from_json
from search.encoder import Vectors

AGAIN: Final = "Remove that folder and run `blendproof ingest blender`."
"""What to do about an index that cannot be used; stands behind a sentence that names the folder."""
INDEX_SCHEMA: Final = 1
"""Version of the form of the tables and of `index.json`."""
VECTORS: Final = "vectors"
VERSIONS_KEPT: Final = 64
"""Writes to the table of vectors after which its small files are put together and its history is dropped."""

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
        schema = facts["schema"]
        if schema != INDEX_SCHEMA:
            raise IndexUnusable(
                f"The index in {folder} has schema {schema}, this program reads {INDEX_SCHEMA}. {AGAIN}"
            )
        references = {name: Reference(name=name, **one) for name, one in facts["references"].items()}
        return Catalogue(facts["model"], references)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"{type(error).__name__}: {error}"
        raise IndexUnusable(f"The index in {folder} cannot be read: index.json: {said}. {AGAIN}") from error


def write_catalogue(folder: Path, catalogue: Catalogue) -> None:
    """Make the catalogue the one that counts, in one rename."""
    references = {name: dataclasses.asdict(one) for name, one in catalogue.references.items()}
    for one in references.values():
        del one["name"]
    facts = {"schema": INDEX_SCHEMA, "model": catalogue.model, "references": references}
    # Only the ingest that holds the lock writes, so the name can be the same each time and none is left behind.
    unfinished = folder / ".index.json"
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
        said = " ".join(str(error).split())[:300] or type(error).__name__
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

        self._folder = folder
        self._arrow: Any = pyarrow
        self._connection: Any = lancedb.connect(str(folder))

    def open(self, name: str) -> Any:
        """A table by its name; raises IndexUnusable where it is missing or damaged."""
        try:
            return self._connection.open_table(name)
        except (ValueError, OSError, RuntimeError) as error:
            raise IndexUnusable(f"The table {name} of the index in {self._folder} cannot be opened. {AGAIN}") from error

    def names(self) -> set[str]:
        return set(self._connection.list_tables().tables)

    def drop(self, names: Iterable[str]) -> None:
        for name in names:
            self._connection.drop_table(name, ignore_missing=True)

    def write_symbols(self, name: str, chunks: Sequence[Chunk], vectors: Vectors | None) -> None:
        """One row a symbol, in the order of the chunks, searchable by words."""
        columns: dict[str, Any] = {
            "row": self._arrow.array(range(len(chunks)), self._arrow.int32()),
            "address": self._texts(chunk.symbol.address for chunk in chunks),
            "terms": self._texts(chunk.terms for chunk in chunks),
            "symbol": self._texts(chunk.symbol.to_json() for chunk in chunks),
        }
        self._write(name, columns, vectors)

    def write_questions(self, name: str, questions: Sequence[Question], vectors: Vectors | None) -> None:
        """One row a wording, in the order of the questions and of their wordings."""
        rows = [(question, ask) for question in questions for ask in question.asks]
        columns: dict[str, Any] = {
            "row": self._arrow.array(range(len(rows)), self._arrow.int32()),
            "name": self._texts(question.name for question, _ in rows),
            "source": self._texts(question.source for question, _ in rows),
            "title": self._texts(question.title for question, _ in rows),
            "terms": self._texts(ask for _, ask in rows),
            "symbols": self._arrow.array(
                [list(question.symbols) for question, _ in rows], self._arrow.list_(self._arrow.string())
            ),
            "snippet": self._texts(question.snippet for question, _ in rows),
        }
        self._write(name, columns, vectors)

    def _write(self, name: str, columns: dict[str, Any], vectors: Vectors | None) -> None:
        if vectors is not None:
            columns["vector"] = self._vector_column(vectors)
        table = self._connection.create_table(name, self._arrow.table(columns))
        from lancedb.index import FTS

        table.create_index("terms", config=FTS(stem=True, remove_stop_words=True, ascii_folding=True))

    def _texts(self, texts: Iterable[str]) -> Arrow:
        # Named, because the type of no text at all cannot be guessed.
        return self._arrow.array(list(texts), self._arrow.string())

    def _vector_column(self, vectors: Vectors) -> Arrow:
        flat = self._arrow.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        return self._arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])

    def known_vectors(self, model: str, digests: AbstractSet[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors that this model made before for these digests of texts."""
        known: dict[str, npt.NDArray[np.float32]] = {}
        if VECTORS in self.names():
            for batch in self._remembered(model, digests):
                vectors = batch["vector"].flatten().to_numpy().reshape(len(batch), -1)
                known.update(zip(batch["digest"].to_pylist(), vectors, strict=True))
        return known

    def _remembered(self, model: str, digests: AbstractSet[str]) -> Iterator[Arrow]:
        """The rows of these vectors, a batch at a time: the whole table may be many times what is wanted of it."""
        named = model.replace("'", "''")
        for batch in self.open(VECTORS).search().where(f"model = '{named}'").to_batches():
            kept = [digest in digests for digest in batch["digest"].to_pylist()]
            if any(kept):
                yield batch.filter(self._arrow.array(kept))

    def vectors_kept(self) -> int:
        """How many vectors are remembered, of every model."""
        return int(self.open(VECTORS).count_rows()) if VECTORS in self.names() else 0

    def forget_vectors(self, model: str, needed: AbstractSet[str]) -> None:
        """Remember the vectors of these digests by this model, and no others."""
        kept = list(self._remembered(model, needed))
        if kept:
            self._connection.create_table(VECTORS, self._arrow.Table.from_batches(kept), mode="overwrite")
            self.tidy_vectors(0)
        else:
            self.drop([VECTORS])

    def tidy_vectors(self, versions: int = VERSIONS_KEPT) -> None:
        """Put the small files of many writes together, and drop the history, once there are so many versions."""
        if VECTORS in self.names() and len((table := self.open(VECTORS)).list_versions()) > versions:
            # Not zero, of which LanceDB warns: only the ingest that holds the lock has this table open.
            table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)

    def keep_vectors(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember vectors for the next ingest, or for this one when it is taken up again.

        A table holds vectors of one length: those of a model that makes longer or shorter ones are forgotten.
        """
        rows = self._arrow.table(
            {
                "digest": [text_digest(text) for text in texts],
                "model": [model] * len(texts),
                "vector": self._vector_column(vectors),
            }
        )
        table = self.open(VECTORS) if VECTORS in self.names() else None
        if table is not None and table.schema.field("vector").type == rows.schema.field("vector").type:
            table.add(rows)
        else:
            # Not overwritten: LanceDB warns of a table that it is to overwrite and does not find.
            self.drop([VECTORS])
            self._connection.create_table(VECTORS, rows)

    def embedded_texts(self, reference: Reference) -> Iterator[str]:
        """The texts of a reference whose vectors it uses; none where its tables cannot be read."""
        with contextlib.suppress(IndexUnusable, OSError, RuntimeError):
            for batch in self.open(reference.symbols_table).search().select(["symbol"]).to_batches():
                yield from (chunk_of(symbol).text for symbol in symbols_of(batch))
            for batch in self.open(reference.questions_table).search().select(["terms"]).to_batches():
                yield from batch["terms"].to_pylist()


def symbols_of(rows: Arrow) -> list[Symbol]:
    """The symbols of rows of a symbols table."""
    return [symbol_from_json(text) for text in rows["symbol"].to_pylist()]
