"""Splits texts into terms: identifiers by case and underscore, each part by its stem, and the whole identifier too."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

WORD: Final = re.compile(r"[^\W\d]\w*|\d+")
PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
MAX_LETTERS: Final = 80
"""Longer words are data, not language."""
ENDINGS: Final = ("ations", "ation", "ions", "ion", "ings", "ing", "ers", "er", "ies", "ed", "es", "s", "y", "e")
STEM_LETTERS: Final = 4
STOP_TEXT: Final = (
    "a an and are as at be been but by can could did do does for from get had has have how i if in into is it its just "
    "like me my no not now of on only or other our out should so some such than that the their then there these they "
    "this to up us use used using was we what when where which while who why will with would you your "
    "def class self return import none true false else elif try except raise pass"
)
STOP: Final = frozenset(STOP_TEXT.split())


@functools.lru_cache(maxsize=1 << 18)
def terms_of(word: str) -> tuple[str, ...]:
    """The terms of one word: the stems of its parts, and the whole of an identifier that has several."""
    if len(word) > MAX_LETTERS:
        return ()
    parts = PART.findall(word)
    whole = word.lower().strip("_")
    terms = [stem(part.lower()) for part in parts if part.lower() not in STOP]
    if len(parts) > 1:
        terms.append(f"={whole}")
    return tuple(terms)


def stem(word: str) -> str:
    """A word without its ending: `printer`, `printing` and `prints` become one word."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LETTERS:
            return word[: -len(ending)]
    return word


def words_of(text: str) -> list[str]:
    """The words and identifiers of a text, as written."""
    return WORD.findall(text)


def count_terms(words: Iterable[str]) -> Counter[str]:
    """The number of occurrences of each term in some words."""
    counts: Counter[str] = Counter()
    for word, times in Counter(words).items():
        for term in terms_of(word):
            counts[term] += times
    return counts


def line_words(lines: Sequence[str]) -> list[list[str]]:
    """The words of each line."""
    return [WORD.findall(line) for line in lines]
