"""Prints a healed snippet as a patch on standard output, with the reasons for each hunk on standard error."""

from __future__ import annotations

import re

from app.cli.terminal import print_code, talk
from app.observing.foreign import escape
from app.verdict.parse import python_lines
from codebase.tree.patches import hunks_of, quote_path


def print_diff(old: str, new: str, name: str, reasons: list[str]) -> None:
    """Print the difference as a patch on standard output, and the reasons for each hunk on standard error."""
    side = name.lstrip("/")
    heads = f"--- {quote_path(f'a/{side}')}\n+++ {quote_path(f'b/{side}')}\n"
    for hunk in hunks_of(with_newlines(old), with_newlines(new)):
        print_code(heads + hunk.text)
        heads = ""
        here = sorted((reason for reason in reasons if hunk.first <= line_of(reason) <= hunk.last), key=line_of)
        if here:
            talk.print(escape("\n".join([hunk.header, *(f"  {reason}" for reason in here)])))
        reasons = [reason for reason in reasons if reason not in here]
    for reason in reasons:
        talk.print(escape(reason))


def with_newlines(text: str) -> str:
    """The text with a newline after each line: `patch` needs one after the last line too."""
    return "".join(f"{line}\n" for line in python_lines(text))


def line_of(reason: str) -> int:
    """The line number at the start of a note of the healer; 0 if there is none."""
    found = re.match(r"line (\d+): ", reason)
    return int(found[1]) if found else 0
