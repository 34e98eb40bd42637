"""What a model is shown for a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from codebase.ask.passages import PassageSelection, read_for
from codebase.ask.source import FurtherSource
from tests.codebase.small import write

LONG = "".join(f"def step_{number}(ware):\n    return ware + {number}\n\n\n" for number in range(60))
FILES = {
    "shop.py": 'def sell_ware(ware):\n    """Hand over a ware."""\n    return ware\n',
    "steps.py": LONG,
    ".env": "WARE=secret\n",
    "README.md": "# Shop\n\nWares are sold here.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


def read(
    root: Path, question: str, room: int = 20_000, most: int = 12, sources: tuple[FurtherSource, ...] = ()
) -> PassageSelection:
    return read_for(root, root.parent / "index", sources, question, most, room)


def test_lines_are_numbered_and_the_structure_is_there(root: Path) -> None:
    reading = read(root, "who hands over a ware")
    assert reading.passages[0].citation == "shop.py:1-3"
    assert reading.passages[0].text.startswith("1| def sell_ware(ware):\n2| ")
    assert "shop.py" in reading.structure and ".env" not in reading.structure
    assert not any("secret" in one.text for one in reading.passages)


def test_a_named_file_comes_first_and_is_capped(root: Path) -> None:
    whole = read(root, "what happens in steps.py to a ware", 40_000).passages[0]
    assert (whole.citation, whole.reasons) == ("steps.py:1-240", ("named in the question",))
    capped = read(root, "what happens in steps.py to a ware", 4000)
    assert capped.passages[0].first == 1 and 1000 > len(capped.passages[0].text) > 500
    assert sum(len(one.text) for one in capped.passages if one.path == "steps.py") < 2000


def test_what_does_not_fit_is_counted(root: Path) -> None:
    reading = read(root, "step ware", 1500, most=50)
    said = sum(len(one.text) for one in reading.passages) + len(reading.structure)
    assert reading.left_out > 0 and said < 1500 and reading.structure


def test_no_passage_holds_another(root: Path) -> None:
    reading = read(root, "steps.py step_7 ware")
    assert reading.passages[0].citation.startswith("steps.py:1-")
    spans = [(one.path, one.first, one.last) for one in reading.passages]
    assert not any(a != b and a[0] == b[0] and a[1] <= b[1] and b[2] <= a[2] for a in spans for b in spans)
