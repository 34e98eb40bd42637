"""What a wording may only copy from the request, and must: numbers, names in quotes, colors and paths.

Names without quotes must be copied too, where they look like names.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Final

from app.drafting.composer.tokens import Token

COUNTED: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip


def fixed(token: Token) -> float | str | None:
    """What of a token has to be copied; None for others. Tokens that say the same, as 6 and "six", share it."""
    if token.kind == "number":
        return float(token.text)
    if token.word in COUNTED:
        return float(COUNTED[token.word])
    return token.text.lower() if token.kind in {"quoted", "hex", "path"} else None


IDENTIFIER: Final = re.compile(r"[A-Za-z]\w*_\w+|[A-Z][a-z]+\d+|\w+\.\d{3}")


def is_name(tokens: Sequence[Token], place: int, known: Container[str]) -> bool:
    """Whether a word is the name of something: written as an identifier, or with a capital inside a sentence and not
    among the known words, which may be labels of Blender's interface.
    """
    token = tokens[place]
    if token.kind != "word" or not token.text.replace("_", "").replace(".", "").isalnum():
        return False
    within = place > 0 and tokens[place - 1].kind != "mark"
    capital = token.text[:1].isupper() and not token.text.isupper() and token.text.lower() not in known
    return bool(IDENTIFIER.fullmatch(token.text)) or (within and capital)
