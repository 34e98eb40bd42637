"""One table for jobs of all kinds, in the place of the runs of release 0.1."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "jobs_1"
down_revision: Final = None

FURTHER: Final = {"attempts": "'attempt', number, attempt", "records": "kind, number, record"}
"""The other tables of 0.1, with their columns as records."""
REFUSED_BY_OLDER: Final = 5
"""The number of the schema by which release 0.1 sees that it cannot read the file."""


def upgrade() -> None:
    """Make the tables, and move to them what release 0.1 wrote."""
    make_tables()
    connection = op.get_bind()
    inspector = sa.inspect(connection)
    if inspector.has_table("runs"):
        move(inspector)
        for table in ("attempts", "records", "runs", "leases", "blendproof_schema"):
            op.execute(f"DROP TABLE IF EXISTS {table}")
    if connection.dialect.name == "sqlite":
        op.execute(f"PRAGMA user_version = {REFUSED_BY_OLDER}")


def move(inspector: sa.Inspector) -> None:
    """Copy the runs, each with the columns that its release had."""
    is_file = inspector.dialect.name == "sqlite"
    kept = [column["name"] for column in inspector.get_columns("runs")]
    moved = ", ".join(name for name in kept if name not in ("number", "owner", "leased_until", "cancel"))
    op.execute(f"INSERT INTO jobs ({moved}) SELECT {moved} FROM runs ORDER BY {'rowid' if is_file else 'number'}")
    if is_file:
        # The first files had none.
        op.execute("UPDATE attempts SET attempt = json_insert(attempt, '$.symbols', json('[]'))")
    for table, columns in FURTHER.items():
        if inspector.has_table(table):
            op.execute(f"INSERT INTO job_records (job, kind, number, record) SELECT run, {columns} FROM {table}")


def make_tables() -> None:
    moment = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    needed = ("id", "kind", "status", "stage", "title", "blender", "request")
    optional = ("repository", "origin", "artifact", "error", "key", "digest", "owner", "place")
    op.create_table(
        "jobs",
        sa.Column("number", number, primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in needed),
        *(sa.Column(name, sa.Text()) for name in optional),
        sa.Column("created_at", moment, nullable=False),
        sa.Column("started_at", moment),
        sa.Column("finished_at", moment),
        sa.Column("resumes", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("retrieved", sa.Text(), nullable=False, server_default="[]"),
        sa.Column("caller", sa.Text(), nullable=False, server_default=""),
        sa.Column("cost", sa.Float(53), nullable=False, server_default="0"),
        sa.Column("leased_until", sa.DateTime(timezone=True)),
        sa.Column("cancel", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    keyed, unfinished = sa.text("key IS NOT NULL"), sa.text("finished_at IS NULL")
    op.create_index("jobs_by_id", "jobs", ["id"], unique=True)
    op.create_index("jobs_by_key", "jobs", ["caller", "key"], unique=True, sqlite_where=keyed, postgresql_where=keyed)
    op.create_index("jobs_open", "jobs", ["caller", "number"], sqlite_where=unfinished, postgresql_where=unfinished)
    op.create_index("jobs_by_status", "jobs", ["status", "number"])
    op.create_index("jobs_by_caller", "jobs", ["caller", "created_at"])
    op.create_index("jobs_served", "jobs", ["caller", "started_at"])
    op.create_index("jobs_recent", "jobs", ["created_at", "caller"])
    op.create_table(
        "job_records",
        sa.Column("job", sa.Text(), primary_key=True),
        sa.Column("kind", sa.Text(), primary_key=True),
        sa.Column("number", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("record", sa.Text(), nullable=False),
    )
    op.create_table(
        "job_leases",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("kinds", sa.Text(), nullable=False, server_default=""),
    )
