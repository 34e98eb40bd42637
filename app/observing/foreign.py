"""Text of other people for a terminal, a log or CI: a snippet's words must not become commands there.

Terminals obey control characters. GitHub obeys lines that begin with `::`, with or without blanks before, and `##[` at
any place of a line, on both streams.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from rich import markup

CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters except tab and line feed, and those that turn the direction of writing."""
BAR: Final = "  | "


def shown(text: str) -> str:
    """The text with control characters spelled out, and a bar before further lines and before a command."""
    first, *further = text.replace("\r\n", "\n").split("\n")
    marked = f"{BAR}{first}" if first.lstrip().startswith("::") else first
    return "\n".join(map(visible, [marked, *(f"{BAR}{line}" for line in further)]))


def visible(text: str) -> str:
    """The text with control characters spelled out, in as many lines as before."""
    return CONTROL.sub(lambda match: repr(match[0])[1:-1], text).replace("##[", "# #[")


def escape(text: str) -> str:
    """The shown text for rich, without markup."""
    return markup.escape(shown(text))


def document(value: Any) -> str:
    """A JSON value as text for any reader of JSON, in ASCII and without commands."""
    return json.dumps(value, indent=1).replace("##[", "#\\u0023[")
