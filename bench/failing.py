"""Makes failing programs with known faults: mutants of repositories, and the errors that their tests raise."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bench.mutants import Mutant, mutants
from codebase.units.python import python_units

TIMEOUT_S: Final = 20
SHARES: Final = 4
"""No distance has more than one in so many of the items."""
LINES: Final = 12
TESTS: Final = 10
"""Tests that are tried per fault."""
Place = tuple[str, str]
"""Path and name of a function."""


@dataclasses.dataclass(frozen=True)
class Item:
    """A log with a known fault: the file with the fault, the function, how far it is from the frames of the log."""

    repository: str
    commit: str
    path: str
    function: str
    kind: str
    distance: str
    """crash line, crash function, frame, one call, two calls, further."""
    text: str
    """The file with the fault."""
    log: str
    lines: list[tuple[str, int, list[str]]]
    """Lines that ran before the error, and what each called, as `path:name`."""


def items_of(root: Path, sources: str, tests: Sequence[str], python: str, most: int, seed: int) -> Iterator[Item]:
    """Failing mutants of a repository, at most `most`, each in a function of its own. The folder is not changed."""
    chosen = random.Random(seed)
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work) / root.name
        shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        commit = subprocess.run(
            ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout
        files = [path for path in sorted((tree / sources).rglob("*.py")) if "test" not in path.name]
        every = [(path, one) for path in files for one in mutants(path.read_text(encoding="utf-8"))]
        chosen.shuffle(every)
        passing = Passing(tree, tests, python)
        found: Counter[str] = Counter()
        done: set[Place] = set()
        for path, mutant in every:
            place = (path.name, mutant.function)
            if found.total() >= most:
                return
            if place in done:
                continue
            done.add(place)
            passing.enough = {distance for distance, count in found.items() if count >= -(-most // SHARES)}
            item = tried(passing, path, mutant, root.name, commit.strip())
            if item is not None:
                found[item.distance] += 1
                print(
                    f"{root.name} {found.total()}/{most} {item.distance}: {item.path} {item.function}", file=sys.stderr
                )
                yield item


class Passing:
    """The tests of a repository that raise nothing in its sources as they are."""

    def __init__(self, tree: Path, tests: Sequence[str], python: str) -> None:
        self.tree, self._python = tree, python
        self.enough: set[str] = set()
        """Distances of which there are items enough."""
        rows = self.ran(tests, "all", timeout_s=10 * TIMEOUT_S)
        failing = {row["test"] for row in rows if "log" in row}
        names = Names(tree, {})
        self._reaching: dict[Place, list[str]] = {}
        for row in rows:
            for file, line in row.get("reached", []) if row["test"] not in failing else ():
                self._reaching.setdefault(names.at(file, line), []).append(row["test"])

    def first(self, function: Place) -> dict[str, Any] | None:
        """The first error that tests which reach a function raise now, with the calls before it."""
        reaching = self._reaching.get(function, [])
        tests = random.Random(7).sample(reaching, min(len(reaching), TESTS))
        rows = self.ran([*tests, "--maxfail=4"], "") if tests else []
        return next(iter(self.ran([rows[0]["test"]], "failed")), None) if rows else None

    def ran(self, arguments: Sequence[str], calls: str, timeout_s: int = TIMEOUT_S) -> list[dict[str, Any]]:
        """The records of the tests that failed in the sources."""
        record = self.tree.parent / "record.jsonl"
        record.unlink(missing_ok=True)
        options = (
            "-p",
            "bench.recorder",
            "-p",
            "no:cacheprovider",
            "-o",
            "addopts=",
            "-o",
            "filterwarnings=",
            "--tb=no",
        )
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (self.tree, self.tree / "src", Path(__file__).parents[1]))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "RECORD": str(record),
            "RECORD_ROOT": str(self.tree),
            "RECORD_CALLS": calls,
        }
        command = [self._python, "-m", "pytest", "-q", *options, *arguments]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, timeout=timeout_s, check=False)
        return [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []


def tried(passing: Passing, path: Path, mutant: Mutant, name: str, commit: str) -> Item | None:
    """The first error that a mutant causes in the sources; None if its tests pass, or only a test notices."""
    tree = passing.tree
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.text, encoding="utf-8")
        row = passing.first((path.relative_to(tree).as_posix(), mutant.function))
    finally:
        path.write_text(before, encoding="utf-8")
    if row is None or not row["frames"]:
        return None
    relative = path.relative_to(tree).as_posix()
    distance, lines = measured(tree, relative, mutant, row, path)
    if distance in passing.enough:
        return None
    log = row["log"].replace(f"{tree}/", f"/home/somebody/{name}/")
    return Item(name, commit, relative, mutant.function, mutant.kind, distance, mutant.text, log, lines)


def measured(
    tree: Path, relative: str, mutant: Mutant, row: dict[str, Any], path: Path
) -> tuple[str, list[tuple[str, int, list[str]]]]:
    """The distance of the fault from the frames, and the calls on some lines."""
    names = Names(tree, {path: mutant.text})
    frames = [(names.at(file, line), file, line) for file, line, _ in row["frames"]]
    crash, _, crash_line = frames[-1]
    fault = (relative, mutant.function)
    onward: dict[Place, set[Place]] = {}
    called: dict[tuple[str, int], set[str]] = {}
    for file, _first, line, target_file, target_line in row["calls"]:
        target = names.at(target_file, target_line)
        onward.setdefault(names.at(file, line), set()).add(target)
        if target[1]:
            called.setdefault((Path(file).relative_to(tree).as_posix(), line), set()).add(":".join(target))
    every = [(file, line, sorted(names)) for (file, line), names in sorted(called.items()) if "test" not in file]
    shown = random.Random(len(every)).sample(every, min(len(every), LINES))
    if fault == crash:
        return ("crash line" if mutant.line == crash_line else "crash function"), shown
    if fault in {place for place, _, _ in frames}:
        return "frame", shown
    steps = steps_to(fault, [place for place, _, _ in frames], onward)
    return {1: "one call", 2: "two calls"}.get(steps, "further"), shown


def steps_to(fault: Place, starts: Sequence[Place], onward: dict[Place, set[Place]]) -> int:
    """The fewest calls from any frame to the fault; 0 if there is no way."""
    queue = deque((place, 0) for place in starts)
    seen = set(starts)
    while queue:
        place, steps = queue.popleft()
        if place == fault:
            return steps
        for one in onward.get(place, set()) - seen:
            seen.add(one)
            queue.append((one, steps + 1))
    return 0


class Names:
    """The outermost function at a line of a file."""

    def __init__(self, tree: Path, texts: dict[Path, str]) -> None:
        self._tree, self._texts = tree, texts
        self._spans: dict[str, list[tuple[int, int, str]]] = {}

    def at(self, file: str, line: int) -> Place:
        if file not in self._spans:
            text = self._texts.get(Path(file)) or Path(file).read_text(encoding="utf-8")
            units = python_units(text, text.split("\n")).units
            # A decorated function begins at its decorator for Python too.
            self._spans[file] = [(one.first, one.last, one.name) for one in units if one.kind in ("function", "method")]
        holding = [span for span in self._spans[file] if span[0] <= line <= span[1]]
        name = min(holding, key=lambda span: (span[0], -span[1]))[2] if holding else ""
        return Path(file).relative_to(self._tree).as_posix(), name
