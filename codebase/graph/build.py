"""Makes the edges of a repository from the facts of its files, by all makers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final

from codebase.graph.blender.edge_maker import BlenderMaker
from codebase.graph.code import Code
from codebase.graph.django.edge_maker import DjangoMaker
from codebase.graph.edge import CERTAINTIES, Edge, Gap, Maker, SourceText
from codebase.graph.outline.maker import OutlineMaker
from codebase.graph.python.maker import PythonMaker
from codebase.graph.scripts import ScriptMaker
from codebase.graph.testing import test_edges

MAKERS: Final[tuple[Maker, ...]] = (PythonMaker(), ScriptMaker(), OutlineMaker(), BlenderMaker(), DjangoMaker())
RANK: Final = {certainty: place for place, certainty in enumerate(CERTAINTIES)}


def facts_of(source: SourceText) -> dict[str, object]:
    """The facts of every maker in a text, by the maker's name."""
    by_maker = {maker.name: maker.facts(source) for maker in MAKERS if source.language in maker.languages}
    return {name: facts for name, facts in by_maker.items() if facts is not None}


def all_edges(code: Code) -> Iterator[Edge | Gap]:
    """The edges and gaps of all makers, line by line."""
    return itertools.chain.from_iterable(maker.edges(code) for maker in MAKERS)


def edges_of(code: Code) -> tuple[list[Edge], list[Gap]]:
    """All edges, one per source, target and kind, those to tested units too; and all gaps, each once."""
    links = list(all_edges(code))
    edges = most_certain([link for link in links if isinstance(link, Edge)])
    tests = most_certain(test_edges(code, edges))
    return edges + tests, list(dict.fromkeys(link for link in links if isinstance(link, Gap)))


def most_certain(edges: Iterable[Edge]) -> list[Edge]:
    """The most certain edge of each kind between two units; the first, if several are equally certain."""
    best: dict[tuple[int, int, str], Edge] = {}
    for edge in edges:
        known = best.setdefault(edge[:3], edge)
        if known is not edge and RANK[edge.certainty] < RANK[known.certainty]:
            best[edge[:3]] = edge
    return list(best.values())
