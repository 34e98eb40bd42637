"""Further sources of truth: packages, documentation, solved issues; marked, and lower than the repository itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codebase.ask.source import FurtherSource
from codebase.ask.sources import find_everywhere
from codebase.diagnosis.issues import write_pages
from codebase.errors import NotARepository
from codebase.index.indexing import update
from codebase.tree.site_packages import find_package, version_at
from codebase.units.read import read_units
from tests.codebase.small import write

SHOP = {"shop.py": 'def sell_ware(ware):\n    """Hand over a ware."""\n', "till.py": "def open_till():\n    pass\n"}
GUIDE = {"guide.rst": "Wares\n=====\n\nHow to hand over a ware.\n\nTills\n-----\n\nHow to open a till.\n"}


@pytest.fixture
def source(tmp_path: Path) -> FurtherSource:
    update(write(tmp_path / "docs", GUIDE), tmp_path / "docs-index")
    return FurtherSource("guide", "documentation guide", tmp_path / "docs-index")


def test_a_source_is_marked_and_ranks_below_the_repository(tmp_path: Path, source: FurtherSource) -> None:
    root = write(tmp_path / "shop", SHOP)
    first, *others = find_everywhere(root, tmp_path / "index", [source], "hand over a ware").hits
    assert (first.citation, first.source) == ("shop.py:1-2", "")
    marked = next(hit for hit in others if hit.source)
    assert (marked.citation, marked.source) == ("@guide/guide.rst:1-5", "documentation guide")
    assert marked.reasons[0] == "documentation guide" and marked.text.startswith("Wares\n=====")


@pytest.mark.parametrize(("question", "wanted"), [("what does the guide say on a ware", ()), ("hand over", ("guide",))])
def test_a_source_that_is_asked_for_is_not_lowered(
    question: str, wanted: tuple[str, ...], tmp_path: Path, source: FurtherSource
) -> None:
    root = write(tmp_path / "shop", SHOP)
    lowered = find_everywhere(root, tmp_path / "index", [source], "hand over a ware").hits
    asked = find_everywhere(root, tmp_path / "index", [source], question, wanted=wanted).hits
    best = [max(hit.score for hit in hits if hit.source) for hits in (lowered, asked)]
    assert best[1] > 1.5 * best[0]


def test_a_source_without_an_index_is_passed_over(tmp_path: Path) -> None:
    missing = FurtherSource("gone", "documentation gone", tmp_path / "nothing")
    assert find_everywhere(write(tmp_path / "shop", SHOP), tmp_path / "index", [missing], "ware").hits


RST = """\
====
Shop
====

Intro.

Wares
=====

.. code:: python

    a = 1
    -----

Nails
-----

Sharp.

Tills
=====
"""


def test_a_unit_of_restructured_text_is_a_section() -> None:
    units = read_units("guide.rst", RST).units
    assert [(one.name, one.first, one.ancestors) for one in units] == [
        ("Shop", 1, ""),
        ("Wares", 7, "Shop"),
        ("Nails", 15, "Shop > Wares"),
        ("Tills", 20, "Shop"),
    ]
    assert [one.kind for one in read_units("plain.rst", "No title.\n").units] == ["window"]


def installed(place: Path, name: str, version: str) -> Path:
    """A package as pip leaves it."""
    dist = f"{name}-{version}.dist-info"
    files = {
        f"{dist}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{dist}/RECORD": f"{name}/__init__.py,,\n{name}/deep/a.py,,\n{dist}/METADATA,,\n",
        f"{name}/__init__.py": "",
        f"{name}/deep/a.py": "def nail():\n    pass\n",
    }
    return write(place, files)


def test_a_package_is_that_of_the_projects_own_environment(tmp_path: Path) -> None:
    place = installed(tmp_path / ".venv" / "lib" / "python3.11" / "site-packages", "hammer", "1.2")
    found = find_package(tmp_path, "hammer")
    assert (found.name, found.version, found.root) == ("hammer", "1.2", place / "hammer")
    assert find_package(tmp_path, "pytest").version == pytest.__version__
    for name, own in (("no-such-package", True), ("pytest", False)):
        with pytest.raises(NotARepository, match="not installed"):
            find_package(tmp_path, name, own)


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("METADATA", b"Metadata-Version: 2.1\nName: hammer\n", ""),
        ("RECORD", b"hammer/__init__.py,,many\n", None),
        ("METADATA", b"\xff\xfe", None),
    ],
)
def test_a_package_with_damaged_facts_is_no_fault(file: str, text: bytes, version: str | None, tmp_path: Path) -> None:
    place = installed(tmp_path / ".venv" / "lib" / "python3.11" / "site-packages", "hammer", "1.2")
    (place / "hammer-1.2.dist-info" / file).write_bytes(text)
    if version is None:
        with pytest.raises(NotARepository, match="not installed"):
            find_package(tmp_path, "hammer")
    else:
        assert find_package(tmp_path, "hammer").version == version_at(place / "hammer", "hammer") == version


ISSUES: list[dict[str, Any]] = [
    {"number": 7, "title": "KeyError: 'till'", "body": "It is closed.", "comments": [{"body": "Open the till first."}]},
    {"error": "TypeError in sell_ware", "solution": "Pass a ware."},
    {"title": "no solution"},
]


SEPARATED = "\n".join(json.dumps({**issue, "by": "a\u2028b\x85"}, ensure_ascii=False) for issue in ISSUES)
"""Of more than one line, but only for Unicode."""


@pytest.mark.parametrize(
    "text", [json.dumps(ISSUES), json.dumps({"issues": ISSUES}), "\n".join(map(json.dumps, ISSUES)), SEPARATED]
)
def test_solved_issues_become_pages(text: str, tmp_path: Path) -> None:
    (tmp_path / "issues.json").write_text(text)
    assert write_pages(tmp_path / "issues.json", tmp_path / "pages") == 2
    first, second = sorted((tmp_path / "pages").iterdir())
    assert (first.name, second.name) == ("00001-7-keyerror-till.md", "00002-typeerror-in-sell-ware.md")
    assert first.read_text() == "# KeyError: 'till'\n\nIt is closed.\n\n## Solution\n\nOpen the till first.\n"


@pytest.mark.parametrize("text", ["", "{", "7", "[]", '[{"title": "a"}]', "[" * 100_000])
def test_what_is_no_export_is_said(text: str, tmp_path: Path) -> None:
    (tmp_path / "issues.json").write_text(text)
    with pytest.raises(NotARepository, match="issues"):
        write_pages(tmp_path / "issues.json", tmp_path / "pages")
