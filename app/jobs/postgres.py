"""The runs in Postgres, where several processes work on them.

A process claims a run for a while, and renews the claim again and again. If it stops renewing, its runs are free to
be claimed. News goes to every process that listens (`postgres_news.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Self, TypeVar

from app.errors import StorageFailed
from app.jobs.postgres_link import PostgresLink
from app.jobs.run import UNFINISHED, RunStatus
from app.jobs.sending import ago
from app.jobs.tables import EventBatch, TableRuns, now

Answer = TypeVar("Answer")

CHANNEL: Final = "blendproof"
LATELY: Final = timedelta(minutes=5)
NEXT: Final = """
WITH open_runs AS (
    SELECT caller, owner IS NOT NULL AND leased_until >= now() AS busy FROM runs WHERE finished_at IS NULL
), turns AS (
    SELECT caller, count(*) FILTER (WHERE busy) AS busy,
        (SELECT max(started_at) FROM runs WHERE runs.caller = open_runs.caller) AS served,
        NOT EXISTS (SELECT FROM runs WHERE created_at > ? AND runs.caller <> open_runs.caller) AS sole
    FROM open_runs GROUP BY caller HAVING count(*) FILTER (WHERE NOT busy) > 0
), free AS (
    SELECT sum(places) - (SELECT count(*) FROM open_runs WHERE busy) AS places FROM leases WHERE until > now()
)
SELECT id, status, place FROM runs JOIN turns USING (caller)
WHERE finished_at IS NULL AND (owner IS NULL OR leased_until < now())
    AND (turns.busy = 0 OR turns.sole OR (SELECT places FROM free) > 1)
ORDER BY turns.busy, turns.served NULLS FIRST, number LIMIT 1 FOR UPDATE OF runs SKIP LOCKED
"""
"""The next run to work on: of the caller with the fewest under way, and among those of the one who was served
longest ago, the oldest. The last free place of all processes is for a caller with none under way, if another caller
sent something since the moment given; see `app/service/turns.py`, which is the same for one process."""


OFFER: Final = """
INSERT INTO leases (name, owner, until, places) VALUES (?, ?, now() + make_interval(secs => ?), ?)
ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until, places = excluded.places
"""


@dataclass(frozen=True)
class RunClaim:
    """A claim on a run. `suspect`: a process died at it. `elsewhere`: its files are on another machine."""

    id: str
    suspect: bool
    elsewhere: bool


class PostgresRuns(TableRuns):
    """A `RunStore` in Postgres; `open` makes one. Raises StorageFailed if the server stays away for a while."""

    PLACE = "number"
    WITHOUT_FILES = "(request::jsonb #- '{files}' #- '{setup,blend}')::text"
    LOCK = "SELECT pg_advisory_xact_lock(hashtext(?))"

    def __init__(self, thread: ThreadPoolExecutor, link: PostgresLink, place: str, lease_s: float) -> None:
        super().__init__(thread, link)
        self.link: Final = link
        self.place: Final = place
        """Names the data folder of this process."""
        self.lease_s: Final = lease_s
        self.owner: Final = secrets.token_hex(8)
        self.OWN = f" AND (owner IS NULL OR owner = '{self.owner}')"

    @classmethod
    async def open(cls, address: str, place: str, lease_s: float) -> Self:
        """Connect, and bring the tables up to date. Raises StorageFailed and SettingsInvalid."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="runs")
        try:
            link = await asyncio.get_running_loop().run_in_executor(thread, PostgresLink.open, address)
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(thread, link, place, lease_s)

    async def _do(self, job: Callable[[], Answer]) -> Answer:
        return await super()._do(lambda: self.link.whole(job))

    # --- who works on what ---

    async def claim(self) -> RunClaim | None:
        """Take the next run that nobody works on, for the length of a lease; None if there is none."""

        def job() -> RunClaim | None:
            with self._db.transaction():
                row = self._db.execute(NEXT, (ago(LATELY),)).fetchone()
                if row is None:
                    return None
                self._db.execute(
                    "UPDATE runs SET owner = ?, place = ?, leased_until = now() + make_interval(secs => ?),"
                    " started_at = coalesce(started_at, ?) WHERE id = ?",
                    (self.owner, self.place, self.lease_s, now(), row["id"]),
                )
            suspect, elsewhere = row["status"] == RunStatus.RUNNING, row["place"] not in (None, self.place)
            return RunClaim(row["id"], suspect, elsewhere)

        return await self._do(job)

    def renew_over(self, link: PostgresLink, held: Collection[str]) -> dict[str, bool]:
        """Keep these runs for another lease; answers those still owned, with True for each that is to end now.

        Others that it claimed and does not work on become free. `link` is of the calling thread, which does not wait
        for the writes of the runs. Raises the errors of psycopg.
        """
        rows = link.execute(
            "UPDATE runs SET leased_until = now() + make_interval(secs => ?)"
            " WHERE owner = ? AND id = ANY(?) AND finished_at IS NULL RETURNING id, cancel",
            (self.lease_s, self.owner, list(held)),
        )
        return {row["id"]: row["cancel"] for row in rows}

    def offer_over(self, link: PostgresLink, places: int) -> None:
        """Announce, for the length of a lease, the number of runs that this process works on at once."""
        link.execute(OFFER, (f"places of {self.place}", self.owner, self.lease_s, places))

    def queued_over(self, link: PostgresLink) -> int:
        """The number of runs that no process works on."""
        free = "finished_at IS NULL AND (owner IS NULL OR leased_until < now())"
        row = link.execute(f"SELECT count(*) AS free_runs FROM runs WHERE {free}").fetchone()
        return int(row["free_runs"]) if row else 0

    async def wait_again(self, run_id: str) -> None:
        def job() -> None:
            with self._db.transaction():
                self._db.execute(
                    "UPDATE runs SET owner = NULL, status = CASE status WHEN ? THEN ? ELSE status END"
                    " WHERE id = ? AND owner = ?",
                    (RunStatus.RUNNING, RunStatus.QUEUED, run_id, self.owner),
                )
                self.tell("queued")

        await self._do(job)

    async def ask_cancel(self, run_id: str) -> RunStatus:
        """Have a run end as cancelled, by the process that works on it; answers its status. Raises RunNotFound."""

        def job() -> RunStatus:
            with self._db.transaction():
                status = RunStatus(self._row(run_id, "status")["status"])
                if status in UNFINISHED:
                    self._cancel(run_id)
            return status

        return await self._do(job)

    def _cancel(self, run_id: str) -> None:
        free = self._db.execute(
            "UPDATE runs SET status = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL"
            " AND (owner IS NULL OR leased_until < now())",
            (RunStatus.CANCELLED, now(), run_id),
        )
        if free.rowcount:
            self._add_events(run_id, EventBatch([("ended", {"status": RunStatus.CANCELLED})]))
        else:
            self._db.execute("UPDATE runs SET cancel = TRUE WHERE id = ?", (run_id,))
            self.tell(f"cancel {run_id}")

    # --- news for other processes ---

    async def announce(self, news: str) -> None:
        """Send news to every process that listens."""
        await self._do(lambda: self.tell(news))

    def tell(self, news: str) -> None:
        """The same within a job: listeners get it when the transaction is written."""
        self._db.execute("SELECT pg_notify(?, ?)", (CHANNEL, news))

    def _added(self, run_id: str) -> None:
        self.tell("queued")

    def _add_events(self, run_id: str, events: EventBatch) -> None:
        super()._add_events(run_id, events)
        self.tell(f"event {run_id}")

    # --- one process for all ---

    async def holds(self, name: str) -> bool:
        """True if this process has a task that one process at a time does for all; it takes a task that nobody has."""

        def job() -> bool:
            taken: Any = self._db.execute(
                "INSERT INTO leases (name, owner, until) VALUES (?, ?, now() + make_interval(secs => ?))"
                " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until"
                " WHERE leases.owner = excluded.owner OR leases.until < now()",
                (name, self.owner, self.lease_s),
            )
            return bool(taken.rowcount)

        return await self._do(job)

    async def close(self) -> None:
        def free() -> None:
            # Claimed, but not begun before the service stopped.
            self._db.execute("UPDATE runs SET owner = NULL WHERE owner = ? AND status = 'queued'", (self.owner,))
            self._db.execute("UPDATE leases SET places = 0 WHERE owner = ?", (self.owner,))

        with contextlib.suppress(StorageFailed):
            await self._do(free)
        await super().close()
