"""What can go wrong with a check itself, as against with the snippet it judges."""

from __future__ import annotations


class CheckerFailed(Exception):
    """A checker crashed, ran out of time or answered unreadably: our fault, never the snippet's."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check
        self.message = message
