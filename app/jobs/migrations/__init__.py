"""The changes of the tables from release to release, by Alembic."""
