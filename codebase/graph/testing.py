"""Tests of each unit: those that use it in code, and those that are named after it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from codebase.graph.code import Code, CodeFile
from codebase.graph.edge import Edge

TEST: Final = re.compile(
    r"(^|/)(tests?|testing|__tests__|spec)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$|\.(test|spec)\."
)
DIRECT: Final = ("calls", "uses", "imports", "runs", "links")
TESTING: Final = re.compile(r"^tests?_|_tests?$")
NAMED: Final = re.compile(r"(?:test_?|Test)(\w+)")


def is_test(path: str) -> bool:
    """True if a file holds tests, by its path."""
    return TEST.search(path) is not None


def test_edges(code: Code, edges: Iterable[Edge]) -> Iterator[Edge]:
    """Edges from test to unit: for every call, use or import of code, and by name in the files that a test needs."""
    tests = {file.path for file in code.files.values() if is_test(file.path)}
    needed: dict[str, set[str]] = defaultdict(set)
    reached: set[tuple[int, int]] = set()
    for edge in edges:
        here, there = code.owner(edge.source).path, code.owner(edge.target).path
        if here in tests and there not in tests:
            needed[here].add(there)
            if edge.kind in DIRECT:
                reached.add((edge.source, edge.target))
                yield edge._replace(kind="tests")
    stems = stems_of(code, tests)
    for path in tests:
        names = names_of(code, needed[path] | stems.get(plain(TESTING.sub("", stem_of(path))), set()))
        for source, name in tested_names(code.files[path]):
            targets = names.get(name, [])
            if len(targets) == 1 and (source, targets[0]) not in reached:
                yield Edge(source, targets[0], "tests", "by name", code.units[source].first)


def stem_of(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def stems_of(code: Code, tests: set[str]) -> dict[str, set[str]]:
    """The files without tests by their plain names, so that `test_paint.py` is about `paint.py`."""
    files: dict[str, set[str]] = defaultdict(set)
    for path in code.files.keys() - tests:
        files[plain(stem_of(path))].add(path)
    return files


def names_of(code: Code, paths: Iterable[str]) -> dict[str, list[int]]:
    """The functions and classes of some files by their plain names."""
    units: dict[str, list[int]] = defaultdict(list)
    for path in paths:
        file = code.files[path]
        for place, unit in enumerate(file.units):
            if unit.kind in ("function", "class", "method"):
                units[plain(unit.name.rpartition(".")[2])].append(file.first + place)
    return units


def tested_names(file: CodeFile) -> Iterator[tuple[int, str]]:
    """The tests of a file, each with the plain name that it is named after."""
    for place, unit in enumerate(file.units):
        named = NAMED.fullmatch(unit.name.rpartition(".")[2])
        if named and unit.kind in ("function", "class", "method"):
            yield file.first + place, plain(named[1])


def plain(name: str) -> str:
    return name.replace("_", "").lower()
