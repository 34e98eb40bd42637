"""Reads how a surface looks ("shiny", "dark blue", "gold-coloured") and gathers it as the material of an object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from app.drafting.composer.cursor import Cursor
from app.drafting.composer.plan import SetMaterial, Target, Vector
from app.drafting.composer.settings import Setting
from app.drafting.draft import NotUnderstood, ValueOutOfRange

_SHORT_HEX: Final = len("#f80")


@dataclass(frozen=True)
class Look:
    """A colour, scene-linear, or the shader inputs of a finish; a label for it, and the words that said so.

    `metal`: the colour word alone could also mean the metal.
    """

    label: str
    words: str
    colour: Vector | None = None
    inputs: Mapping[str, float] = field(default_factory=dict[str, float])
    metal: bool = False


@dataclass
class Surface:
    """The material of one target, as far as the request has been read. What was given once cannot be given again.

    `metal` is a word such as "gold", which needs another one to say whether the metal or only its colour is meant.
    """

    target: Target
    name: str | None = None
    labels: list[str] = field(default_factory=list[str])
    colour: Vector | None = None
    inputs: dict[str, float] = field(default_factory=dict[str, float])
    metal: str | None = None

    def call(self, name: str) -> None:
        """Take on a name."""
        if self.name is not None:
            raise NotUnderstood([name], f'"{name}": the material was given a name before')
        self.name = name

    def add_look(self, look: Look) -> None:
        """Take on a colour or a finish."""
        self.labels.append(look.label)
        if look.colour is not None:
            if self.colour is not None:
                raise NotUnderstood([look.words], f'"{look.words}": the colour was given before')
            self.colour = look.colour
            self.metal = look.words if look.metal else None
        for name, value in look.inputs.items():
            self._set_input(name, value, look.words)

    def add_setting(self, setting: Setting) -> None:
        """Take on "roughness 0.2"."""
        for name in setting.property.attributes:
            if isinstance(setting.value, float):
                self._set_input(name, setting.value, setting.words)

    def _set_input(self, name: str, value: float, words: str) -> None:
        if name in self.inputs:
            raise NotUnderstood([words], f'"{words}": the {name} was given before')
        self.inputs[name] = value

    def step(self) -> SetMaterial:
        """What the plan does. Raises `NotUnderstood` if a word could mean a metal or only its colour."""
        if self.metal is not None and "metallic" not in self.inputs:
            raise NotUnderstood(
                [self.metal],
                f'"{self.metal}": the metal, or only its colour? '
                f'Say "metallic {self.metal}" or "{self.metal}-coloured"',
            )
        name = self.name or " ".join(self.labels) or "Material"
        return SetMaterial(self.target, name, self.colour, dict(self.inputs))


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
        if look is not None and cursor.says("coloured"):
            return replace(look, metal=False)
        return look
    if not cursor.mark("=:"):
        cursor.says("value_link")
    look = _hex(cursor) or _named(cursor) or _numbers(cursor)
    if look is None:
        raise cursor.refuse("a colour was expected after it", start)
    return replace(look, metal=False)


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
        return Look(hue.word.title(), words, _linear(_parts(hue.code)), metal=hue.metal)
    pairs = zip(_parts(hue.code), _parts(tint.towards), strict=True)
    r, g, b = (value + (goal - value) * tint.by for value, goal in pairs)
    return Look(f"{tint.word} {hue.word}".title(), words, _linear((r, g, b)), metal=hue.metal)


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
