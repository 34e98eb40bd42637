"""Splits a request into the parts that each need symbols of their own.

"Add a bevel, 3 segments, and shade smooth" ─> the whole, "Add a bevel", "3 segments", "shade smooth"
"""

from __future__ import annotations

import re
from typing import Final

from app.retrieval.names import WORD, singular

MOST_PARTS: Final = 8
LEAST_WORDS: Final = 2
SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+|:\s")
CLAUSE: Final = re.compile(
    r",\s+|[()]|\s+-+>?\s+|\s+(?:and|then|with|which|that|whose|but|or)\s+",
    re.IGNORECASE,
)
AMERICAN: Final = {"colour": "color", "centre": "center", "grey": "gray", "metre": "meter"}
ENDINGS: Final = ("ing", "ed", "ly", "er")
LEAST_STEM: Final = 4


def parts_of(request: str) -> list[str]:
    """The request itself, then its sentences, then its clauses, each once; no more than 8."""
    sentences = [said for one in SENTENCE.split(request) if (said := one.strip())]
    clauses = [said for one in sentences for clause in CLAUSE.split(one) if (said := clause.strip(" ,.;"))]
    told = [said for said in (*sentences, *clauses) if len(WORD.findall(said.lower())) >= LEAST_WORDS]
    return list(dict.fromkeys([request.strip(), *told]))[:MOST_PARTS]


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
