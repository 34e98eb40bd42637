"""BM25 over documents that are rows of term counts: every score is computed once, a query adds up columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from codebase.index.matrices import Matrix, Numbers, Vector, sparse

K1: Final = 1.2
B: Final = 0.75


class Bm25:
    """The scores of each document for each term. `counts` is documents by terms."""

    def __init__(self, counts: Matrix) -> None:
        columns: Any = sparse().csc_matrix(counts, dtype=np.float32)
        documents = int(columns.shape[0])
        lengths = np.asarray(columns.sum(axis=1), dtype=np.float32).ravel()
        softening: Vector = K1 * (1 - B + B * lengths / max(float(lengths.mean()) if documents else 1.0, 1.0))
        having: Numbers = np.diff(columns.indptr)
        self.rarity: Vector = np.log1p((documents - having + 0.5) / (having + 0.5)).astype(np.float32)
        frequency: Vector = columns.data
        worth = frequency * (K1 + 1) / (frequency + softening[columns.indices])
        self._values: Vector = (worth * np.repeat(self.rarity, having)).astype(np.float32)
        self._rows: Numbers = columns.indices
        self._starts: Numbers = columns.indptr
        self.documents = documents

    def scores(self, terms: Mapping[int, float]) -> Vector:
        """The score of every document for weighted terms."""
        total = np.zeros(self.documents, dtype=np.float32)
        for term, weight in terms.items():
            column = slice(self._starts[term], self._starts[term + 1])
            total[self._rows[column]] += weight * self._values[column]
        return total

    def having(self, term: int) -> Numbers:
        """The documents that hold a term."""
        return self._rows[self._starts[term] : self._starts[term + 1]]
