"""The statements on the tables of jobs that every database has."""

from __future__ import annotations

import functools
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select, update

from app.jobs.job import JobFilter
from app.jobs.schema import SUMMARY, jobs, records

# Made once, because making a statement takes longer than reading a row. Columns to set are named by what is given.
THIS: Final = jobs.c.id == bindparam("of")
WRITE: Final = update(jobs).where(THIS)
START: Final = WRITE.values(started_at=func.coalesce(jobs.c.started_at, bindparam("moment")))
PAY: Final = WRITE.values(cost=jobs.c.cost + bindparam("more"))
KNOWN: Final = select(jobs.c.id, jobs.c.digest).where(
    jobs.c.caller == bindparam("caller"), jobs.c.key == bindparam("key")
)
OF_JOB: Final = records.c.job == bindparam("of")
RECORDS: Final = (
    select(records.c.record)
    .where(OF_JOB, records.c.kind == bindparam("as"), records.c.number > bindparam("after"))
    .order_by(records.c.number)
)
OF_RUN: Final = (
    select(records.c.kind, records.c.record).where(OF_JOB, records.c.kind != "event").order_by(records.c.number)
)
LAST_EVENT: Final = select(func.max(records.c.number)).where(OF_JOB, records.c.kind == "event")


@functools.cache
def reading(*columns: ColumnElement[Any]) -> Select[Any]:
    """The statement that reads these columns of the job `of`."""
    return select(*columns).where(THIS)


def filtered(wanted: JobFilter) -> Select[Any]:
    """The summaries of the jobs that are wanted."""
    statement = select(*SUMMARY)
    for column, value in ((jobs.c.status, wanted.status), (jobs.c.caller, wanted.caller)):
        statement = statement if value is None else statement.where(column == value)
    if wanted.kinds is not None:
        statement = statement.where(jobs.c.kind.in_(wanted.kinds))
    if wanted.repositories is not None:
        statement = statement.where(or_(jobs.c.repository.is_(None), jobs.c.repository.in_(wanted.repositories)))
    return statement
