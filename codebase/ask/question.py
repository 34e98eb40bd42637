"""Names in a question: words, identifiers, paths, frames of a traceback, dotted names."""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from typing import Final

from codebase.index.words import STOP, count_terms, words_of
from codebase.tracebacks.error import Frame, slashes
from codebase.tracebacks.log import read_log

TITLE_WEIGHT: Final = 2.0
"""Extra weight of a word of the first line."""
MAX_CHARACTERS: Final = 50_000
"""The rest of a longer question is not read."""
PATH: Final = re.compile(
    r"[\w.~\-]*(?:[/\\][\w.\-]+)+|\b[\w\-]+\.(?:pyi?|[cm]?[jt]sx?|toml|ya?ml|json|md|rst|html?|css)\b"
)
DOTTED: Final = re.compile(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
CALLED: Final = re.compile(r"\b([A-Za-z_]\w*)\s?\(")
TICKED: Final = re.compile(r"`([^`\n]+)`")
CAMEL_OR_SNAKE: Final = re.compile(r"\b(?:[A-Za-z]+\d*_\w+|_\w+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+|[a-z]+[A-Z]\w*)\b")
KIND: Final = r"(?:class|function|method|operator|panel)"
NAME: Final = r"`?([A-Za-z_][\w.]*)(?:\(\))?`?"
SOUGHT: Final = re.compile(
    rf"\bwhere\s+(?:is|are)\s+(?:the\s+)?(?:{KIND}\s+)?{NAME}\s+(?:{KIND}\s+)?(?:defined|declared|implemented)\b"
    rf"|\bdefin(?:ition\s+of|es)\s+(?:the\s+)?(?:{KIND}\s+)?{NAME}",
    re.IGNORECASE,
)
LINK: Final = re.compile(r"https?://\S+")
DATA: Final = re.compile(r"[^\s/\\]{500,}")


@dataclasses.dataclass(frozen=True)
class ParsedQuestion:
    """Names in a question, with a larger weight for those that come first or more often."""

    text: str
    terms: dict[str, float]
    identifiers: dict[str, float]
    paths: tuple[str, ...]
    dotted: tuple[str, ...]
    frames: tuple[Frame, ...]
    sought: tuple[str, ...]
    """Names whose definition is asked for, in a question of one line."""
    about_tests: bool
    about_docs: bool


def read_question(text: str) -> ParsedQuestion:
    """Parse a question: words alone, an issue, or a traceback."""
    # A text of this length without a gap is data; patterns for paths would take the square of its length.
    text = DATA.sub(" ", text[:MAX_CHARACTERS].replace("\r\n", "\n"))
    title, _, rest = text.strip().partition("\n")
    if not rest.strip():
        title, rest = "", title
    plain_title, plain_rest = LINK.sub(" ", title), LINK.sub(" ", rest)
    frames = tuple(dict.fromkeys(read_log(text).frames))
    words = {word.lower() for word in words_of(plain_title or plain_rest)}
    return ParsedQuestion(
        text=text,
        terms=weights_of(count_terms(words_of(plain_title)), count_terms(words_of(plain_rest))),
        identifiers=weights_of(identifiers(title, all_words=True), identifiers(rest)),
        paths=tuple(dict.fromkeys(slashes(match[0]) for match in PATH.finditer(text))),
        dotted=tuple(dict.fromkeys(DOTTED.findall(plain_title + "\n" + plain_rest))),
        frames=frames,
        sought=() if title else tuple("".join(groups) for groups in SOUGHT.findall(rest)),
        about_tests=bool(words & {"test", "tests", "testing", "pytest", "unittest", "doctest", "doctests"}),
        about_docs=bool(
            words & {"docs", "documentation", "docstring", "docstrings", "readme", "tutorial", "changelog"}
        ),
    )


def weights_of(title: Counter[str], rest: Counter[str]) -> dict[str, float]:
    """The weight of each term: it grows slowly with the number of occurrences, and is larger in the title."""
    every = title + rest
    return {term: 1 + math.log(times) + TITLE_WEIGHT * (term in title) for term, times in every.items()}


def identifiers(text: str, *, all_words: bool = False) -> Counter[str]:
    """The names of code in a text: called, dotted, in back quotes, or spelled like code; any word of a title."""
    names: Counter[str] = Counter()
    names.update(CALLED.findall(text))
    names.update(part for dotted in DOTTED.findall(text) for part in dotted.split("."))
    names.update(word for ticked in TICKED.findall(text) for word in words_of(ticked))
    names.update(CAMEL_OR_SNAKE.findall(text))
    if all_words:
        names.update(words_of(text))
    return Counter({name: times for name, times in names.items() if len(name) > 2 and name.lower() not in STOP})
