"""Reads how a surface looks: "shiny", "dark blue", "gold-coloured", "colour #ff8800", "colour = (1, 0.5, 0)"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from app.drafting.composer.cursor import Cursor
from app.drafting.composer.plan import Vector
from app.drafting.draft import ValueOutOfRange

_SHORT_HEX: Final = len("#f80")


@dataclass(frozen=True)
class Look:
    """A colour, scene-linear, or the shader inputs of a finish; a label for it, and the words that said so."""

    label: str
    words: str
    colour: Vector | None = None
    inputs: Mapping[str, float] = field(default_factory=dict[str, float])


def look_here(cursor: Cursor) -> Look | None:
    """Take a word for a finish, or a colour.

    Names and #rrggbb are as on screen. Three numbers, which must follow the word "colour", are scene-linear as in
    Blender's own API. Raises `NotUnderstood` if that word is followed by no colour.
    """
    start = cursor.at
    finish = cursor.phrase(cursor.lexicon.finishes)
    if finish is not None:
        return Look(finish.label, cursor.said(start), inputs=finish.inputs)
    if not cursor.says("colour"):
        look = _hex(cursor) or _named(cursor)
        if look is not None:
            cursor.says("coloured")
        return look
    if not cursor.mark("=:"):
        cursor.says("value_link")
    look = _hex(cursor) or _named(cursor) or _numbers(cursor)
    if look is None:
        raise cursor.refuse("a colour was expected after it", start)
    return look


def _hex(cursor: Cursor) -> Look | None:
    if cursor.here is None or cursor.here.kind != "hex":
        return None
    code = cursor.here.text
    cursor.at += 1
    long = code if len(code) > _SHORT_HEX else "#" + "".join(digit * 2 for digit in code[1:])
    return Look(long.upper(), code, _linear(_parts(long)))


def _named(cursor: Cursor) -> Look | None:
    start = cursor.at
    tint = cursor.phrase(cursor.lexicon.tints)
    hue = cursor.phrase(cursor.lexicon.hues)
    if hue is None:
        cursor.at = start
        return None
    words = cursor.said(start)
    if tint is None:
        return Look(hue.word.title(), words, _linear(_parts(hue.code)))
    pairs = zip(_parts(hue.code), _parts(tint.towards), strict=True)
    r, g, b = (value + (goal - value) * tint.by for value, goal in pairs)
    return Look(f"{tint.word} {hue.word}".title(), words, _linear((r, g, b)))


def _numbers(cursor: Cursor) -> Look | None:
    start = cursor.at
    parts = cursor.quantities()
    if parts is None:
        return None
    words = cursor.said(start)
    if any(part.unit is not None or not 0.0 <= part.number <= 1.0 for part in parts):
        raise ValueOutOfRange([words], f'"{words}": a colour takes three numbers from 0 to 1')
    r, g, b = (part.number for part in parts)
    return Look("Colour", words, (r, g, b))


def _parts(code: str) -> Vector:
    r, g, b = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (r, g, b)


def _linear(screen: Vector) -> Vector:
    """From sRGB, as on screen, to the linear values that Blender calculates with."""
    r, g, b = (round(s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4, 4) for s in screen)
    return (r, g, b)
