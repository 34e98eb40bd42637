"""Cuts a request into sentences, and a sentence into the terminals of grammar.lark.

A sentence ends at a full stop, a line or a semicolon, and at "," or "and" or "then" if a verb follows. Words that
are both verb and name, such as "scale", are not verbs before a value or "of" and "to".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from lark import Token
from lark.lexer import Lexer

from app.drafting.commands.words import UNITS, WORDS

_UNIT: Final = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER: Final = rf"[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\s*(?:{_UNIT})(?![\w]))?"
_TOKEN: Final = re.compile(
    rf"""(?P<TEXT>"[^"\n]*"|“[^”\n]*”|(?<!\w)'[^'\n]*'(?!\w))
    |(?P<VECTOR>\(\s*{_NUMBER}(?:\s*,\s*{_NUMBER})+\s*\))
    |(?P<COLOR>\#[0-9a-fA-F]+)
    |(?P<NUMBER>{_NUMBER}(?![\w-]))
    |(?P<WORD>\w(?:[\w\-']|\.(?=\w)|/(?=\w))*)
    |(?P<LPAR>\()|(?P<RPAR>\))|(?P<EQUAL>=|:)
    |(?P<STOP>[.!;\n]+)|(?P<COMMA>,)|(?P<SPACE>[^\S\n]+)|(?P<OTHER>.)""",
    re.VERBOSE,
)
_TRUTH: Final = {"on", "off", "true", "false", "yes", "no"}
_VALUES: Final = {"NUMBER", "VECTOR", "COLOR", "TRUTH", "EQUAL"}
_NOUNS: Final = {"scale", "key", "parent", "name", "link", "point", "place", "shade", "shift"}
"""Verbs that are also names of settings."""
_VERBS: Final[dict[tuple[str, ...], str]] = {
    tuple(verb.split()): terminal for terminal, verbs in WORDS["verbs"].items() for verb in verbs
}
_LONGEST_VERB: Final = max(map(len, _VERBS))
_PREPOSITIONS: Final[dict[str, str]] = {
    word: terminal for terminal, words in WORDS["prepositions"].items() for word in words
}
_PASSED_OVER: Final = frozenset(WORDS["passed_over"]["words"])


@dataclass(frozen=True)
class Sentence:
    """One command: its terminals, and its words as they stand in the request."""

    tokens: list[Token]
    text: str


def sentences(request: str) -> list[Sentence]:
    """The sentences of a request, in order, including those that do not begin with a verb."""
    raw = list(_tokens(request))
    found: list[Sentence] = []
    begin = 0
    for at in range(len(raw) + 1):
        if at == len(raw) or _ends(raw, at, begin):
            part = _without_separators(raw[begin:at])
            if part:
                text = request[part[0].start_pos : part[-1].end_pos]
                found.append(Sentence(list(_terminals(part)), text))
            begin = at
    return found


def _tokens(request: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(request):
        kind = match.lastgroup or "OTHER"
        if kind == "SPACE":
            continue
        text = match.group()
        if kind == "COMMA" or (kind == "WORD" and text.lower() in {"and", "then"}):
            kind = "AND"
        yield Token(kind, text, start_pos=match.start(), end_pos=match.end())


def _ends(raw: list[Token], at: int, begin: int) -> bool:
    """True if a new sentence begins after this separator."""
    if raw[at].type == "STOP":
        return True
    if raw[at].type != "AND" or at == begin:
        return False
    behind = at
    while behind < len(raw) and (raw[behind].type == "AND" or raw[behind].lower() in _PASSED_OVER):
        behind += 1
    verb, length = _verb(raw, behind)
    if not verb:
        return False
    if length > 1 or raw[behind].lower() not in _NOUNS:
        return True
    after = raw[behind + 1] if behind + 1 < len(raw) else None
    named = after is not None and after.type in {"WORD", "TEXT"} and after.lower() not in _PREPOSITIONS
    return named or raw[at].lower() == "then" or (raw[behind - 1].lower() == "then" and behind - 1 > at)


def _verb(raw: list[Token], at: int) -> tuple[str, int]:
    """The verb at this place with the number of its words; "" and 0 without a verb."""
    for length in range(_LONGEST_VERB, 0, -1):
        words = tuple(token.lower() for token in raw[at : at + length] if token.type == "WORD")
        if len(words) == length and words in _VERBS:
            return _VERBS[words], length
    return "", 0


def _without_separators(part: list[Token]) -> list[Token]:
    """A sentence without separators at its ends and without polite words before its verb."""
    while part and (part[0].type in {"AND", "STOP"} or part[0].lower() in _PASSED_OVER):
        part = part[1:]
    while part and part[-1].type in {"AND", "STOP"}:
        part = part[:-1]
    return part


def _terminals(part: list[Token]) -> Iterator[Token]:
    """The terminals of one sentence; the first is its verb, if there is one."""
    verb, length = _verb(part, 0)
    rest = list(_without_articles(part[length:], verb))
    if verb == "PAINT" and part[0].lower() == "make" and rest and rest[0].lower() in {"a", "an"}:
        verb = "ADD"
    if verb:
        text = " ".join(part[:length])
        yield Token(verb, text, start_pos=part[0].start_pos, end_pos=part[length - 1].end_pos)
    words = list(_join_words([_terminal(rest, at, verb) for at in range(len(rest))]))
    for at, token in enumerate(words):
        if token.type == "AND":
            yield from _separator(words, at)
        else:
            yield token


def _without_articles(part: list[Token], verb: str) -> Iterator[Token]:
    """The words without those that are passed over; those of a name stay: "called the end"."""
    in_name = False
    for token in part:
        named = _PREPOSITIONS.get(token.lower())
        begins = named == "CALLED" or (named == "TO" and verb == "RENAME")
        in_name = begins or (in_name and token.type == "WORD" and not named)
        if in_name or token.type != "WORD" or token not in _PASSED_OVER:
            yield token


def _in_label(rest: list[Token], at: int) -> bool:
    """True if a preposition belongs to a label: "track to constraint", "volume to mesh modifier"."""
    words = [token.lower() if token.type == "WORD" else "" for token in rest[at : at + 3]]
    if at == 0 or words[0] not in {"to", "of"}:
        return False
    return words[1:2] in (["constraint"], ["modifier"]) or (words[0] == "to" and words[2:] == ["modifier"])


def _terminal(rest: list[Token], at: int, verb: str) -> Token:
    """A word as a preposition, article, truth value or one of WORDS."""
    token, low = rest[at], rest[at].lower()
    after = rest[at + 1] if at + 1 < len(rest) else None
    kind = token.type
    if kind == "WORD":
        kind = "WORDS"
        last = after is None or after.type in {"AND", "RPAR", "STOP"} or after.lower() in _PREPOSITIONS
        if token in _TRUTH and (low != "on" or last):
            kind = "TRUTH"
        elif token in {"a", "an"}:
            kind = "A"
        elif verb == "KEY" and low == "frame" and after is not None and after.type == "NUMBER":
            kind = "FRAME"
        elif low in _PREPOSITIONS and not _in_label(rest, at):
            kind = _PREPOSITIONS[low]
    return Token(kind, str(token), start_pos=token.start_pos, end_pos=token.end_pos)


def _join_words(tokens: list[Token]) -> Iterator[Token]:
    """The tokens with each run of WORDS as one."""
    run: list[Token] = []
    for token in tokens:
        if token.type == "WORDS":
            run.append(token)
            continue
        if run:
            yield Token("WORDS", " ".join(run), start_pos=run[0].start_pos, end_pos=run[-1].end_pos)
            run = []
        yield token
    if run:
        yield Token("WORDS", " ".join(run), start_pos=run[0].start_pos, end_pos=run[-1].end_pos)


def _separator(words: list[Token], at: int) -> Iterator[Token]:
    """The terminal for "," or "and": none before a preposition, SEP before a setting with a value, else AND."""
    behind = words[at + 1 : at + 3]
    types = [token.type for token in behind]
    if not types or types[0] == "AND" or types[0] in _TERMINALS_OF_PREPOSITIONS or types[0] == "FRAME":
        return
    setting = types[0] in _VALUES or (types[0] == "WORDS" and len(types) > 1 and types[1] in _VALUES)
    token = words[at]
    yield Token("SEP" if setting else "AND", str(token), start_pos=token.start_pos, end_pos=token.end_pos)


_TERMINALS_OF_PREPOSITIONS: Final = frozenset(WORDS["prepositions"])


class TokenLexer(Lexer):
    """Gives lark the terminals that `sentences` made."""

    def __init__(self, _conf: Any) -> None:
        pass

    def lex(self, data: list[Token]) -> Iterator[Token]:  # type: ignore[override]
        yield from data
