"""The database of jobs: a file, or a Postgres server, whose interrupted work is done again when it is back."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import Connection, Engine, StaticPool, create_engine, event, func, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from app.errors import StorageFailed
from app.jobs.storing import JOURNAL_BYTES

Answer = TypeVar("Answer")
Job = Callable[[Connection], Answer]

log = structlog.get_logger()

HEAD: Final = "jobs_1"
"""The newest change of the tables; Alembic is loaded only if a database lacks it."""
COUNTED: Final[dict[str, Any]] = {"execution_options": {"preserve_rowcount": True}}
"""An INSERT says as well how many rows it wrote."""
PATIENCE_S: Final = 30.0
"""Seconds that a job waits for a server that is away, counted from the first failure."""
AGAIN_S: Final = 0.5
REACHED: Final[dict[str, Any]] = {
    "application_name": "blendproof",
    "connect_timeout": 5,
    "keepalives_idle": 4,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""The ways of a connection: if the network falls silent, it ends after ten seconds, not a quarter of an hour."""
LOCK: Final = 0x626C656E64
"""The advisory lock that is held while the tables are brought up to date."""
HINT: Final = "Start Postgres, or correct BLENDPROOF_DATABASE; the service goes on by itself when it is back."


class NewerSchema(Exception):
    """The tables were made by a newer release."""


class JobDatabase:
    """A database; each job is done in a transaction, as a whole or not at all."""

    def __init__(self, engine: Engine) -> None:
        self.engine: Final = engine

    def whole(self, job: Job[Answer]) -> Answer:
        """Have a job done. Raises the errors of the driver, and StorageFailed."""
        with unwrapped(), self.engine.begin() as connection:
            return job(connection)

    def close(self) -> None:
        """End the connections; another call makes one again."""
        self.engine.dispose()


class ServerDatabase(JobDatabase):
    """A Postgres server. A job may be done twice, if the server went away after it was written: it must write the
    same again."""

    def __init__(self, engine: Engine, away: tuple[type[Exception], ...]) -> None:
        super().__init__(engine)
        self._away: Final = away
        self._away_since: float | None = None

    def whole(self, job: Job[Answer]) -> Answer:
        """Have a job done, again if the server went away meanwhile; raises StorageFailed if it stays away."""
        while True:
            try:
                done = super().whole(job)
            except self._away as error:
                self._lose(error)
            else:
                self._away_since = None
                return done

    def close(self) -> None:
        """End the connections, those in use when they are given back; another call makes one, and does not keep it."""
        self._renew()
        event.listen(self.engine.pool, "checkin", given_back)

    def _renew(self) -> None:
        """End the connections, those in use when they are given back, and begin with none."""
        pool = self.engine.pool
        self.engine.dispose(close=False)
        event.listen(pool, "checkin", given_back)
        pool.dispose()

    def _lose(self, error: Exception) -> None:
        """Wait a moment for the server. Raises StorageFailed if it has been away for long."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            log.warning("the database is away", problem=first_line(error))
        self._renew()
        if time.monotonic() - self._away_since > PATIENCE_S:
            raise away(error) from error
        time.sleep(AGAIN_S)


def given_back(_connection: object, entry: ConnectionPoolEntry) -> None:
    """End a connection of a pool that is closed."""
    entry.close()


@contextlib.contextmanager
def unwrapped() -> Generator[None, None, None]:
    """Turn the errors of SQLAlchemy into those of the driver, which callers know without SQLAlchemy."""
    try:
        yield
    except DBAPIError as error:
        if error.orig is None:
            raise
        raise error.orig from None


def open_file(path: Path) -> JobDatabase:
    """The file at `path`, made or brought up to date, or left as it was; raises the errors of sqlite3."""
    # The file may be closed in another thread than the one that opened it; one thread at a time uses it.
    address, given = URL.create("sqlite", database=str(path)), {"check_same_thread": False, "isolation_level": None}
    engine = create_engine(address, connect_args=given, poolclass=StaticPool, **COUNTED)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # The driver by itself begins none before statements that change tables.
        connection.connection.cursor().execute("BEGIN")

    # They are called by the engine alone.
    del configure, begin
    database = JobDatabase(engine)
    try:
        database.whole(bring_up_to_date)
    except NewerSchema as error:
        database.close()
        raise sqlite3.DatabaseError(str(error)) from None
    except BaseException:
        database.close()
        raise
    return database


def open_server(address: str) -> ServerDatabase:
    """The database at an address, brought up to date. Raises StorageFailed, NewerSchema and errors of psycopg."""
    import psycopg

    def connect() -> Any:
        return psycopg.connect(**reaching(address))

    engine = create_engine("postgresql+psycopg://", creator=connect, pool_size=2, use_native_hstore=False, **COUNTED)
    database = ServerDatabase(engine, (psycopg.OperationalError, psycopg.InterfaceError))
    try:
        with unwrapped(), engine.connect() as waiting, lock_of(waiting):
            JobDatabase(engine).whole(bring_up_to_date)
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        database.close()
        raise away(error) from error
    except BaseException:
        database.close()
        raise
    return database


def reaching(address: str) -> dict[str, Any]:
    """The parameters of a connection to the server at an address, which may name its own. Raises ProgrammingError."""
    from psycopg.conninfo import conninfo_to_dict

    return REACHED | conninfo_to_dict(address)


def bring_up_to_date(connection: Connection) -> None:
    """Make the tables, or change them to those of this release. Raises NewerSchema."""
    last: str | None = None
    if inspect(connection).has_table("alembic_version"):
        last = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if last == HEAD:
        return
    # Takes a quarter of a second to load.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if last is not None and last not in known:
        raise NewerSchema(f"it has schema {last}, and this program reads up to {HEAD}")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextlib.contextmanager
def lock_of(connection: Connection) -> Generator[None, None, None]:
    """Have other processes wait that bring the tables up to date."""
    # Asked for again and again: a statement that waits would hold up indexes that are made concurrently.
    while not connection.scalar(select(func.pg_try_advisory_lock(LOCK))):
        connection.commit()
        time.sleep(0.05)
    connection.commit()
    try:
        yield
    finally:
        connection.execute(select(func.pg_advisory_unlock(LOCK)))
        connection.commit()


def away(error: Exception) -> StorageFailed:
    return StorageFailed(f"The database cannot be reached: {first_line(error)}", HINT)


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
