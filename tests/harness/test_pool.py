"""Warm Blenders: every job begins from the same state, and whatever becomes of one, the next is served."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import itertools
import json
import os
import signal
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import harness.pool.worker
from harness.blenders import Blender
from harness.execution import execute
from harness.launcher import HarnessFault, ProcessLimits, Transcript, lines
from harness.order import Order
from harness.pool.place import WarmPlace
from harness.pool.pool import Pool
from harness.pool.warm_keeper import read_warm_job, read_warm_spec
from harness.pool.worker import Worker, WorkerState
from harness.protocol import RenderSettings
from harness.sandbox.jail import JailSpec
from harness.sandbox.keeper import Bounds, WarmJob, WarmSpec, descendants
from harness.sandbox.ladder import Rung, Sandbox, strongest

SMALL = RenderSettings(size_px=64, samples=1)
KEEPER, BLENDER = "keeper", "blender"
PLAIN = "import bpy\nbpy.data.objects['Cube'].location.x = 1\n"

# --- the life of a worker ------------------------------------------------------------------------------------

ALLOWED = {
    ("starting", "idle"),
    ("starting", "ended"),
    ("idle", "busy"),
    ("idle", "ended"),
    ("busy", "idle"),
    ("busy", "ended"),
}


@pytest.mark.parametrize(("before", "after"), [*itertools.product(WorkerState, WorkerState)])
def test_a_worker_goes_only_the_ways_that_are_drawn(before: WorkerState, after: WorkerState) -> None:
    worker = Worker(forks=True, on_death=lambda: None)
    worker.state = before
    if (before.value, after.value) in ALLOWED:
        worker.become(after)
        assert worker.state is after
    else:
        with pytest.raises(RuntimeError, match=f"{before} cannot become {after}"):
            worker.become(after)


WARM_JOB = WarmJob("job", "folder", Bounds(1.0, 1, [], 1, 1, 1), None)


@contextlib.asynccontextmanager
async def nothing_heard(_on_flood: Callable[[], None]) -> AsyncGenerator[Transcript]:
    yield Transcript(ProcessLimits(), lambda: None)


def nothing(*_: object) -> None:
    pass


async def at_work(monkeypatch: pytest.MonkeyPatch) -> tuple[Worker, asyncio.Task[Any]]:
    """A worker that waits for the end of a job, of which it will not hear, and what waits for it."""
    monkeypatch.setattr(Worker, "_hand_in", nothing)
    monkeypatch.setattr(Worker, "_stop", nothing)
    monkeypatch.setattr(harness.pool.worker, "DRAIN_GRACE_S", 0.05)
    worker = Worker(forks=True, on_death=lambda: None)
    worker.become(WorkerState.IDLE)
    with lines() as (_, theirs):
        task = asyncio.create_task(worker.do(WARM_JOB, theirs, nothing_heard, ProcessLimits()))
        for _ in range(5):
            await asyncio.sleep(0)
    assert worker.state is WorkerState.BUSY
    return worker, task


async def test_a_worker_that_is_cancelled_twice_is_lost_and_not_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, task = await at_work(monkeypatch)
    for _ in range(2):
        task.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task
    assert worker.state is WorkerState.ENDED


async def test_a_worker_that_is_ended_at_work_stays_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, task = await at_work(monkeypatch)
    await worker.end()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert worker.state is WorkerState.ENDED


async def test_a_worker_whose_job_ends_as_it_is_cancelled_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    for steps in range(4):
        worker, task = await at_work(monkeypatch)
        worker._messages.put_nowait(None)  # pyright: ignore[reportPrivateUsage]
        for _ in range(steps):
            await asyncio.sleep(0)
        cancelled = task.cancel()
        with pytest.raises(asyncio.CancelledError if cancelled else HarnessFault):
            await task


NO_BLENDER = Blender("module", Path("/nonexistent/python"), "5.0.1", "0", "3.11")


@pytest.fixture
async def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Pool]:
    """A pool of one place whose worker starts at once and is no process."""

    async def start(worker: Worker, _spec: WarmSpec) -> None:
        worker.threads = 1
        worker.become(WorkerState.IDLE)

    monkeypatch.setattr(Worker, "start", start)
    pool = Pool(tmp_path / "warm", Sandbox(Rung.NAMESPACES, 7), 1)
    yield pool
    await pool.close()


async def serves(pool: Pool, folder: Path, blender: Blender = NO_BLENDER) -> bool:
    """Whether there is a warm place for one more execution."""
    async with asyncio.timeout(20), pool.place(blender, folder) as place:
        return isinstance(place, WarmPlace)


@pytest.mark.parametrize("requests", [1, 2])
async def test_each_request_for_another_blender_takes_one_place(
    requests: int, bare: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = dataclasses.replace(NO_BLENDER, path=Path("/nonexistent/other"), version="4.5.0")
    made, may_start = WarmPlace.start, asyncio.Event()

    async def start(place: WarmPlace) -> None:
        if place.blender == other:
            await may_start.wait()
        await made(place)

    monkeypatch.setattr(WarmPlace, "start", start)
    bare.size = 4
    bare.keep_warm(NO_BLENDER)
    assert await serves(bare, tmp_path / "first")
    waiting = [asyncio.create_task(serves(bare, tmp_path / f"other{number}", other)) for number in range(requests)]
    for number in range(4):
        # Each end of an execution wakes those who wait.
        assert await serves(bare, tmp_path / str(number))
    may_start.set()
    assert all(await asyncio.gather(*waiting))
    versions = [worker["blender"] for worker in bare.facts()["workers"]]
    assert sorted(versions) == ["4.5.0"] * requests + ["5.0.1"] * (4 - requests)


async def test_a_place_is_not_lost_with_what_cannot_be_handed_over(
    bare: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_place: WarmPlace, _folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(WarmPlace, "hand_over", full)
        with pytest.raises(HarnessFault, match="No space left"):
            await serves(bare, tmp_path / "1")
        # What went wrong before is not hidden by it.
        with pytest.raises(ZeroDivisionError):
            async with bare.place(NO_BLENDER, tmp_path / "2"):
                raise ZeroDivisionError
    assert await serves(bare, tmp_path / "3")
    assert (tmp_path / "3" / "current" / "files").is_dir()


async def test_a_place_is_not_lost_where_it_cannot_be_made(
    bare: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, failures = WarmPlace.start, iter([OSError(errno.EMFILE, "Too many open files")])

    async def start(place: WarmPlace) -> None:
        for failure in failures:
            raise failure
        await made(place)

    monkeypatch.setattr(WarmPlace, "start", start)
    assert await serves(bare, tmp_path / "job")


# --- with Blender --------------------------------------------------------------------------------------------

Report = dict[str, Any]


class Warm:
    """A pool of one place for one Blender, and a folder for its jobs."""

    def __init__(self, pool: Pool, blender: Blender, folder: Path) -> None:
        self.pool, self.blender, self.folder = pool, blender, folder
        self.numbers = itertools.count()

    async def run(self, snippet: str, limits: ProcessLimits | None = None, render: RenderSettings = SMALL) -> Report:
        order = Order(snippet, render=render, run_limits=limits or ProcessLimits())
        return await execute(self.blender, order, self.folder / f"job-{next(self.numbers)}", pool=self.pool)

    @property
    def workers(self) -> list[dict[str, Any]]:
        workers: list[dict[str, Any]] = self.pool.facts()["workers"]
        return workers

    def places(self) -> set[str]:
        """The folders of the places there are."""
        return {path.name for path in (self.folder / "warm").iterdir()}

    async def idle(self) -> None:
        """Wait until every worker is idle, and there is one."""
        for _ in range(1200):
            if self.workers and {worker["state"] for worker in self.workers} == {"idle"}:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"no worker got idle: {self.pool.facts()}")

    def processes(self, name: str) -> list[int]:
        """Process ids of the keepers, or of all that they keep: what watches over Blender, Blender, and its jobs."""
        keepers = [pid for pid in descendants(os.getpid()) if b"warm_keeper.py" in command_line(pid)]
        return keepers if name == KEEPER else sorted(pid for keeper in keepers for pid in descendants(keeper))


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@contextlib.asynccontextmanager
async def warm_pool(blender: Blender, folder: Path, size: int = 1) -> AsyncGenerator[Warm]:
    if not strongest().keeps_forks_apart:
        pytest.skip("jobs cannot be kept apart here, so there are no warm Blenders")
    pool = Pool(folder / "warm", strongest(), size)
    warm = Warm(pool, blender, folder)
    try:
        yield warm
    finally:
        await pool.close()
    assert pool.facts()["workers"] == []
    assert warm.processes(KEEPER) == warm.processes(BLENDER) == []
    assert list((folder / "warm").iterdir()) == []


@pytest.fixture
async def warm(blender: Blender, tmp_path: Path, alone: None, no_leftovers: None) -> AsyncGenerator[Warm]:
    async with warm_pool(blender, tmp_path) as warm:
        yield warm


LOOK = Path(__file__).parents[1] / "snippets" / "looks_around.py"
SPOIL = Path(__file__).parents[1] / "snippets" / "spoils_everything.py"


@pytest.mark.blender
async def test_nothing_of_a_job_is_visible_to_the_next(warm: Warm) -> None:
    look = LOOK.read_text()
    before = json.loads((await warm.run(look))["claims"]["stdout"]["text"].splitlines()[0])
    spoilt = await warm.run(SPOIL.read_text() + look)
    assert spoilt["outcome"] == "passed", spoilt["reason"]
    # It did what it could, and sees it itself: the look is not blind.
    within = json.loads(spoilt["claims"]["stdout"]["text"].splitlines()[0])
    after = json.loads((await warm.run(look))["claims"]["stdout"]["text"].splitlines()[0])
    assert {name: after[name] for name in after if after[name] != before[name]} == {}
    unseen = [name for name in before if name != "own_folder" and within[name] == before[name]]
    # Modes of files do not change, whatever a job asks for.
    assert unseen == ["modes"]
    # One warm Blender did all of it: four processes for each of three jobs, as something may be left to be called.
    assert [worker["jobs"] for worker in warm.workers] == [12]


@pytest.mark.blender
async def test_a_warm_blender_sees_what_a_cold_one_sees(warm: Warm, blender: Blender, tmp_path: Path) -> None:
    snippet = (
        "import bpy\nbpy.ops.mesh.primitive_monkey_add()\nmonkey = bpy.context.object\n"
        "monkey.modifiers.new('S', 'SUBSURF')\nmonkey.data.polygons.foreach_set('use_smooth', [True] * 500)\n"
    )
    cold = await execute(blender, Order(snippet, render=SMALL), tmp_path / "cold")
    for report in (await warm.run(snippet), await warm.run(snippet)):
        for part in ("scene", "changes", "repeat", "render", "files"):
            assert report["evidence"][part] == cold["evidence"][part], part
    pictures = [tmp_path / name / "examine" / "out" / "three_quarter.png" for name in ("cold", "job-0", "job-1")]
    assert pixels(pictures[0]) == pixels(pictures[1]) == pixels(pictures[2])


def pixels(path: Path) -> bytes:
    with Image.open(path) as image:
        return image.tobytes()


@pytest.mark.blender
async def test_a_fork_has_all_threads_it_needs(warm: Warm) -> None:
    """From a process with threads of OpenEXR and TBB left, the first hangs and the second finds one core."""
    report = await warm.run(
        "import os, bpy\nscene = bpy.context.scene\nscene.render.engine = 'CYCLES'\n"
        "scene.render.resolution_x = scene.render.resolution_y = 32\nscene.cycles.samples = 1\n"
        "scene.render.image_settings.file_format = 'OPEN_EXR'\nscene.render.filepath = os.path.abspath('one.exr')\n"
        "bpy.ops.render.render(write_still=True)\nprint(len(os.listdir('/proc/self/task')) > 1)\n",
        ProcessLimits(wall_s=20),
    )
    assert report["outcome"] == "passed", report["reason"]
    assert "True" in report["claims"]["stdout"]["text"]
    assert warm.workers[0]["threads"] == 1


@pytest.mark.blender
async def test_a_crash_is_absorbed(warm: Warm) -> None:
    crashed = await warm.run("import ctypes\nctypes.string_at(0)\n")
    assert crashed["outcome"] == "crashed"
    assert (await warm.run(PLAIN))["outcome"] == "passed"
    # All children of one process have its layout of memory: it is not used again after a crash.
    assert [worker["jobs"] for worker in warm.workers] == [3]


@pytest.mark.blender
@pytest.mark.parametrize("name", [KEEPER, BLENDER])
async def test_a_worker_that_dies_while_it_waits_is_replaced(warm: Warm, name: str) -> None:
    warm.pool.keep_warm(warm.blender)
    await warm.idle()
    place = warm.places()
    os.kill(warm.processes(name)[0], signal.SIGKILL)
    for _ in range(400):
        if warm.places() and not warm.places() & place:
            break
        await asyncio.sleep(0.05)
    await warm.idle()
    report = await warm.run(PLAIN)
    assert report["outcome"] == "passed", report["reason"]


@pytest.mark.blender
async def test_a_worker_that_dies_at_work_says_nothing_of_the_snippet(warm: Warm) -> None:
    task = asyncio.create_task(warm.run("while True: pass\n"))
    await busy(warm)
    for pid in warm.processes(BLENDER):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    report = await task
    assert report["outcome"] == "harness_fault"
    assert (await warm.run(PLAIN))["outcome"] == "passed"


@pytest.mark.blender
async def test_cancelling_kills_the_job_at_once_and_the_worker_goes_on(warm: Warm) -> None:
    await warm.run(PLAIN)
    task = asyncio.create_task(warm.run("while True: pass\n"))
    await busy(warm)
    residents = set(warm.processes(BLENDER))
    started = time.monotonic()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert time.monotonic() - started < 10
    left = set(warm.processes(BLENDER))
    # What waited is there still; the job, a fork of it, is not.
    assert len(left) == len(residents) - 1
    assert left < residents
    assert [worker["state"] for worker in warm.workers] == ["idle"]
    assert (await warm.run(PLAIN))["outcome"] == "passed"


@pytest.mark.blender
async def test_an_order_that_comes_before_the_job_ends_it_too(warm: Warm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness.pool.worker, "DRAIN_GRACE_S", 60.0)
    await warm.run(PLAIN)
    task = asyncio.create_task(warm.run("while True: pass\n"))
    async with asyncio.timeout(60):
        while warm.workers[0]["state"] != "busy":  # noqa: ASYNC110 - the order is to come as early as it can
            await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    assert [(worker["state"], worker["jobs"]) for worker in warm.workers] == [("idle", 4)]


@pytest.mark.blender
async def test_a_limit_ends_the_job_and_not_the_worker(warm: Warm) -> None:
    limits = ProcessLimits(wall_s=1)
    assert (await warm.run("while True: pass\n", limits))["outcome"] == "timed_out"
    assert (await warm.run("print('x' * (16 << 20))\n"))["outcome"] == "output_limit"
    assert (await warm.run(PLAIN))["outcome"] == "passed"
    assert [worker["jobs"] for worker in warm.workers] == [5]


@pytest.mark.blender
async def test_a_worker_is_replaced_when_it_is_spent(warm: Warm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness.pool.worker, "JOBS_LIMIT", 2)
    for _ in range(2):
        assert (await warm.run(PLAIN))["outcome"] == "passed"
    await warm.idle()
    assert [worker["jobs"] for worker in warm.workers] == [0]


@pytest.mark.blender
async def test_who_finds_no_place_waits_for_one(warm: Warm) -> None:
    reports = await asyncio.gather(*(warm.run(PLAIN) for _ in range(3)))
    assert {report["outcome"] for report in reports} == {"passed"}
    assert [worker["jobs"] for worker in warm.workers] == [9]


@pytest.mark.blender
async def test_an_executable_that_cannot_be_forked_waits_for_one_job(
    executable: Blender, tmp_path: Path, alone: None
) -> None:
    async with warm_pool(executable, tmp_path) as warm:
        for _ in range(2):
            report = await warm.run("open('note', 'w').write('note')\n" + PLAIN)
            assert report["outcome"] == "passed", report["reason"]
            assert [file["name"] for file in report["evidence"]["files"]] == ["note"]
        await warm.idle()
        # One for each of the two processes of the next execution.
        assert [(worker["forks"], worker["jobs"]) for worker in warm.workers] == [(False, 0), (False, 0)]


@pytest.mark.blender
async def test_two_blenders_share_the_places(
    blender: Blender, executable: Blender, tmp_path: Path, alone: None
) -> None:
    async with warm_pool(blender, tmp_path) as warm:
        assert (await warm.run(PLAIN))["outcome"] == "passed"
        other = await execute(executable, Order(PLAIN, render=SMALL), tmp_path / "other", pool=warm.pool)
        assert (other["outcome"], other["blender"]["version"]) == ("passed", executable.version)
        assert (await warm.run(PLAIN))["blender"]["version"] == blender.version


@pytest.mark.blender
async def test_a_blender_that_does_not_get_warm_is_used_cold(
    blender: Blender, tmp_path: Path, alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness.pool.worker, "WARM_KEEPER", tmp_path / "missing.py")
    async with warm_pool(blender, tmp_path) as warm:
        assert (await warm.run(PLAIN))["outcome"] == "passed"
        assert "did not start" in warm.pool.facts()["cold"][str(blender.path)]


async def test_a_worker_that_never_says_that_it_is_warm_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import sys, time\nprint('loading', file=sys.stderr, flush=True)\ntime.sleep(60)\n")
    monkeypatch.setattr(harness.pool.worker, "WARM_KEEPER", silent)
    monkeypatch.setattr(harness.pool.worker, "START_LIMIT_S", 0.5)
    monkeypatch.setattr(harness.pool.worker, "ORDER_GRACE_S", 0.2)
    deaths: list[str] = []
    worker = Worker(forks=True, on_death=lambda: deaths.append("by itself"))
    with pytest.raises(HarnessFault, match=r"within 0.5 s: loading"):
        await worker.start(WarmSpec([], {}, str(tmp_path), True))
    assert worker.state is WorkerState.ENDED
    await worker.end()
    assert deaths == []


async def busy(warm: Warm) -> None:
    """Wait until a job runs."""
    for _ in range(1200):
        if any(worker["state"] == "busy" for worker in warm.workers) and len(warm.processes(BLENDER)) > 2:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("no job began")


def test_dataclasses_of_the_keeper_survive_their_way() -> None:
    jail = JailSpec(["/usr"], ["/tmp"], True, 7, "")
    bounds = Bounds(1.0, 2, ["a"], 3, 4, 5)
    for spec in (WarmSpec(["c"], {"A": "b"}, "f", True, jail), WarmSpec(["c"], {}, "f", False)):
        assert read_warm_spec(json.loads(json.dumps(dataclasses.asdict(spec)))) == spec
    for job in (WarmJob("j", "f", bounds, jail), WarmJob("j", "f", bounds, None)):
        assert read_warm_job(json.loads(json.dumps(dataclasses.asdict(job)))) == job
