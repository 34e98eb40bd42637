"""Finds requests that were answered before and are near to a new one, by the words they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

WORD = re.compile(r"[a-z0-9_]+")


def nearest_exemplars(request: str, known: Sequence[str], most: int = 3) -> list[str]:
    """At most `most` of the known requests, the nearest first, and the first known where none is nearer.

    A shared word counts the more, the fewer of the known requests have it.
    """
    wanted = set(words(request))
    documents = [set(words(text)) for text in known]
    having = Counter(word for document in documents for word in document)
    weight: dict[str, float] = {word: log(1 + len(known) / count) for word, count in having.items()}

    def nearness(document: set[str]) -> float:
        shared = sum(weight[word] for word in document & wanted)
        return shared / sqrt(1 + sum(weight[word] for word in document))

    ranked = sorted(zip(map(nearness, documents), known, strict=True), key=lambda pair: -pair[0])
    return [text for _, text in ranked[:most]]


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())
