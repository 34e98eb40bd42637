"""What a wording may only copy from the request, and must: numbers, names in quotes, colors and paths."""

from __future__ import annotations

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
