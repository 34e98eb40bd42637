"""How many calls of the graph a typed resolver confirms, and how many of its calls the graph has.

    python -m bench.calls PATH... [--show N]

Each PATH is a repository or folder of Python, whose reference is made by pyrefly (`pip install 'blendproof[bench]'`).
Counted are pairs of a unit that calls and a function that is called, both in the repository: calls by name, methods,
`__init__`, operators, properties. `==` and `!=` are left out, for which pyrefly names the method of the right side.
A pair of ours that pyrefly does not have is `contradicted` if pyrefly knows another function of that name on the
line, and `unanswered` otherwise: most often the receiver has no type for it.

Precision is of the pairs that pyrefly answers; `strict` counts what it leaves unanswered as wrong.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast

from codebase.graph.build import all_edges, edges_of
from codebase.graph.code import Code
from codebase.graph.edge import CERTAINTIES, Edge
from codebase.indexing import update
from codebase.snapshot import load

Pair = tuple[int, int]
"""The unit that calls and the unit that is called."""
TARGETS: Final = ("call_targets", "init_targets", "new_targets", "property_getters", "property_setters")
LEFT_OUT: Final = ("__eq__", "__ne__")
ROOTS: Final = (".", "src", "lib")


@dataclasses.dataclass
class Reference:
    """What the resolver says: its calls, and the names that it knows on each line."""

    pairs: dict[Pair, tuple[str, int]]
    names: dict[tuple[str, int], set[str]]
    seconds: float


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
    reference = reference_of(code, root, work)
    ours = pairs_of(code, (one for one in all_edges(code) if isinstance(one, Edge)))
    files = sum(1 for file in code.files.values() if file.language == "python")
    print(
        f"\n{root.name}: {files} files of Python, indexed in {indexed.seconds:.1f} s, {len(edges)} edges in"
        f" {seconds:.2f} s, {len(gaps)} gaps; pyrefly {reference.seconds:.1f} s"
    )
    report("all", code, ours, reference)
    report(
        "between files", code, across(code, ours), dataclasses.replace(reference, pairs=across(code, reference.pairs))
    )
    if show:
        show_some(code, ours, reference, show)


def pairs_of(code: Code, edges: Iterable[Edge]) -> dict[Pair, tuple[str, int]]:
    """Our calls of functions, each with its best certainty and a line."""
    found: dict[Pair, tuple[str, int]] = {}
    for edge in sorted(edges, key=lambda edge: CERTAINTIES.index(edge.certainty)):
        called = code.units[edge.target]
        if edge.kind == "calls" and called.kind in ("function", "method") and last_name(called.name) not in LEFT_OUT:
            file = code.owner(edge.source)
            if file.language == "python":
                found.setdefault((file.at(edge.line) or edge.source, edge.target), (edge.certainty, edge.line))
    return found


def last_name(name: str) -> str:
    return name.rpartition(".")[2]


def across(code: Code, pairs: dict[Pair, Any]) -> dict[Pair, Any]:
    """The pairs of two files."""
    return {pair: what for pair, what in pairs.items() if code.owner(pair[0]) is not code.owner(pair[1])}


def report(title: str, code: Code, ours: dict[Pair, tuple[str, int]], reference: Reference) -> None:
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
        counts = Counter(judged(code, pair, ours[pair][1], reference) for pair in mine)
        answered = counts["confirmed"] + counts["contradicted"]
        print(
            f"  {certainty:12}{len(mine):8}{counts['confirmed']:11}{counts['contradicted']:14}{counts['unanswered']:12}"
            f"{counts['confirmed'] / max(1, answered):11.3f}{counts['confirmed'] / max(1, len(mine)):8.3f}"
            f"{len(seen) / max(1, len(reference.pairs)):8.3f}"
        )


def judged(code: Code, pair: Pair, line: int, reference: Reference) -> str:
    """What the resolver says of one of our pairs."""
    if pair in reference.pairs:
        return "confirmed"
    name = last_name(code.units[pair[1]].name)
    return "contradicted" if name in reference.names[code.owner(pair[0]).path, line] else "unanswered"


def show_some(code: Code, ours: dict[Pair, tuple[str, int]], reference: Reference, most: int) -> None:
    missing = [(*what, pair) for pair, what in reference.pairs.items() if pair not in ours]
    wrong = [(judged(code, pair, what[1], reference), *what, pair) for pair, what in ours.items()]
    rows = [("missing", *one) for one in missing[:: max(1, len(missing) // most)]]
    for state in ("contradicted", "unanswered"):
        some = [one for one in wrong if one[0] == state]
        rows += some[:: max(1, len(some) // most)]
    for state, how, line, (source, target) in rows:
        place = f"{code.owner(source).path}:{line}"
        print(f"  {state:13} {how:9} {place}  ->  {code.owner(target).path}:{code.units[target].name}")


def reference_of(code: Code, root: Path, work: Path) -> Reference:
    """The calls that pyrefly resolves."""
    config, out = work / "pyrefly.toml", work / "pysa"
    lines = [
        f"project-includes = [{json.dumps(f'{root}/**/*.py')}]",
        f"search-path = {json.dumps([str(root / one) for one in ROOTS if (root / one).is_dir()])}",
        "project-excludes = []",
        "skip-interpreter-query = true",
        'python-version = "3.11"',
    ]
    config.write_text("\n".join(lines))
    began = time.perf_counter()
    command = [str(Path(sys.executable).with_name("pyrefly")), "check", "-c", str(config)]
    subprocess.run(
        [*command, "--report-pysa", str(out), "--report-pysa-format", "json"], capture_output=True, check=False
    )
    seconds = time.perf_counter() - began
    modules = {module: path for module, path in modules_of(out, root) if path in code.files}
    lines_of = {
        module: function_lines(out, name) for module, (name, _) in module_files(out).items() if module in modules
    }
    pairs: dict[Pair, tuple[str, int]] = {}
    names: dict[tuple[str, int], set[str]] = defaultdict(set)
    for module, path in modules.items():
        for line, target in calls_of(out, module_files(out)[module][0]):
            names[path, line].add(target["function_name"])
            there = modules.get(target["module_id"])
            if target["function_name"] in LEFT_OUT:
                continue
            function = lines_of[target["module_id"]].get(target["function_id"]) if there else None
            source = code.files[path].at(line)
            if there and function and source is not None:
                called = code.files[there].at(function)
                if called is not None:
                    pairs.setdefault((source, called), ("resolver", line))
    return Reference(pairs, names, seconds)


def module_files(out: Path) -> dict[int, tuple[str, str]]:
    """By module, the name of its report and the path of its source."""
    modules = json.loads((out / "pyrefly.pysa.json").read_text())["modules"]
    return {
        int(number): (one["info_filename"], next(iter(one["source_path"].values())))
        for number, one in modules.items()
        if "info_filename" in one
    }


def modules_of(out: Path, root: Path) -> Iterator[tuple[int, str]]:
    """The modules of the repository with their paths in it."""
    for number, (_, path) in module_files(out).items():
        if path.startswith(f"{root}/"):
            yield number, str(Path(path).relative_to(root))


def function_lines(out: Path, name: str) -> dict[str, int]:
    """The lines on which the functions of a module are named."""
    definitions = json.loads((out / "definitions" / name).read_text())["function_definitions"]
    return {
        number: int(one["name_location"].partition(":")[0])
        for number, one in definitions.items()
        if "name_location" in one
    }


def calls_of(out: Path, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each call of a module: its line and what is called."""
    for calls in json.loads((out / "call_graphs" / name).read_text())["call_graphs"].values():
        for place, found in calls.items():
            for kind in ("Call", "AttributeAccess"):
                for group in TARGETS:
                    for one in found.get(kind, {}).get(group, ()):
                        target: Any = one["target"]
                        if isinstance(target, dict):
                            # The call ends where the name stands: `a\n.b()` is on the second line.
                            yield int(place.partition(":")[0]), next(iter(cast("dict[str, Any]", target).values()))


if __name__ == "__main__":
    main()
