"""The edges of a repository as arrays, for the index and for computing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from codebase.graph.edge import CERTAINTIES, Edge, Gap

Ints = npt.NDArray[np.int32]
Layout = list[tuple[str, str, int]]
"""The files in order: path, key of the content, number of units."""


@dataclasses.dataclass(frozen=True)
class Links:
    """Edges by column, and the gaps. `rows` holds source, target, kind, certainty, line; kinds are named by `kinds`."""

    rows: Ints
    kinds: list[str]
    gaps: list[Gap]

    @classmethod
    def of(cls, edges: Sequence[Edge], gaps: Iterable[Gap]) -> Links:
        kinds = sorted({edge.kind for edge in edges})
        number = {kind: place for place, kind in enumerate(kinds)}
        sure = {certainty: place for place, certainty in enumerate(CERTAINTIES)}
        rows = [(edge.source, edge.target, number[edge.kind], sure[edge.certainty], edge.line) for edge in edges]
        return cls(np.array(rows, dtype=np.int32).reshape(-1, 5), kinds, list(gaps))

    def edges(self) -> list[Edge]:
        """The edges one by one."""
        rows: list[tuple[int, int, int, int, int]] = self.rows.tolist()
        return [
            Edge(source, target, self.kinds[kind], CERTAINTIES[sure], line) for source, target, kind, sure, line in rows
        ]

    def pack(self) -> tuple[bytes, str]:
        """Plain data, for the index: the rows, and the rest as JSON."""
        return self.rows.tobytes(), json.dumps([self.kinds, self.gaps])

    @classmethod
    def unpack(cls, rows: bytes, rest: str) -> Links:
        kinds, gaps = json.loads(rest)
        return cls(np.frombuffer(rows, dtype=np.int32).reshape(-1, 5), kinds, [Gap(*gap) for gap in gaps])
