"""Reads a clause by what it names, in any order: the same patterns, as sets of parts.

    "[<add>] {mod:kind of modifiers} [modifier] ~( <on> {target:object} ; {s:settings of mod} )"
      -> a word for adding (may be missing), a kind of modifier, an object after "on", "to", ..., settings

A clause fits when every part that the pattern requires is there, and every word is a part of it or one of the small
words that join parts. A word that carries meaning is never passed over: negations, numbers, names and whatever the
pattern does not know end the reading. What an object or a value is for is told by the preposition before it, as the
pattern has it; where a pattern has two slots of one sort, each keeps the words that stand before it there.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.drafting.composer.patterns import ARTICLES, MACROS, Env, Matcher, Reading, compile_pattern, stem, top_level
from app.drafting.composer.tokens import singular

JOINTS: Final = frozenset({
    "and", "with", "that", "which", "who", "is", "are", "be", "being", "it's", "there", "so", "then", "also", "where",
    "whose", "using", "via", "having", "has", "have", "get", "gets", "should", "must", "shall", "will", "would", "can", "please",
    "want", "wants", "need", "needs", "i", "we", "you", "new", "let", "of", "for", "in", "on", "at", "to", "as", "by", "from", "into",
    "onto", "'s", "my", "our", "i'd", "too", "both", "become",
    "becomes", "turns", "simple", "nice", "whole", "entire", "little",
})  # fmt: skip
"""Small words that join the parts of a clause; what the prepositions among them mean is checked where a slot follows."""
MARKS: Final = frozenset({",", ":", "(", ")", "-", "="})
PREPOSITIONS: Final = frozenset({
    "to", "by", "from", "at", "on", "in", "of", "for", "with", "into", "onto", "as", "over", "under", "around", "about", "along",
    "between", "through", "until", "before", "after", "above", "below", "than", "per", "via", "using", "upon", "without",
})  # fmt: skip
OWNING: Final = frozenset({"of", "for", "on", "in", "to", "from", "with"})
"""What may stand before the object that a step is about."""
GIVING: Final = frozenset({"of", "with", "at"})
"""What may stand before a value."""
SORTS: Final = {
    "object": "name", "name": "name", "known": "name", "quoted": "name", "identifier": "name", "names": "name", "path": "path",
    "dotted": "name", "int": "number", "n": "number", "quantity": "number", "angle": "number", "frame": "number",
    "turns": "number",
}  # fmt: skip
VAGUE: Final = frozenset(
    {"name", "number", "vector", "color", "look", "thing", "axis", "axes", "frames", "path", "value"}
)
"""Sorts of slots that do not tell what a clause is about."""
UNOWNED: Final = frozenset(
    {"constraint", "modifier", "particle", "driver", "keyframe", "material", "action", "image", "collection"}
)
"""What a name right behind is the name of, not that of the object that has it: 'remove the constraints "Track"'."""
PATIENCE: Final = 400
"""How many steps one pattern is followed from one place."""


@dataclass(frozen=True)
class Part:
    """A piece of a pattern that may stand anywhere: its reader, whether it must be there, and the prepositions it takes.

    `cues` is None for a part that begins with a word of its own.
    """

    read: Matcher
    required: bool
    words: frozenset[str]
    cues: frozenset[str] | None = None
    slot: str = ""


@functools.cache
def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of a pattern."""
    pieces = list(top_level(text))
    sorts = [sort_of(piece) for piece in pieces]
    parts: list[Part] = []
    before: list[str] = []
    for piece, sort in zip(pieces, sorts, strict=True):
        if is_small(piece):
            before.append(piece)
            continue
        inner = re.fullmatch(r"\[(.*)\]", piece, re.DOTALL)
        body = inner[1] if inner and balanced(inner[1]) else piece
        required = body == piece
        for option in body[2:-1].split(";") if body.startswith("~(") else [body]:
            needed = required and not body.startswith("~(")
            slot = re.match(r"\{(\w+):(\w+)", option.strip())
            led = re.match(r"\[(by)\] \{(\w+):(\w+)", option.strip())
            if slot and sort and sorts.count(sort) > 1 and before:
                parts.append(Part(compile_pattern(" ".join([*before, option])), needed, frozenset()))
            elif slot:
                cues = frozenset(word for each in before for word in spoken(each))
                parts.append(Part(compile_pattern(option), needed, frozenset(), cues, slot[2]))
            elif led:  # "by 90 degrees" is not "to 90 degrees"
                parts.append(Part(compile_pattern(option), needed, frozenset(), frozenset({led[1]}), led[3]))
            else:
                words = frozenset(stem(word) for word in spoken(option)) if needed else frozenset[str]()
                parts.append(Part(compile_pattern(option), needed, words if "{" not in option else frozenset()))
        before = before if not required and "{" not in piece else []  # "to [position] {v:vector}"
    alone = [part for part in parts if part.cues is not None and SORTS.get(part.slot, part.slot) == "name"]
    if len(alone) > 1 and all(not part.cues for part in alone):
        return ()  # "call it Flat", "Flat" is the object or the name: only their order tells
    telling = any(
        part.required and (part.words or (part.slot and SORTS.get(part.slot, part.slot) not in VAGUE)) for part in parts
    )
    return tuple(parts) if telling else ()


def sort_of(piece: str) -> str:
    """What a slot at the top of a pattern reads: a name, a number, or what the slot is called."""
    slot = re.match(r"\[?\s*\{(\w+):(\w+)", piece)
    return SORTS.get(slot[2], slot[2]) if slot else ""


def is_small(piece: str) -> bool:
    """Whether a piece is only articles, prepositions and marks."""
    words = spoken(piece)
    return (
        "{" not in piece
        and bool(words)
        and all(word in JOINTS or word in ARTICLES or word in PREPOSITIONS or not word.isalpha() for word in words)
    )


def spoken(piece: str) -> list[str]:
    """The words of a piece without a slot."""
    text = re.sub(r"<(\w+)>", lambda found: MACROS[found[1]], re.sub(r"\{\w+[:=]([^}]*)\}", r" \1 ", piece))
    return re.findall(r"[^\s\[\]()|~;<>]+", text)


def balanced(text: str) -> bool:
    """Whether no bracket is closed in here that was opened before."""
    depth = 0
    for char in text:
        depth += {"[": 1, "]": -1}.get(char, 0)
        if depth < 0:
            return False
    return True


def read_loosely(text: str, reading: Reading, at: int) -> Iterator[tuple[int, Env]]:
    """Every way to read a clause that begins here as a set of parts, up to each place where it may end."""
    parts = parts_of(text)
    if not parts or reading.words(at, 2) == ("so", "that"):  # what follows is what it is good for
        return
    last, heard = sentence(reading, at)
    if any(part.words and part.words.isdisjoint(heard) for part in parts):
        return
    left = [PATIENCE]
    yield from _follow(parts, reading, at, last, frozenset(), {}, left)


def sentence(reading: Reading, at: int) -> tuple[int, frozenset[str]]:
    """Where the sentence ends, and the stems of its words from this place on; every pattern asks for them."""
    key = "sentence", at
    if key not in reading.memo:
        last = at
        while last < len(reading.tokens) and reading.mark(last) not in {".", ";", "!", "?"}:
            last += 1
        reading.memo[key] = [(last, frozenset(reading.stems[at:last]))]
    return reading.memo[key][0]


def _follow(
    parts: tuple[Part, ...], reading: Reading, at: int, last: int, done: frozenset[int], env: Env, left: list[int]
) -> Iterator[tuple[int, Env]]:
    left[0] -= 1
    if left[0] < 0:
        return
    for index, part in enumerate(parts):
        if index in done or not fits_here(part, reading, at):
            continue
        for end, found in part.read(reading, at, env):
            said_twice = any(found[name] is not value and found[name] != value for name, value in env.items())
            if at < end <= last and not said_twice:
                yield from _follow(parts, reading, end, last, done | {index}, found, left)
    if done and all(index in done or not part.required for index, part in enumerate(parts)):
        yield at, env
    if at < last and (reading.word(at) in JOINTS or reading.mark(at) in MARKS):
        yield from _follow(parts, reading, at + 1, last, done, env, left)


def fits_here(part: Part, reading: Reading, at: int) -> bool:
    """Whether the preposition before this place is one that the part takes."""
    if part.cues is None:
        return True
    place = at - 1
    while place >= 0 and reading.word(place) in ARTICLES:
        place -= 1
    word = reading.word(place) if place >= 0 else ""
    if (
        part.slot == "object"
        and singular(word) in UNOWNED
        and at < len(reading.tokens)
        and reading.tokens[at].kind == "quoted"
    ):
        return False
    if word not in PREPOSITIONS:  # "shift it 15 m in y": by so much, not to there
        return part.slot != "vector" or "to" not in part.cues or reading.mark(at - 1) in MARKS
    return word in part.cues or word in (OWNING if part.slot == "object" and not part.cues & {"to", "from"} else GIVING)
