"""The model that makes vectors of texts, opened at first use."""

from __future__ import annotations

from collections.abc import Callable

from search.embed import Embedder
from search.exporting import ModelUnusable


class TextModel:
    """Opens the embedder of texts. `problem` says why it cannot be used, once that is known; it is not tried again."""

    def __init__(self, open_embedder: Callable[[], Embedder]) -> None:
        self.problem: str | None = None
        self._open = open_embedder

    def embedder(self) -> Embedder:
        """The embedder. Raises ModelUnusable, at once if the problem is known."""
        if self.problem:
            raise ModelUnusable(self.problem)
        try:
            return self._open()
        except ModelUnusable as error:
            self.problem = str(error)
            raise
