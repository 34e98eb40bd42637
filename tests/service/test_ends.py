"""How runs end if the disk, a caller or the service interferes; without a Blender."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from app.artifacts.exemplars import WithheldRequests
from app.errors import ArtifactNotFound, RunFinished, ServiceBusy, SettingsInvalid
from app.jobs.kinds import JobKind
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import UNFINISHED, JobStatus, Run
from app.pipeline.context import RunContext
from app.pipeline.judges import FaultRepeated, may_pass
from app.pipeline.state import State
from app.repositories.changing.record import Change
from app.service.change_way import ChangeWay
from app.service.housekeeping import Housekeeping
from app.service.service import Service
from app.service.startup import read_withheld
from app.service.turns import Turns
from app.service.ways import End, failing
from app.settings import Settings
from harness import tracing
from harness.launcher import HarnessFault
from harness.readers import ReadingFailed
from tests.service.standing import FullDisk, StandingLoop, a_service, until


async def test_a_picture_that_cannot_be_kept_does_not_keep_a_run_from_its_end(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = a_service(runs, tmp_path, StandingLoop())

    def keep(_run_id: str, _work: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(service.tools.pictures, "keep_unproven", keep)
    run = await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    assert run.status is JobStatus.NOT_PROVEN


class FaultyLoop(StandingLoop):
    """Ends every run by a fault of the harness."""

    async def run(self, context: RunContext) -> State:
        raise HarnessFault("the examination of the scene failed: KeyError: 'x'")


async def test_a_fault_of_the_harness_ends_the_run_as_ours(runs: FullDisk, tmp_path: Path) -> None:
    service = a_service(runs, tmp_path, FaultyLoop())
    run = await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    assert (run.status, run.attempts, run.error and run.error.code) == (JobStatus.FAILED, [], "run_failed")
    assert run.error and run.error.message.startswith("What was sent could not be judged: the examination")
    assert "says nothing about what was sent" in run.error.hint


@pytest.mark.parametrize(("kind", "address"), [("addon", "GET /jobs/{id}"), ("validate", "GET /runs/{id}")])
async def test_an_end_that_came_first_is_said_with_an_address_that_shows_it(
    kind: JobKind, address: str, runs: FullDisk, tmp_path: Path
) -> None:
    service = a_service(runs, tmp_path, StandingLoop())
    job_id = await runs.add(kind=kind, title="", blender="5.0.1", request={})
    await runs.finish(job_id, JobStatus.PROVEN, None, None, [])
    with pytest.raises(RunFinished, match="has ended: proven") as told:
        await service.work.cancel(job_id)
    assert told.value.shown_hint == f"{address} shows how it ended."


@pytest.mark.parametrize("fault", [HarnessFault("it is lost"), ReadingFailed("too long")])
async def test_a_fault_is_said_in_words_for_every_kind(fault: Exception) -> None:
    async def take() -> End:
        raise fault

    _, _, error = await failing(take)
    assert error and not {"snippet", "repository"} & set(re.findall(r"\w+", error.message + error.hint))
    assert str(fault) in error.message


def test_only_a_fault_that_was_not_met_twice_is_tried_again() -> None:
    assert may_pass(HarnessFault("Blender did not start"))
    assert not may_pass(FaultRepeated("the examination failed"))
    assert not may_pass(ValueError("something else"))


async def test_a_run_that_begins_while_others_are_forgotten_keeps_its_pictures(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = a_service(runs, tmp_path, StandingLoop())
    pictures = service.tools.pictures
    (tmp_path / "matrix" / "r-0000000000000000").mkdir()
    listed, service_loop = pictures.ids, asyncio.get_running_loop()

    def ids() -> set[str]:
        # This is not the thread of the service.
        begun = runs.add(kind="validate", title="", blender="5.0.1", request={})
        (tmp_path / "matrix" / asyncio.run_coroutine_threadsafe(begun, service_loop).result()).mkdir()
        return listed()

    monkeypatch.setattr(pictures, "ids", ids)
    forgetting = asyncio.create_task(Housekeeping(service.tools, service.work).forget_failed())
    await until(lambda: "r-0000000000000000" not in listed())
    forgetting.cancel()
    assert listed() == set(await runs.ids()) != set()


async def test_a_run_that_cannot_be_begun_has_failed_and_names_no_path(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = a_service(runs, tmp_path, StandingLoop())

    async def start(_run_id: str) -> None:
        raise OSError(28, "No space left on device", "/secret/place")

    monkeypatch.setattr(runs, "start", start)
    run = await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    assert run.status is JobStatus.FAILED
    assert run.error is not None and run.error.message == "OSError: No space left on device"


async def test_a_run_whose_end_is_being_written_is_not_cancelled_any_more(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.work.STORAGE_RETRY_S", 0.01)
    runs.full = True
    loop = StandingLoop()
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
    await until(lambda: run_id in service.work._ended)  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(RunFinished, match="being written"):
        await service.cancel(run_id)
    runs.full = False
    assert (await service.finished(run_id)).status is JobStatus.NOT_PROVEN


async def test_a_run_that_is_worked_on_is_cancelled(runs: FullDisk, tmp_path: Path) -> None:
    loop = StandingLoop(asyncio.Event())
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
    await until(lambda: loop.seen)
    assert (await service.cancel(run_id)).status is JobStatus.CANCELLED


async def test_a_run_that_is_cancelled_while_its_trace_is_read_is_cancelled(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, asked = a_service(runs, tmp_path, StandingLoop()), list[str]()

    async def trace(run_id: str) -> None:
        asked.append(run_id)
        if len(asked) == 1:
            await asyncio.Event().wait()

    monkeypatch.setattr(runs, "trace", trace)
    kept = InMemorySpanExporter()
    end = tracing.begin_with(kept, "tests")
    try:
        run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
        await until(lambda: asked)
        assert (await service.cancel(run_id)).status is JobStatus.CANCELLED
        await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    finally:
        end()
    (span,) = (one for one in kept.get_finished_spans() if one.name == "run")
    assert span.attributes == {
        "blendproof.run": asked[1],
        "blendproof.kind": "validate",
        "blendproof.status": "not_proven",
    }


async def test_a_cancelled_run_whose_end_cannot_be_written_gets_it_later(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.work.STORAGE_RETRY_S", 0.01)
    loop = StandingLoop(asyncio.Event())
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
    await until(lambda: loop.seen)
    runs.full = True
    cancelling = asyncio.create_task(service.cancel(run_id))
    await until(lambda: run_id in service.work._ended)  # pyright: ignore[reportPrivateUsage]
    task = service.work.task_of(run_id)
    assert task
    # In Python 3.11.2 the task would end at the next limit on time. Such a limit may have just passed.
    await until(lambda: not task.cancelling())
    await asyncio.sleep(0.03)
    runs.full = False
    assert (await cancelling).status is JobStatus.CANCELLED


async def test_a_full_disk_does_not_keep_the_service_from_stopping(runs: FullDisk, tmp_path: Path) -> None:
    loop = StandingLoop(asyncio.Event())
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
    await until(lambda: loop.seen)
    runs.full = True
    await service.stop()
    assert await runs.unfinished() == [run_id]


async def test_runs_that_are_taken_up_are_those_of_their_callers(runs: FullDisk, tmp_path: Path) -> None:
    before = a_service(runs, tmp_path, StandingLoop(asyncio.Event()))
    for number in range(2):
        await before.submit(ValidateRequest(snippet=f"print({number})\n"), "studio")
    await before.stop()
    service = a_service(runs, tmp_path, StandingLoop(asyncio.Event()))
    await Housekeeping(service.tools, service.work).take_up()
    assert (service.work.is_full_for("studio"), service.work.is_full_for("")) == (True, False)
    await service.stop()


async def test_a_run_that_has_ended_is_written_down_before_the_service_stops(runs: FullDisk, tmp_path: Path) -> None:
    runs.takes_s = 0.1
    for full in (True, False):
        runs.full = full
        service = a_service(runs, tmp_path, StandingLoop())
        run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
        await until(lambda: run_id in service.work._ended)  # noqa: B023 # pyright: ignore[reportPrivateUsage]
        await service.stop()
        unfinished = (await runs.summary(run_id)).status in UNFINISHED
        assert unfinished == full


async def test_more_requests_at_once_than_there_is_room_for_are_refused(runs: FullDisk, tmp_path: Path) -> None:
    service = a_service(runs, tmp_path, StandingLoop(asyncio.Event()))
    sent = [service.submit(ValidateRequest(snippet=f"print({number})\n")) for number in range(4)]
    taken = await asyncio.gather(*sent, return_exceptions=True)
    assert [isinstance(one, ServiceBusy) for one in taken] == [False, False, True, True]
    assert await runs.unfinished() == [one.id for one in taken if isinstance(one, Run)]
    await service.stop()


async def test_a_run_whose_sender_went_away_while_it_was_written_begins(runs: FullDisk, tmp_path: Path) -> None:
    loop = StandingLoop()
    service = a_service(runs, tmp_path, loop)
    sending = asyncio.create_task(service.submit(ValidateRequest(snippet="import bpy\n")))
    await asyncio.sleep(0)
    sending.cancel()
    await until(lambda: loop.seen and not service.work.unfinished())
    (run_id,) = await runs.ids()
    assert (await runs.summary(run_id)).status is JobStatus.NOT_PROVEN


async def test_the_runs_and_replays_of_one_caller_refuse_no_other_a_replay(runs: FullDisk, tmp_path: Path) -> None:
    service = a_service(runs, tmp_path, StandingLoop(asyncio.Event()))
    for _ in range(2):
        await service.submit(ValidateRequest(snippet="import bpy\n"), "one")
    one_more = service._one_more_replay  # pyright: ignore[reportPrivateUsage]
    with one_more(None, "two"), one_more(None, "two"):
        for caller, said in (("one", "2 runs and 0 replays"), ("two", "0 runs and 2 replays")):
            with pytest.raises(ServiceBusy, match=said), one_more(None, caller):
                pass
        with one_more(None, "three"):
            pass
    with one_more(None, "two"):
        pass
    await service.stop()


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (sqlite3.OperationalError("database or disk is full"), "storage_failed"),
        (RuntimeError("database or disk is full"), "run_failed"),
    ],
)
async def test_a_full_disk_in_the_middle_of_a_run_is_told_as_one(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, code: str
) -> None:
    loop = StandingLoop()

    async def fail(_context: RunContext) -> State:
        raise fault

    monkeypatch.setattr(loop, "run", fail)
    service = a_service(runs, tmp_path, loop)
    run = await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    assert (run.status, run.error and run.error.code) == (JobStatus.FAILED, code)


@pytest.mark.parametrize("full_times", [0, 2])
async def test_the_record_of_a_change_is_written_when_the_disk_has_room_again(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_times: int
) -> None:
    monkeypatch.setattr("app.service.ways.STORAGE_RETRY_S", 0.01)
    job_id = await runs.add("change", "x", "", {"request": "x"}, repository=("shop", "/srv/shop"))
    write, asked = runs.set_result, list[str]()

    async def carry_out(_way: ChangeWay, made: Change, *_: object) -> None:
        made.branch, made.status = "blendproof/x", "accepted"

    async def full_at_first(id: str, result: str) -> None:
        asked.append(id)
        if len(asked) <= full_times:
            raise runs.problem
        await write(id, result)

    monkeypatch.setattr(ChangeWay, "carry_out", carry_out)
    monkeypatch.setattr(runs, "set_result", full_at_first)
    way = a_service(runs, tmp_path, StandingLoop()).changes.way
    assert await way.take_through(await runs.job(job_id), False) == (JobStatus.ACCEPTED, "blendproof/x", None)
    assert '"branch":"blendproof/x"' in (await runs.result(job_id) or "") and len(asked) == full_times + 1


async def test_a_run_is_taken_up_when_the_disk_has_room_again(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.service.work.STORAGE_RETRY_S", 0.01)
    run_id = await runs.add("validate", "x", "5.0.1", {"snippet": "import bpy\n"})
    await runs.start(run_id)
    count, asked = runs.count_resume, list[str]()

    async def full_at_first(job_id: str) -> int:
        asked.append(job_id)
        if len(asked) < 3:
            raise runs.problem
        return await count(job_id)

    monkeypatch.setattr(runs, "count_resume", full_at_first)
    service = a_service(runs, tmp_path, StandingLoop())
    await Housekeeping(service.tools, service.work).take_up()
    assert (await service.finished(run_id)).status is JobStatus.NOT_PROVEN
    assert asked == [run_id] * 3


@pytest.mark.parametrize("fails", [True, False])
async def test_a_run_whose_end_can_never_be_written_has_failed(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    finish = runs.finish

    async def refuse(run_id: str, status: JobStatus, *more: Any) -> None:
        if fails and status is JobStatus.NOT_PROVEN:
            raise ValueError("no such text")
        await finish(run_id, status, *more)

    monkeypatch.setattr(runs, "finish", refuse)
    service = a_service(runs, tmp_path, StandingLoop())
    run = await service.finished((await service.submit(ValidateRequest(snippet="import bpy\n"))).id)
    told = (JobStatus.FAILED, "run_failed") if fails else (JobStatus.NOT_PROVEN, None)
    assert (run.status, run.error and run.error.code) == told


async def test_a_job_is_worked_on_once_at_a_time_and_not_after_its_end(runs: FullDisk, tmp_path: Path) -> None:
    release = asyncio.Event()
    loop = StandingLoop(release)
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(ValidateRequest(snippet="import bpy\n"))).id
    task = service.work.task_of(run_id)
    await until(lambda: loop.seen)
    service.work.begin(await runs.job(run_id))
    assert service.work.task_of(run_id) is task
    release.set()
    assert (await service.finished(run_id)).status is JobStatus.NOT_PROVEN
    service.work.begin(await runs.job(run_id))
    assert service.work.task_of(run_id) is None and len(loop.seen) == 1


async def test_replays_are_bounded_as_runs_are(runs: FullDisk, tmp_path: Path) -> None:
    loop = StandingLoop(asyncio.Event())
    service = a_service(runs, tmp_path, loop)
    for _ in range(2):
        await service.submit(ValidateRequest(snippet="import bpy\n"))
    with pytest.raises(ServiceBusy, match="2 runs and 0 replays"):
        await service.replay("a-0000000000000000", None)
    with pytest.raises(ArtifactNotFound):
        await service.replay("a-1", None)
    await service.stop()


@pytest.mark.parametrize("caller", ["one", "two"])
async def test_a_replay_is_its_callers_and_nobody_elses(
    runs: FullDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caller: str
) -> None:
    async def made_again(*_: object) -> object:
        return SimpleNamespace(comparison=SimpleNamespace(same=False))

    monkeypatch.setattr("app.service.service.replay", made_again)
    service = a_service(runs, tmp_path, StandingLoop(), rules=None, readers=None)
    monkeypatch.setitem(service.work._turns, "runs", Turns(2))  # pyright: ignore[reportPrivateUsage]
    await service.replay("a-0000000000000000", None, caller)
    async with service.work.place("one"):
        second = asyncio.create_task(had_a_place(service, "one"))
        await asyncio.wait([second], timeout=0.05)
        assert second.done() == (caller == "one")
        second.cancel()


async def had_a_place(service: Service, caller: str) -> None:
    async with service.work.place(caller):
        pass


BROUGHT: dict[str, Any] = {
    "files": [{"name": "a.txt", "content": "MQ=="}, {"name": "b.txt", "content": "Mg=="}],
    "setup": {"blend": "QkxFTkRFUg=="},
}


async def test_a_request_is_read_once_with_its_files(runs: FullDisk, tmp_path: Path) -> None:
    loop = StandingLoop()
    service = a_service(runs, tmp_path, loop)
    run_id = (await service.submit(GenerateRequest.model_validate({"request": "a ball", **BROUGHT}))).id
    await service.finished(run_id)
    (context,) = loop.seen
    order = context.order("import bpy\n", [])
    assert (order.files, order.setup_blend) == ((("a.txt", b"1"), ("b.txt", b"2")), b"BLENDER")
    # What has ended has no files any more.
    assert "MQ==" not in await runs.request_text(run_id)


@pytest.mark.parametrize("content", [b"\xff\xfe", b'{"ask": "a ball"}\n', b"[1]\n", b"no json\n"])
def test_a_file_of_withheld_requests_that_cannot_be_read_is_named(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "withheld.jsonl"
    file.write_bytes(content)
    with pytest.raises(SettingsInvalid, match=r"BLENDPROOF_WITHHELD=.*withheld\.jsonl"):
        read_withheld(Settings(home=tmp_path, withheld=file))
    file.write_bytes(b'{"request": "a ball"}\n')
    assert isinstance(read_withheld(Settings(home=tmp_path, withheld=file)), WithheldRequests)
