"""A place in the request, and what can be read there: marks, phrases, names, numbers with units, vectors.

Every method that takes something moves on past it and returns it; where it does not stand, the method returns
None (or False) and the cursor stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from app.drafting.composer.lexicon import Lexicon, Phrases, Unit
from app.drafting.composer.tokens import Token, tokenize
from app.drafting.draft import NotUnderstood

T = TypeVar("T")

_UNQUOTED_NAME: Final = re.compile(r"[^\W\d]\w*(?:[.-]\w+)*")
_NAME_BYTES: Final = 63
"""The longest name that every supported Blender keeps whole."""

_TOO_LARGE: Final = 1e30
"""Blender's numbers end near 3.4e38; this leaves room for units."""

_DIMENSIONS: Final = 3


@dataclass(frozen=True)
class Quantity:
    """A number as written, with its unit if it had one. `inches`: it has none, and "in" follows."""

    text: str
    number: float
    unit: Unit | None
    inches: bool = False


class Cursor:
    """Walks over the tokens of one request."""

    def __init__(self, lexicon: Lexicon, request: str) -> None:
        self.lexicon: Final = lexicon
        self.request: Final = request
        self.tokens: Final = tokenize(request)
        self.at = 0

    def done(self) -> bool:
        """Whether the whole request was read."""
        return self.at >= len(self.tokens)

    @property
    def here(self) -> Token | None:
        """The token that is read next."""
        return None if self.done() else self.tokens[self.at]

    def said(self, since: int) -> str:
        """What the user wrote from this token up to here."""
        return self.request[self.tokens[since].start : self.tokens[self.at - 1].end]

    def refuse(self, reason: str = "", since: int | None = None) -> NotUnderstood:
        """The refusal of what stands here or, with `since`, of what was read since then."""
        if since is not None and self.at > since:
            text = self.said(since)
        elif self.here is not None:
            text = self.request[self.here.start : self.here.end]
        else:
            text = self.request.strip()
            reason = reason or "the request ends too early"
        return NotUnderstood([text], f'"{text}": {reason or "not understood in this place"}')

    def phrase(self, table: Phrases[T]) -> T | None:
        """Take the longest phrase of the table."""
        found = table.match(self.tokens, self.at)
        if found is None:
            return None
        self.at += found[1]
        return found[0]

    def says(self, role: str) -> bool:
        """Take a phrase of the grammar that plays this role."""
        return self.phrase(self.lexicon.words[role]) is not None

    def mark(self, marks: str) -> bool:
        """Take one of these punctuation marks."""
        if self.here is None or self.here.kind != "mark" or self.here.text not in marks:
            return False
        self.at += 1
        return True

    def attempt(self, read: Callable[[], T | None]) -> T | None:
        """Read something that takes several steps; go back to where it began if it is not there."""
        start = self.at
        found = read()
        if found is None:
            self.at = start
        return found

    def quoted(self) -> str | None:
        """Take a name in quotes. Raises `NotUnderstood` if Blender could not keep it."""
        if self.here is None or self.here.kind != "quoted":
            return None
        self.at += 1
        return self._checked(self.tokens[self.at - 1].text)

    def new_name(self) -> str:
        """Take the name after "called". Raises `NotUnderstood` if none stands here."""
        quoted = self.quoted()
        if quoted is not None:
            return quoted
        end = unquoted_name_end(self.tokens, self.at, self.request)
        if self.here is None or end == self.at or self.here.word in self.lexicon.function_words:
            raise self.refuse("a name was expected here")
        start, self.at = self.at, end
        return self._checked(self.said(start))

    def _checked(self, name: str) -> str:
        if not name or name != name.strip() or not name.isprintable() or len(name.encode()) > _NAME_BYTES:
            raise self.refuse(f"a name has 1 to {_NAME_BYTES} bytes and no blank ends", self.at - 1)
        return name

    def quantity(self) -> Quantity | None:
        """Take a number, in digits or words, and its unit if one follows."""
        start = self.at
        number = self._number()
        if number is None:
            return None
        unit = self.phrase(self.lexicon.units)
        inches = unit is None and self.here is not None and self.here.word == "in"
        return Quantity(self.said(start), number, unit, inches)

    def _number(self) -> float | None:
        if self.here is not None and self.here.kind == "number":
            self.at += 1
            number = float(self.tokens[self.at - 1].text)
            if not abs(number) < _TOO_LARGE:
                raise self.refuse("this number is too large", self.at - 1)
            return number
        return self.phrase(self.lexicon.numbers)

    def quantities(self) -> list[Quantity] | None:
        """Take three numbers in brackets; a unit after the bracket counts for those that have none."""
        return self.attempt(self._quantities)

    def _quantities(self) -> list[Quantity] | None:
        if not self.mark("(["):
            return None
        found: list[Quantity] = []
        while (quantity := self.quantity()) is not None:
            found.append(quantity)
            if not self.mark(","):
                break
        if len(found) != _DIMENSIONS or not self.mark(")]"):
            return None
        unit = self.phrase(self.lexicon.units)
        return [Quantity(part.text, part.number, part.unit or unit) for part in found]


def unquoted_name_end(tokens: Sequence[Token], at: int, request: str) -> int:
    """Return the index after the last token of a name without quotes that begins at this token.

    Such a name holds no blank; without one, the index is `at`.
    """
    match = _UNQUOTED_NAME.match(request, tokens[at].start) if at < len(tokens) else None
    if match is None:
        return at
    end = at
    while end < len(tokens) and tokens[end].end <= match.end():
        end += 1
    return end if tokens[end - 1].end == match.end() else at
