"""Words of a text without their endings."""

from __future__ import annotations

import re
from typing import Final

WORD: Final = re.compile(r"[a-z0-9]+")
AMERICAN: Final = {"colour": "color", "centre": "center", "grey": "gray", "metre": "meter"}
ENDINGS: Final = ("ing", "ed", "ly", "er")
LEAST_STEM: Final = 4


def stems(text: str) -> list[str]:
    """The words of a text without their endings: "Clipped colours" and "clipping color" are the same words."""
    return [stem(word) for word in WORD.findall(text.lower())]


def stem(word: str) -> str:
    """A word without its ending, in American spelling."""
    word = singular(word)
    word = AMERICAN.get(word, word)
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM:
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > LEAST_STEM else word


def singular(word: str) -> str:
    """The word without its plural ending."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
