"""Puts the first entries of a search in the order of a cross-encoder, if there is one."""

from __future__ import annotations

from typing import Final

from app.retrieval.directory import Directory
from app.retrieval.rank import SymbolEvidence
from ingest.chunks import embedded_text
from search.cross import CrossEncoder

SHARE: Final = 0.3
"""Weight of the cross-encoder's score, from 0 to 1, against the score of the ranking."""

Ranked = list[tuple[int, float, SymbolEvidence]]


def rerank(cross: CrossEncoder, query: str, ranked: Ranked, depth: int, directory: Directory) -> Ranked:
    """The first `depth` in a better order, then the others in their order. Raises ModelUnusable."""
    first = ranked[:depth]
    symbols = directory.symbols([row for row, _, _ in first])
    judged = cross.judge(query, [embedded_text(symbol) for symbol in symbols])
    better = [(row, score + SHARE * word, evidence) for (row, score, evidence), word in zip(first, judged, strict=True)]
    return sorted(better, key=lambda ranked_row: -ranked_row[1]) + ranked[depth:]
