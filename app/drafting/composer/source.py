"""Writes values and words of a request as Python source that is plain ASCII where it could be mistaken for ASCII."""

from __future__ import annotations

import textwrap
from typing import Final

from app.drafting.composer.plan import Degrees, Value

_WIDTH: Final = 100
_REQUEST_SHOWN: Final = 600
_PIECE: Final = 60
"""How much text one line of a long string holds."""


def literal(value: Value) -> str:
    """Write a value; an angle as a call of `math.radians`."""
    match value:
        case Degrees():
            return f"radians({value.value!r})"
        case str():
            return quoted(value)
        case tuple():
            return f"({', '.join(map(repr, value))})"
        case _:
            return repr(value)


def quoted(text: str) -> str:
    """Write a string; a long one in brackets on several lines."""
    letters = [_escaped(letter) for letter in text]
    if sum(map(len, letters)) <= _PIECE:
        return f'"{"".join(letters)}"'
    pieces = [""]
    for letter in letters:
        if len(pieces[-1]) + len(letter) > _PIECE:
            pieces.append("")
        pieces[-1] += letter
    return "(\n" + "".join(f'    "{piece}"\n' for piece in pieces) + ")"


def _escaped(letter: str) -> str:
    if letter in {'"', "\\"}:
        return "\\" + letter
    return letter if _is_plain(letter) else letter.encode("unicode_escape").decode("ascii")


def _is_plain(letter: str) -> bool:
    """Letters beyond Latin-1 may look like others, and some marks turn the direction of what follows."""
    return (letter.isascii() and letter.isprintable()) or ("À" <= letter <= "ÿ" and letter.isalpha())


def docstring(request: str) -> str:
    """Write the request as the beginning of a docstring: harmless, wrapped, ending with a full stop."""
    shown = textwrap.shorten(request, _REQUEST_SHOWN, placeholder=" ...")
    plain = "".join(letter if _is_plain(letter) and letter != "\\" else "?" for letter in shown)
    sentence = plain.replace('"', "'").rstrip(" .!?")
    return textwrap.fill(f"{sentence}.", _WIDTH, initial_indent="   ")[3:]
