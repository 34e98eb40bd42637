"""The hashes and vectors of every artifact in memory. A search compares all of them.

The table on disk gives the same results, but reads them again for each search, which takes longer.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from search.encoder import Vectors

COLUMNS: Final = ("id", "hashes", "small")
HASH_BYTES: Final = 16


@dataclass(frozen=True)
class NearHash:
    """The nearness of a picture: the bits of 128 in which its two hashes differ, and the distance of its small copy."""

    bits: int
    small: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class FlatIndex:
    """One row per artifact. It is immutable: a write makes another one, and a running search keeps the old one.

    `hashes` is (n, 16) and `small` (n, 768), both of bytes; each of `vectors` is (n, length of that kind), NaN if the
    artifact has none yet.
    """

    ids: list[str]
    hashes: npt.NDArray[np.uint8]
    small: npt.NDArray[np.uint8]
    vectors: dict[str, Vectors]

    @classmethod
    def of(cls, rows: Any, lengths: dict[str, int]) -> FlatIndex:
        """The index of these rows of the table on disk, in Arrow; `lengths` gives the kinds of vectors."""
        count = len(rows)
        return cls(
            ids=rows["id"].to_pylist(),
            hashes=flat(rows["hashes"], np.uint8).reshape(count, HASH_BYTES),
            small=np.frombuffer(b"".join(rows["small"].to_pylist()), np.uint8).reshape(count, -1 if count else 0),
            vectors={kind: vectors_of(rows[kind], length) for kind, length in lengths.items()},
        )

    def without(self, ids: Collection[str]) -> FlatIndex:
        """The index without these artifacts."""
        gone = set(ids)
        kept = np.array([artifact not in gone for artifact in self.ids], dtype=bool)
        if kept.all():
            return self
        return FlatIndex(
            ids=[artifact for artifact in self.ids if artifact not in gone],
            hashes=self.hashes[kept],
            small=self.small[kept],
            vectors={kind: vectors[kept] for kind, vectors in self.vectors.items()},
        )

    def with_rows(self, new: FlatIndex) -> FlatIndex:
        """The index with new rows, which replace those of the same artifacts."""
        old = self.without(new.ids)
        if not old.ids:
            return new
        return FlatIndex(
            ids=old.ids + new.ids,
            hashes=np.concatenate([old.hashes, new.hashes]),
            small=np.concatenate([old.small, new.small]),
            vectors={kind: np.concatenate([old.vectors[kind], new.vectors[kind]]) for kind in old.vectors},
        )

    def by_vector(self, kind: str, vector: Vectors, among: Set[str] | None, limit: int) -> dict[str, float]:
        """The artifacts nearest by a kind of vector, with their nearness, up to 1; only those in `among`, if given."""
        nearness = self.vectors[kind] @ vector
        nearness[np.isnan(nearness)] = -np.inf
        return {self.ids[place]: float(nearness[place]) for place in self._least(-nearness, among, limit)}

    def by_hash(self, hashes: bytes, among: Set[str] | None, limit: int) -> dict[str, NearHash]:
        """The artifacts nearest by the two hashes of their pictures, as one row of bits."""
        bits = np.bitwise_count(self.hashes ^ np.frombuffer(hashes, np.uint8)).sum(axis=1, dtype=np.float32)
        return {
            self.ids[place]: NearHash(int(bits[place]), self.small[place]) for place in self._least(bits, among, limit)
        }

    def _least(self, distance: npt.NDArray[np.float32], among: Set[str] | None, limit: int) -> list[int]:
        """Places of the smallest finite distances, smallest first."""
        if among is not None:
            distance = np.where([artifact in among for artifact in self.ids], distance, np.inf)
        first = np.argpartition(distance, limit)[:limit] if limit < len(distance) else np.arange(len(distance))
        ordered = first[np.argsort(distance[first], kind="stable")]
        return [int(place) for place in ordered if np.isfinite(distance[place])]


def flat(column: Any, kind: Any) -> Any:
    """The numbers in the lists of a column, in one flat array, without missing lists."""
    return column.combine_chunks().drop_null().flatten().to_numpy().astype(kind, copy=False)


def vectors_of(column: Any, length: int) -> Vectors:
    """The vectors of a column; NaN for missing ones."""
    vectors = np.full((len(column), length), np.nan, dtype=np.float32)
    vectors[column.is_valid().to_numpy()] = flat(column, np.float32).reshape(-1, length)
    return vectors
