"""The units of files that are not programs.

Sections of Markdown and reStructuredText, keys of TOML, YAML and JSON, windows of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from codebase.units.unit import Kind, ParsedFile, Unit

WINDOW_LINES: Final = 60
FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")
HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
ADORNMENT: Final = re.compile(r"([!-/:-@\[-`{-~])\1*\s*$")
"""A line of one punctuation mark, which in reStructuredText stands under a title, or above and under it."""
KEYS: Final = {
    "toml": re.compile(r"\[+\s*([^\]]+?)\s*\]+|([\w.\-\"']+)\s*="),
    "yaml": re.compile(r"([\w.\-/\"']+)\s*:(?:\s|$)"),
}


def section_units(lines: Sequence[str]) -> ParsedFile:
    """One unit per heading of Markdown, with the headings above it as ancestors."""
    starts: list[tuple[int, str, str]] = []
    trail: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(lines, 1):
        mark = FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = None if fence else HEADING.match(line)
        if heading:
            trail = [above for above in trail if above[0] < len(heading[1])]
            starts.append((number, heading[2], " > ".join(name for _, name in trail)))
            trail.append((len(heading[1]), heading[2]))
    return ParsedFile("markdown", tuple(between(starts, lines, "section")))


def titled_units(lines: Sequence[str]) -> ParsedFile:
    """One unit per title of reStructuredText; the marks that come first in a file are the outer ones."""
    starts: list[tuple[int, str, str]] = []
    trail: list[tuple[int, str]] = []
    styles: list[str] = []
    for number, style, title in titles(lines):
        level = styles.index(style) if style in styles else len(styles)
        styles += [style] if style not in styles else []
        trail = [above for above in trail if above[0] < level]
        starts.append((number, title, " > ".join(name for _, name in trail)))
        trail.append((level, title))
    return ParsedFile("rst", tuple(between(starts, lines, "section")))


def titles(lines: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """The titles of reStructuredText: the first line of each, its marks, its words."""
    for place in range(1, len(lines)):
        title, mark = lines[place - 1].rstrip(), ADORNMENT.match(lines[place])
        if not mark or not title or ADORNMENT.match(title) or len(lines[place].rstrip()) < max(2, len(title)):
            continue
        before = lines[place - 2].rstrip() if place > 1 else ""
        above = bool(before) and before == lines[place].rstrip()
        if above or not (before or title.startswith(" ")):
            yield place - above, mark[1] + mark[1] * above, title.strip()


def key_units(lines: Sequence[str], language: str) -> ParsedFile:
    """One unit per table or top-level key of TOML and YAML, and per key of a JSON object."""
    if language == "json":
        starts = [(line, name, "") for line, name in json_keys("\n".join(lines))]
    else:
        matches = ((number, KEYS[language].match(line)) for number, line in enumerate(lines, 1))
        starts = [(number, next(filter(None, match.groups())), "") for number, match in matches if match]
        if language == "toml":
            first = next((number for number, line in enumerate(lines, 1) if is_table(line)), len(lines) + 1)
            starts = [start for start in starts if start[0] < first or is_table(lines[start[0] - 1])]
    lone = {number: (number, name, above) for number, name, above in reversed(starts)}
    if not lone:
        return window_units(lines, language)
    return ParsedFile(language, tuple(between(sorted(lone.values()), lines, "key")))


def is_table(line: str) -> bool:
    return line.startswith("[")


def json_keys(text: str) -> Iterator[tuple[int, str]]:
    """The keys of the outermost object, each with its line."""
    depth, place, line = 0, 0, 1
    for match in re.finditer(r'"(?:[^"\\\n]|\\.)*"|[{}\[\]]', text):
        token = match[0]
        if token in "{[":
            depth += 1
        elif token in "}]":
            depth -= 1
        elif depth == 1 and text[match.end() : match.end() + 3].lstrip().startswith(":"):
            line += text.count("\n", place, match.start())
            place = match.start()
            yield line, token.strip('"')


def between(starts: Sequence[tuple[int, str, str]], lines: Sequence[str], kind: Kind) -> Iterator[Unit]:
    """A unit from each start to the next, and one for the lines before the first."""
    if lines and (not starts or starts[0][0] > 1):
        yield Unit("", "window", 1, starts[0][0] - 1 if starts else len(lines))
    ends = [*(line - 1 for line, _, _ in starts[1:]), len(lines)]
    for (first, name, above), last in zip(starts, ends, strict=False):
        yield Unit(name[:200], kind, first, max(first, last), signature=name[:200], ancestors=above)


def window_units(lines: Sequence[str], language: str = "text") -> ParsedFile:
    """One unit per sixty lines."""
    spans = range(1, len(lines) + 1, WINDOW_LINES)
    units = (Unit("", "window", first, min(first + WINDOW_LINES - 1, len(lines))) for first in spans)
    return ParsedFile(language, tuple(units))
