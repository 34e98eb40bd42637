"""Read by Alembic: brings the database of a connection up to date, in the transaction of that connection."""

from __future__ import annotations

from alembic import context

from app.jobs.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
