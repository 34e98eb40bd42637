"""Sparse matrices. scipy has no complete type stubs, so only this module imports it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = Any
Vector = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]


def sparse() -> Any:
    """The part of scipy for them; imported at the first call, because it takes a fifth of a second."""
    return importlib.import_module("scipy.sparse")


def ones(places: Sequence[tuple[int, int]], shape: tuple[int, int]) -> Matrix:
    """A matrix with a 1 at each given row and column."""
    pairs = np.array(places, dtype=np.int32).reshape(-1, 2)
    matrix = sparse().csr_matrix((np.ones(len(pairs), dtype=np.float32), (pairs[:, 0], pairs[:, 1])), shape=shape)
    matrix.data[:] = 1.0
    return matrix


def counts_of(lengths: Numbers, columns: Numbers, times: Numbers, width: int) -> Matrix:
    """One row per document: the columns of its terms, and the number of occurrences of each."""
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return sparse().csr_matrix((times.astype(np.float32), columns, starts), shape=(len(lengths), max(1, width)))


def scaled_rows(matrix: Matrix, factors: Vector) -> Matrix:
    """Each row multiplied by its factor."""
    return sparse().diags(factors) @ matrix
