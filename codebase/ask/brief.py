"""Short text for a model on places: signature, label, and the lines that share most with the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codebase.ask.finding import UnitHit
from codebase.index.words import count_terms, words_of

BYTES: Final = 4200
"""1,200 tokens, at 3.5 bytes each."""
HEAD: Final = 200
LINE: Final = 120


def brief(question: str, hits: Sequence[UnitHit]) -> str:
    """The places in at most `BYTES` bytes."""
    return "\n".join(brief_places(question, hits, BYTES))


def brief_places(question: str, hits: Sequence[UnitHit], room: int) -> Iterator[str]:
    """Each place, all in at most `room` bytes; those that need less leave the rest to the next ones."""
    asked = set(count_terms(words_of(question)))
    for place, hit in enumerate(hits):
        part = brief_place(asked, hit, room // (len(hits) - place) - 1)
        yield part
        room -= len(part.encode()) + 1


def brief_place(asked: set[str], hit: UnitHit, room: int) -> str:
    """A place in at most `room` bytes: its citation, its signature, and numbered lines in their order."""
    first = int(hit.citation.rpartition(":")[2].partition("-")[0])
    label = f' "{hit.label}"' if hit.label else ""
    head = f"{' '.join(f'{hit.citation} {signed(hit)}'.split())[: HEAD - len(label)]}{label}"
    head = head.encode()[:room].decode(errors="ignore")
    lines = [(number, text.rstrip()[:LINE]) for number, text in enumerate(hit.text.split("\n"), first)]
    shared = {number: len(asked & set(count_terms(words_of(text)))) for number, text in lines}
    chosen: list[tuple[int, str]] = []
    for number, text in sorted(lines, key=lambda line: (-shared[line[0]], line[0])):
        if shared[number] and len(said(head, [*chosen, (number, text)]).encode()) <= room:
            chosen.append((number, text))
    return said(head, chosen)


def signed(hit: UnitHit) -> str:
    """The signature of a unit, a method with its class: an add-on has many an `execute`."""
    short = hit.name.rpartition(".")[2]
    return hit.signature.replace(f"def {short}(", f"def {hit.name}(", 1) if hit.signature else hit.name


def said(head: str, lines: Sequence[tuple[int, str]]) -> str:
    return "\n".join([head, *(f"{number}: {text}" for number, text in sorted(lines))])
