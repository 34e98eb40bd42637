"""Makes failing programs with known faults: mutants of repositories with tests, and the errors that their tests raise."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bench.mutants import Mutant, mutants
from codebase.units.python import python_units

TIMEOUT_S: Final = 60
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
    called: list[str]
    """What the crash line calls, as `path:name`: seen while it ran."""


def items_of(root: Path, sources: str, tests: Sequence[str], python: str, most: int, seed: int) -> Iterator[Item]:
    """Failing mutants of a repository, at most `most`, each in a function of its own. The folder is not changed."""
    chosen = random.Random(seed)
    with tempfile.TemporaryDirectory() as work:
        tree = Path(work) / root.name
        shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".git", "__pycache__"))
        commit = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout
        files = [path for path in sorted((tree / sources).rglob("*.py")) if "test" not in path.name]
        every = [(path, one) for path in files for one in mutants(path.read_text(encoding="utf-8"))]
        chosen.shuffle(every)
        found = 0
        done: set[Place] = set()
        for path, mutant in every:
            place = (path.name, mutant.function)
            if found >= most:
                return
            if place in done:
                continue
            done.add(place)
            item = tried(tree, path, mutant, tests, python, root.name, commit.strip())
            if item is not None:
                found += 1
                print(f"{root.name} {found}/{most} {item.distance}: {item.path} {item.function}", file=sys.stderr)
                yield item


def tried(
    tree: Path, path: Path, mutant: Mutant, tests: Sequence[str], python: str, name: str, commit: str
) -> Item | None:
    """The first error that a mutant causes in the sources; None if its tests pass, or only a test notices."""
    before = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.text, encoding="utf-8")
        failed = ran(tree, [*tests, "--maxfail=3"], python, calls=False)
        rows = ran(tree, [failed["test"]], python, calls=True) if failed else None
    finally:
        path.write_text(before, encoding="utf-8")
    if rows is None or not rows["frames"]:
        return None
    relative = path.relative_to(tree).as_posix()
    distance, called = measured(tree, relative, mutant, rows, path)
    log = rows["log"].replace(f"{tree}/", f"/home/somebody/{name}/")
    return Item(name, commit, relative, mutant.function, mutant.kind, distance, mutant.text, log, called)


def ran(tree: Path, arguments: Sequence[str], python: str, calls: bool) -> dict[str, Any] | None:
    """What the first test that failed in the sources wrote down."""
    record = tree.parent / "record.jsonl"
    record.unlink(missing_ok=True)
    plain = ("-q", "-p", "bench.recorder", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "filterwarnings=", "--tb=no")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (tree, tree / "src", Path(__file__).parents[1]))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "RECORD": str(record),
        "RECORD_ROOT": str(tree),
        "RECORD_CALLS": "1" if calls else "",
    }
    command = [python, "-m", "pytest", *plain, *arguments]
    try:
        subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return None
    lines = record.read_text().splitlines() if record.exists() else []
    found: dict[str, Any] | None = json.loads(lines[0]) if lines else None
    return found


def measured(tree: Path, relative: str, mutant: Mutant, row: dict[str, Any], path: Path) -> tuple[str, list[str]]:
    """How far the fault is from the frames, and what the crash line called."""
    names = Names(tree, {path: mutant.text})
    frames = [(names.at(file, line), file, line) for file, line, _ in row["frames"]]
    crash, crash_file, crash_line = frames[-1]
    fault = (relative, mutant.function)
    onward: dict[Place, set[Place]] = {}
    called: set[Place] = set()
    for file, _first, line, target_file, target_line in row["calls"]:
        target = names.at(target_file, target_line)
        onward.setdefault(names.at(file, line), set()).add(target)
        if (file, line) == (crash_file, crash_line):
            called.add(target)
    shown = sorted(f"{one}:{name}" for one, name in called - {crash} if name)
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
            self._spans[file] = [(one.first, one.last, one.name) for one in units if one.kind in ("function", "method")]
        holding = [span for span in self._spans[file] if span[0] <= line <= span[1]]
        name = min(holding, key=lambda span: (span[0], -span[1]))[2] if holding else ""
        return Path(file).relative_to(self._tree).as_posix(), name
