"""Holds callers to their limits, by what the database knows of their jobs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, bindparam, func, select

from app.errors import QuotaSpent, ServiceBusy
from app.jobs.kinds import JobKind, group_of
from app.jobs.schema import jobs
from app.jobs.sending import Sending


def of_caller(figure: ColumnElement[Any], *conditions: ColumnElement[bool]) -> Select[Any]:
    """The statement that asks for a figure of a caller's jobs."""
    return select(figure).select_from(jobs).where(jobs.c.caller == bindparam("caller"), *conditions)


SINCE: Final = jobs.c.created_at > bindparam("since")
BEGUN: Final = of_caller(func.count(), SINCE)
COST: Final = of_caller(func.coalesce(func.sum(jobs.c.cost), 0), SINCE)
THERE: Final = of_caller(
    func.count(), jobs.c.finished_at.is_(None), jobs.c.kind.in_(bindparam("kinds", expanding=True))
)


def check_quotas(db: Connection, sent: Sending, kind: JobKind) -> None:
    """Raise QuotaSpent or ServiceBusy if the caller has used up his share; jobs of all kinds count."""

    def figure(statement: Select[Any], **given: object) -> float:
        return float(db.execute(statement, {"caller": sent.caller, **given}).scalar_one())

    limits = sent.limits
    if limits.runs_per_minute is not None:
        begun = figure(BEGUN, since=ago(timedelta(minutes=1)))
        if begun >= limits.runs_per_minute:
            raise QuotaSpent(f"{begun:.0f} jobs were begun in the last minute; {limits.runs_per_minute} may be.")
    if limits.cost_per_day is not None:
        cost = figure(COST, since=ago(timedelta(days=1)))
        if cost >= limits.cost_per_day:
            raise QuotaSpent(f"Models cost {cost:.4f} US dollars in 24 hours; {limits.cost_per_day:g} may be spent.")
    if limits.unfinished is not None:
        group = group_of(kind)
        there = figure(THERE, kinds=list(group.kinds))
        if there >= limits.unfinished:
            raise ServiceBusy(f"{there:.0f} {group.name} are under way or waiting.")


def ago(time: timedelta) -> str:
    """The moment so long ago, in the form of the records."""
    return (datetime.now(UTC) - time).isoformat(timespec="milliseconds")
