"""What can go wrong with a check itself, as against with the snippet it judges."""

from __future__ import annotations


class CheckerFailed(Exception):
    """A checker gave no answer: our fault, never the snippet's. As it stands, it cannot be started at all."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check
        self.message = message


class CheckerStumbled(CheckerFailed):
    """A checker ran and crashed, took too long or answered unreadably: it does not cope with this one snippet."""
