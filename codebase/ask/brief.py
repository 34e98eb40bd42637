"""Short text for a model on places: each with its signature, and the lines that share most with the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codebase.ask.finding import UnitHit
from codebase.index.words import count_terms, words_of

CHARACTERS: Final = 4200
"""1,200 tokens, at 3.5 characters each."""
HEAD: Final = 200
LINE: Final = 120


def brief(question: str, hits: Sequence[UnitHit]) -> str:
    """The places in at most `CHARACTERS` characters; those that need less leave the rest to the next ones."""
    asked, left, parts = set(count_terms(words_of(question))), CHARACTERS, list[str]()
    for place, hit in enumerate(hits):
        part = brief_place(asked, hit, left // (len(hits) - place) - 1)
        parts.append(part)
        left -= len(part) + 1
    return "\n".join(parts)


def brief_place(asked: set[str], hit: UnitHit, room: int) -> str:
    """A place in at most `room` characters: its citation, its signature, and numbered lines in their order."""
    first = int(hit.citation.rpartition(":")[2].partition("-")[0])
    head = f"{hit.citation} {' '.join((hit.signature or hit.name).split())}"[: min(HEAD, room)]
    lines = [(number, text.rstrip()[:LINE]) for number, text in enumerate(hit.text.split("\n"), first)]
    shared = {number: len(asked & set(count_terms(words_of(text)))) for number, text in lines}
    chosen: list[tuple[int, str]] = []
    for number, text in sorted(lines, key=lambda line: (-shared[line[0]], line[0])):
        if shared[number] and len(said(head, [*chosen, (number, text)])) <= room:
            chosen.append((number, text))
    return said(head, chosen)


def said(head: str, lines: Sequence[tuple[int, str]]) -> str:
    return "\n".join([head, *(f"{number}: {text}" for number, text in sorted(lines))])
