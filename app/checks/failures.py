"""Failures of a check itself, not of the snippet that it judges."""

from __future__ import annotations


class CheckerFailed(Exception):
    """A checker gave no answer, because it cannot be started at all: our fault, never the snippet's."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check
        self.message = message


class CheckerStumbled(CheckerFailed):
    """A checker ran but crashed, took too long or gave an unreadable answer: it fails on this one snippet."""


class CheckerTooSlow(CheckerStumbled):
    """A checker computed as long as it may, and came to no end."""
