"""Callers, callees, impact, tests and paths of a symbol, and what happens to the graph if a file changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from codebase.ask.finding import fresh_snapshot
from codebase.ask.relations import Asked, find_relations, way
from codebase.ask.symbols import symbol
from codebase.errors import SymbolUnclear
from codebase.graph.build import edges_of
from codebase.graph.code import Code
from codebase.graph.edge import Edge, Gap
from codebase.index import linking
from tests.codebase.small import write

FILES = {
    "studio/__init__.py": "",
    "studio/paint.py": """\
from studio.colour import mix

class Brush:
    def load(self, colour):
        return mix(colour)

    def stroke(self):
        return self.load("red")

    @property
    def size(self):
        return 1

    @size.setter
    def size(self, value):
        self.stroke()

class Wide(Brush):
    def load(self, colour):
        return colour

def main(name):
    brush = Brush()
    brush.stroke()
    brush.size = 2
    getattr(brush, name)()
""",
    "studio/colour.py": "def mix(colour):\n    return again(colour)\n\ndef again(colour):\n    return mix(colour)\n",
    "tests/test_paint.py": "from studio.paint import main\n\ndef test_main():\n    main('x')\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "repository", FILES)


def names(root: Path, folder: Path, written: str, asked: Asked, depth: int = 1) -> list[tuple[str, int]]:
    return [(one.place.name, one.depth) for one in find_relations(root, folder, written, asked, depth).relations]


def test_callers_and_callees_to_a_depth_with_a_cycle(root: Path, folder: Path) -> None:
    assert names(root, folder, "mix", "callers") == [("again", 1), ("Brush.load", 1)]
    assert names(root, folder, "mix", "callers", 3) == [
        *(("again", 1), ("Brush.load", 1)),
        *(("Brush.stroke", 2), ("Brush.size", 3), ("main", 3)),
    ]
    assert names(root, folder, "mix", "callees", 9) == [("again", 1)]
    assert ("Brush.stroke", 1) in names(root, folder, "main", "callees")


def test_an_edge_is_shown_with_its_line_and_certainty(root: Path, folder: Path) -> None:
    found = find_relations(root, folder, "Brush.stroke", "callers", 1)
    assert found.symbol.citation == "studio/paint.py:7-8"
    main = next(one for one in found.relations if one.place.name == "main")
    assert (main.line, main.certainty, main.kind) == ("studio/paint.py:24", "exact", "calls")
    assert (main.source, main.target) == ("main", "Brush.stroke")


def test_what_is_dynamic_is_said(root: Path, folder: Path) -> None:
    assert "studio/paint.py:26 getattr" in find_relations(root, folder, "main", "callees", 1).gaps


def test_a_change_reaches_what_calls_the_method_above(root: Path, folder: Path) -> None:
    reached = find_relations(root, folder, "Wide.load", "impact", 9).relations
    assert [(one.place.name, one.certainty) for one in reached][:1] == [("Brush.stroke", "inferred")]
    assert "test_main" in [one.place.name for one in reached]


def test_tests_are_found_through_calls(root: Path, folder: Path) -> None:
    assert names(root, folder, "main", "tests") == [("test_main", 1)]
    assert names(root, folder, "again", "tests", 9) == [("test_main", 5)]
    assert names(root, folder, "again", "tests", 2) == []


def test_the_parts_of_a_property_are_one_symbol(root: Path, folder: Path) -> None:
    assert names(root, folder, "Brush.size", "callers") == [("main", 1)]


def test_a_path_is_a_chain_of_calls(root: Path, folder: Path) -> None:
    steps = way(root, folder, "test_main", "studio/colour.py:again").steps
    assert [one.place.name for one in steps] == ["main", "Brush.stroke", "Brush.load", "mix", "again"]
    assert [one.place.name for one in way(root, folder, "main", "Wide.load").steps] == [
        "Brush.stroke",
        "Brush.load",
        "Wide.load",
    ]
    assert way(root, folder, "mix", "main").steps == []


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("mix", "mix"),
        ("Brush.load", "Brush.load"),
        ("studio.paint.Brush", "Brush"),
        ("studio/paint.py:Wide", "Wide"),
        ("studio/paint.py::Wide", "Wide"),
        ("studio/paint.py:5", "Brush.load"),
        ("studio/paint.py", ""),
        ("studio.paint", ""),
    ],
)
def test_a_symbol_is_written_in_several_ways(root: Path, folder: Path, written: str, name: str) -> None:
    snapshot, _ = fresh_snapshot(root, folder)
    assert snapshot.units[symbol(snapshot, written)].name == name


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "load",
            "load may be one of 2; write one of these:\n  studio/paint.py:Brush.load\n  studio/paint.py:Wide.load",
        ),
        ("Brush.lod", "There is no symbol Brush.lod in the repository. These are spelled like it:\n  studio/paint.py:"),
        ("studio/paint.py:9999", "There is no symbol studio/paint.py:9999"),
        ("zzz", "There is no symbol zzz in the repository. `blendproof repo search` finds places by words."),
        ("", "There is no symbol"),
    ],
)
def test_an_unclear_symbol_is_refused(root: Path, folder: Path, written: str, said: str) -> None:
    snapshot, _ = fresh_snapshot(root, folder)
    with pytest.raises(SymbolUnclear) as raised:
        symbol(snapshot, written)
    assert str(raised.value).startswith(said)


def test_edges_are_kept_until_a_file_changes(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Code] = []

    def counted(code: Code) -> tuple[list[Edge], list[Gap]]:
        made.append(code)
        return edges_of(code)

    monkeypatch.setattr(linking, "edges_of", counted)
    first = names(root, folder, "mix", "callers")
    assert names(root, folder, "mix", "callers") == first and len(made) == 1
    write(root, {"studio/colour.py": "# moved down\n\n" + FILES["studio/colour.py"], "new.py": "def new(): pass\n"})
    assert names(root, folder, "mix", "callers") == first and len(made) == 2
    (root / "studio/paint.py").unlink()
    assert names(root, folder, "mix", "callers") == [("again", 1)]
