"""Questions for the way from one function to another, and whether the graph of a repository answers them.

What is right does not come from the graph: functions, found by `ast`, that call each other by plain names which are
defined once. A way is right if it leads from the one to the other, and the target of each of its steps is named on the
line that the step stands on.
"""

from __future__ import annotations

import ast
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from bench.rankers import Corpus
from codebase.ask.relations import members
from codebase.graph.edge import Edge
from codebase.graph.graph import OVERRIDDEN
from codebase.index.snapshot import Snapshot

LENGTHS: Final = (3, 4)
"""Functions of a chain, its ends included."""
Place = tuple[str, str]
"""Path and qualified name of a unit."""
Way = tuple[Place, ...]


def ways(calls: Mapping[Place, list[Place]]) -> Iterator[Way]:
    """The shortest chains between functions of which none calls the other; one for each pair of ends."""
    for start in calls:
        reached: dict[Place, Way] = {start: (start,)}
        for _ in range(max(LENGTHS) - 1):
            for way in list(reached.values()):
                for called in calls.get(way[-1], []):
                    reached.setdefault(called, (*way, called))
        yield from (way for way in reached.values() if len(way) in LENGTHS)


def plain_calls(source: str) -> set[str]:
    """The plain names that a function calls; none if it also gives one of them another meaning."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return called - bound


def letters(corpus: Corpus, edges: list[Edge]) -> int:
    """The texts of the units on a way."""
    units = {unit for edge in edges for unit in (edge.source, edge.target)}
    return sum(len(text_of(corpus, unit)) for unit in units)


def text_of(corpus: Corpus, unit: int) -> str:
    first, last = corpus.snapshot.units[unit].cited
    return "\n".join(lines_of(corpus, unit)[first - 1 : last]) + "\n"


def lines_of(corpus: Corpus, unit: int) -> list[str]:
    return corpus.texts[corpus.snapshot.paths[int(corpus.snapshot.unit_file[unit])]].split("\n")


def way_in(corpus: Corpus, start: Place, goal: Place) -> list[Edge]:
    """The way that the graph knows, edge by edge; none if it knows none."""
    snapshot = corpus.snapshot
    ends = [members(snapshot, unit_at(snapshot, place)) for place in (start, goal)]
    return snapshot.graph.path(*ends) or []


def unit_at(snapshot: Snapshot, place: Place) -> int:
    """The number of a unit; of several with one name the last, which is in force."""
    path, name = place
    return [one for one in snapshot.file_units[snapshot.number[path]] if snapshot.units[one].name == name][-1]


def is_true(corpus: Corpus, edges: list[Edge]) -> bool:
    """True if there is a way, and each of its steps follows from the last and is written where it says."""
    joined = all(one.target == other.source for one, other in itertools.pairwise(edges))
    return bool(edges) and joined and all(is_written(corpus, edge) for edge in edges)


def is_written(corpus: Corpus, edge: Edge) -> bool:
    """True if the line of an edge names its target; for a constructor, the class."""
    parts = corpus.snapshot.units[edge.target].name.split(".")
    name = parts[-2] if parts[-1] in ("__init__", "__new__") and len(parts) > 1 else parts[-1]
    line = lines_of(corpus, edge.target if edge.kind == OVERRIDDEN else edge.source)[edge.line - 1]
    return name in line


def calls_between(sources: Mapping[Place, str], once: Mapping[str, Place]) -> dict[Place, list[Place]]:
    """The calls between the functions, by their sources, for names that are defined once."""
    found: dict[Place, list[Place]] = defaultdict(list)
    for place, source in sources.items():
        found[place] += [once[name] for name in sorted(plain_calls(source)) if once.get(name, place) != place]
    return found
