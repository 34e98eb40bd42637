"""One reference of the index, ready to be searched: its vectors in memory, its words and entries in LanceDB.

The vectors of a Blender take 28 MB; one matrix product finds the exact nearest of them in two milliseconds, which is
faster than a query to the database and gives the nearness of every symbol at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.retrieval.symbol_names import NameIndex
from harness.versions import version_key
from ingest.questions import Source
from ingest.reference_store import (
    AGAIN,
    Catalogue,
    Database,
    IndexedReference,
    ReferenceIndexUnusable,
    ReferenceNotIndexed,
    names_in,
    symbols_of,
)
from ingest.symbol import Symbol
from search.tables import TABLE_ERRORS, by_words, in_order, quoted, vectors_of

Scores = npt.NDArray[np.float32]


@dataclasses.dataclass(frozen=True)
class Wording:
    """One wording of a question, with the rows of the symbols that answer it."""

    text: str
    question: str
    source: Source
    title: str
    rows: tuple[int, ...]


class Directory:
    """A reference in memory. `vectors` and `wording_vectors` are None until an ingest has made them."""

    def __init__(self, database: Database, reference: IndexedReference) -> None:
        self.reference = reference
        self._symbols: Any = database.open(reference.symbols_table)
        self._questions: Any = database.open(reference.questions_table)
        named = names_in(self._symbols)
        self.addresses: tuple[str, ...] = tuple(names.address for names in named)
        self.row_of = {address: row for row, address in enumerate(self.addresses)}
        self.names = NameIndex(named)
        self.vectors = vectors_of(in_order(self._symbols, [], dense=True)) if reference.dense else None
        asked = in_order(self._questions, ["name", "source", "title", "terms", "symbols"], reference.dense)
        self.wordings = tuple(self._wordings(asked))
        self.by_hand = np.array([wording.source == "question" for wording in self.wordings])
        """The wordings whose symbols were chosen by hand: most symbols of a snippet do not answer its question."""
        self.wording_vectors = vectors_of(asked) if reference.dense else None
        self.asked_for = self._demand()

    def _wordings(self, rows: Any) -> Iterable[Wording]:
        columns = (rows[name].to_pylist() for name in ("terms", "name", "source", "title", "symbols"))
        for text, name, source, title, symbols in zip(*columns, strict=True):
            yield Wording(text, name, source, title, tuple(self.row_of[symbol] for symbol in symbols))

    def _demand(self) -> Scores:
        """The logarithm of the number of questions that each symbol answers: often needed, likelier needed now."""
        rows = {wording.question: wording.rows for wording in self.wordings if wording.source == "question"}
        counts = Counter(row for answer in rows.values() for row in answer)
        scores = np.zeros(len(self.addresses), dtype=np.float32)
        for row, count in counts.items():
            scores[row] = math.log1p(count)
        return scores

    def by_words(self, query: str, limit: int) -> dict[int, float]:
        """Rows of the symbols that share words with the query, with a score from 0 to 1, the best first."""
        return by_words(self._symbols, query, "terms", "row", limit)

    def wordings_by_words(self, query: str, limit: int) -> dict[int, float]:
        """The same for the wordings of the questions."""
        return by_words(self._questions, query, "terms", "row", limit)

    def symbols(self, rows: Sequence[int]) -> list[Symbol]:
        """The whole entries of these rows, in this order."""
        if not rows:
            return []
        query = self._symbols.search().where(f"row in ({', '.join(map(str, rows))})").select(["row", "symbol"])
        table = query.limit(len(rows)).to_arrow()
        by_row = dict(zip(table["row"].to_pylist(), symbols_of(table), strict=True))
        return [by_row[row] for row in rows]

    def snippet(self, question: str) -> str:
        """The snippet that answers a question, or an empty string."""
        table = self._questions.search().where(f"name = {quoted(question)}").select(["snippet"]).limit(1).to_arrow()
        return str(table["snippet"][0]) if len(table) else ""


def choose_reference(catalogue: Catalogue, wanted: str | None) -> IndexedReference:
    """The reference of a version, a series or a name; the newest build if none is given.

    A build goes before published pages of the same series, because the build will run the snippet.
    Raises ReferenceNotIndexed with the names of all references.
    """
    wanted = wanted or None

    def rank(reference: IndexedReference) -> tuple[bool, tuple[int, ...]]:
        return not reference.published, version_key(reference.name.removesuffix("-published"))

    fitting = [
        reference
        for reference in catalogue.references.values()
        if wanted in (None, reference.name, reference.series, reference.name.removesuffix("-published"))
    ]
    if not fitting:
        there = ", ".join(catalogue.references) or "nothing"
        raise ReferenceNotIndexed(
            f"{f'Blender {wanted}' if wanted else 'A Blender'} is not in the index; there is {there}."
        )
    return max(fitting, key=rank)


def open_directory(folder: Path, reference: IndexedReference) -> Directory:
    """The reference in memory, in about half a second; raises ReferenceIndexUnusable."""
    try:
        return Directory(Database(folder), reference)
    except TABLE_ERRORS as error:
        # A table can open without errors and still lack a file that is first read here.
        raise ReferenceIndexUnusable(f"The tables of {reference.name} in {folder} cannot be read. {AGAIN}") from error
