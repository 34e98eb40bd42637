"""What was written into the ask box, so that it is still there if it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

REST_BYTES: Final = 2 << 20
"""Bytes that are kept of the largest body for what is sent together with a scene: words and a snippet."""


@dataclass(frozen=True)
class Asked:
    """What a form says. `run` is the run to go on from; `size` is in pixels, and None for the usual one."""

    words: str = ""
    snippet: str = ""
    run: str = ""
    blender: str = ""
    size: int | None = None
    sides: bool = False
    frames: bool = False
    heal: bool = False


def scene_bytes(most_of_a_body: int) -> int:
    """The bytes that a start scene may have."""
    return max(most_of_a_body - REST_BYTES, 0)
