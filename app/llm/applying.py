"""Applies the edits that a model wrote to the texts of files.

A unit replaces the unit of its name, a hunk of a diff the lines that it quotes. Models rarely get line numbers right,
so a hunk is found by its lines: exactly, then without regard for white space at their ends, then with fewer lines of
context. `FORGIVEN` in `edits.py` lists all that is forgiven; more is never guessed.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.llm.answers import AnswerUnusable
from app.llm.edits import FileEdit, ModelEdit, UnitEdit, without_fence

FUZZ: Final = 2
"""Most lines of context at either end of a hunk that may be missing in the file."""
HEADS: Final = re.compile(r"\A\s*(?:(?:---|\+\+\+) .*\n)*")
HEADER: Final = re.compile(r"^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?", re.MULTILINE)
NO_LINES: Final = re.compile(r"(?:\\ |index [0-9a-f]+\.\.|new file mode |diff --git ).*")
"""Lines of a diff that are no lines of a file."""
BOM: Final = "\ufeff"
AGAIN: Final = "Write the diff again for the text as it is now, or write it whole"

Spans = Callable[[str, str, str], Sequence[tuple[int, int]]]
"""Finds the units of a name in a file, by its path and its text: their first and last lines, from 1."""


@dataclass(frozen=True)
class WrittenHunk:
    """A hunk as a model wrote it: each line with its mark, which is ` `, `-` or `+`."""

    start: int | None
    """The line number in its header, from 1."""
    lines: list[tuple[str, str]]

    @property
    def changes(self) -> bool:
        return any(mark != " " for mark, _ in self.lines)

    @property
    def has_context(self) -> bool:
        return any(mark == " " and text.strip() for mark, text in self.lines)

    @property
    def old(self) -> list[str]:
        return [text for mark, text in self.lines if mark != "+"]

    def replacing(self, old: Sequence[str]) -> list[str]:
        """The new lines: those of context keep the text of the file."""
        there = iter(old)
        kept = ((mark, text if mark == "+" else next(there)) for mark, text in self.lines)
        return [text for mark, text in kept if mark != "-"]


def apply_edits(edits: Sequence[ModelEdit], files: Mapping[str, str], spans: Spans) -> dict[str, str]:
    """The files that the edits change or add, whole. Each keeps its line ends, last newline and byte order mark.

    Raises AnswerUnusable with a message for the model.
    """
    new: dict[str, str] = {}
    for edit in edits:
        old = new.get(edit.path, files.get(edit.path))
        new[edit.path] = edited(edit, None if old is None else old.removeprefix(BOM).replace("\r\n", "\n"), spans)
    alike = {path: like(files.get(path), text) for path, text in new.items()}
    return {path: text for path, text in alike.items() if text != files.get(path)}


def edited(edit: ModelEdit, old: str | None, spans: Spans) -> str:
    """A file after one edit. Raises AnswerUnusable."""
    if isinstance(edit, FileEdit):
        return without_fence(edit.text, old or "")
    if isinstance(edit, UnitEdit):
        if old is None:
            raise AnswerUnusable(f"there is no file {edit.path} to replace {edit.name} in")
        return with_unit(edit, old, spans)
    if (old is None) != edit.is_new:
        raise AnswerUnusable(f"{edit.path} does not exist" if old is None else f"{edit.path} exists, and is not new")
    return with_diff(edit.path or "the snippet", old or "", edit.text)


def with_unit(edit: UnitEdit, text: str, spans: Spans) -> str:
    """A file with one of its functions, classes or methods replaced. Raises AnswerUnusable."""
    places = spans(edit.path, text, edit.name) if edit.name else ()
    if len(places) != 1:
        within = edit.path or "the snippet"
        raise AnswerUnusable(f"{within} has {len(places)} units called {edit.name}; write the whole file")
    lines, (first, last) = text.split("\n"), places[0]
    margin = re.match(r"[ \t]*", lines[first - 1])
    written = textwrap.indent(textwrap.dedent(edit.text).strip("\n"), margin[0] if margin else "")
    return "\n".join([*lines[: first - 1], *written.split("\n"), *lines[last:]])


def with_diff(path: str, text: str, diff: str) -> str:
    """A file with the hunks of a diff applied, ending in a newline. Raises AnswerUnusable."""
    hunks = hunks_in(diff)
    if not any(hunk.changes for hunk in hunks):
        raise AnswerUnusable("the diff has no hunk (lines after `@@ ... @@`)")
    lines = text.removesuffix("\n").split("\n") if text else []
    moved = 0
    for number, hunk in enumerate(hunks, 1):
        if hunk.changes:
            place = place_of(hunk, lines, moved)
            if place is None:
                raise AnswerUnusable(f"hunk {number} does not apply: {why(path, lines, hunk)}. {AGAIN}")
            first, fitting = place
            old = lines[first : first + len(fitting.old)]
            lines[first : first + len(old)] = new = fitting.replacing(old)
            moved += len(new) - len(old)
    return "".join(f"{line}\n" for line in lines)


def hunks_in(diff: str) -> list[WrittenHunk]:
    """The hunks of a diff of one file."""
    begin = HEADER.search(diff)
    # A diff of one place may come without a header; what stands before a header is no part of a hunk.
    written = diff[begin.start() :] if begin else f"@@\n{HEADS.sub('', diff)}"
    hunks, lines = list[WrittenHunk](), list[tuple[str, str]]()
    for line in written.split("\n"):
        if header := HEADER.match(line):
            lines = list[tuple[str, str]]()
            hunks.append(WrittenHunk(int(header[1]) if header[1] else None, lines))
        elif not NO_LINES.match(line):
            # A context line may have lost its leading blank.
            lines.append((line[0], line[1:]) if line.startswith(("+", "-", " ")) else (" ", line))
    for hunk in hunks:
        # Empty context at the end most often is a gap between two hunks.
        while hunk.lines and hunk.lines[-1] == (" ", ""):
            hunk.lines.pop()
    return hunks


def place_of(hunk: WrittenHunk, lines: Sequence[str], moved: int) -> tuple[int, WrittenHunk] | None:
    """The index of the first line that a hunk replaces, and the hunk without context that is not there; None if no
    place fits, or several do and no number says which."""
    expected = (hunk.start or 1) - 1 + moved
    for top, end in cuts_of(hunk):
        part = WrittenHunk(hunk.start, hunk.lines[top : len(hunk.lines) - end])
        for loosely in (False, True):
            places = places_of(part.old, lines, loosely)
            near = min(places, key=lambda place: abs(place - expected - top), default=None)
            # Without context, lines that occur twice are those of the number, and not those near it.
            sure = len(places) == 1 or (hunk.start is not None and (part.has_context or near == expected + top))
            if near is not None and sure:
                return near, part
    if not hunk.old and (hunk.start is not None or not lines):
        # Without old lines the header names the line before the new ones; 0 is the beginning.
        return min(max((hunk.start or 0) + moved, 0), len(lines)), hunk
    return None


def cuts_of(hunk: WrittenHunk) -> list[tuple[int, int]]:
    """The numbers of context lines to leave out at the beginning and the end, the fewest first."""
    marks = "".join(mark for mark, _ in hunk.lines)
    leading, trailing = len(marks) - len(marks.lstrip()), len(marks) - len(marks.rstrip())
    tops, ends = (range(min(FUZZ, count) + 1) for count in (leading, trailing))
    return sorted(((top, end) for top in tops for end in ends), key=sum)


def places_of(old: Sequence[str], lines: Sequence[str], loosely: bool) -> list[int]:
    """The places of the old lines in a file; none if there are no old lines."""
    wanted, there = ([line.rstrip() if loosely else line for line in part] for part in (old, lines))
    starts = range(len(there) - len(wanted) + 1) if wanted else ()
    return [start for start in starts if there[start] == wanted[0] and there[start : start + len(wanted)] == wanted]


def why(path: str, lines: Sequence[str], hunk: WrittenHunk) -> str:
    """The reason why a hunk fits no place, for the model."""
    standing = {line.rstrip() for line in lines}
    missing = next((text for text in hunk.old if text.rstrip() not in standing), None)
    if missing is not None:
        return f"{path} has no line `{missing.strip()}`"
    if len(places_of(hunk.old, lines, loosely=True)) > 1:
        return "its lines occur at several places; give it more context"
    return f"its lines do not occur together like that in {path}"


def like(old: str | None, new: str) -> str:
    """The new text of a file with the line ends, the last newline and the byte order mark of the old one."""
    plain = new.replace("\r\n", "\n")
    if old and not old.endswith("\n"):
        plain = plain.rstrip("\n")
    elif plain and not plain.endswith("\n"):
        plain += "\n"
    plain = plain.replace("\n", "\r\n") if old and old.count("\r\n") * 2 > old.count("\n") else plain
    return BOM * (old or "").startswith(BOM) + plain.removeprefix(BOM) if old else plain
