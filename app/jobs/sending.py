"""The sender of a request, its key, and the rest of his share of the service."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

from app.errors import QuotaSpent, ServiceBusy


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
    """Runs that may be under way or waiting."""


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


class RowSource(Protocol):
    """A database that answers with rows."""

    def execute(self, statement: str, values: Any = ()) -> Any:
        """Do one statement."""
        ...


def check_quotas(db: RowSource, sent: Sending) -> None:
    """Raise QuotaSpent or ServiceBusy if the caller has used up his share."""
    limits = sent.limits
    if limits.runs_per_minute is not None:
        begun = figure(db, "count(*)", "created_at > ?", (sent.caller, ago(timedelta(minutes=1))))
        if begun >= limits.runs_per_minute:
            raise QuotaSpent(f"{begun:.0f} runs were begun in the last minute; {limits.runs_per_minute} may be.")
    if limits.cost_per_day is not None:
        cost = figure(db, "coalesce(sum(cost), 0)", "created_at > ?", (sent.caller, ago(timedelta(days=1))))
        if cost >= limits.cost_per_day:
            raise QuotaSpent(f"Models cost {cost:.4f} US dollars in 24 hours; {limits.cost_per_day:g} may be spent.")
    if limits.unfinished is not None:
        there = figure(db, "count(*)", "finished_at IS NULL", (sent.caller,))
        if there >= limits.unfinished:
            raise ServiceBusy(f"{there:.0f} runs are under way or waiting.")


def figure(db: RowSource, expression: str, condition: str, values: tuple[str, ...]) -> float:
    """A figure about the runs of a caller."""
    row: Any = db.execute(
        f"SELECT {expression} AS figure FROM runs WHERE caller = ? AND {condition}", values
    ).fetchone()
    return float(row["figure"])


def ago(time: timedelta) -> str:
    """The moment so long ago, in the form of the records."""
    return (datetime.now(UTC) - time).isoformat(timespec="milliseconds")
