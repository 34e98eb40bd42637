"""Reads the words of a sentence: things, numbers, directions and looks."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.drafting.commands import operations as op
from app.drafting.commands.names import OBJECT_TYPES
from app.drafting.commands.words import LOOKS, SHADES, UNITS, color_of, plain
from app.drafting.draft import NotUnderstood

PARTS_OF_THINGS: Final = frozenset({"modifier", "constraint", "node"})
"""Nouns whose label may also be a look: a mirror modifier."""
LARGEST: Final = 1e30
EVERY: Final = frozenset({"every", "all", "each"})
SMOOTH: Final = ("smooth", "flat")
IT: Final = op.Mention(words="it")


@dataclass(frozen=True)
class SpokenThing:
    """A named thing whose words are not interpreted yet."""

    text: str
    quoted: str
    of: SpokenThing | None
    behind: str = ""
    """Words after a name in quotes: "Box" up."""

    def reference(self) -> op.Mention:
        of = self.of.reference() if self.of else None
        if self.behind:
            raise NotUnderstood([self.behind], f'"{self.behind}" is not allowed after "{self.quoted}"')
        if self.quoted:
            return op.Mention(words=self.text.lower(), name=self.quoted, of=of)
        words, name = _words_and_name(self.text)
        return op.Mention(words=words, name=name, of=of)


class SpokenThings(list[SpokenThing]):
    """Things in the order in which they are named."""


def _words_and_name(text: str) -> tuple[str, str]:
    """The kind of a thing, in lower case, and its name: "material Red" is the material called Red."""
    parts = text.split()
    behind = len(parts)
    while behind and _is_name(parts[behind - 1]):
        behind -= 1
    if behind == len(parts) or (len(parts) == 1 and not _is_name(parts[0])):
        return text.lower(), ""
    return " ".join(parts[:behind]).lower(), " ".join(parts[behind:])


def _is_name(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or "_" in word or "." in word


@dataclass(frozen=True)
class Detail:
    """One detail after the noun of a thing: `kind` is the rule of the grammar."""

    kind: str
    value: Any
    noun: bool = False
    """True if it has an article, as in "with a bevel modifier"."""
    another: bool = False
    """True if it follows "and" with an article: "a cube and a sphere"."""


ORIGIN: Final = op.Vector(parts=(op.Number(number=0), op.Number(number=0), op.Number(number=0)))
_DIRECTIONS: Final = {
    "up": (0, 0, 1), "upwards": (0, 0, 1), "down": (0, 0, -1), "downwards": (0, 0, -1), "x": (1, 0, 0),
    "y": (0, 1, 0), "z": (0, 0, 1), "x axis": (1, 0, 0), "y axis": (0, 1, 0), "z axis": (0, 0, 1),
}  # fmt: skip


def references(things: Sequence[SpokenThing]) -> tuple[op.Mention, ...]:
    """The references of these things; in "every light and camera", "every" belongs to both."""
    found: list[op.Mention] = []
    every = ""
    for thing in things:
        reference = thing.reference()
        first = reference.words.split(" ")[0]
        every = first if first in EVERY and not reference.name else every
        bare = not reference.name and reference.of is None and first not in EVERY
        if every and bare and reference.words in OBJECT_TYPES and (every != "all" or reference.words.endswith("s")):
            reference = op.Mention(words=f"{every} {reference.words}")
        found.append(reference)
    return tuple(found)


def number_of(text: str) -> op.Number:
    text = text.strip()
    unit = next((unit for unit in sorted(UNITS, key=len, reverse=True) if text.endswith(unit)), "")
    number = float(text.removesuffix(unit))
    if abs(number) > LARGEST:
        raise NotUnderstood([text], f"the number {text} is too large")
    return op.Number(number=number, unit=unit)


def axis_of(words: str) -> str:
    axis = plain(words).removesuffix(" axis").upper()
    if axis not in {"X", "Y", "Z"}:
        raise NotUnderstood([words], f'"{words}" is not an axis; allowed here: X, Y, Z')
    return axis


def move_by_number(things: list[SpokenThing], amount: op.Number, words: str) -> op.Operation:
    """Move by a number: the direction follows the number, or the thing to move ("the cube up by 2")."""
    last = things[-1]
    if not words and last.quoted:
        words = last.behind
        things = [*things[:-1], dataclasses.replace(last, behind="")]
    elif not words:
        text, _, words = last.text.rpartition(" ")
        things = [*things[:-1], SpokenThing(text, "", last.of)]
    direction = _DIRECTIONS.get(plain(words))
    if direction is None:
        raise NotUnderstood([words], f'"{words}" is not a direction; allowed here: {", ".join(_DIRECTIONS)}')
    unit = amount.unit
    parts = tuple(op.Number(number=amount.number * part + 0.0, unit=unit if part else "") for part in direction)
    return op.Transform(do="move", things=references(things), how="by", value=op.Vector(parts=parts))


def shade_by_words(things: list[SpokenThing]) -> op.Operation:
    """Shade the things before the last word in the way that this word says."""
    last = things[-1]
    *words, how = (last.behind if last.quoted else last.text).split() or [""]
    if how not in SMOOTH or (last.quoted and words):
        raise NotUnderstood([how], f'"{how}" is not a kind of shading; allowed here: smooth, flat')
    rest = [*things[:-1], SpokenThing(" ".join(words), "", last.of)] if words else things[:-1]
    rest = [*things[:-1], dataclasses.replace(last, behind="")] if last.quoted else rest
    return op.Shade(things=references(rest) or (IT,), how="smooth" if how == "smooth" else "flat")


def split_looks(text: str) -> tuple[str, tuple[str, ...]]:
    """Words without the looks after them, and the looks: "cube dark red" is the cube and "dark red"."""
    words, looks = text.split(), list[str]()
    while words:
        shaded_word = len(words) > 2 and words[-3].lower() not in EVERY and words[-2].lower() in SHADES
        length = 2 if shaded_word and color_of(words[-1]) else 1
        word = " ".join(words[-length:])
        rest = words[:-length]
        if not is_look(word) or not rest or rest[-1].lower() in EVERY:
            break
        looks.insert(0, word)
        words = rest
    return " ".join(words), tuple(looks)


def leading_looks(text: str) -> tuple[tuple[str, ...], str]:
    """The looks before a noun, and the rest: "shiny gold material"."""
    words, looks = text.split(), list[str]()
    while len(words) > 1 and words[-1].lower() not in PARTS_OF_THINGS:
        length = 2 if words[0].lower() in SHADES and len(words) > 2 and color_of(words[1]) else 1
        word = " ".join(words[:length])
        if not is_look(word):
            break
        looks.append(word)
        words = words[length:]
    return tuple(looks), " ".join(words)


def is_look(word: str) -> bool:
    """True if a word in lower case is a color or another look; one with a capital is a name."""
    return word == word.lower() and (color_of(word) is not None or plain(word) in LOOKS)
