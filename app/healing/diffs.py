"""Applies a unified diff that a model wrote: strictly first, then with bounded fuzz.

Models rarely get line numbers right, so a hunk is found by its lines. Strictly: all its old lines occur once, or the
place nearest to its line number counts. With fuzz: up to two context lines at either end may differ, and so may white
space at the ends of lines. More is never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

FUZZ: Final = 2
HEADER: Final = re.compile(r"^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?")


class DoesNotApply(Exception):
    """A diff does not fit the snippet; the message names the hunk and can be sent to the model."""


@dataclass(frozen=True)
class _DiffLine:
    mark: str
    """` ` context, `-` taken away, `+` added."""
    text: str


@dataclass(frozen=True)
class _DiffHunk:
    start: int | None
    """The line number in its header, from 1."""
    lines: list[_DiffLine]


def apply_diff(snippet: str, diff: str) -> str:
    """The snippet with the diff applied, ending in a newline; raises DoesNotApply."""
    hunks = _hunks(diff)
    if not any(line.mark in "+-" for hunk in hunks for line in hunk.lines):
        raise DoesNotApply("the diff has no hunk (lines after `@@ ... @@`)")
    lines = snippet.rstrip("\n").split("\n")
    moved = 0
    for number, hunk in enumerate(hunks, 1):
        if not any(line.mark in "+-" for line in hunk.lines):
            continue
        lines, moved = _apply(lines, hunk, number, moved)
    changed = "\n".join(lines).rstrip("\n") + "\n"
    if changed == snippet.rstrip("\n") + "\n":
        raise DoesNotApply("the diff changes nothing")
    return changed


def _hunks(diff: str) -> list[_DiffHunk]:
    written = diff.split("\n")
    # A diff of one place may come without a header.
    hunks: list[_DiffHunk] = [] if any(map(HEADER.match, written)) else [_DiffHunk(None, [])]
    for line in written:
        header = HEADER.match(line)
        if header:
            hunks.append(_DiffHunk(int(header[1]) if header[1] else None, []))
        elif not hunks or line.startswith(("--- ", "+++ ", "\\ ", "diff --git", "index ")):
            continue
        elif line[:1] in ("+", "-", " "):
            hunks[-1].lines.append(_DiffLine(line[0], line[1:]))
        else:
            # A context line that lost its leading blank.
            hunks[-1].lines.append(_DiffLine(" ", line))
    for hunk in hunks:
        while hunk.lines and hunk.lines[-1] == _DiffLine(" ", ""):
            hunk.lines.pop()
    return hunks


def _apply(lines: list[str], hunk: _DiffHunk, number: int, moved: int) -> tuple[list[str], int]:
    expected = (hunk.start or 1) - 1 + moved
    for cut in _fuzzes(hunk.lines):
        part = hunk.lines[cut[0] : len(hunk.lines) - cut[1]]
        old = [line.text for line in part if line.mark != "+"]
        for loosely in (False, True):
            if not old:
                break
            places = _places(lines, old, loosely)
            if not places or (len(places) > 1 and hunk.start is None):
                continue
            place = min(places, key=lambda place: abs(place - expected - cut[0]))
            new = _new_lines(lines[place : place + len(old)], part)
            return [*lines[:place], *new, *lines[place + len(old) :]], moved + len(new) - len(old)
    if all(line.mark == "+" for line in hunk.lines) and hunk.start is not None:
        # Without old lines the header names the line before the new ones; 0 is the beginning.
        place = min(max(hunk.start + moved, 0), len(lines))
        return [*lines[:place], *(line.text for line in hunk.lines), *lines[place:]], moved + len(hunk.lines)
    raise DoesNotApply(_why(lines, hunk, number))


def _fuzzes(lines: list[_DiffLine]) -> list[tuple[int, int]]:
    """The numbers of context lines to leave out at the beginning and the end, the fewest first."""
    leading = next((index for index, line in enumerate(lines) if line.mark != " "), len(lines))
    trailing = next((index for index, line in enumerate(reversed(lines)) if line.mark != " "), len(lines))
    cuts = [(top, end) for top in range(min(FUZZ, leading) + 1) for end in range(min(FUZZ, trailing) + 1)]
    return sorted(cuts, key=sum)


def _places(lines: list[str], old: list[str], loosely: bool) -> list[int]:
    """The places of the old lines."""

    def same(line: str, wanted: str) -> bool:
        return line.rstrip() == wanted.rstrip() if loosely else line == wanted

    return [
        start
        for start in range(len(lines) - len(old) + 1)
        if all(same(lines[start + index], wanted) for index, wanted in enumerate(old))
    ]


def _new_lines(old: list[str], part: list[_DiffLine]) -> list[str]:
    """The lines that replace the old ones: context keeps the text of the snippet."""
    there = iter(old)
    new: list[str] = []
    for line in part:
        if line.mark == "+":
            new.append(line.text)
            continue
        kept = next(there)
        if line.mark == " ":
            new.append(kept)
    return new


def _why(lines: list[str], hunk: _DiffHunk, number: int) -> str:
    old = [line.text for line in hunk.lines if line.mark != "+"]
    standing = {line.rstrip() for line in lines}
    missing = next((text for text in old if text.rstrip() not in standing), None)
    if missing is not None:
        return f"hunk {number} does not apply: the snippet has no line `{missing.strip()}`"
    if len(_places(lines, old, loosely=True)) > 1:
        return f"hunk {number} does not apply: its lines occur at several places; give it more context"
    return f"hunk {number} does not apply: its lines do not occur together like that in the snippet"
