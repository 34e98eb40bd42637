"""Counts how often the function at fault is among the first suspects for a log, and the crash line is explained.

    python -m bench.tracebacks make FOLDER... --python PYTHON [--sources src] [--tests tests] [--most 16] > ITEMS.jsonl
    python -m bench.tracebacks link kiln|shop PYTHON > ITEMS.jsonl
    python -m bench.tracebacks ITEMS.jsonl FOLDER... [--part even|odd] [--cut] [--all]

`make` puts one small fault at a time into a working repository and keeps those whose tests raise an error in the
sources, with the log that the program itself would print. PYTHON has pytest and what the tests need. `link` does so
with the small programs in `bench/programs`, whose faults lie behind an edge of a framework; PYTHON has `bpy` for kiln,
Django for shop. The last form diagnoses each log in a copy of the repository with that fault, and prints how often the
file is the first or among the first five suspects and how often the function is, by how far the fault is from the
frames of the log; the same for the last frame alone and for the ranking of `repo search`; of what some lines called by
name while they ran, the share that a diagnosis of the line shows; and seconds. `--cut` ends each log above its last
frame, as if the rest had not been copied, and leaves out those with a single frame.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.failing import Item, items_of
from bench.linked import linked_items
from bench.localisation import outermost
from codebase.ask.ranking import rank
from codebase.diagnosis.crash import scene_of
from codebase.diagnosis.diagnose import Basis, basis_of, diagnosis_of
from codebase.diagnosis.places import FramePlaces
from codebase.diagnosis.shapes import Diagnosis
from codebase.diagnosis.uses import Definitions
from codebase.index.snapshot import Snapshot
from codebase.tracebacks.error import Frame

DISTANCES: Final = ("crash line", "crash function", "frame", "one call", "two calls", "further", "an edge")
Found = tuple[list[str], list[str]]
"""Paths of files and names of functions as `path:name`, each best first."""


def main() -> None:
    """Make items, or judge them."""
    if sys.argv[1:2] == ["make"]:
        make(sys.argv[2:])
        return
    if sys.argv[1:2] == ["link"]:
        if len(sys.argv) != 4:
            sys.exit("link takes kiln or shop, and the Python to run it with; see python -m bench.tracebacks --help")
        for item in linked_items(*sys.argv[2:4]):
            print(json.dumps(dataclasses.asdict(item)), flush=True)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=Path)
    parser.add_argument("folders", type=Path, nargs="+", help="the repositories, as they were when the items were made")
    parser.add_argument("--part", choices=("even", "odd", "all"), default="all", help="items by their line, from 0")
    parser.add_argument("--cut", action="store_true", help="end each log above its last frame")
    parser.add_argument("--all", action="store_true", help="print each item that is missed")
    given = parser.parse_args()
    rows = [Item(**json.loads(line)) for line in given.items.read_text().splitlines() if line.strip()]
    rows = {"even": rows[0::2], "odd": rows[1::2], "all": rows}[given.part]
    if given.cut:
        rows = [dataclasses.replace(row, log=above(row.log)) for row in rows if above(row.log)]
    judge(rows, {folder.name: folder for folder in given.folders}, given.all)


def above(log: str) -> str:
    """A log without its last frame and what follows; empty if it has no other frame."""
    frames = [match.start() for match in re.finditer(r'^  File "', log, re.MULTILINE)]
    return log[: frames[-1]] if len(frames) > 1 else ""


def make(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench.tracebacks make")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--python", required=True)
    parser.add_argument("--sources", default="src")
    parser.add_argument("--tests", nargs="+", default=["tests"])
    parser.add_argument("--most", type=int, default=16)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    for folder in given.folders:
        for item in items_of(folder, given.sources, given.tests, given.python, given.most, given.seed):
            print(json.dumps(dataclasses.asdict(item)), flush=True)


@dataclasses.dataclass
class Score:
    """The outcomes of one way to rank: file first, file among five, function first, function among five."""

    rows: dict[str, list[tuple[bool, bool, bool, bool]]] = dataclasses.field(default_factory=lambda: defaultdict(list))

    def add(self, item: Item, found: Found) -> tuple[bool, bool, bool, bool]:
        files, functions = found
        fault = f"{item.path}:{item.function}"
        row = (item.path in files[:1], item.path in files[:5], fault in functions[:1], fault in functions[:5])
        self.rows[item.distance].append(row)
        return row


def judge(items: Sequence[Item], folders: dict[str, Path], print_all: bool) -> None:
    """Diagnose every item, and print the tables."""
    scores: dict[str, Score] = defaultdict(Score)
    seconds: list[float] = []
    called = shown = 0
    with tempfile.TemporaryDirectory() as work:
        for item in items:
            with faulty(item, folders[item.repository], Path(work)) as basis:
                began = time.perf_counter()
                found = diagnosis_of(basis, item.log)
                seconds.append(time.perf_counter() - began)
                for name, ranker in RANKERS.items():
                    row = scores[name].add(item, ranker(basis.snapshot, found, item))
                    if print_all and name == "the suspects" and not row[3]:
                        print(f"missed: {item.repository} {item.distance} {item.kind} {item.path}:{item.function}")
                shown_here, called_here = explained(basis, item, print_all)
                shown, called = shown + shown_here, called + called_here
    for name, score in scores.items():
        print_score(name, score)
    slow = sorted(seconds)[int(0.95 * (len(seconds) - 1))]
    print(f"functions that a line called by name: {shown} of {called} shown ({100 * shown / max(1, called):.1f} %)")
    print(f"seconds p50 {statistics.median(seconds):.3f} p95 {slow:.3f}")


def explained(basis: Basis, item: Item, print_all: bool) -> tuple[int, int]:
    """Of what some lines called by name while they ran, how much a diagnosis of each line would show."""
    definitions, places = (
        Definitions(basis.snapshot, basis.texts, basis.graph),
        FramePlaces(basis.snapshot, basis.texts),
    )
    shown = every = 0
    for path, line, called in item.lines:
        place = places.of(Frame(path, line))
        scene = scene_of(place, basis.texts, definitions) if place else None
        if scene is None or scene.reading is None:
            continue
        there = {f"{one.path}:{one.name}" for one in scene.direct()}
        lines = basis.texts.lines(path)[scene.reading.first - 1 : scene.reading.last]
        written = set(re.findall(r"\w+", " ".join(lines)))
        named = [
            one for one in called if written & set(one.rpartition(":")[2].split(".")[-1:]) or is_made(one, written)
        ]
        missing = [one for one in named if not is_shown(one, there)]
        every, shown = every + len(named), shown + len(named) - len(missing)
        if print_all and missing:
            print(f"not shown: {item.repository} {path}:{line}: {missing}")
    return shown, every


def is_made(called: str, written: set[str]) -> bool:
    """True if a function makes an object of a class that is written."""
    name = called.rpartition(":")[2].split(".")
    return name[-1] in ("__init__", "__new__") and name[-2:][0] in written


def is_shown(called: str, there: set[str]) -> bool:
    """True if a function is among the definitions; a class stands for the method that makes its objects."""
    owner = called.rpartition(".")[0]
    return called in there or owner in there


class faulty:  # noqa: N801 - used as a function
    """The basis of a diagnosis of a copy of a repository with the fault of an item in it."""

    def __init__(self, item: Item, folder: Path, work: Path) -> None:
        self._tree = work / item.repository
        if not self._tree.exists():
            shutil.copytree(folder, self._tree, ignore=shutil.ignore_patterns("__pycache__", "faults.toml"))
        self._file, self._item, self._index = self._tree / item.path, item, work / f"{item.repository}-index"
        self._before = self._file.read_text(encoding="utf-8")

    def __enter__(self) -> Basis:
        self._file.write_text(self._item.text, encoding="utf-8")
        return basis_of(self._tree, self._index)

    def __exit__(self, *_: object) -> None:
        self._file.write_text(self._before, encoding="utf-8")


def suspects(snapshot: Snapshot, found: Diagnosis, item: Item) -> Found:
    paths = [one.citation.rpartition(":")[0] for one in found.suspects]
    names = [f"{path}:{one.name}" for path, one in zip(paths, found.suspects, strict=True)]
    if item.distance == "an edge":
        # There the fault may be in a class, a module or a template as well.
        return list(dict.fromkeys(paths)), names
    return list(dict.fromkeys(paths)), list(dict.fromkeys(functions_among(snapshot, names)))


def functions_among(snapshot: Snapshot, names: Sequence[str]) -> Iterator[str]:
    """The functions among units, each as the outermost around it."""
    places = {f"{snapshot.paths[int(snapshot.unit_file[n])]}:{unit.name}": n for n, unit in enumerate(snapshot.units)}
    yield from outermost(snapshot, (places[name] for name in names if name in places))


def last_frame(snapshot: Snapshot, found: Diagnosis, _item: Item) -> Found:
    names = [f"{crash.citation.rpartition(':')[0]}:{crash.function}" for crash in found.crashes[:1]]
    return [name.partition(":")[0] for name in names], list(functions_among(snapshot, names))


def searched(snapshot: Snapshot, _found: Diagnosis, item: Item) -> Found:
    ranking = rank(snapshot, item.log)
    return [snapshot.paths[one] for one in ranking.files], list(dict.fromkeys(outermost(snapshot, ranking.units)))


RANKERS: Final[dict[str, Callable[[Snapshot, Diagnosis, Item], Found]]] = {
    "the last frame": last_frame,
    "the ranking": searched,
    "the suspects": suspects,
}


def print_score(name: str, score: Score) -> None:
    print(f"{name:24}{'n':>5}{'file@1':>9}{'file@5':>9}{'func@1':>9}{'func@5':>9}")
    every = [row for rows in score.rows.values() for row in rows]
    for distance, rows in [*((one, score.rows[one]) for one in DISTANCES if one in score.rows), ("all", every)]:
        shares = [100 * statistics.mean(row[column] for row in rows) for column in range(4)]
        print(f"  {distance:22}{len(rows):5}" + "".join(f"{share:9.1f}" for share in shares))


if __name__ == "__main__":
    main()
