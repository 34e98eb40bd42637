"""Colours a snippet. A reader does it, so this module imports little."""

from __future__ import annotations

from html import escape
from typing import Final

LONGEST: Final = 128 << 10
"""The longest snippet that is coloured, in characters."""


def highlight_snippet(snippet: str) -> str:
    """The markup of a snippet, line by line, as Pygments makes and escapes it; without colours if it is long."""
    if len(snippet) > LONGEST:
        return plain(snippet)
    # Imported here, because the import takes longer than any page and would delay the start.
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(snippet, PythonLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True))


def plain(snippet: str) -> str:
    """The markup of a snippet without colours."""
    return escape(snippet)
