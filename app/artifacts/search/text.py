"""The model that makes vectors of texts, opened at first use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from app.artifacts.store.artifact import Artifact
from search.embed import Embedder
from search.exporting import ModelUnusable

NUMBERS: Final = re.compile(r"\([^()]*\)|[-+]?\d[\d.]*\s*(?:m|cm|mm|px|degrees|%)?(?!\w)|\b(?:called|named)\s+\S+")
ASKING: Final = re.compile(r"\b(?:add|create|make|of|size|radius|at|major|minor|then|it|and|shade)\b", re.IGNORECASE)


def words_to_embed(artifact: Artifact) -> str:
    """The words of an artifact whose meaning is searched; its tags are found by their letters."""
    return thing_in(artifact.title)


def thing_in(request: str) -> str:
    """The thing that a request is about: "Add a red cube of size 1.5 at (0, 0, 1)" as "a red cube". Numbers, names
    and words of asking are most of a command, and would be most of its meaning to a model.
    """
    left = ASKING.sub(" ", NUMBERS.sub(" ", request))
    return " ".join(re.findall(r"[\w-]+", left)) or request


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
