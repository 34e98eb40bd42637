"""The record of a run's healings. A module of its own, because a run's state is read without the healer."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class HealingRecord(TypedDict):
    """One healing: the attempt that it made, the one that it started from, and the rules that it applied."""

    attempt: int
    base: int
    rules: list[str]
    apart: NotRequired[bool]
    """True if it changed the snippet only in branches, for the Blenders that needed it."""
