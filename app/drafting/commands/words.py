"""The words of the command language that Blender does not know: words.toml, read once."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any, Final

WORDS: Final[dict[str, Any]] = tomllib.loads(
    files("app.drafting.commands").joinpath("words.toml").read_text(encoding="utf-8")
)

UNITS: Final[dict[str, tuple[str, float]]] = {
    unit: (kind, factor) for kind, table in WORDS["units"].items() for unit, factor in table.items()
}
"""The quantity that a unit measures, and its size in Blender's own unit."""

COLORS: Final[dict[str, list[float]]] = WORDS["colors"]
LOOKS: Final[dict[str, dict[str, float]]] = WORDS["looks"]
SHADES: Final[dict[str, float]] = {"dark": 0.3, "light": 2.0, "bright": 1.6, "deep": 0.5, "pale": 2.5}
"""The effect of a word before a color: a factor that darkens, or the share of the way to white."""

_SPELLINGS: Final = {"colour": "color", "grey": "gray", "metre": "meter", "centre": "center"}


def plain(text: str) -> str:
    """A label, identifier or phrase in one spelling, for comparison: "UV_Sphere" is "uv sphere"."""
    words = re.sub(r"[\W_]+", " ", text.replace("é", "e").lower()).split()
    return " ".join(_american(word) for word in words)


def _american(word: str) -> str:
    for british, american in _SPELLINGS.items():
        word = word.replace(british, american)
    return word.removesuffix("colored") + "color" if word.endswith("colored") else word


def color_of(words: str) -> tuple[float, float, float] | None:
    """The linear color of words such as "red" or "dark blue", or of "#ff8800"; None for others."""
    if words.startswith("#"):
        return from_hex(words)
    *shade, name = plain(words).removesuffix(" color").split() or [""]
    if name not in COLORS or len(shade) > 1 or (shade and shade[0] not in SHADES):
        return None
    red, green, blue = COLORS[name]
    if not shade:
        return red, green, blue
    factor = SHADES[shade[0]]
    mixed = [part * factor if factor < 1 else min(1.0, part + (1 - part) * (factor - 1) * 0.3) for part in COLORS[name]]
    return round(mixed[0], 3), round(mixed[1], 3), round(mixed[2], 3)


def from_hex(text: str) -> tuple[float, float, float] | None:
    """The linear color of `#rgb` or `#rrggbb` in sRGB, as a color picker shows it."""
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    if not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        return None
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return round(red, 4), round(green, 4), round(blue, 4)
