"""Splits a request into the parts that each need symbols of their own.

"Add a bevel, 3 segments, and shade smooth" ─> the whole, "Add a bevel", "3 segments", "shade smooth"
"""

from __future__ import annotations

import re
from typing import Final

from search.stems import WORD

MOST_PARTS: Final = 8
LEAST_WORDS: Final = 2
SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+|:\s")
CLAUSE: Final = re.compile(
    r",\s+|[()]|\s+-+>?\s+|\s+(?:and|then|with|which|that|whose|but|or)\s+",
    re.IGNORECASE,
)


def parts_of(request: str) -> list[str]:
    """The request itself, then its sentences, then its clauses, each once; no more than 8."""
    sentences = [said for sentence in SENTENCE.split(request) if (said := sentence.strip())]
    clauses = [said for sentence in sentences for clause in CLAUSE.split(sentence) if (said := clause.strip(" ,.;"))]
    told = [said for said in (*sentences, *clauses) if len(WORD.findall(said.lower())) >= LEAST_WORDS]
    return list(dict.fromkeys([request.strip(), *told]))[:MOST_PARTS]
