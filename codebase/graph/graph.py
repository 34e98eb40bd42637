"""Questions to the graph: callers, callees, the path between two units, the reach of a change."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from codebase.graph.edge import Certainty, Edge, Gap
from codebase.graph.links import Links

if TYPE_CHECKING:
    import rustworkx as rx

STRUCTURE: Final = frozenset(("imports", "inherits", "overrides", "tests"))
"""Kinds that are no calls. All others, those of frameworks too, let one unit run or name another."""
OVERRIDDEN: Final = "overridden by"
COSTS: Final[dict[Certainty, float]] = {"exact": 1.0, "inferred": 1.25, "by name": 3.0}
"""Cost of a step of a path: a certain path may be longer than a doubtful one."""


class GraphStep(NamedTuple):
    """A unit that was reached, its distance in steps, and the edge that led to it."""

    unit: int
    depth: int
    edge: Edge


class UnitGraph:
    """The edges between units by number."""

    def __init__(self, links: Links, units: int, more: Iterable[Edge] = ()) -> None:
        self.size = units
        self._edges, self._gaps = [*links.edges(), *more], links.gaps
        self._out: dict[int, list[Edge]] = defaultdict(list)
        self._into: dict[int, list[Edge]] = defaultdict(list)
        for edge in self._edges:
            self._out[edge.source].append(edge)
            self._into[edge.target].append(edge)

    def edges_from(self, unit: int) -> Sequence[Edge]:
        return self._out.get(unit, ())

    def edges_to(self, unit: int) -> Sequence[Edge]:
        return self._into.get(unit, ())

    def callers(self, starts: Iterable[int], depth: int) -> list[GraphStep]:
        """Units that call or name one of the units, and their callers, nearest first."""
        return self._walk(starts, depth, lambda unit: ((edge, edge.source) for edge in self._calls_of(unit)))

    def callees(self, starts: Iterable[int], depth: int) -> list[GraphStep]:
        """Units that the units call or name, and their callees, nearest first."""
        return self._walk(starts, depth, lambda unit: ((edge, edge.target) for edge in self._calls_by(unit)))

    def impact(self, starts: Iterable[int], depth: int) -> list[GraphStep]:
        """The reach of a change of the units: callers, subclasses, and callers of a method that one overrides."""
        return self._walk(starts, depth, functools.partial(self._reached_by_change, set()))

    def tests(self, starts: Iterable[int], depth: int, is_test: Callable[[int], bool]) -> list[GraphStep]:
        """The tests of the units: direct ones, then those that reach them through calls."""
        starts = list(starts)
        direct = self._walk(starts, 1, lambda unit: ((e, e.source) for e in self.edges_to(unit) if e.kind == "tests"))
        seen = {step.unit for step in direct}
        return direct + [step for step in self.impact(starts, depth) if is_test(step.unit) and step.unit not in seen]

    def path(self, starts: Iterable[int], goals: Collection[int]) -> list[Edge] | None:
        """The cheapest chain of calls from one of the starts to one of the goals; None if there is none."""
        # Imported here, because no other question needs it.
        import rustworkx as rx

        graph = self._paths
        begin, end = graph.add_node(None), graph.add_node(None)
        graph.add_edges_from([(begin, start, None) for start in starts] + [(goal, end, None) for goal in goals])
        paths = rx.digraph_dijkstra_shortest_paths(graph, begin, end, _cost)
        nodes = list(paths[end])[1:-1] if end in paths else []
        graph.remove_nodes_from([begin, end])
        edges = [graph.get_edge_data(source, target) for source, target in itertools.pairwise(nodes)]
        return [edge for edge in edges if edge is not None] or None

    def gaps(self, units: Collection[int]) -> list[Gap]:
        """The calls of some units that cannot be followed."""
        return [gap for gap in self._gaps if gap.source in units]

    @functools.cached_property
    def _paths(self) -> rx.PyDiGraph[None, Edge | None]:
        """The calls, and from each method to those that override it."""
        import rustworkx as rx

        graph: rx.PyDiGraph[None, Edge | None] = rx.PyDiGraph(multigraph=False)
        graph.add_nodes_from([None] * self.size)
        # Of several edges between two units the last is kept: the most certain one.
        steps = [edge for edge in self._edges if edge.kind not in STRUCTURE]
        steps += [reverse(edge) for edge in self._edges if edge.kind == "overrides"]
        steps.sort(key=lambda edge: -COSTS[edge.certainty])
        graph.add_edges_from([(edge.source, edge.target, edge) for edge in steps])
        return graph

    def _calls_of(self, unit: int) -> Iterator[Edge]:
        return (edge for edge in self.edges_to(unit) if edge.kind not in STRUCTURE)

    def _calls_by(self, unit: int) -> Iterator[Edge]:
        return (edge for edge in self.edges_from(unit) if edge.kind not in STRUCTURE)

    def _reached_by_change(self, overridden: set[int], unit: int) -> Iterator[tuple[Edge, int]]:
        """The reach of a change of one unit. Callers of methods that are in `overridden` have been reached."""
        for edge in self.edges_to(unit):
            if edge.kind not in ("overrides", "tests", "imports"):
                yield edge, edge.source
        for edge in self.edges_from(unit):
            if edge.kind == "overrides" and edge.target not in overridden:
                overridden.add(edge.target)
                # A call of the overridden method may run this one.
                yield from ((call._replace(certainty="inferred"), call.source) for call in self._calls_of(edge.target))

    def _walk(
        self, starts: Iterable[int], depth: int, onward: Callable[[int], Iterator[tuple[Edge, int]]]
    ) -> list[GraphStep]:
        """Units by their distance, each once, so that a cycle ends."""
        queue = deque((unit, 0) for unit in starts)
        seen = {unit for unit, _ in queue}
        steps_taken: list[GraphStep] = []
        while queue:
            unit, steps = queue.popleft()
            for edge, other in onward(unit) if steps < depth else ():
                if other not in seen:
                    seen.add(other)
                    queue.append((other, steps + 1))
                    steps_taken.append(GraphStep(other, steps + 1, edge))
        return steps_taken


def reverse(edge: Edge) -> Edge:
    """An edge from a method to one that overrides it, where the line is: a call of the first may run the second."""
    return Edge(edge.target, edge.source, OVERRIDDEN, "inferred", edge.line)


def _cost(edge: Edge | None) -> float:
    return COSTS[edge.certainty] if edge is not None else 0.0
