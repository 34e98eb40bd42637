"""The jobs in Postgres, where several processes work on them.

A process claims a job for a while, and renews the claim again and again. If it stops renewing, its jobs are free to
be claimed. News goes to every process that listens (`postgres_news.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    exists,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from app.errors import SettingsInvalid, StorageFailed
from app.jobs.database import JobDatabase, NewerSchema, ServerDatabase, first_line, open_server
from app.jobs.kinds import CHANGES, JobGroup
from app.jobs.quotas import ago
from app.jobs.run import UNFINISHED, JobStatus
from app.jobs.schema import jobs, leases
from app.jobs.storing import EventBatch, now
from app.jobs.tables import JobStore

CHANNEL: Final = "blendproof"
LATELY: Final = timedelta(minutes=5)
NEXT: Final = text("""
WITH open_jobs AS (
    SELECT caller, owner IS NOT NULL AND leased_until >= now() AS busy FROM jobs
    WHERE finished_at IS NULL AND kind = ANY(:kinds)
), turns AS (
    SELECT caller, count(*) FILTER (WHERE busy) AS busy,
        (SELECT max(started_at) FROM jobs WHERE jobs.caller = open_jobs.caller AND kind = ANY(:kinds)) AS served,
        NOT EXISTS (
            SELECT FROM jobs WHERE created_at > :lately AND jobs.caller <> open_jobs.caller AND kind = ANY(:kinds)
        ) AS sole
    FROM open_jobs GROUP BY caller HAVING count(*) FILTER (WHERE NOT busy) > 0
), free AS (
    SELECT sum(places) - (SELECT count(*) FROM open_jobs WHERE busy) AS places
    FROM job_leases WHERE until > now() AND kinds = :group
)
SELECT id, status, place FROM jobs JOIN turns USING (caller)
WHERE finished_at IS NULL AND kind = ANY(:kinds) AND (owner IS NULL OR leased_until < now())
    AND NOT id = ANY(:held) AND (repository IS NULL OR repository || ' ' || origin = ANY(:here))
    AND (turns.busy = 0 OR turns.sole OR (SELECT places FROM free) > 1)
ORDER BY turns.busy, turns.served NULLS FIRST, number LIMIT 1 FOR UPDATE OF jobs SKIP LOCKED
""")
"""The next job of a group to work on: of the caller with the fewest under way, and among those of the one who was
served longest ago, the oldest. The last free place of all processes is for a caller with none under way, if another
caller sent something since the moment given; see `app/service/turns.py`, which is the same for one process. A job on a
repository is only for a process that has it."""
AWAY: Final = (psycopg.OperationalError, psycopg.InterfaceError)
FREE: Final = or_(jobs.c.owner.is_(None), jobs.c.leased_until < func.now())
PLACE_LIVES: Final = exists().where(
    leases.c.until > func.now(), leases.c.name == func.concat(f"{CHANGES.name} of ", jobs.c.place)
)
"""The service that a job was sent to, or that claimed it last, is running."""
WAITS: Final = "waits for a service that has the repository "


@dataclass(frozen=True)
class JobClaim:
    """A claim on a job. `suspect`: a process died at it. `elsewhere`: its files are on another machine."""

    id: str
    suspect: bool
    elsewhere: bool


class PostgresJobs(JobStore):
    """A `JobStore` in Postgres; `open` makes one. Raises StorageFailed if the server stays away for a while."""

    INSERT = staticmethod(insert)

    def __init__(self, thread: ThreadPoolExecutor, database: ServerDatabase, place: str, lease_s: float) -> None:
        self.owner: Final = secrets.token_hex(8)
        super().__init__(thread, database)
        self.place: Final = place
        """Names the data folder of this process."""
        self.lease_s: Final = lease_s
        # Apart from the thread of the store, which may wait for a server that is away.
        self.leasing: Final = JobDatabase(database.engine)

    @classmethod
    async def open(cls, address: str, place: str, lease_s: float) -> Self:
        """Connect, and bring the tables up to date. Raises StorageFailed and SettingsInvalid."""
        try:
            conninfo_to_dict(address)
        except psycopg.ProgrammingError:
            # The message of psycopg may hold the password.
            raise SettingsInvalid("BLENDPROOF_DATABASE: this is no address of a Postgres database.") from None
        thread = ThreadPoolExecutor(1, thread_name_prefix="jobs")
        try:
            database = await asyncio.get_running_loop().run_in_executor(thread, open_server, address)
        except BaseException as error:
            thread.shutdown(wait=False)
            if isinstance(error, NewerSchema | psycopg.ProgrammingError):
                raise SettingsInvalid(f"BLENDPROOF_DATABASE: {first_line(error)}") from None
            raise
        return cls(thread, database, place, lease_s)

    def _of_here(self, repository: str, origin: str) -> ColumnElement[bool]:
        here = or_(jobs.c.place.is_(None), jobs.c.place == self.place, ~PLACE_LIVES)
        return super()._of_here(repository, origin) & here

    def _own(self) -> ColumnElement[bool]:
        return or_(jobs.c.owner.is_(None), jobs.c.owner == self.owner)

    def _lock_caller(self, db: Connection, caller: str) -> None:
        db.execute(select(func.pg_advisory_xact_lock(func.hashtext(caller))))

    @property
    def _until(self) -> ColumnElement[Any]:
        """The end of a lease that begins now."""
        return func.now() + timedelta(seconds=self.lease_s)

    # --- who works on what ---

    async def claim(self, group: JobGroup, here: Collection[str] = (), held: Collection[str] = ()) -> JobClaim | None:
        """Take the next job of a group that nobody works on, for the length of a lease; None if there is none.

        `here` are the repositories that this process has, each with its origin, and `held` the jobs that it works on:
        their leases may have run out unnoticed.
        """
        asked = {"kinds": list(group.kinds), "group": group.name, "here": list(here), "held": list(held)}

        def task(db: Connection) -> JobClaim | None:
            row = db.execute(NEXT, {**asked, "lately": ago(LATELY)}).mappings().first()
            if row is None:
                return None
            leased = {"owner": self.owner, "place": self.place, "leased_until": self._until}
            started = func.coalesce(jobs.c.started_at, now())
            db.execute(update(jobs).where(jobs.c.id == row["id"]).values(**leased, started_at=started))
            suspect, elsewhere = row["status"] == JobStatus.RUNNING, row["place"] not in (None, self.place)
            return JobClaim(row["id"], suspect, elsewhere)

        return await self._do(task)

    async def say_who_waits(self, here: Collection[str]) -> list[str]:
        """Write down of the jobs that wait for a repository which no running service has; answers their ids.

        Such a job was sent to a service that has the repository, and that one is away.
        """
        known = func.concat(jobs.c.repository, " ", jobs.c.origin).in_(here)
        waits = and_(jobs.c.finished_at.is_(None), FREE, jobs.c.repository.is_not(None), ~known, ~PLACE_LIVES)
        said = update(jobs).where(waits, ~jobs.c.stage.startswith(WAITS)).values(stage=WAITS + jobs.c.repository)

        def task(db: Connection) -> list[str]:
            rows = db.execute(said.returning(jobs.c.id, jobs.c.stage)).mappings().all()
            for row in rows:
                self._add_events(db, row["id"], EventBatch([("stage", {"stage": row["stage"]})]))
            return [row["id"] for row in rows]

        return await self._do(task)

    def renew(self, held: Collection[str]) -> dict[str, bool]:
        """Keep these jobs for another lease; answers those still owned, with True for each that is to end now.

        Others that it claimed and does not work on become free. It is called from another thread, which does not wait
        for the writes of the jobs. Raises the errors of psycopg, and so do the next two.
        """
        ours = (jobs.c.owner == self.owner, jobs.c.id.in_(held), jobs.c.finished_at.is_(None))
        renewed = update(jobs).where(*ours).values(leased_until=self._until).returning(jobs.c.id, jobs.c.cancel)
        rows = self.leasing.whole(lambda db: db.execute(renewed).mappings().all())
        return {row["id"]: row["cancel"] for row in rows}

    def offer(self, places: Mapping[str, int]) -> None:
        """Announce, for the length of a lease, the number of jobs of each group that this process works on at once."""

        def task(db: Connection) -> None:
            for group, many in places.items():
                self._take_lease(db, f"{group} of {self.place}", {"places": many, "kinds": group})

        self.leasing.whole(task)

    def queued(self) -> dict[str, int]:
        """The number of jobs of each kind that no process works on."""
        free = select(jobs.c.kind, func.count()).where(jobs.c.finished_at.is_(None), FREE).group_by(jobs.c.kind)
        return {row[0]: row[1] for row in self.leasing.whole(lambda db: db.execute(free).all())}

    def _take_lease(self, db: Connection, name: str, more: Mapping[str, Any], *unless: ColumnElement[bool]) -> bool:
        made = insert(leases).values(name=name, owner=self.owner, until=self._until, **more)
        taken = {column: made.excluded[column] for column in ("owner", "until", *more)}
        condition = or_(*unless) if unless else None
        statement = made.on_conflict_do_update(index_elements=["name"], set_=taken, where=condition)
        return bool(db.execute(statement).rowcount)

    async def wait_again(self, job_id: str) -> None:
        status = case((jobs.c.status == JobStatus.RUNNING, JobStatus.QUEUED), else_=jobs.c.status)

        def task(db: Connection) -> None:
            ours = (jobs.c.id == job_id, jobs.c.owner == self.owner)
            db.execute(update(jobs).where(*ours).values(owner=None, status=status))
            self.tell(db, "queued")

        await self._do(task)

    async def ask_cancel(self, job_id: str) -> tuple[JobStatus, bool]:
        """Have a job end as cancelled, at once if no process works on it; answers its status, and whether it ended now.

        Raises JobNotFound.
        """

        def task(db: Connection) -> tuple[JobStatus, bool]:
            status = JobStatus(self._row(db, job_id, jobs.c.status)["status"])
            return status, status in UNFINISHED and self._cancel(db, job_id)

        return await self._do(task)

    def _cancel(self, db: Connection, job_id: str) -> bool:
        ending = {"status": JobStatus.CANCELLED, "finished_at": now()}
        if self._finish(db, job_id, ending, EventBatch([("ended", {"status": JobStatus.CANCELLED})]), FREE):
            return True
        db.execute(update(jobs).where(jobs.c.id == job_id).values(cancel=True))
        self.tell(db, f"cancel {job_id}")
        return False

    # --- news for other processes ---

    async def announce(self, news: str) -> None:
        """Send news to every process that listens."""
        await self._do(lambda db: self.tell(db, news))

    def tell(self, db: Connection, news: str) -> None:
        """The same within a task: listeners get it when the transaction is written."""
        db.execute(select(func.pg_notify(CHANNEL, news)))

    def _added(self, db: Connection, job_id: str) -> None:
        # The repository of a job is where it was sent to.
        db.execute(update(jobs).where(jobs.c.id == job_id, jobs.c.repository.is_not(None)).values(place=self.place))
        self.tell(db, "queued")

    def _add_events(self, db: Connection, job_id: str, events: EventBatch) -> None:
        super()._add_events(db, job_id, events)
        self.tell(db, f"event {job_id}")

    # --- one process for all ---

    async def holds(self, name: str) -> bool:
        """True if this process has a task that one process at a time does for all; it takes a task that nobody has."""
        free = (leases.c.owner == self.owner, leases.c.until < func.now())
        return await self._do(lambda db: self._take_lease(db, name, {}, *free))

    async def close(self) -> None:
        def free(db: Connection) -> None:
            # Claimed, but not begun before the service stopped.
            waiting = (jobs.c.owner == self.owner, jobs.c.status == JobStatus.QUEUED)
            db.execute(update(jobs).where(*waiting).values(owner=None))
            db.execute(update(leases).where(leases.c.owner == self.owner).values(places=0))

        with contextlib.suppress(StorageFailed):
            await self._do(free)
        await super().close()
