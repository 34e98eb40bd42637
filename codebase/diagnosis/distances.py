"""Weighs what lies a distance away from a crash by the edges of frameworks.

Such as the class behind the name of an operator, the callback of a property, the view behind a template, the model
behind a form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codebase.diagnosis.crash import Scene
from codebase.diagnosis.evidence import Evidence
from codebase.diagnosis.uses import TRUST, Definitions
from codebase.graph.edge import KINDS, Edge
from codebase.graph.graph import Graph
from codebase.index.snapshot import Snapshot

HOPS: Final = 2
FAR: Final = 0.7
"""What is left of a suspicion one edge further."""
HUBS: Final = ("registers", "routes")
"""Kinds that connect everything with everything."""
MOST: Final = 30
RUN: Final = 12
"""Methods of a class that a framework may run; one with more says nothing of each."""


class Distances:
    """Follows the edges of frameworks from a crash line."""

    def __init__(self, snapshot: Snapshot, graph: Graph, definitions: Definitions, evidence: Evidence) -> None:
        self._snapshot, self._graph, self._definitions, self._evidence = snapshot, graph, definitions, evidence
        self._seen: set[int] = set()

    def weigh(self, scene: Scene, factor: float) -> None:
        """Suspect what a framework connects with the function of a crash, what is on its line most."""
        if scene.place.unit is None:
            return
        self._seen = {scene.place.unit}
        names = {one.last for one in scene.reading.used} if scene.reading else set[str]()
        for edge, other in self._edges(scene.place.unit):
            share = nearness(scene, edge) if edge.source == scene.place.unit else FAR
            self._reach(edge, other, factor * share, names, HOPS)

    def _edges(self, unit: int) -> Iterator[tuple[Edge, int]]:
        """The edges of frameworks at a unit, and the unit at the other end of each."""
        found = [(edge, edge.target) for edge in self._graph.edges_from(unit)]
        found += [(edge, edge.source) for edge in self._graph.edges_to(unit)]
        found = [(edge, other) for edge, other in found if edge.kind not in KINDS and edge.kind not in HUBS]
        yield from found[:MOST]

    def _reach(self, edge: Edge, unit: int, factor: float, names: set[str], hops: int) -> None:
        """Suspect a unit that an edge leads to, the methods of a class, and what they lead to in turn."""
        factor *= TRUST[edge.certainty]
        if unit in self._seen:
            return
        self._seen.add(unit)
        says = f"{edge.kind}: a framework leads here"
        methods = list(self._methods(unit))
        self._evidence.add(unit, "a framework leads here", factor * (FAR if methods else 1.0), says)
        for method in methods:
            self._evidence.add(method, "a framework leads here", factor, says)
        for one in (unit, *methods) if hops > 1 else ():
            for further, other in self._edges(one):
                share = 1.0 if further.source == one and self._definitions.declares(further, names) else FAR
                self._reach(further, other, factor * FAR * share, names, hops - 1)

    def _methods(self, unit: int) -> list[int]:
        """The methods of a class, if they are few."""
        snapshot, owner = self._snapshot, self._snapshot.units[unit]
        if owner.kind != "class":
            return []
        here = snapshot.file_units[int(snapshot.unit_file[unit])]
        found = [one for one in here if snapshot.units[one].name.rpartition(".")[0] == owner.name]
        return found if len(found) <= RUN else []


def nearness(scene: Scene, edge: Edge) -> float:
    """How much an edge of the function that broke counts: most on the line, less above it, least below."""
    first, last = (scene.reading.first, scene.reading.last) if scene.reading else (scene.place.line, scene.place.line)
    return 1.2 if first <= edge.line <= last else 0.9 if edge.line < first else 0.4
