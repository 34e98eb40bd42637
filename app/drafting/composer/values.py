"""Values as a request gives them, and as Python source.

"3", "half", "twenty five"   number        "(1, 2, 3)", "x = 4"   Vec, with None where nothing was said
"2 m", "45 degrees", "50 %"  Quantity      "dark red", "#ff8800"  Color, scene-linear
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, cast

from app.drafting.composer.lexicon import Unit
from app.drafting.draft import NotUnderstood, ValueOutOfRange
from ingest.manifest import Property

PIECE: Final = 60
"""How much text one line of a long string holds."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, if it had one."""

    number: float
    unit: Unit | None = None

    def measured(self, what: str) -> bool:
        """Whether its unit measures this."""
        return self.unit is not None and self.unit.measures == what

    @property
    def value(self) -> float:
        """The number in the base unit."""
        return clean(self.number * (self.unit.factor if self.unit else 1.0))


@dataclass(frozen=True)
class Vec:
    """Components, None where the request says nothing; `unit` measures all of them."""

    parts: tuple[float | None, ...]
    unit: Unit | None = None

    @property
    def whole(self) -> bool:
        """Whether every component is given."""
        return None not in self.parts


@dataclass(frozen=True)
class Color:
    """Scene-linear red, green, blue, and what the user called it."""

    rgb: tuple[float, float, float]
    label: str


@dataclass(frozen=True)
class Degrees:
    """An angle."""

    value: float


@dataclass(frozen=True)
class Change:
    """What becomes of a number that is there: "*" times, "+" plus or "-" minus this."""

    operator: str
    number: float


@dataclass(frozen=True)
class Ref:
    """A thing of the file, by name or as a target."""

    target: Any


def clean(number: float) -> float:
    """The number without the noise of binary fractions."""
    return float(f"{number:.10g}")


def linear(hexadecimal: str) -> tuple[float, float, float]:
    """Scene-linear components of a color as seen on screen."""
    digits = hexadecimal.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    parts = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels]
    return round(parts[0], 4), round(parts[1], 4), round(parts[2], 4)


def shaded(hexadecimal: str, towards: str, share: float) -> str:
    """A color moved towards another, as seen on screen."""
    digits = hexadecimal.lstrip("#"), towards.lstrip("#")
    mixed = [
        round(int(digits[0][place : place + 2], 16) * (1 - share) + int(digits[1][place : place + 2], 16) * share)
        for place in (0, 2, 4)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def fitted(prop: Property, given: Quantity) -> bool | int | float | Degrees | None:
    """A number as the property takes it; None where its unit measures something else.

    Raises `ValueOutOfRange` where Blender does not take it.
    """
    measures = given.unit.measures if given.unit else ""
    if prop.type == "INT":
        if measures == "bitrate":
            return int(checked(prop, given.value))
        if measures not in {"", "frames", "pixels", "rate", "times", "share"} or given.number != int(given.number):
            if measures == "" and given.number != int(given.number):
                raise ValueOutOfRange([f"{given.number:g}"], f'"{given.number:g}": {prop.label} is a whole number')
            return None
        return int(checked(prop, given.number))
    if prop.type != "FLOAT":
        return None
    if prop.subtype in {"ANGLE", "EULER"} or prop.unit == "ROTATION":
        return Degrees(angle(prop, given)) if measures in {"", "angle"} else None
    if measures == "angle rate" and prop.unit in {"VELOCITY", "ACCELERATION"}:
        return None  # so much turning is no speed along a line
    if measures == "angle" or (measures == "temperature" and prop.subtype != "COLOR_TEMPERATURE"):
        return None
    if measures == "share":
        return float(checked(prop, given.number if prop.subtype == "PERCENTAGE" else given.value))
    lengthy = prop.unit in {"LENGTH", "CAMERA"} or prop.subtype in {"DISTANCE", "TRANSLATION", "DISTANCE_CAMERA", "XYZ"}
    if measures == "length":
        if prop.unit == "CAMERA" or prop.subtype == "DISTANCE_CAMERA":
            return float(checked(prop, clean(given.value * 1000)))
        if prop.subtype == "WAVELENGTH":
            return float(checked(prop, clean(given.value * 1e9)))
        return float(checked(prop, given.value)) if lengthy or not prop.unit else None
    return float(checked(prop, given.value))


def angle(prop: Property, given: Quantity) -> float:
    """An angle in degrees, within the limits of the property."""
    degrees = given.value
    checked(prop, math.radians(degrees), f"{degrees:g}")
    return degrees


def checked(prop: Property, number: float, shown: str = "") -> float:
    """The number. Raises `ValueOutOfRange` where it is beyond Blender's hard limits."""
    low, high = prop.min, prop.max
    slack = 1e-6
    if (low is not None and number < low - slack) or (high is not None and number > high + slack):
        if prop.subtype in {"ANGLE", "EULER"} or prop.unit == "ROTATION":
            low, high = (None if each is None else math.degrees(each) for each in (low, high))
        sides = (("at least", low), ("at most", high))
        limits = " and ".join(f"{side} {each:g}" for side, each in sides if each is not None and abs(each) < 1e9)
        text = shown or f"{number:g}"
        raise ValueOutOfRange([text], f'"{text}": Blender takes {limits} for {prop.label}')
    return number


def literal(value: object) -> str:
    """A value as Python source; an angle as a call of `math.radians`."""
    match value:
        case Degrees():
            return f"radians({clean(value.value)!r})" if value.value else "0.0"
        case str():
            return quoted(value)
        case float():
            return repr(clean(value))
        case Color():
            return literal(value.rgb)
        case tuple():
            parts = cast("tuple[object, ...]", value)
            inner = ", ".join(literal(part) for part in parts)
            return f"({inner},)" if len(parts) == 1 else f"({inner})"
        case _:
            return repr(value)


def with_article(noun: str) -> str:
    """The noun with "a" or "an", as it is spoken."""
    letter = noun[:1].lower()
    spoken_a = letter == "u" and noun[1:2].lower() in {"v", "s"}  # a UV, a user
    return f"{'an' if letter in set('aeiou') and not spoken_a else 'a'} {noun}"


def titled(words: str) -> str:
    """Words as a name: "dark red" is "Dark Red", a hexadecimal color stays as it is."""
    return " ".join(word.upper() if word.startswith("#") else word.title() for word in words.split())


def quoted(text: str) -> str:
    """A string; a long one in brackets on several lines."""
    letters = [_escaped(letter) for letter in text]
    if sum(map(len, letters)) <= PIECE:
        return f'"{"".join(letters)}"'
    pieces = [""]
    for letter in letters:
        if len(pieces[-1]) + len(letter) > PIECE:
            pieces.append("")
        pieces[-1] += letter
    return "(\n" + "".join(f'    "{piece}"\n' for piece in pieces) + ")"


def _escaped(letter: str) -> str:
    if letter in {'"', "\\"}:
        return "\\" + letter
    return letter if is_plain(letter) else letter.encode("unicode_escape").decode("ascii")


def is_plain(letter: str) -> bool:
    """Whether a letter is what it looks like: letters beyond Latin-1 may look like others."""
    return (letter.isascii() and letter.isprintable()) or ("À" <= letter <= "ÿ" and letter.isalpha())


class Ambiguous(NotUnderstood):
    """What may mean two things that differ: no other reading is tried."""


def refuse(words: str, reason: str) -> NotUnderstood:
    """A refusal that names the words to blame."""
    return NotUnderstood([words] if words else [], f'"{words}": {reason}' if words else reason)
