"""Reads query and entry together, the dearest and best judge of the first few: an optional cross-encoder."""

from __future__ import annotations

from typing import Any, Final

from app.retrieval.directory import Directory
from app.retrieval.rank import Evidence
from ingest.chunks import embedded_text

SHARE: Final = 0.3
"""What the cross-encoder's word, from 0 to 1, counts beside the score of the ranking."""

Ranked = list[tuple[int, float, Evidence]]


class CrossEncoder:
    """A cross-encoder by hub name or path, loaded when it is first needed; needs PyTorch in memory."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._model: Any = None
        self._sigmoid: Any = None

    def rerank(self, query: str, ranked: Ranked, depth: int, directory: Directory) -> Ranked:
        """The first `depth` in a better order, the others behind them as they were."""
        first = ranked[:depth]
        symbols = directory.symbols([row for row, _, _ in first])
        pairs = [(query, embedded_text(symbol)) for symbol in symbols]
        judged = self._load().predict(pairs, activation_fn=self._sigmoid)
        better = [
            (row, score + SHARE * float(word), evidence)
            for (row, score, evidence), word in zip(first, judged, strict=True)
        ]
        return sorted(better, key=lambda one: -one[1]) + ranked[depth:]

    def _load(self) -> Any:
        if self._model is None:
            import torch
            from sentence_transformers import CrossEncoder as Model

            self._sigmoid = torch.nn.Sigmoid()
            self._model = Model(self._name, device="cpu")
        return self._model
