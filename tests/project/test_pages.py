"""The form of the documentation: narrow lines, short pages, each page linked, each word and decision listed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
COLUMNS: Final = 120
WORDS: Final = 2000
README_LINES: Final = 120
RECORDED: Final = ROOT / "docs" / "transcripts"
"""Transcripts are written by a program, word for word: their form is that of what was said."""
GLOSSARY: Final[tuple[str, ...]] = (
    "job", "run", "attempt", "snippet", "add-on", "command", "operation", "check", "finding", "verdict", "blender",
    "worker", "report", "artifact", "symbol", "manifest", "exemplar", "heal", "repository", "unit", "edge", "citation",
    "change", "book", "diagnosis", "engine",
)  # fmt: skip
STATE: Final = r"in force|(?:amended|superseded) by \d{4}(?:, \d{4})*"
DATED: Final = re.compile(r"\b20\d\d-\d\d-\d\d, commits? [0-9a-f]{8}\b")
LINK: Final = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$", re.MULTILINE)


def pages() -> dict[Path, str]:
    """The pages that people write, by path."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {path: path.read_text(encoding="utf-8") for path in paths if RECORDED not in path.parents}


def wide_lines(text: str) -> list[int]:
    """The numbers of the lines that are too wide."""
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > COLUMNS]


def is_long(text: str) -> bool:
    return len(text.split()) > WORDS


def links(page: Path, text: str) -> Iterator[tuple[Path, str]]:
    """The files that a page links to, with the heading."""
    for match in LINK.finditer(text):
        place, _, heading = (match[1] or match[2]).partition("#")
        if "://" not in place:
            yield (page.parent / place).resolve() if place else page, heading


def unlinked(texts: Mapping[Path, str]) -> set[Path]:
    """The pages that no other page links to."""
    linked = {place for page, text in texts.items() for place, _ in links(page, text) if place != page}
    return {page for page in texts if page not in linked and page.name != "README.md"}


def headings(text: str) -> set[str]:
    """The headings of a page as links name them."""
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def dead_headings(texts: Mapping[Path, str]) -> list[str]:
    """The links to headings that are not there."""
    return [
        f"{page.name} -> {place.name}#{heading}"
        for page, text in texts.items()
        for place, heading in links(page, text)
        if heading and place in texts and heading not in headings(texts[place])
    ]


def unexplained(glossary: str) -> set[str]:
    """The words that the glossary lacks, or explains in more than two lines."""
    explained = re.findall(r"^- \*\*([\w-]+)\*\*: [^\n]+(?:\n  [^\n]+)?(?=\n\S|\n\n|\n?\Z)", glossary, re.MULTILINE)
    return {word for word in GLOSSARY if word not in explained}


def unlisted(index: str, decisions: Mapping[str, str]) -> set[str]:
    """The decisions that the index lacks, or lists under another title, or without a date or a state."""

    def listed(name: str, text: str) -> bool:
        number, title = name[:4], text.splitlines()[0].partition(": ")[2]
        row = rf"^\| \[{number}\] \| {re.escape(title)} \| 20\d\d-\d\d-\d\d \| (?:{STATE}) \|$"
        return bool(title and re.search(row, index, re.MULTILINE) and f"\n[{number}]: {name}\n" in index)

    return {name for name, text in decisions.items() if not listed(name, text)}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_narrow_and_short(page: Path) -> None:
    text = pages()[page]
    assert wide_lines(text) == [] and not is_long(text)


def test_wide_and_long_pages_are_found() -> None:
    narrow, word = "x" * COLUMNS, "word "
    assert wide_lines(f"{narrow}\n{narrow}x\n| {narrow} |\n") == [2, 3] and wide_lines(f"{narrow}\n{narrow}\n") == []
    assert is_long(word * (WORDS + 1)) and not is_long(word * WORDS)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_every_page_is_linked_and_every_heading_is_there() -> None:
    texts = pages()
    assert unlinked(texts) == set() and dead_headings(texts) == []
    assert all(place.exists() for page, text in texts.items() for place, heading in links(page, text) if heading)


def test_lonely_pages_and_dead_headings_are_found() -> None:
    first, second = ROOT / "docs" / "first.md", ROOT / "docs" / "second.md"
    texts = {
        ROOT / "README.md": "[one](docs/first.md#a-word-its-meaning)",
        first: "# A word: its *meaning*",
        second: "# Two",
    }
    assert unlinked(texts) == {second} and dead_headings(texts) == []
    assert unlinked({**texts, first: "[two](second.md)"}) == set()
    assert unlinked({**texts, second: "[myself](second.md)"}) == {second}
    assert dead_headings({**texts, first: "```\n# A word its meaning\n```"}) == [
        "README.md -> first.md#a-word-its-meaning"
    ]
    assert dead_headings({**texts, second: "# Two\n\n[up](#two) and [down](#too)"}) == ["second.md -> second.md#too"]


def test_the_glossary_has_each_word() -> None:
    assert unexplained((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")) == set()
    for page in ("README.md", "docs/architecture.md"):
        assert "glossary.md)" in (ROOT / page).read_text(encoding="utf-8")


def test_a_word_without_an_explanation_is_found() -> None:
    whole = "\n".join(f"- **{word}**: a word,\n  in two lines." for word in GLOSSARY)
    assert unexplained(whole) == set()
    assert unexplained(whole.replace("**run**", "**walk**")) == {"run"}
    assert unexplained(whole.replace("**unit**: a word,", "**unit**:")) == {"unit"}
    assert unexplained(whole.replace("**edge**: a word,", "**edge**: a word,\n  a line,")) == {"edge"}


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    decisions = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("[0-9]*.md")}
    assert unlisted((folder / "README.md").read_text(encoding="utf-8"), decisions) == set()
    for name, text in decisions.items():
        assert text.startswith(f"# {name[:4]}: "), f"{name}: the heading is `# NUMBER: title`"


def test_a_decision_that_is_not_listed_is_found() -> None:
    decisions = {"0001-a-way.md": "# 0001: A way\n\nThis one."}
    index = "| [0001] | A way | 2026-11-21 | amended by 0002, 0003 |\n\n[0001]: 0001-a-way.md\n"
    assert unlisted(index, decisions) == set()
    for old, new in {
        "A way |": "The way |",
        "2026-11-21": "",
        "amended by 0002, 0003": "old",
        ": 0001-a-way.md": "",
    }.items():
        assert unlisted(index.replace(old, new), decisions) == {"0001-a-way.md"}
    assert unlisted(index, {"0001-a-way.md": "# A way\n"}) == {"0001-a-way.md"}


def test_measurements_are_dated_and_listed() -> None:
    folder = ROOT / "docs" / "measurements"
    index = (folder / "README.md").read_text(encoding="utf-8")
    for page in sorted(set(folder.glob("*.md")) - {folder / "README.md"}):
        bench = ROOT / "bench" / page.stem
        assert bench.with_suffix(".py").exists(), f"{page.name} is named after no benchmark"
        assert DATED.search(page.read_text(encoding="utf-8")), f"{page.name} has no date with its commit"
        assert f"[{page.stem}]({page.name})" in index and f"`bench.{page.stem}`" in index
    benches = set(re.findall(r"`(?:python -m )?bench\.(\w+)`", index))
    assert all((ROOT / "bench" / f"{name}.py").exists() for name in benches)


def test_a_measurement_without_a_date_or_a_commit_is_found() -> None:
    assert DATED.search("*2026-11-22, commits 8ca30247 and e5614a13.*") and DATED.search(
        "*2026-11-22, commit 8ca30247;*"
    )
    assert not any(map(DATED.search, ("*2026-11-22.*", "*commit 8ca30247*", "*2026-11-22, commit of today*")))
