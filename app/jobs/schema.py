"""The tables of jobs, in SQLite and in Postgres. `migrations` makes them, and brings older ones up to date."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    Index,
    Integer,
    MetaData,
    RowMapping,
    Table,
    Text,
    false,
    text,
)

from app.errors import ErrorBody
from app.jobs.kinds import RUNS
from app.jobs.run import ArtifactLinks

# Moments are compared as texts, in the order of their bytes.
MOMENT: Final = Text().with_variant(Text(collation="C"), "postgresql")

metadata: Final = MetaData()
jobs: Final = Table(
    "jobs",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("blender", Text, nullable=False),
    Column("repository", Text),
    Column("origin", Text),
    Column("request", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("started_at", MOMENT),
    Column("finished_at", MOMENT),
    Column("artifact", Text),
    Column("error", Text),
    Column("resumes", Integer, nullable=False, server_default="0"),
    Column("retrieved", Text, nullable=False, server_default="[]"),
    Column("caller", Text, nullable=False, server_default=""),
    Column("key", Text),
    Column("digest", Text),
    Column("cost", Float(53), nullable=False, server_default="0"),
    Column("owner", Text),
    Column("place", Text),
    Column("leased_until", DateTime(timezone=True)),
    Column("cancel", Boolean, nullable=False, server_default=false()),
)
"""A job of any kind. `origin` is the folder or address of its repository; `owner` has it until `leased_until`, and
`place` names the data folder that has its files; `artifact` is the branch of a change."""
Index("jobs_by_id", jobs.c.id, unique=True)
KEYED: Final = text("key IS NOT NULL")
Index("jobs_by_key", jobs.c.caller, jobs.c.key, unique=True, sqlite_where=KEYED, postgresql_where=KEYED)
OPEN: Final = text("finished_at IS NULL")
Index("jobs_open", jobs.c.caller, jobs.c.number, sqlite_where=OPEN, postgresql_where=OPEN)
Index("jobs_by_status", jobs.c.status, jobs.c.number)
Index("jobs_by_caller", jobs.c.caller, jobs.c.created_at)
Index("jobs_served", jobs.c.caller, jobs.c.started_at)
Index("jobs_recent", jobs.c.created_at, jobs.c.caller)

records: Final = Table(
    "job_records",
    metadata,
    Column("job", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("record", Text, nullable=False),
)
"""Everything of a job beyond its row, as JSON: events, attempts, questions to models, its result."""
leases: Final = Table(
    "job_leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
    Column("places", Integer, nullable=False, server_default="0"),
    Column("kinds", Text, nullable=False, server_default=""),
)
"""The leases of processes: of a task that one does for all, or of the places for a group of kinds that it offers."""

SUMMARY: Final = tuple(
    jobs.c[name]
    for name in (
        *("id", "kind", "status", "stage", "title", "blender", "repository", "caller", "cost"),
        *("created_at", "started_at", "finished_at", "artifact", "error"),
    )
)


def summary_fields(row: RowMapping) -> dict[str, Any]:
    """A row of `jobs` as the fields of a JobSummary."""
    is_run = row["kind"] in RUNS.kinds
    return {
        **{column.name: row[column.name] for column in SUMMARY},
        "artifact": ArtifactLinks.of(row["artifact"]) if row["artifact"] and is_run else None,
        "branch": None if is_run else row["artifact"],
        "error": ErrorBody.model_validate_json(row["error"]) if row["error"] else None,
    }
