"""What a question leads to, and why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codebase.ask.finding import LABEL, RepositoryHits, find
from codebase.ask.question import read_question
from codebase.ask.structure import structure
from codebase.index.imports import ImportedModules
from codebase.index.snapshot import load
from codebase.index.words import terms_of
from tests.codebase.small import write

PAINT = '''\
"""Brushes and colours."""
from studio.colour import mix


class Brush:
    """Puts colour on a surface."""

    def load(self, colour):
        """Take up colour."""
        self.colour = mix(colour)

    def __call__(self, surface):
        return surface


def clean_brush(brush):
    """Wash it."""
'''
FILES = {
    "studio/__init__.py": "",
    "studio/paint.py": PAINT,
    "studio/colour.py": "def mix(colour):\n    '''Two pigments become one.'''\n    return colour\n",
    "studio/frame.py": "def hang(picture):\n    '''Put a picture on a wall.'''\n    nail = 1\n    return nail\n",
    "tests/test_paint.py": "from studio.paint import Brush\n\ndef test_clean_brush():\n    clean_brush(Brush())\n",
    "docs/paint.md": "# Clean a brush\n\nCall clean_brush, and the brush is clean: clean_brush.\n",
}


def found_in(tmp_path: Path, question: str, files: Mapping[str, str] = FILES) -> RepositoryHits:
    return find(write(tmp_path / "studio", files), tmp_path / "index", question)


def first(tmp_path: Path, question: str) -> str:
    return found_in(tmp_path, question).hits[0].name


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("how is a picture put on a wall", "hang"),
        ("clean_brush fails", "clean_brush"),
        ("cleaning the brushes fails", "clean_brush"),
        ("cleanBrush", "clean_brush"),
        ("pigments", "mix"),
        ("`Brush.load` takes no colour", "Brush.load"),
        ("Error in studio/frame.py", "hang"),
    ],
)
def test_words_and_names_lead_to_the_place(tmp_path: Path, question: str, name: str) -> None:
    assert first(tmp_path, question) == name


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        ("Where is mix defined?", ("mix",)),
        ("where is the method `Brush.load()` implemented", ("Brush.load",)),
        ("what defines the class Brush", ("Brush",)),
        ("where is the colour mixed", ()),
        ("Where is mix defined?\nIt is gone.", ()),
    ],
)
def test_what_is_sought_is_told_from_what_is_done(question: str, sought: tuple[str, ...]) -> None:
    assert read_question(question).sought == sought


def test_a_definition_that_is_asked_for_comes_before_all_that_uses_it(tmp_path: Path) -> None:
    loud = "from studio.colour import mix\n\n\ndef mix_defined(where):\n    return mix(mix(where))\n"
    assert first(tmp_path, "Where is mix defined?") == "mix"
    write(tmp_path / "studio", {f"studio/loud{n}.py": loud.replace("mix_d", f"mix_{n}_d") for n in range(9)})
    hit = found_in(tmp_path, "Where is mix defined?").hits[0]
    assert hit.name == "mix" and "its definition is asked for (place 1)" in hit.reasons
    assert first(tmp_path, "Where is Brush.load defined?") == "Brush.load"


def test_a_traceback_of_another_machine_leads_to_its_frames(tmp_path: Path) -> None:
    text = (
        "It fails:\n\nTraceback (most recent call last):\n"
        '  File "/home/someone/venv/lib/studio/paint.py", line 10, in load\n    self.colour = mix(colour)\n'
        '  File "C:\\other\\studio\\colour.py", line 3, in mix\n    return colour\nNameError: colour\n'
    )
    hits = found_in(tmp_path, text).hits
    assert [hit.name for hit in hits[:2]] == ["mix", "Brush.load"]
    assert any(reason.startswith("frame of the traceback") for reason in hits[0].reasons)


def test_tests_and_documents_come_later_unless_asked_for(tmp_path: Path) -> None:
    def place(path: str, question: str) -> int:
        return found_in(tmp_path, question).files.index(path)

    assert place("studio/paint.py", "clean_brush") == 0
    assert place("tests/test_paint.py", "the test of clean_brush") < 2 <= place("tests/test_paint.py", "clean_brush")
    assert place("docs/paint.md", "documentation of clean_brush") < 2 <= place("docs/paint.md", "clean_brush")


@pytest.mark.parametrize(("path", "is_first"), [(".github/ISSUE_TEMPLATE/bug.yml", False), ("forms/bug.yml", True)])
def test_the_form_that_an_issue_was_written_on_comes_later(tmp_path: Path, path: str, is_first: bool) -> None:
    labels = ("Describe the bug", "Steps to reproduce", "Which version of the studio", "What did you expect")
    form = "body:\n" + "".join(f"  - label: {label}\n" for label in labels)
    issue = "Not what I did expect\n" + "".join(f"### {label}\n\nThe wall.\n" for label in labels)
    hits = found_in(tmp_path, issue, FILES | {path: form}).hits
    assert hits[0].citation.startswith(f"{path}:") is is_first
    assert any(hit.citation.startswith(f"{path}:") for hit in hits)


def test_every_hit_has_lines_and_reasons_and_no_two_overlap(tmp_path: Path) -> None:
    found = found_in(tmp_path, "brush colour")
    lines = {path: text.split("\n") for path, text in FILES.items()}
    seen: set[tuple[str, int]] = set()
    assert 0 < len(found.hits) <= 12
    for hit in found.hits:
        path, _, span = hit.citation.partition(":")
        begin, end = map(int, span.split("-"))
        assert hit.reasons
        assert hit.text == "\n".join(lines[path][begin - 1 : end])
        assert not seen & {(path, line) for line in range(begin, end + 1)}
        seen |= {(path, line) for line in range(begin, end + 1)}


@pytest.mark.parametrize("question", ["zzz", "?", "\0", "the", "(" * 3000, "a" * 200_000, 'File "", line 99999999999'])
def test_no_question_is_too_strange(tmp_path: Path, question: str) -> None:
    assert found_in(tmp_path, question).hits == []


def test_an_identifier_is_its_parts_and_itself() -> None:
    assert terms_of("LatexPrinter") == ("latex", "print", "=latexprinter")
    assert terms_of("_print_HTML2Text") == ("print", "html", "2", "text", "=print_html2text")
    assert terms_of("printing") == terms_of("printer") == ("print",)
    assert terms_of("x" * 81) == ()


def test_the_first_line_of_a_question_weighs_more() -> None:
    terms = read_question(
        "latex fails\n\nwith colour in sympy/printing/latex.py\nsee https://example.org/frobnicate"
    ).terms
    assert terms["latex"] > terms["colour"] > 0
    assert not any("frobnic" in term for term in terms)


def test_imports_are_resolved_among_the_files() -> None:
    imports = {
        "src/pkg/__init__.py": [".core:Thing"],
        "src/pkg/core.py": ["os", "pkg.sub.leaf", "json:dumps"],
        "src/pkg/sub/__init__.py": [],
        "src/pkg/sub/leaf.py": ["..core:Thing", ".:other", ".....:beyond"],
        "src/pkg/sub/other.py": ["pkg:Thing"],
        "scripts/run.py": ["helper", "pkg.nothing"],
        "scripts/helper.py": [],
        "web/a.ts": ["./b", "react", "../web/c.js"],
        "web/b.tsx": [],
        "web/c.js": ["./d"],
        "web/d/index.js": [],
    }
    modules = ImportedModules(list(imports), imports)
    assert {path: modules.targets(path) for path in imports if imports[path]} == {
        "src/pkg/__init__.py": {"src/pkg/core.py"},
        "src/pkg/core.py": {"src/pkg/sub/leaf.py"},
        "src/pkg/sub/leaf.py": {"src/pkg/core.py", "src/pkg/sub/other.py"},
        "src/pkg/sub/other.py": {"src/pkg/core.py"},
        "scripts/run.py": {"scripts/helper.py"},
        "web/a.ts": {"web/b.tsx", "web/c.js"},
        "web/c.js": {"web/d/index.js"},
    }


def test_packages_that_import_each_other_in_a_circle_are_resolved() -> None:
    imports = {"a/__init__.py": ["b:x"], "b/__init__.py": ["a:x"], "use.py": ["a:x"]}
    assert ImportedModules(list(imports), imports).targets("use.py")


def test_the_structure_keeps_to_its_budget(tmp_path: Path) -> None:
    many = FILES | {f"deep/inner{n}/file{m}.py": "x = 1\n" for n in range(9) for m in range(9)}
    found_in(tmp_path, "x", many)
    snapshot = load(tmp_path / "index")
    whole, small = structure(snapshot, 100_000), structure(snapshot, 500)
    assert "studio/paint.py  17  Brushes and colours." in whole.split("\n")
    assert all(path in whole for path in many)
    assert len(small) <= 560 and "deep/  81 files, 81 lines" in small


FLIP = 'class Flip(Operator):\n\n    bl_label = "Swap Sides"\n\n    def execute(self):\n        pass\n'
SAID = 'class Other:\n    """Swap Sides."""\n\n    def execute(self):\n        pass\n'


def test_a_file_is_found_by_what_its_users_see_and_a_docstring_is_no_label(tmp_path: Path) -> None:
    files = FILES | {"flip.py": FLIP, "said.py": SAID}
    hits = {hit.name: hit for hit in found_in(tmp_path, "the Swap Sides tool", files).hits}
    assert hits["Flip"].label == "Swap Sides" and any("file: labels" in reason for reason in hits["Flip"].reasons)
    assert hits["Other"].label == "" and not any("file: labels" in reason for reason in hits["Other"].reasons)
    # Within the time of a test only if each line is looked at once.
    assert not LABEL.search("\n" * 200_000)
