"""An optional cross-encoder, which reads query and text together: the slowest and best judge of the first hits."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from search import torchvision_schemas
from search.exporting import WITHOUT_TORCH, ModelUnusable, no_model_at

MEND: Final = "Correct BLENDPROOF_CROSS_ENCODER or unset it."


class CrossEncoder:
    """A cross-encoder by hub name or path, loaded when it is first needed; needs PyTorch in memory."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._model: Any = None
        self._sigmoid: Any = None
        # The tokenizer does not support two callers at a time.
        self._lock = threading.Lock()

    def judge(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score for each text as an answer to the query, from 0 to 1. Raises ModelUnusable."""
        if not texts:
            return []
        pairs = [(query, text) for text in texts]
        with self._lock:
            judged = self._load().predict(pairs, activation_fn=self._sigmoid, show_progress_bar=False)
        return [float(score) for score in judged]

    def _load(self) -> Any:
        if self._model is None:
            missing = no_model_at(self._name)
            if missing:
                raise ModelUnusable(f"The cross-encoder {self._name} cannot be loaded: {missing}. {MEND}")
            try:
                import torch

                torchvision_schemas.declare()
                from sentence_transformers import CrossEncoder as Model
            except ModuleNotFoundError as error:
                raise ModelUnusable(f"{WITHOUT_TORCH.format(error.name)} {MEND}") from error
            try:
                model: Any = Model(self._name, device="cpu")
            except (OSError, ValueError, RuntimeError) as error:
                raise ModelUnusable(f"The cross-encoder {self._name} cannot be loaded: {error} {MEND}") from error
            if model.num_labels != 1:
                raise ModelUnusable(f"{self._name} gives {model.num_labels} scores per pair instead of one. {MEND}")
            self._sigmoid = torch.nn.Sigmoid()
            self._model = model
        return self._model
