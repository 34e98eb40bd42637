"""Cuts a request into tokens. Nothing is dropped but white space and the hyphens inside compounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["word", "number", "quoted", "hex", "mark", "junk"]


@dataclass(frozen=True)
class Token:
    """One piece of the request, `request[start:end]`.

    `word` is the lower-case form that the lexicon knows, `text` what was written; for something in quotes, `text` is
    what is between them. A `junk` token is nothing that any request can hold.
    """

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The token as the lexicon would have it; empty for what is no word."""
        return self.text.lower() if self.kind == "word" else ""


_TOKEN: Final = re.compile(
    r"""
      (?P<space>[ \t\r\n]+)
    | (?P<hyphen>(?<=\w)-(?=[^\W\d]))
    | "(?P<double>[^"\n]*)" | (?<!\w)'(?P<single>[^'\n]*)'(?!\w)
    | (?P<hex>\#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w))
    | (?P<number>(?:(?<![\w)\]])[-+])?(?<!\w)(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)
    | (?P<word>[^\W\d]\w*(?:'\w+)*|[°%])
    | (?P<mark>[,.;:!?=()\[\]])
    | (?P<junk>\S)
    """,
    re.VERBOSE,
)

# "0,5", "1.2.3", "2-3", "1/2", "10:30": each could be meant in more than one way.
_GOES_ON: Final = re.compile(r"[,./:'-]\d|\.\.|/")
_GOES_ON_IN_VECTOR: Final = re.compile(r"[./:'-]\d|\.\.|/")
# "(0,0,1)": the only place where a comma right before a digit cannot be a decimal comma. In "(1,5, 2)" it could.
_NUMBER: Final = r"\s*[-+]?(?!0\d)(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?\s*[^\W\d]*°?\s*"
_VECTOR: Final = re.compile(rf"[(\[]{_NUMBER}(?:,(?=\S){_NUMBER},(?=\S)|,(?=\s){_NUMBER},(?=\s)){_NUMBER}[)\]]")
_RUN: Final = re.compile(r"\S+")


def tokenize(request: str) -> list[Token]:
    """Cut the request into tokens, in order."""
    plain = request.translate(_PLAIN)
    tokens: list[Token] = []
    position = vector_end = 0
    while match := _TOKEN.match(plain, position):
        kind, (start, end) = match.lastgroup or "junk", match.span(match.lastgroup or "junk")
        position = match.end()
        if plain[start] in "([" and (vector := _VECTOR.match(plain, start)):
            vector_end = vector.end()
        if kind == "number" and (_GOES_ON_IN_VECTOR if start < vector_end else _GOES_ON).match(plain, end):
            kind = "junk"
        if kind == "junk" and (run := _RUN.match(plain, start)):
            position = end = run.end()
        text = plain[start:end] if kind == "number" else request[start:end]
        if kind not in {"space", "hyphen"}:
            tokens.append(Token(_KINDS[kind], text, match.start(), position))
    return tokens


# Typographic quotes, apostrophes, dashes and the minus sign, each for what a keyboard has.
_PLAIN: Final = str.maketrans("\u201c\u201d\u2018\u2019\u2013\u2212", "\"\"''--")

_KINDS: Final[dict[str, Kind]] = {
    "double": "quoted",
    "single": "quoted",
    "hex": "hex",
    "number": "number",
    "word": "word",
    "mark": "mark",
    "junk": "junk",
}
