"""Matrices with few numbers, and the order of many; numpy alone, because scipy takes longer to import than a search."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]


@dataclasses.dataclass(frozen=True)
class Matrix:
    """The numbers that are not zero, each with its row and column."""

    rows: Numbers
    columns: Numbers
    values: Vector
    shape: tuple[int, int]

    @property
    def turned(self) -> Matrix:
        """Rows as columns, and columns as rows."""
        return Matrix(self.columns, self.rows, self.values, (self.shape[1], self.shape[0]))

    @property
    def sums(self) -> Vector:
        """The sum of each row."""
        return self @ np.ones(self.shape[1], dtype=np.float32)

    def __matmul__(self, vector: npt.NDArray[np.float32 | np.float64]) -> Vector:
        weighted = self.values * vector[self.columns]
        return np.bincount(self.rows, weights=weighted, minlength=self.shape[0]).astype(np.float32)


def ones(places: Sequence[tuple[int, int]], shape: tuple[int, int]) -> Matrix:
    """A matrix with a 1 at each given row and column."""
    rows, columns = np.array(sorted(set(places)), dtype=np.int32).reshape(-1, 2).T
    return Matrix(rows, columns, np.ones(len(rows), dtype=np.float32), shape)


def in_order(numbers: Numbers) -> npt.NDArray[np.intp]:
    """The places of numbers from the smallest, equal ones as they stand; by halves, which sort without comparing."""
    order = np.argsort((numbers & 0xFFFF).astype(np.uint16), kind="stable")
    return order[np.argsort((numbers[order] >> 16).astype(np.uint16), kind="stable")]
