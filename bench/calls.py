"""Counts the calls of the graph that a typed resolver confirms, and its calls that the graph has.

    python -m bench.calls PATH... [--show N]

Each PATH is a repository or folder of Python, whose reference is made by pyrefly (`pip install 'blendproof[types]'`).
Counted are pairs of a unit that calls and a function that is called, both in the repository: calls by name, methods,
`__init__`, operators, properties. `==` and `!=` are left out, for which pyrefly names the method of the right side.
A pair of ours that pyrefly does not have is `contradicted` if pyrefly knows another function of that name on the
line, and `unanswered` otherwise: most often the receiver has no type for it.

Precision is of the pairs that pyrefly answers; `strict` counts what it leaves unanswered as wrong.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from codebase.ask.typed import Pair, TypedCalls, calls_of, pair_of, typed_of
from codebase.graph.build import all_edges, edges_of
from codebase.graph.code import Code
from codebase.graph.edge import CERTAINTIES, Edge
from codebase.index.indexing import update
from codebase.index.snapshot import load

UNANSWERED: Final = "unanswered"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--show", type=int, default=0, help="print so many pairs that are missing or not confirmed")
    given = parser.parse_args()
    for path in given.paths:
        with tempfile.TemporaryDirectory() as work:
            measure(path.resolve(), Path(work), given.show)


def measure(root: Path, work: Path, show: int) -> None:
    """Print the table of one repository."""
    indexed = update(root, work / "index")
    snapshot = load(work / "index")
    began = time.perf_counter()
    edges, gaps = edges_of(snapshot.code)
    seconds = time.perf_counter() - began
    code = snapshot.code
    began = time.perf_counter()
    reference = typed_of(code, calls_of(root, snapshot))
    resolving = time.perf_counter() - began
    ours = pairs_of(code, (one for one in all_edges(code) if isinstance(one, Edge)))
    files = sum(1 for file in code.files.values() if file.language == "python")
    print(
        f"\n{root.name}: {files} files of Python, indexed in {indexed.seconds:.1f} s, {len(edges)} edges in"
        f" {seconds:.2f} s, {len(gaps)} gaps; pyrefly {resolving:.1f} s"
    )
    report("all", ours, reference)
    report("between files", across(code, ours), dataclasses.replace(reference, pairs=across(code, reference.pairs)))
    if show:
        show_some(code, ours, reference, show)


def pairs_of(code: Code, edges: Iterable[Edge]) -> dict[Pair, tuple[str, int]]:
    """Our calls of functions, each with its best certainty and a line."""
    found: dict[Pair, tuple[str, int]] = {}
    for edge in sorted(edges, key=lambda edge: CERTAINTIES.index(edge.certainty)):
        if pair := pair_of(code, edge):
            found.setdefault(pair, (edge.certainty, edge.line))
    return found


def across(code: Code, pairs: dict[Pair, Any]) -> dict[Pair, Any]:
    """The pairs of two files."""
    return {pair: what for pair, what in pairs.items() if code.owner(pair[0]) is not code.owner(pair[1])}


def report(title: str, ours: dict[Pair, tuple[str, int]], reference: TypedCalls) -> None:
    """Print precision and recall by certainty, each line with those above it."""
    print(f"{title}: {len(reference.pairs)} calls of the resolver")
    print(
        f"  {'':12}{'edges':>8}{'confirmed':>11}{'contradicted':>14}{'unanswered':>12}"
        f"{'precision':>11}{'strict':>8}{'recall':>8}"
    )
    seen: set[Pair] = set()
    for certainty in CERTAINTIES:
        mine = {pair for pair, (one, _) in ours.items() if one == certainty}
        seen |= mine & reference.pairs.keys()
        counts = Counter(reference.verdict(pair, ours[pair][1]) or UNANSWERED for pair in mine)
        answered = counts["confirmed"] + counts["contradicted"]
        print(
            f"  {certainty:12}{len(mine):8}{counts['confirmed']:11}{counts['contradicted']:14}{counts[UNANSWERED]:12}"
            f"{counts['confirmed'] / max(1, answered):11.3f}{counts['confirmed'] / max(1, len(mine)):8.3f}"
            f"{len(seen) / max(1, len(reference.pairs)):8.3f}"
        )


def show_some(code: Code, ours: dict[Pair, tuple[str, int]], reference: TypedCalls, most: int) -> None:
    missing = [("resolver", line, pair) for pair, line in reference.pairs.items() if pair not in ours]
    wrong = [(reference.verdict(pair, what[1]) or UNANSWERED, *what, pair) for pair, what in ours.items()]
    rows = [("missing", *one) for one in missing[:: max(1, len(missing) // most)]]
    for state in ("contradicted", UNANSWERED):
        some = [one for one in wrong if one[0] == state]
        rows += some[:: max(1, len(some) // most)]
    for state, how, line, (source, target) in rows:
        place = f"{code.owner(source).path}:{line}"
        print(f"  {state:13} {how:9} {place}  ->  {code.owner(target).path}:{code.units[target].name}")


if __name__ == "__main__":
    main()
