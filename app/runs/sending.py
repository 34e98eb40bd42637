"""Who sends a request, under which key, and how much of the service is left to him."""

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
class Limits:
    """What one caller may have; None for any."""

    runs_per_minute: int | None = None
    cost_per_day: float | None = None
    """US dollars that models may cost in 24 hours."""
    unfinished: int | None = None
    """Runs that may be under way or waiting."""


@dataclass(frozen=True)
class Sending:
    """How a request was sent. `caller` is the name that goes with the token, empty for the token of the service."""

    caller: str = ""
    key: str | None = None
    """The `Idempotency-Key` that it came with."""
    digest: str | None = None
    """The digest of the request, if it has a key."""
    limits: Limits = Limits()
    trace: str | None = None
    """The `traceparent` of the request, if it is traced."""

    @property
    def is_limited(self) -> bool:
        """Whether what is there already decides if it is taken."""
        return self.key is not None or self.limits != Limits()


NOBODY: Final = Sending()
"""Of no caller, and without limits."""


class Answering(Protocol):
    """A database that answers with rows."""

    def execute(self, statement: str, values: Any = ()) -> Any:
        """Do one statement."""
        ...


def check_quotas(db: Answering, sent: Sending) -> None:
    """Raise QuotaSpent or ServiceBusy if the caller has had what he may have."""
    limits = sent.limits
    if limits.runs_per_minute is not None:
        begun = one(db, "count(*)", "created_at > ?", (sent.caller, ago(timedelta(minutes=1))))
        if begun >= limits.runs_per_minute:
            raise QuotaSpent(f"{begun:.0f} runs were begun in the last minute; {limits.runs_per_minute} may be.")
    if limits.cost_per_day is not None:
        cost = one(db, "coalesce(sum(cost), 0)", "created_at > ?", (sent.caller, ago(timedelta(days=1))))
        if cost >= limits.cost_per_day:
            raise QuotaSpent(f"Models cost {cost:.4f} US dollars in 24 hours; {limits.cost_per_day:g} may be spent.")
    if limits.unfinished is not None:
        there = one(db, "count(*)", "finished_at IS NULL", (sent.caller,))
        if there >= limits.unfinished:
            raise ServiceBusy(f"{there:.0f} runs are under way or waiting.")


def one(db: Answering, what: str, condition: str, values: tuple[str, ...]) -> float:
    """A figure about the runs of a caller."""
    row: Any = db.execute(f"SELECT {what} AS it FROM runs WHERE caller = ? AND {condition}", values).fetchone()
    return float(row["it"])


def ago(time: timedelta) -> str:
    """The moment so long ago, as it is written down."""
    return (datetime.now(UTC) - time).isoformat(timespec="milliseconds")
