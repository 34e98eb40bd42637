"""Answers to the graph's questions about a symbol, with citations."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from codebase.ask.finding import Freshness, fresh_snapshot
from codebase.ask.symbols import symbol
from codebase.ask.typed import Tier, tier_of
from codebase.graph.edge import Edge
from codebase.graph.graph import OVERRIDDEN, GraphStep, UnitGraph
from codebase.graph.testing import is_test
from codebase.index.snapshot import Snapshot

Asked = Literal["callers", "callees", "impact", "tests"]


@dataclasses.dataclass(frozen=True)
class CitedUnit:
    """A unit: `citation` is `path:first-last`."""

    citation: str
    name: str
    kind: str


@dataclasses.dataclass(frozen=True)
class Relation:
    """A unit that was reached, and the edge that led to it, from `source` to `target`; `line` is `path:line`."""

    place: CitedUnit
    depth: int
    source: str
    kind: str
    target: str
    certainty: str
    line: str
    typed: Literal["confirmed", "contradicted", "added"] | None = None
    """The verdict of a typed resolver on the edge, if it has any; `added` if it alone has the edge."""


@dataclasses.dataclass(frozen=True)
class SymbolRelations:
    """The units in a relation to a symbol, nearest first, and the calls between that cannot be followed."""

    symbol: CitedUnit
    relations: list[Relation]
    gaps: list[str]
    freshness: Freshness


@dataclasses.dataclass(frozen=True)
class Way:
    """The shortest path from one symbol to another, edge by edge; empty if there is none."""

    start: CitedUnit
    goal: CitedUnit
    steps: list[Relation]
    gaps: list[str]
    freshness: Freshness


def find_relations(
    root: Path, folder: Path, written: str, asked: Asked, depth: int, typed: bool = False
) -> SymbolRelations:
    """Callers, callees, reach of a change, or tests of a symbol; if `typed`, with the verdicts of the typed resolver.

    Raises SymbolUnclear, what `fresh_snapshot` raises, and if `typed` ResolverFailed.
    """
    snapshot, freshness = fresh_snapshot(root, folder)
    unit = symbol(snapshot, written)
    tier = tier_of(root, snapshot, snapshot.links.edges()) if typed else None
    relations, gaps = relations_of(snapshot, unit, asked, depth, tier)
    return SymbolRelations(place(snapshot, unit), relations, gaps, freshness)


def relations_of(
    snapshot: Snapshot, unit: int, asked: Asked, depth: int, tier: Tier | None = None
) -> tuple[list[Relation], list[str]]:
    """Units in a relation to one, nearest first, and the calls that cannot be followed."""
    graph = UnitGraph(snapshot.links, len(snapshot.units), sorted(tier.added)) if tier else snapshot.graph
    starts = members(snapshot, unit) if asked != "callers" else same(snapshot, unit)
    steps = _steps(snapshot, graph, starts, asked, depth)
    sources = {unit, *starts, *(step.unit for step in steps)} if asked == "callees" else set(starts)
    return [relation(snapshot, step, tier) for step in steps], list(gaps_of(snapshot, graph, sources, tier))


def _steps(snapshot: Snapshot, graph: UnitGraph, starts: list[int], asked: Asked, depth: int) -> list[GraphStep]:
    if asked == "tests":
        is_one = functools.cache(functools.partial(is_a_test, snapshot))
        steps = graph.tests(starts, depth, is_one)
        owner: list[int] = snapshot.unit_file.tolist()
        named = {owner[step.unit] for step in steps if is_one(step.unit)}
        # A whole file stands for its tests if none of them has a name, as in most of JavaScript.
        return [step for step in steps if is_one(step.unit) or owner[step.unit] not in named]
    return {"callers": graph.callers, "callees": graph.callees, "impact": graph.impact}[asked](starts, depth)


def way(root: Path, folder: Path, start: str, goal: str) -> Way:
    """The shortest chain of calls between two symbols. Raises SymbolUnclear and what `fresh_snapshot` raises."""
    snapshot, freshness = fresh_snapshot(root, folder)
    first, last = symbol(snapshot, start), symbol(snapshot, goal)
    graph = snapshot.graph
    edges = graph.path(members(snapshot, first), members(snapshot, last)) or []
    steps = [relation(snapshot, GraphStep(edge.target, number, edge)) for number, edge in enumerate(edges, 1)]
    on_the_way = {first, *members(snapshot, first), *(edge.target for edge in edges)}
    gaps = list(gaps_of(snapshot, graph, on_the_way))
    return Way(place(snapshot, first), place(snapshot, last), steps, gaps, freshness)


def same(snapshot: Snapshot, unit: int) -> list[int]:
    """The units that are one symbol: overloads, and the parts of a property."""
    name = snapshot.units[unit].name
    return [other for other in snapshot.file_units[int(snapshot.unit_file[unit])] if snapshot.units[other].name == name]


def members(snapshot: Snapshot, unit: int) -> list[int]:
    """The units of a symbol and those inside it; for a module, all of its file."""
    start = f"{snapshot.units[unit].name}." if snapshot.units[unit].name else ""
    own = same(snapshot, unit)
    others = (other for other in snapshot.file_units[int(snapshot.unit_file[unit])] if other not in own)
    return own + [other for other in others if snapshot.units[other].name.startswith(start)]


def is_a_test(snapshot: Snapshot, unit: int) -> bool:
    """True if a unit is a test, by its name."""
    name = snapshot.units[unit].name.rpartition(".")[2]
    return name.lower().startswith("test") and is_test(snapshot.paths[int(snapshot.unit_file[unit])])


def place(snapshot: Snapshot, number: int) -> CitedUnit:
    unit, path = snapshot.units[number], snapshot.paths[int(snapshot.unit_file[number])]
    first, last = unit.cited
    return CitedUnit(f"{path}:{first}-{last}", name_of(snapshot, number), unit.kind)


def relation(snapshot: Snapshot, step: GraphStep, tier: Tier | None = None) -> Relation:
    edge: Edge = step.edge
    source, target = name_of(snapshot, edge.source), name_of(snapshot, edge.target)
    written = edge.target if edge.kind == OVERRIDDEN else edge.source
    line = f"{snapshot.paths[int(snapshot.unit_file[written])]}:{edge.line}"
    verdict = tier.says(edge) if tier else None
    return Relation(place(snapshot, step.unit), step.depth, source, edge.kind, target, edge.certainty, line, verdict)


def name_of(snapshot: Snapshot, number: int) -> str:
    return snapshot.units[number].name or snapshot.paths[int(snapshot.unit_file[number])]


def gaps_of(snapshot: Snapshot, graph: UnitGraph, units: Iterable[int], tier: Tier | None = None) -> Iterator[str]:
    """The calls of some units that can be followed only by running them, as `path:line name`."""
    for gap in graph.gaps(set(units)):
        if not (tier and tier.follows(gap)):
            yield f"{snapshot.paths[int(snapshot.unit_file[gap.source])]}:{gap.line} {gap.name}"
