"""Prints a repair as a patch on standard output, with the reasons for each hunk on standard error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from app.cli.terminal import print_code, talk
from app.observing.foreign import escape
from app.verdict.parse import python_lines


def print_diff(old: str, new: str, name: str, reasons: list[str]) -> None:
    """Print the difference as a patch on standard output, and the reasons for each hunk on standard error."""
    for hunk in hunks(old, new, name):
        print_code(hunk.text)
        here = sorted((one for one in reasons if hunk.first <= line_of(one) <= hunk.last), key=line_of)
        if here:
            talk.print(escape("\n".join([hunk.header, *(f"  {reason}" for reason in here)])))
        reasons = [reason for reason in reasons if reason not in here]
    for reason in reasons:
        talk.print(escape(reason))


@dataclass(frozen=True)
class PrintedHunk:
    """One hunk of a unified diff; the first has the names of the files before it."""

    header: str
    text: str
    first: int
    last: int
    """The lines of the old text in the hunk."""


def hunks(old: str, new: str, name: str) -> Iterator[PrintedHunk]:
    """The unified diff of two texts in hunks."""
    lines = list(unified_diff(with_newline(old), with_newline(new), f"a/{name.lstrip('/')}", f"b/{name.lstrip('/')}"))
    starts = [index for index, line in enumerate(lines) if line.startswith("@@ ")]
    for position, start in enumerate(starts):
        end = starts[position + 1] if position + 1 < len(starts) else len(lines)
        first, _, count = lines[start].split()[1].lstrip("-").partition(",")
        last = int(first) + int(count or 1) - 1
        text = "".join(lines[0 if position == 0 else start : end])
        yield PrintedHunk(lines[start].strip(), text, int(first), last)


def with_newline(text: str) -> list[str]:
    """The lines of a text, each with a newline: `patch` needs one after the last line too."""
    return [f"{line}\n" for line in python_lines(text)]


def line_of(reason: str) -> int:
    """The line number at the start of a note on a repair; 0 if there is none."""
    found = re.match(r"line (\d+): ", reason)
    return int(found[1]) if found else 0
