"""Makes the edges of a repository from the facts of its files, by all makers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from codebase.graph.code import Code
from codebase.graph.edge import CERTAINTIES, Edge, Gap, Maker, Source
from codebase.graph.python.maker import PythonMaker

MAKERS: Final[tuple[Maker, ...]] = (PythonMaker(),)
RANK: Final = {certainty: place for place, certainty in enumerate(CERTAINTIES)}


def facts_of(source: Source) -> dict[str, object]:
    """What every maker finds in a text, by its name."""
    found = {maker.name: maker.facts(source) for maker in MAKERS if source.language in maker.languages}
    return {name: facts for name, facts in found.items() if facts is not None}


def all_edges(code: Code) -> Iterator[Edge | Gap]:
    """What the makers find, line by line."""
    return itertools.chain.from_iterable(maker.edges(code) for maker in MAKERS)


def edges_of(code: Code) -> tuple[list[Edge], list[Gap]]:
    """All edges, one per source, target and kind: the most certain, of several the first. All gaps, each once."""
    edges: dict[tuple[int, int, str], Edge] = {}
    gaps: dict[Gap, None] = {}
    for one in all_edges(code):
        if isinstance(one, Gap):
            gaps[one] = None
            continue
        known = edges.setdefault(one[:3], one)
        if known is not one and RANK[one.certainty] < RANK[known.certainty]:
            edges[one[:3]] = one
    return list(edges.values()), list(gaps)
