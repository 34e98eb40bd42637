"""A connection to Postgres that outlives its server: an interrupted job is done again when the server is back."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Self, TypeVar, cast

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row

from app.errors import SettingsInvalid, StorageFailed
from app.jobs.postgres_schema import EXISTS, LOCK, STEPS

Answer = TypeVar("Answer")
Connection = psycopg.Connection[dict[str, Any]]

log = structlog.get_logger()

PATIENCE_S: Final = 30.0
"""Seconds that a job waits for a server that is away, counted from the first failure."""
AGAIN_S: Final = 0.5
CONNECT_S: Final = 5
HINT: Final = "Start Postgres, or correct BLENDPROOF_DATABASE; the service goes on by itself when it is back."
AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError)


class PostgresLink:
    """The connection; one thread uses it."""

    def __init__(self, address: str) -> None:
        self._address: Final = address
        self._connection: Connection | None = None
        self._away_since: float | None = None

    @classmethod
    def open(cls, address: str) -> Self:
        """Connect, and bring the tables up to date. Raises StorageFailed and SettingsInvalid."""
        try:
            conninfo_to_dict(address)
        except psycopg.ProgrammingError:
            # The message of psycopg may hold the password.
            raise SettingsInvalid("BLENDPROOF_DATABASE: this is no address of a Postgres database.") from None
        link = cls(address)
        try:
            link._prepare()
        except psycopg.ProgrammingError as error:
            raise SettingsInvalid(f"BLENDPROOF_DATABASE: {first_line(error)}") from None
        except AWAY as error:
            raise away(error) from error
        return link

    def _prepare(self) -> None:
        db = self._connected()
        with lock_of(db):
            db.execute(EXISTS)
            row: Any = db.execute("SELECT max(version) AS last FROM blendproof_schema").fetchone()
            last: int = row["last"] or 0
            if last > len(STEPS):
                raise SettingsInvalid(f"The database has schema {last}, and this program reads up to {len(STEPS)}.")
            for version, step in enumerate(STEPS[last:], last + 1):
                with db.transaction():
                    # More than one statement is sent without values.
                    db.execute(step.encode())
                    db.execute("INSERT INTO blendproof_schema VALUES (%s)", (version,))

    def _connected(self) -> Connection:
        connection = self._connection
        if connection is None or connection.closed:
            made: Any = psycopg.connect(
                self._address,
                autocommit=True,
                row_factory=cast("Any", dict_row),
                connect_timeout=CONNECT_S,
                application_name="blendproof",
            )
            connection = cast("Connection", made)
            self._connection = connection
        return connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> psycopg.Cursor[dict[str, Any]]:
        """Do one statement, with a question mark per value."""
        return self._connected().execute(statement.replace("?", "%s").encode(), values)

    def transaction(self) -> AbstractContextManager[Any]:
        """All that is done in it is written, or nothing."""
        return self._connected().transaction()

    def close(self) -> None:
        """End the connection; another call makes one again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def whole(self, job: Callable[[], Answer]) -> Answer:
        """Have a job done, again if the server went away meanwhile; raises StorageFailed if it stays away.

        A job may so be done twice, if the server went away after it had written it: it must write the same again.
        """
        while True:
            try:
                done = job()
            except AWAY as error:
                self._lose(error)
            else:
                self._away_since = None
                return done

    def _lose(self, error: psycopg.Error) -> None:
        """Wait a moment for the server. Raises StorageFailed if it has been away for long."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            log.warning("the database is away", problem=first_line(error))
        self.close()
        if time.monotonic() - self._away_since > PATIENCE_S:
            raise away(error) from error
        time.sleep(AGAIN_S)


@contextlib.contextmanager
def lock_of(db: Connection) -> Generator[None, None, None]:
    """Have other processes wait that bring the tables up to date."""
    # Asked for again and again: a statement that waits would hold up indexes that are made concurrently.
    while not (db.execute("SELECT pg_try_advisory_lock(%s) AS got", (LOCK,)).fetchone() or {})["got"]:
        time.sleep(0.05)
    try:
        yield
    finally:
        db.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))


def away(error: psycopg.Error) -> StorageFailed:
    return StorageFailed(f"The database cannot be reached: {first_line(error)}", HINT)


def first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
