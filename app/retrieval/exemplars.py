"""Finds requests that were answered before and are near to a new one, by the words they share."""

from __future__ import annotations

import re
from collections import Counter
from math import log

WORD = re.compile(r"[a-z0-9_]+")


def nearest_exemplars(request: str, known: list[str], most: int = 3) -> list[str]:
    """At most `most` of the known requests, the nearest first; only those that share a telling word.

    A shared word counts the more, the fewer of the known requests have it.
    """
    wanted = set(words(request))
    documents = [set(words(text)) for text in known]
    having = Counter(word for document in documents for word in document)
    weight = {word: log(1 + len(known) / count) for word, count in having.items()}

    def nearness(document: set[str]) -> float:
        shared = sum(weight[word] for word in document & wanted)
        return shared / (1 + sum(weight[word] for word in document)) ** 0.5

    ranked = sorted(zip(map(nearness, documents), known, strict=True), key=lambda pair: -pair[0])
    return [text for score, text in ranked[:most] if score > 0]


def words(text: str) -> list[str]:
    return WORD.findall(text.lower())
