"""The sender of a request, its key, and the rest of his share of the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class SentBefore(Exception):
    """The caller sent this request before, with the same key; `run_id` is its run."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id)
        self.run_id = run_id


@dataclass(frozen=True)
class CallerLimits:
    """The limits of one caller; None for any."""

    runs_per_minute: int | None = None
    cost_per_day: float | None = None
    """US dollars that models may cost in 24 hours."""
    unfinished: int | None = None
    """Jobs of the same group that may be under way or waiting."""


@dataclass(frozen=True)
class Sending:
    """The sender and key of a request. `caller` is the name of its token, empty for the token of the service."""

    caller: str = ""
    key: str | None = None
    """The `Idempotency-Key` that it came with."""
    digest: str | None = None
    """The digest of the request, if it has a key."""
    limits: CallerLimits = CallerLimits()
    trace: str | None = None
    """The `traceparent` of the request, if it is traced."""

    @property
    def is_limited(self) -> bool:
        """True if earlier requests of the caller decide whether it is taken."""
        return self.key is not None or self.limits != CallerLimits()


NOBODY: Final = Sending()
"""A request of no caller, without limits."""
