"""The tags of a Django or Jinja template, and its text without them, so that HTML can be parsed."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Final

TAG: Final = re.compile(
    rb"\{%(?:(?!\{%|%\}).)*%\}|\{\{(?:(?!\{\{|\}\}).)*\}\}|\{#(?:(?!\{#|#\}).)*#\}",
    re.DOTALL,
)
"""An opening mark within a tag begins another one, which keeps the search linear on any text."""
HIDING: Final = {"comment": "endcomment", "verbatim": "endverbatim", "raw": "endraw"}
"""Tags whose inside contains no tags."""
LETTER, BLANK, NEWLINE, EQUALS = b"x"[0], b" "[0], b"\n"[0], b"="[0]


@dataclasses.dataclass(frozen=True, slots=True)
class Tag:
    """One `{% tag %}`, `{{ value }}` or `{# comment #}`, with its place in the bytes of the text; `line` is from 1."""

    mark: str
    """`%`, `{` or `#`."""
    name: str
    """The first word of a `{% tag %}`; empty for the others."""
    rest: str
    """The text after the name, or the whole inside of a value."""
    start: int
    end: int
    line: int


def tags_of(data: bytes) -> Iterator[Tag]:
    """The tags of a template in UTF-8, without those inside `{% comment %}`, `{% verbatim %}` and `{% raw %}`."""
    line, place, until = 1, 0, ""
    for match in TAG.finditer(data):
        line += data.count(b"\n", place, match.start())
        place = match.start()
        mark = chr(match[0][1])
        inside = match[0][2:-2].decode(errors="replace").strip("-+ \t\r\n")
        name, _, rest = (inside if mark == "%" else f" {inside}").replace("\n", " ").partition(" ")
        if until and name != until:
            continue
        until = HIDING.get(name, "") if mark == "%" else ""
        yield Tag(mark, name, rest.strip(), match.start(), match.end(), line)


def without_tags(data: bytes, tags: Sequence[Tag]) -> bytes:
    """The text with each tag overwritten, so that every other byte and line keeps its place.

    Values become letters, because they may stand for a name; tags and comments become blanks.
    """
    bare = bytearray(data)
    for tag, following in zip(tags, [*tags[1:], None], strict=False):
        end = following.start if tag.name == "comment" and following else tag.end
        letter = tag.mark == "{" or (tag.start and bare[tag.start - 1] == EQUALS)
        fill = LETTER if letter else BLANK
        bare[tag.start : end] = bytes(NEWLINE if byte == NEWLINE else fill for byte in bare[tag.start : end])
    return bytes(bare)
