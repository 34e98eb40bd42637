"""Tables of texts in LanceDB, found by words and by meaning, for texts of any kind.

A row has its place in `row`, its words in one column that is indexed for full text, and its vector in `vector`. The
table `vectors` keeps the vector of every embedded text, so that only new texts are embedded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from search.encoder import Vectors
from search.lance import import_lancedb

ALL_ROWS: Final = 10_000_000
TABLE_ERRORS: Final = (OSError, RuntimeError, ValueError, KeyError)
"""The exceptions of LanceDB for a missing or damaged table."""
VECTORS: Final = "vectors"
VERSIONS_KEPT: Final = 64
"""Writes after which the small files of a table are merged and its history is dropped."""

Arrow = Any
"""A table, a column or a batch of pyarrow, whose package has no type stubs."""


class Tables:
    """The tables in a folder. One process writes at a time; a reader keeps the version of a table that it opened."""

    def __init__(self, folder: Path) -> None:
        # Imported here, because it takes a second that most commands need not wait for.
        import pyarrow

        self.folder: Final = folder
        self._arrow: Any = pyarrow
        self._connection: Any = import_lancedb().connect(str(folder))

    def open(self, name: str) -> Any:
        """A table by its name. Raises one of TABLE_ERRORS if it is missing or damaged."""
        return self._connection.open_table(name)

    def names(self) -> set[str]:
        """The names of all tables."""
        return set(self._connection.list_tables().tables)

    def drop(self, names: Iterable[str]) -> None:
        """Remove tables; missing ones are ignored."""
        for name in names:
            self._connection.drop_table(name, ignore_missing=True)

    def write(self, name: str, columns: Mapping[str, Arrow], words: str, vectors: Vectors | None) -> None:
        """Make a table of columns of equal length, searchable by the words of the column `words`."""
        rows = {"row": self._arrow.array(range(len(columns[words])), self._arrow.int32()), **columns}
        if vectors is not None:
            rows["vector"] = self._vector_column(vectors)
        table = self._connection.create_table(name, self._arrow.table(rows))
        index_words(table, words)

    def texts(self, texts: Iterable[str]) -> Arrow:
        """A column of texts."""
        # The type is given, because it cannot be inferred from an empty list.
        return self._arrow.array(list(texts), self._arrow.string())

    def lists(self, lists: Iterable[Sequence[str]]) -> Arrow:
        """A column of lists of texts."""
        return self._arrow.array([list(texts) for texts in lists], self._arrow.list_(self._arrow.string()))

    def _vector_column(self, vectors: Vectors) -> Arrow:
        flat = self._arrow.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
        return self._arrow.FixedSizeListArray.from_arrays(flat, vectors.shape[1])

    def known_vectors(self, model: str, digests: AbstractSet[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors that this model has already made for these digests of texts."""
        known: dict[str, npt.NDArray[np.float32]] = {}
        if VECTORS in self.names():
            for batch in self._remembered(model, digests):
                vectors = batch["vector"].flatten().to_numpy().reshape(len(batch), -1)
                known.update(zip(batch["digest"].to_pylist(), vectors, strict=True))
        return known

    def _remembered(self, model: str, digests: AbstractSet[str]) -> Iterator[Arrow]:
        """The rows of these vectors, one batch at a time: the table may be many times larger than the result."""
        for batch in self.open(VECTORS).search().where(f"model = {quoted(model)}").to_batches():
            kept = [digest in digests for digest in batch["digest"].to_pylist()]
            if any(kept):
                yield batch.filter(self._arrow.array(kept))

    def vectors_kept(self) -> int:
        """The number of vectors that are kept, of all models."""
        return int(self.open(VECTORS).count_rows()) if VECTORS in self.names() else 0

    def forget_vectors(self, model: str, needed: AbstractSet[str]) -> None:
        """Keep only the vectors of these digests by this model."""
        kept = list(self._remembered(model, needed))
        if kept:
            self._connection.create_table(VECTORS, self._arrow.Table.from_batches(kept), mode="overwrite")
            self.tidy_vectors(0)
        else:
            self.drop([VECTORS])

    def tidy_vectors(self, versions: int = VERSIONS_KEPT) -> None:
        """Merge the small files of many writes and drop the history, once there are more versions than this."""
        if VECTORS in self.names():
            tidy(self.open(VECTORS), versions)

    def keep_vectors(self, model: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Keep vectors for the next time these texts are embedded.

        A table holds vectors of one length: those of another length, from another model, are dropped.
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
            # Not in overwrite mode: LanceDB warns if the table to overwrite does not exist.
            self.drop([VECTORS])
            self._connection.create_table(VECTORS, rows)


def text_digest(text: str) -> str:
    """The digest that identifies an embedded text."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def index_words(table: Any, column: str) -> None:
    """Make a table searchable by the words of a column, as `by_words` needs it."""
    from lancedb.index import FTS

    table.create_index(column, config=FTS(stem=True, remove_stop_words=True, ascii_folding=True))


def tidy(table: Any, versions: int = VERSIONS_KEPT) -> bool:
    """Merge the small files of many writes and drop the history, once there are more versions than this.

    True if that was done. Files that LanceDB has cached stay open until its session ends.
    """
    if len(table.list_versions()) <= versions:
        return False
    # Not zero, because LanceDB warns of it: only the writing process has this table open for writing.
    table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)
    return True


def in_order(table: Any, columns: Sequence[str], dense: bool) -> Arrow:
    """All rows of a table in the order of writing, with their vectors if it is dense."""
    wanted = ["row", *columns, *(["vector"] if dense else [])]
    rows = table.search().select(wanted).limit(ALL_ROWS).to_arrow()
    # Sorting copies the vectors, and a table that was written at once is in order.
    in_order_already = np.array_equal(rows["row"].to_numpy(), np.arange(len(rows)))
    return rows if in_order_already else rows.sort_by("row")


def vectors_of(rows: Arrow) -> Vectors | None:
    """The vectors of rows, rows by dimensions; None if there are no rows."""
    if not len(rows):
        return None
    vectors: Vectors = rows["vector"].combine_chunks().flatten().to_numpy().reshape(len(rows), -1)
    return vectors


def by_words(
    table: Any, query: str, words: str, key: str, limit: int, condition: str | None = None
) -> dict[Any, float]:
    """The keys of the rows that share words with the query, with a score from 0 to 1, best first."""
    from lancedb import query as lance

    # Passed as a query object, not as text, so that no character in it is read as an operator.
    match: Any = lance.MatchQuery
    search = table.search(match(query, words), query_type="fts").select([key, "_score"])
    found = (search.where(condition, prefilter=True) if condition else search).limit(limit).to_arrow()
    scores = found["_score"].to_pylist()
    return {row: score / scores[0] for row, score in zip(found[key].to_pylist(), scores, strict=True)}


def quoted(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
