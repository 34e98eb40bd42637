"""Questions, answers and their size in tokens; see `endpoint.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

PIXELS_A_TOKEN: Final = 750
"""Of a picture; servers differ, and this is the dearest of the common ones."""
MOST_PICTURE_TOKENS: Final = 1600
"""Servers shrink a picture that would take more."""
CHARACTERS_A_TOKEN: Final = 3.0
"""Code has 3 to 4 characters per token; the lower figure is the safe one."""
ANSWER_TOKENS: Final = 8192
"""Tokens that are kept free for an answer; a quarter of the window if it is smaller than four times that."""


class ModelUnavailable(Exception):
    """No model answered; the message says why, provider by provider."""


class QuestionTooLong(ModelUnavailable):
    """The question does not fit the window of the model."""


class EndpointFailed(Exception):
    """A provider gave no answer; the message is cleared of keys."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation; pictures are paths of PNG files."""

    role: Literal["system", "user", "assistant"]
    content: str
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Answer:
    """The answer of a model. `finish` is the server's word for the reason of its end; `length` means cut off."""

    text: str
    finish: str
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float
    first_token_s: float | None = None
    """Seconds to the first words; None if the answer was not streamed."""
    cached: bool = False
    """True if it was given before to the same question, and costs nothing; see `kept.py`."""


def tokens_of(text: str) -> int:
    """The estimated tokens of a text, rather too many."""
    return int(len(text.encode()) / CHARACTERS_A_TOKEN) + 1


def tokens_of_all(messages: Sequence[Message]) -> int:
    """The same for messages, plus a few tokens for each."""
    return sum(tokens_of(message.content) + 8 + sum(map(picture_tokens, message.pictures)) for message in messages)


def picture_tokens(picture: Path) -> int:
    """The estimated tokens of a PNG file. Raises OSError."""
    with picture.open("rb") as file:
        header = file.read(24)
    pixels = int.from_bytes(header[16:20]) * int.from_bytes(header[20:])
    return min(pixels // PIXELS_A_TOKEN + 1, MOST_PICTURE_TOKENS)


def answer_room(window: int) -> int:
    """Tokens of a window that are kept for the answer, unless the asker gives a number."""
    return min(ANSWER_TOKENS, window // 4)


def fit_chunks(chunks: Sequence[str], room: int) -> list[str]:
    """As many chunks as `room` tokens hold, dropped from the end, where the least relevant stand."""
    kept: list[str] = []
    for chunk in chunks:
        room -= tokens_of(chunk) + 1
        if room < 0:
            break
        kept.append(chunk)
    return kept
