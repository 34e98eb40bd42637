"""Weighs units at a distance from a crash, along the edges of frameworks.

Examples: the class behind the name of an operator, the callback of a property, the view behind a template, the model
behind a form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codebase.diagnosis.crash import TraceScene
from codebase.diagnosis.evidence import UnitEvidence
from codebase.diagnosis.uses import TRUST, Definitions
from codebase.graph.edge import KINDS, Edge
from codebase.graph.graph import UnitGraph
from codebase.index.snapshot import Snapshot

HOPS: Final = 2
FAR: Final = 0.7
"""The share of a suspicion that remains one edge further."""
HUBS: Final = ("registers", "routes")
"""Kinds of edges that connect everything with everything."""
MOST: Final = 30
RUN: Final = 12
"""Methods of a class that a framework may run; if a class has more, none of them is a suspect."""


class Distances:
    """Follows the edges of frameworks from a crash line."""

    def __init__(self, snapshot: Snapshot, graph: UnitGraph, definitions: Definitions, evidence: UnitEvidence) -> None:
        self._snapshot, self._graph, self._definitions, self._evidence = snapshot, graph, definitions, evidence
        self._seen: set[int] = set()

    def weigh(self, scene: TraceScene, factor: float) -> None:
        """Suspect the units that a framework connects with the function of a crash, most of all those on its line."""
        if scene.place.unit is None:
            return
        self._seen = {scene.place.unit}
        names = {name.last for name in scene.reading.used} if scene.reading else set[str]()
        for edge, other in self._edges(scene.place.unit):
            share = nearness(scene, edge) if edge.source == scene.place.unit else FAR
            self._reach(edge, other, factor * share, names, HOPS)

    def _edges(self, unit: int) -> Iterator[tuple[Edge, int]]:
        """The edges of frameworks at a unit, and the unit at the other end of each."""
        edges = [(edge, edge.target) for edge in self._graph.edges_from(unit)]
        edges += [(edge, edge.source) for edge in self._graph.edges_to(unit)]
        edges = [(edge, other) for edge, other in edges if edge.kind not in KINDS and edge.kind not in HUBS]
        yield from edges[:MOST]

    def _reach(self, edge: Edge, unit: int, factor: float, names: set[str], hops: int) -> None:
        """Suspect a unit at the end of an edge, the methods of a class, and the units that follow from them."""
        factor *= TRUST[edge.certainty]
        if unit in self._seen:
            return
        self._seen.add(unit)
        says = f"{edge.kind}: a framework leads here"
        methods = list(self._methods(unit))
        self._evidence.add(unit, "a framework leads here", factor * (FAR if methods else 1.0), says)
        for method in methods:
            self._evidence.add(method, "a framework leads here", factor, says)
        for source in (unit, *methods) if hops > 1 else ():
            for further, other in self._edges(source):
                share = 1.0 if further.source == source and self._definitions.declares(further, names) else FAR
                self._reach(further, other, factor * FAR * share, names, hops - 1)

    def _methods(self, unit: int) -> list[int]:
        """The methods of a class, if they are few."""
        snapshot, owner = self._snapshot, self._snapshot.units[unit]
        if owner.kind != "class":
            return []
        here = snapshot.file_units[int(snapshot.unit_file[unit])]
        methods = [method for method in here if snapshot.units[method].name.rpartition(".")[0] == owner.name]
        return methods if len(methods) <= RUN else []


def nearness(scene: TraceScene, edge: Edge) -> float:
    """The weight of an edge of the function that broke: most on the line, less above it, least below."""
    first, last = (scene.reading.first, scene.reading.last) if scene.reading else (scene.place.line, scene.place.line)
    return 1.2 if first <= edge.line <= last else 0.9 if edge.line < first else 0.4
