"""The model that makes vectors of texts, opened at first use."""

from __future__ import annotations

from collections.abc import Callable

from app.artifacts.store.artifact import Artifact
from search.embed import Embedder
from search.exporting import ModelUnusable


def words_to_embed(artifact: Artifact) -> str:
    """The words of an artifact whose meaning is searched."""
    return f"{artifact.title}. {', '.join(artifact.tags)}"


class TextModel:
    """Opens the embedder of texts. `problem` says why it cannot be used, once that is known; there is no second try."""

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
