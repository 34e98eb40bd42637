"""Several processes over one database: every run is worked on once at a time, and none is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, update

import app.jobs.database as job_database
import app.jobs.postgres as postgres_runs
from app.errors import KeyReused, RunFinished, ServiceBusy, SettingsInvalid, StorageFailed
from app.jobs.kinds import CHANGES, RUNS
from app.jobs.postgres import PostgresJobs
from app.jobs.postgres_news import listen
from app.jobs.request import ValidateRequest
from app.jobs.run import Event, JobStatus, ModelCall
from app.jobs.schema import leases
from app.jobs.sending import Sending
from app.pipeline.checkpoints import PostgresCheckpoints
from app.repositories.allowed import AllowedPlaces
from app.repositories.changing.record import ChangeRequest
from app.repositories.questions import Asker
from app.service.claims import Claims
from harness.sandbox.ladder import strongest
from tests.api.served_repositories import InPlace, service_over
from tests.codebase.small import repository, run_git
from tests.model_server import model_server, models_at
from tests.postgres import Server
from tests.repositories.shop import NEW_TEST, OLD_TEST, RIGHT, SHOP, file, replies, unit
from tests.service.processes import LEASE_S, SNIPPET, Process, Working, no_repositories, process
from tests.service.standing import StandingLoop, a_service, until

pytestmark = pytest.mark.slow


@pytest.fixture
def address(postgres: Server) -> str:
    return postgres.database()


async def test_runs_are_shared_and_each_is_worked_on_once(address: str, tmp_path: Path) -> None:
    Working.under_way, Working.twice = set(), []
    async with (
        process(address, tmp_path / "a", Working()) as first,
        process(address, tmp_path / "b", Working()) as second,
    ):
        both = (first, second)
        sent: list[str] = []
        for number in range(12):
            while True:
                # No more than may be there at once.
                with contextlib.suppress(ServiceBusy):
                    sent.append((await both[number % 2].service.submit(SNIPPET)).id)
                    break
                await asyncio.sleep(0.01)
        # Whoever is asked knows the end, wherever the work was done.
        ends = await asyncio.gather(*(one.service.finished(run_id) for run_id in sent for one in both))
        assert {run.status for run in ends} == {JobStatus.NOT_PROVEN}
        worked = [[context.run_id for context in one.loop.seen] for one in both]
        assert sorted(worked[0] + worked[1]) == sorted(sent) and all(worked)
        assert Working.twice == []


@contextlib.asynccontextmanager
async def process_with_shop(address: str, folder: Path, root: Path, url: str) -> AsyncGenerator[Process]:
    """One more process over the database, which has the repository too, and a model."""
    runs = await PostgresJobs.open(address, str(folder), LEASE_S)
    (folder / "data").mkdir(parents=True)
    models, workers = models_at(url), InPlace(strongest())
    service = service_over(folder, runs, AllowedPlaces((root.parent,)), Asker(models, None, 20), workers, runs)
    await service.repositories.add(root, None, None)
    one = Process(runs, service, StandingLoop(), service.repositories_here)
    one.begin(address)
    try:
        yield one
    finally:
        await one.end_claims()
        await service.stop()
        await runs.close()
        await models.close()
        workers.close()


async def test_each_change_is_made_by_one_of_two_services_that_have_its_repository(
    address: str, tmp_path: Path
) -> None:
    root = repository(tmp_path / "allowed" / "shop", {"shop.py": SHOP, "test_shop.py": OLD_TEST})
    answers = replies(unit(RIGHT) + file("test_negative.py", NEW_TEST))
    for answer in answers:
        answer.times = 9
    with model_server(*answers) as server:
        async with (
            process_with_shop(address, tmp_path / "a", root, server.url) as first,
            process_with_shop(address, tmp_path / "b", root, server.url) as second,
        ):
            ids: list[str] = []
            for number, one in enumerate((first, second, first, second)):
                wanted = ChangeRequest(request=f"price(-{number}) must raise")
                ids.append((await one.service.changes.submit("shop", wanted, Sending())).id)
            # Whoever is asked knows the end, wherever the work was done.
            ends = [await one.service.until_ended(id) for id in ids for one in (first, second)]
            assert {job.status for job in ends} == {JobStatus.ACCEPTED}
            events = [await first.runs.records(id, Event) for id in ids]
            assert [[event.kind for event in told].count("ended") for told in events] == [1, 1, 1, 1]
            assert len({repr(await first.runs.records(id, ModelCall)) for id in ids}) == 4
    # A plan, a patch and a review each.
    assert len(server.asked) == 3 * len(ids)
    branches = run_git(root, "for-each-ref", "--format=%(refname:short)", "refs/heads/blendproof").split()
    assert sorted(branches) == sorted(f"blendproof/{id}" for id in ids)
    assert {run_git(root, "rev-list", "--count", f"HEAD..{branch}") for branch in branches} == {"1\n"}


async def test_a_run_is_followed_and_cancelled_from_another_process(address: str, tmp_path: Path) -> None:
    async with process(address, tmp_path / "a", StandingLoop(asyncio.Event())) as worker:
        run_id = (await worker.service.submit(SNIPPET)).id
        await until(lambda: worker.loop.seen)
        async with process(address, tmp_path / "b") as other:
            events = other.service.follow(run_id, 0)
            following = asyncio.create_task(collect(events))
            await worker.service.tools.progress.say(run_id, "stage", stage="draft")
            await asyncio.sleep(0.1)
            cancelled = await other.service.cancel(run_id)
            assert cancelled.status is JobStatus.CANCELLED
            assert [event.kind for event in await following] == ["stage", "ended"]
            with pytest.raises(RunFinished):
                await other.service.cancel(run_id)
        await until(lambda: not worker.service.work.unfinished())


async def collect(events: Any) -> list[Any]:
    return [event async for event in events]


async def test_a_run_that_waits_is_cancelled_by_whoever_is_asked(address: str, tmp_path: Path) -> None:
    runs = await PostgresJobs.open(address, "x", LEASE_S)
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "1", "files": [1]})
    assert await runs.ask_cancel(run_id) == (JobStatus.QUEUED, True)
    assert await runs.ask_cancel(run_id) == (JobStatus.CANCELLED, False)
    assert (await runs.summary(run_id)).status is JobStatus.CANCELLED
    assert json.loads(await runs.request_text(run_id)) == {"snippet": "1"}
    assert [event.kind for event in await runs.records(run_id, Event)] == ["ended"]
    assert await runs.claim(RUNS) is None
    await runs.close()


@pytest.mark.parametrize("claimed", [False, True])
async def test_the_end_of_a_run_that_is_cancelled_before_its_work_is_counted_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, claimed: bool
) -> None:
    runs = await PostgresJobs.open(address, "x", LEASE_S)
    worker = await PostgresJobs.open(address, "worker", 60)
    told, loop = list[str](), StandingLoop()

    async def forget(run_id: str) -> None:
        told.append(f"forgotten {run_id}")

    def job_ended(_kind: str, status: str, *_: object) -> None:
        told.append(status)

    monkeypatch.setattr(loop, "forget", forget)
    service = a_service(runs, tmp_path, loop, shared=runs)
    monkeypatch.setattr(service.tools.metrics, "job_ended", job_ended)
    run_id = (await service.submit(SNIPPET)).id
    if claimed:
        assert await worker.claim(RUNS)
    await service.work.cancel(run_id)
    assert told == ([] if claimed else ["cancelled", f"forgotten {run_id}"])
    await runs.close()
    await worker.close()


async def test_a_process_claims_no_run_that_it_works_on(runs: PostgresJobs) -> None:
    (run_id,) = await add(runs, "one", 1)
    assert await claimed(runs, 1) == [run_id]
    # It was held up for longer than its lease.
    past = datetime.now(UTC) - timedelta(seconds=1)
    await runs._write(run_id, leased_until=past)  # pyright: ignore[reportPrivateUsage]
    assert await runs.claim(RUNS, held={run_id}) is None
    # One that it claimed and does not work on is free.
    again = await runs.claim(RUNS, held={"r-0"})
    assert again and again.id == run_id


async def test_who_lost_a_run_writes_no_more_of_its_record(runs: PostgresJobs, address: str) -> None:
    heir = await PostgresJobs.open(address, "heir", LEASE_S)
    job_id = await runs.add("change", "x", "", {}, repository=("shop", "/srv/shop"))
    assert await runs.claim(CHANGES, ["shop /srv/shop"])
    await runs.set_result(job_id, '"of the first"')
    past = datetime.now(UTC) - timedelta(seconds=1)
    await runs._write(job_id, leased_until=past)  # pyright: ignore[reportPrivateUsage]
    assert await heir.claim(CHANGES, ["shop /srv/shop"])
    assert await heir.result(job_id) == '"of the first"'
    await heir.set_result(job_id, '"of the heir"')
    await heir.begin_stage(job_id, "reading")
    await runs.start(job_id)
    await runs.begin_stage(job_id, "editing")
    await runs.set_result(job_id, '"late"')
    job = await heir.job(job_id)
    assert (job.status, job.stage, await heir.result(job_id)) == (JobStatus.QUEUED, "reading", '"of the heir"')
    assert [event.facts for event in await heir.records(job_id, Event)] == [{"stage": "reading"}]
    await heir.close()


async def test_the_jobs_of_another_service_that_runs_are_left_when_a_repository_is_removed(address: str) -> None:
    first = await PostgresJobs.open(address, "first", 60)
    other = await PostgresJobs.open(address, "other", 60)
    shop = ("shop", "/srv/shop")
    ids = [await runs.add("change", "x", "", {}, repository=shop) for runs in (first, other)]
    first.offer({CHANGES.name: 1})
    assert await first.unfinished_of(*shop) == ids
    other.offer({CHANGES.name: 1})
    assert [await runs.unfinished_of(*shop) for runs in (first, other)] == [ids[:1], ids[1:]]
    await first.forget_of(*shop)
    assert [(await first.job(id)).repository for id in ids] == ["", "shop"]
    for runs in (first, other):
        await runs.close()


async def test_the_runs_of_a_process_that_died_are_taken_over_and_it_can_end_them_no_more(
    address: str, tmp_path: Path
) -> None:
    async with process(address, tmp_path / "a", StandingLoop(asyncio.Event())) as dead:
        run_id = (await dead.service.submit(SNIPPET)).id
        await until(lambda: dead.loop.seen)
        await dead.end_claims()
        async with process(address, tmp_path / "b") as heir:
            run = await asyncio.wait_for(heir.service.finished(run_id), 10)
            assert run.status is JobStatus.NOT_PROVEN and [one.run_id for one in heir.loop.seen] == [run_id]
            # It was only slow, and comes back with another end.
            await dead.runs.finish(run_id, JobStatus.PROVEN, events=[("ended", {"status": "proven"})])
            assert (await heir.runs.summary(run_id)).status is JobStatus.NOT_PROVEN
            assert [event.kind for event in await heir.runs.records(run_id, Event)] == ["ended"]


async def test_who_cannot_renew_its_leases_lets_go_of_its_runs(address: str, tmp_path: Path) -> None:
    async with process(address, tmp_path / "a", StandingLoop(asyncio.Event())) as slow:
        run_id = (await slow.service.submit(SNIPPET)).id
        await until(lambda: slow.loop.seen)
        other = await PostgresJobs.open(address, "elsewhere", LEASE_S)
        # As if its lease had run out while it was held up.
        past = datetime.now(UTC) - timedelta(seconds=1)
        await other._write(run_id, leased_until=past)  # pyright: ignore[reportPrivateUsage]
        claimed = await other.claim(RUNS)
        assert claimed and (claimed.id, claimed.suspect, claimed.elsewhere) == (run_id, True, True)
        await until(lambda: not slow.service.work.unfinished())
        assert (await other.summary(run_id)).status is JobStatus.RUNNING
        await other.close()


@pytest.fixture
async def runs(address: str) -> AsyncGenerator[PostgresJobs]:
    """The store of a process with three places."""
    runs = await PostgresJobs.open(address, "x", LEASE_S)
    runs.offer({RUNS.name: 3})
    yield runs
    await runs.close()


async def add(runs: PostgresJobs, caller: str, many: int) -> list[str]:
    return [await runs.add("validate", f"{number}", "5.0.1", {}, Sending(caller)) for number in range(many)]


async def claimed(runs: PostgresJobs, many: int) -> list[str | None]:
    found = [await runs.claim(RUNS) for _ in range(many)]
    return [one.id if one else None for one in found]


async def test_a_change_moves_to_a_service_that_has_its_repository_and_says_so_if_there_is_none(address: str) -> None:
    first = await PostgresJobs.open(address, "first", LEASE_S)
    other = await PostgresJobs.open(address, "other", LEASE_S)
    job_id = await first.add("change", "x", "", {}, repository=("shop", "/srv/shop"))
    first.offer({CHANGES.name: 1})
    elsewhere, here = ["shop /srv/another"], ["till /srv/till", "shop /srv/shop"]
    assert await other.claim(CHANGES, elsewhere) is None and await other.say_who_waits(elsewhere) == []
    taken = await first.claim(CHANGES, here)
    assert taken and (taken.id, taken.suspect) == (job_id, False)
    await first.start(job_id)
    # It is killed: its leases run out.
    past = datetime.now(UTC) - timedelta(seconds=1)
    await first._write(job_id, leased_until=past)  # pyright: ignore[reportPrivateUsage]
    await first._do(lambda db: db.execute(update(leases).values(until=past)))  # pyright: ignore[reportPrivateUsage]
    assert await other.claim(CHANGES, elsewhere) is None
    assert [await other.say_who_waits(elsewhere) for _ in range(2)] == [[job_id], []]
    assert (await other.job(job_id)).stage == "waits for a service that has the repository shop"
    assert [event.facts["stage"] for event in await other.records(job_id, Event)] == [(await other.job(job_id)).stage]
    moved = await other.claim(CHANGES, here)
    assert moved and (moved.id, moved.suspect, moved.elsewhere) == (job_id, True, True)
    for runs in (first, other):
        await runs.close()


async def test_callers_are_served_in_turns_and_the_last_place_is_for_one_who_has_none(runs: PostgresJobs) -> None:
    flood = await add(runs, "flood", 4)
    (one,) = await add(runs, "one", 1)
    assert await claimed(runs, 3) == [flood[0], one, None]
    await runs.finish(one, JobStatus.PROVEN)
    assert await claimed(runs, 2) == [flood[1], None]
    (again,) = await add(runs, "one", 1)
    assert await claimed(runs, 2) == [again, None]
    # What they have under way keeps nobody from going on.
    for run_id in (again, *flood[:2]):
        await runs.finish(run_id, JobStatus.PROVEN)
    assert await claimed(runs, 3) == [flood[2], flood[3], None]


async def test_a_caller_who_is_alone_has_all_places(runs: PostgresJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    flood = await add(runs, "flood", 3)
    assert await claimed(runs, 3) == flood
    # Alone too is who was not joined by another lately.
    monkeypatch.setattr(postgres_runs, "LATELY", timedelta())
    later = await add(runs, "one", 1) + await add(runs, "flood", 1)
    assert await claimed(runs, 2) == later


@pytest.mark.parametrize("ticks", range(5))
async def test_a_process_that_ends_as_it_hears_something_ends(ticks: int) -> None:
    def on_end(_tell: object) -> None:
        """Nothing ends."""

    async def none_waits(_here: object) -> list[str]:
        return []

    def is_full(_group: object) -> bool:
        return False

    runs: Any = SimpleNamespace(lease_s=LEASE_S, say_who_waits=none_waits)
    work: Any = SimpleNamespace(has_place=is_full, on_end=on_end)
    progress: Any = None
    claims = Claims(runs, work, progress, lambda _: None, no_repositories)
    taking = asyncio.create_task(claims.take())
    await asyncio.sleep(0)
    claims.hear("queued")
    for _ in range(ticks):
        await asyncio.sleep(0)
    taking.cancel()
    await asyncio.wait([taking], timeout=5)
    assert taking.cancelled()


async def test_a_key_is_run_once_whichever_process_hears_it(address: str, tmp_path: Path) -> None:
    async with process(address, tmp_path / "a") as first, process(address, tmp_path / "b") as second:
        sent = [one.service.submit(SNIPPET, "c", "key-1") for one in (first, second) * 3]
        runs = await asyncio.gather(*sent)
        assert len({run.id for run in runs}) == 1
        with pytest.raises(KeyReused, match=runs[0].id):
            await first.service.submit(ValidateRequest(snippet="import os\n"), "c", "key-1")
        # A key is a caller's own.
        assert (await second.service.submit(SNIPPET, "d", "key-1")).id != runs[0].id


async def test_a_service_goes_on_when_its_database_is_back(
    postgres: Server, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_database, "AGAIN_S", 0.05)
    release = asyncio.Event()
    async with process(address, tmp_path / "a", StandingLoop(release)) as one:
        run_id = (await one.service.submit(SNIPPET)).id
        await until(lambda: one.loop.seen)
        await asyncio.to_thread(postgres.stop)
        try:
            release.set()
            telling = asyncio.create_task(one.runs.add_events(run_id, [("finding", {}), ("finding", {})]))
            await asyncio.sleep(0.2)
            assert not telling.done()
        finally:
            await asyncio.to_thread(postgres.start)
        await asyncio.wait_for(telling, 10)
        assert (await asyncio.wait_for(one.service.finished(run_id), 10)).status is JobStatus.NOT_PROVEN
        kinds = [event.kind for event in await one.runs.records(run_id, Event)]
        assert sorted(kinds) == ["ended", "finding", "finding"]


async def test_a_database_that_stays_away_is_a_clear_error(
    postgres: Server, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_database, "AGAIN_S", 0.05)
    monkeypatch.setattr(job_database, "PATIENCE_S", 0.2)
    runs = await PostgresJobs.open(address, "x", LEASE_S)
    await asyncio.to_thread(postgres.stop)
    try:
        with pytest.raises(StorageFailed, match="cannot be reached") as told:
            await runs.ids()
        assert "BLENDPROOF_DATABASE" in told.value.shown_hint
    finally:
        await asyncio.to_thread(postgres.start)
    assert await runs.ids() == []
    await runs.close()


def test_a_connection_in_use_ends_when_it_is_given_back(address: str) -> None:
    database = job_database.open_server(address)

    def used(connection: Connection) -> Any:
        return connection.connection.dbapi_connection

    def used_while_it_is_closed(connection: Connection) -> Any:
        database.close()
        return used(connection)

    kept = [database.whole(used) for _ in range(3)]
    assert not any(connection.closed for connection in kept)
    assert database.whole(used_while_it_is_closed).closed and all(connection.closed for connection in kept)
    # What a job that comes late needs is made, and ended at once.
    assert database.whole(used).closed


@pytest.mark.parametrize(("said", "silent_ms"), [("", "10000"), ("?tcp_user_timeout=7000", "7000")])
async def test_every_connection_ends_if_the_network_falls_silent(
    address: str, said: str, silent_ms: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []

    async def connect(*words: Any, **options: Any) -> Any:
        opened.append(await whole(*words, **options))
        return opened[-1]

    whole = psycopg.AsyncConnection.connect
    monkeypatch.setattr(psycopg.AsyncConnection, "connect", connect)
    connected = asyncio.Event()
    listening = asyncio.create_task(listen(address + said, lambda _: None, connected.set))
    checkpoints = await PostgresCheckpoints.open(address + said)
    await checkpoints.saver()
    await asyncio.wait_for(connected.wait(), 10)
    database = job_database.open_server(address + said)
    opened.append(database.whole(lambda connection: connection.connection.dbapi_connection))
    told = [connection.info.get_parameters() for connection in opened]
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    await checkpoints.close()
    database.close()
    assert len(told) >= 3
    assert {(one.get("tcp_user_timeout"), one.get("keepalives_idle")) for one in told} == {(silent_ms, "4")}


def test_the_usual_service_needs_nothing_of_it() -> None:
    code = (
        "import sys, app.cli.main, app.main, app.service.startup, app.pipeline.graph, app.artifacts.gallery\n"
        "print(sorted({'psycopg', 'psycopg_pool', 'obstore', 'ray'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("address", ["postgresql://u:the-password@[x/d", "postgresql://u@h:the-password/d"])
async def test_a_wrong_address_is_named_without_its_password(address: str) -> None:
    with pytest.raises((SettingsInvalid, StorageFailed)) as told:
        await PostgresJobs.open(address, "x", LEASE_S)
    assert "BLENDPROOF_DATABASE" in told.value.message + told.value.shown_hint
    assert "the-password" not in told.value.message
