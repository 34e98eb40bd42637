"""BM25 over documents that are rows of term counts: every score is computed once, a query adds up columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from codebase.index.matrices import Numbers, Vector, in_order

K1: Final = 1.2
B: Final = 0.75


class Bm25:
    """The scores of each document for each term.

    `rows` are the documents, from 0, `terms` their terms, and `times` how often each is there.
    """

    def __init__(self, rows: Numbers, terms: Numbers, times: Numbers, documents: int, width: int) -> None:
        order = in_order(terms)
        frequency = times[order].astype(np.float32)
        self._rows = rows[order]
        lengths = np.bincount(rows, weights=times, minlength=documents).astype(np.float32)
        softening: Vector = K1 * (1 - B + B * lengths / max(float(lengths.mean()) if documents else 1.0, 1.0))
        having = np.bincount(terms, minlength=width)
        self.rarity: Vector = np.log1p((documents - having + 0.5) / (having + 0.5)).astype(np.float32)
        worth = frequency * (K1 + 1) / (frequency + softening[self._rows])
        self._values: Vector = (worth * np.repeat(self.rarity, having)).astype(np.float32)
        self._starts: Numbers = np.concatenate([[0], np.cumsum(having)]).astype(np.int32)
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
