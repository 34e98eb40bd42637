"""Warm Blenders: started before they are needed, lent to one execution at a time, replaced when they are spent.

A worker is one warm Blender process, in a keeper of its own (`warm_keeper.py`). Its life:

    starting ── it says that it is warm ──> idle ── a job is handed in ──> busy
       │                                    │  ^                            │
       │                                    │  └─────── the job ended ──────┤
       │ it died, or took too long          │ it died, or is spent          │ it died, does not answer, or what
       v                                    v                               v the job left cannot be taken away
     ended <────────────────────────────────┴───────────────────────────────┘

It is spent after JOBS_LIMIT jobs, after a job that crashed, because all its children have one layout of memory, and
where it cannot be forked after its one job. Nothing leads back from `ended`: the pool sees that nothing is left of it
and starts another.

A place is a folder with the workers for one execution: one worker for both of its processes where Blender can be
forked, and one for each where it cannot. Both are held to the sandbox as cold ones are; see `harness/place.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import enum
import json
import os
import secrets
import signal
import socket
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from harness.blenders import Blender
from harness.folders import Folders, Phase, remove_tree, write_text
from harness.launcher import (
    DRAIN_GRACE_S,
    KILL_GRACE_S,
    LOG_KEPT_BYTES,
    ORDER_GRACE_S,
    HarnessFault,
    Heard,
    Lines,
    ProcessEnd,
    ProcessLimits,
    Stream,
    bounds_of,
    lines,
    listening,
    printable,
    start_program,
)
from harness.place import ColdPlace, OnSaved, Place, WriteJob, reach
from harness.protocol import FORKING_ENVIRONMENT, JOB_FDS, WaitJob, to_json
from harness.sandbox.keeper import KeeperEnd, WarmJob, WarmSpec, descendants, kill_all
from harness.sandbox.ladder import Sandbox
from harness.warm_keeper import MESSAGE_LIMIT_BYTES

WARM_KEEPER: Final = Path(__file__).with_name("warm_keeper.py")
START_LIMIT_S: Final = 60.0
JOBS_LIMIT: Final = 200
HARMLESS_THREADS: Final = {"4.5": 1}
"""By series, threads that a fork may leave behind: the one of 4.5 closes files of caches some time after their use."""
STARTS_TRIED: Final = 3
RETRY_S: Final = 60.0


Listen = Callable[[Callable[[], None]], contextlib.AbstractAsyncContextManager[Heard]]


class State(enum.StrEnum):
    """What a worker is doing."""

    STARTING = "starting"
    IDLE = "idle"
    BUSY = "busy"
    ENDED = "ended"


NEXT: Final = {
    State.STARTING: {State.IDLE, State.ENDED},
    State.IDLE: {State.BUSY, State.ENDED},
    State.BUSY: {State.IDLE, State.ENDED},
    State.ENDED: set[State](),
}


class Worker:
    """One warm Blender. `start` it, have it `do` jobs while it is idle, and `end` it whatever became of it.

    `on_death` is called when it ends by itself, at any time.
    """

    def __init__(self, forks: bool, on_death: Callable[[], None]) -> None:
        self.forks = forks
        self.state = State.STARTING
        self.jobs = 0
        self.threads = 0
        self.memory_bytes = 0
        self.spent = False
        self._clean = True
        self._on_death = on_death
        self._messages: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._log = Stream(LOG_KEPT_BYTES)
        self._tasks: list[asyncio.Task[None]] = []
        self._keeper: asyncio.subprocess.Process | None = None
        self._line: socket.socket | None = None

    def become(self, state: State) -> None:
        """Go to another state; the drawing above is the law."""
        if state not in NEXT[self.state]:
            raise RuntimeError(f"a worker that is {self.state} cannot become {state}")
        self.state = state

    @property
    def over(self) -> bool:
        """Whether it has ended, by itself or by order."""
        return self.state is State.ENDED

    async def start(self, spec: WarmSpec) -> None:
        """Start it and wait until it is warm; raises HarnessFault, and it has ended then."""
        try:
            await self._open(spec)
            ready = (await asyncio.wait_for(self._messages.get(), START_LIMIT_S) or {}).get("ready")
            if ready is None:
                raise HarnessFault(f"a warm Blender did not start: {self.said()}")
        except TimeoutError as error:
            self.become(State.ENDED)
            raise HarnessFault(f"a warm Blender did not start within {START_LIMIT_S:g} s: {self.said()}") from error
        except BaseException:
            if self.state is State.STARTING:
                self.become(State.ENDED)
            raise
        self.threads, self.memory_bytes = ready["threads"], ready["memory_bytes"]
        self.become(State.IDLE)

    async def _open(self, spec: WarmSpec) -> None:
        reading, writing = os.pipe()
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        ours.setblocking(False)
        self._line = ours
        try:
            self._keeper = await start_program(WARM_KEEPER, [], stdin=theirs.fileno(), log=writing)
        finally:
            theirs.close()
            os.close(writing)
            self._tasks = [asyncio.create_task(self._drain(reading)), asyncio.create_task(self._listen(ours))]
        ours.send(json.dumps(dataclasses.asdict(spec)).encode())

    async def _drain(self, reading: int) -> None:
        """Keep what the keeper and Blender print beside their jobs."""
        reader = asyncio.StreamReader()
        file = os.fdopen(reading, "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
        try:
            while data := await reader.read(1 << 16):
                self._log.feed(data)
        finally:
            transport.close()

    async def _listen(self, line: socket.socket) -> None:
        """Take in what the keeper says until it is gone."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while message := await loop.sock_recv(line, MESSAGE_LIMIT_BYTES):
                self._messages.put_nowait(json.loads(message))
        self._messages.put_nowait(None)
        if self.state is State.IDLE:
            self.become(State.ENDED)
        self._on_death()

    def said(self) -> str:
        """The last that was printed on its side, for an error."""
        return printable(self._log.tail or self._log.head).strip()[-400:] or "it said nothing"

    async def do(self, job: WarmJob, theirs: Lines, listen: Listen, limits: ProcessLimits) -> ProcessEnd:
        """Have it do a job whose descriptors are `theirs`, and stay until the job has ended.

        Raises HarnessFault where the worker is lost: no snippet can reach it, so that says nothing of the snippet.
        """
        if self.state is not State.IDLE:
            raise HarnessFault(f"a warm Blender is {self.state} and takes no job: {self.said()}")
        self.become(State.BUSY)
        self.jobs += 1
        end: KeeperEnd | None = None
        try:
            async with listen(self._stop) as heard:
                self._hand_in(job, theirs)
                end = await self._end_of_job(limits.wall_s + ORDER_GRACE_S)
                await heard.to_the_end()
            return heard.with_measured(end)
        finally:
            try:
                if end is None:
                    # Cancelled, or lost: what the job was must be dead before anybody goes on.
                    self._stop()
                    with contextlib.suppress(HarnessFault):
                        end = await self._end_of_job(DRAIN_GRACE_S)
            finally:
                self._settle(end)

    def _settle(self, end: KeeperEnd | None) -> None:
        """Be idle again or ended, now that the job is over or lost; meanwhile it may have been ended from outside."""
        if self.state is State.BUSY:
            self.become(State.ENDED if end is None or not self._clean else State.IDLE)
        self.spent = self.spent or not self.forks or self.jobs >= JOBS_LIMIT or crashed(end)

    def _hand_in(self, job: WarmJob, theirs: Lines) -> None:
        assert self._line is not None
        message = json.dumps(dataclasses.asdict(job)).encode()
        try:
            socket.send_fds(self._line, [message], [theirs.channel, theirs.out, theirs.err, theirs.log])
        except OSError as error:
            raise HarnessFault(f"a warm Blender was lost: {error}") from error
        theirs.close()

    async def _end_of_job(self, patience_s: float) -> KeeperEnd:
        try:
            message = await asyncio.wait_for(self._messages.get(), patience_s)
        except TimeoutError as error:
            raise HarnessFault("a warm Blender did not answer in time") from error
        if message is None:
            # Said again to whoever asks next.
            self._messages.put_nowait(None)
            raise HarnessFault(f"a warm Blender was lost: {self.said()}")
        self._clean = message["clean"]
        return KeeperEnd(**message["end"])

    def _stop(self) -> None:
        """Order the keeper to kill the job that is under way."""
        assert self._line is not None
        with contextlib.suppress(OSError):
            self._line.send(b"stop")

    async def end(self) -> None:
        """Leave nothing of it."""
        if self.state is not State.ENDED:
            self.become(State.ENDED)
        if self._line is not None:
            # The keeper, where it is not gone already, kills all that is below it when its line ends.
            with contextlib.suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)
        if self._keeper is not None:
            try:
                await asyncio.wait_for(self._keeper.wait(), ORDER_GRACE_S)
            except TimeoutError:
                pid = self._keeper.pid
                kill_all(lambda: descendants(pid), KILL_GRACE_S)
                with contextlib.suppress(ProcessLookupError):
                    self._keeper.kill()
                await self._keeper.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._line is not None:
            self._line.close()


def crashed(end: KeeperEnd | None) -> bool:
    """Whether a job was ended by a signal that was not ours; one that speaks to nobody any more is no crash."""
    return end is not None and end.signal not in (None, signal.SIGKILL, signal.SIGPIPE)


@dataclasses.dataclass
class WarmPlace:
    """A folder with the warm workers for one execution at a time. The folders are made anew for each."""

    blender: Blender
    sandbox: Sandbox
    folder: Path
    workers: dict[Phase, Worker]
    folders: Folders = dataclasses.field(init=False)
    lent: bool = False
    accepted: bool = False
    """Whether the pool looked at its workers once they were warm, and keeps it."""

    @property
    def forks(self) -> bool:
        """Whether one worker does the jobs of both phases."""
        return self.workers["run"] is self.workers["examine"]

    @property
    def free(self) -> bool:
        """Whether an execution can begin here now."""
        return self.accepted and not self.lent and all(worker.state is State.IDLE for worker in self.workers.values())

    @property
    def ended(self) -> bool:
        """Whether no execution can begin here any more."""
        return any(worker.spent or worker.state is State.ENDED for worker in self.workers.values())

    async def start(self) -> None:
        """Make the folders and have the workers get warm; raises HarnessFault or OSError."""
        for name in ("home", "tmp"):
            (self.folder / name).mkdir(parents=True)
        self.folders = Folders.make(self.folder)
        specs = {worker: self.spec(phase) for phase, worker in self.workers.items()}
        await asyncio.gather(*(worker.start(spec) for worker, spec in specs.items()))

    def spec(self, phase: Phase) -> WarmSpec:
        """What to start for a phase. A process that forks is held to the place; its children hold themselves to more.

        Landlock forbids nothing to a forking one that its namespaces do not: it is for what comes after.
        """
        name = "both" if self.forks else phase
        job_file = write_text(
            self.folder / f"wait-{name}.json", to_json(WaitJob(self.forks, [*self.shared(), *self.sandbox.scratch()]))
        )
        command = self.blender.command(self.folder if self.forks else self.folders.of(phase), self.folder)
        if self.forks:
            jail = self.sandbox.waiting_jail(self.blender.readable(), [str(self.folder)])
        else:
            readable, writable = reach(self.blender, self.folders, phase)
            jail = self.sandbox.jail([*readable, str(job_file)], writable)
        environment = command.environment | (FORKING_ENVIRONMENT if self.forks else {})
        return WarmSpec([*command.arguments, str(job_file)], environment, str(self.folder), self.forks, jail)

    def shared(self) -> list[str]:
        """The folders of its own that one forked job after another can write."""
        return [str(self.folder / name) for name in ("home", "tmp")]

    async def launch(self, phase: Phase, write_job: WriteJob, limits: ProcessLimits, on_saved: OnSaved) -> ProcessEnd:
        """Have the warm worker of this phase do the job; a phase that few executions have may have none."""
        worker = self.workers["run"] if self.forks else self.workers.get(phase)
        if worker is None:
            return await ColdPlace(self.blender, self.sandbox, self.folders).launch(phase, write_job, limits, on_saved)
        readable, writable = reach(self.blender, self.folders, phase)
        shared = self.shared() if self.forks else []
        with lines() as (ours, theirs):
            job = WarmJob(
                job=str(write_job(*JOB_FDS)),
                folder=str(self.folders.work),
                bounds=bounds_of(limits, [self.folders.of(phase), *map(Path, shared)]),
                jail=self.sandbox.forked_jail(readable, [*writable, *shared]) if self.forks else None,
            )
            return await worker.do(job, theirs, lambda on_flood: listening(ours, limits, on_saved, on_flood), limits)

    def hand_over(self, folder: Path) -> None:
        """Put what the execution left into `folder`, and be ready for another; raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for part in dataclasses.astuple(self.folders):
            # What a job forbade is no reason to copy: a folder that may not be written cannot be moved.
            part.chmod(0o700)
            part.rename(folder / part.name)
        self.folders = Folders.make(self.folder)

    def retire(self) -> None:
        """Take no further execution."""
        for worker in self.workers.values():
            worker.spent = True

    async def end(self) -> None:
        """Leave nothing of it."""
        await asyncio.gather(*(worker.end() for worker in set(self.workers.values())))
        await asyncio.to_thread(remove_tree, self.folder)


class Pool:
    """Keeps up to `size` warm places, of whichever Blenders are asked for; `keep_warm` says which to begin with.

    Where a Blender does not get warm, its executions take place cold, and `/health` says why.
    """

    def __init__(self, folder: Path, sandbox: Sandbox, size: int) -> None:
        self.sandbox = sandbox
        self.size = size
        self._folder = folder
        self._places: list[WarmPlace] = []
        self._changed = asyncio.Condition()
        self._starting: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._unforkable: set[Path] = set()
        self._failures: dict[Path, int] = {}
        self._cold_until: dict[Path, tuple[float, str]] = {}
        self._closing = False

    def keep_warm(self, blender: Blender) -> None:
        """Fill the places that are left with this Blender."""
        while len(self._places) < self.size and self._may_start(blender):
            self._begin(blender)

    @contextlib.asynccontextmanager
    async def place(self, blender: Blender, folder: Path) -> AsyncGenerator[Place, None]:
        """A place for one execution; what it leaves is in `folder` afterwards. Waits until a warm one is free.

        Raises HarnessFault where what it left cannot be had.
        """
        place = await self._lend(blender)
        if place is None:
            yield ColdPlace(blender, self.sandbox, Folders.make(folder))
            return
        try:
            yield place
        except BaseException:
            with contextlib.suppress(HarnessFault):
                self._take_back(place, folder)
            raise
        self._take_back(place, folder)

    def _take_back(self, place: WarmPlace, folder: Path) -> None:
        """Have a place for others again, or another one in its stead, whatever becomes of what the execution left."""
        try:
            place.hand_over(folder)
        except OSError as error:
            place.retire()
            raise HarnessFault(f"what an execution left cannot be kept: {error.strerror}") from error
        finally:
            place.lent = False
            if place.ended:
                self._replace(place)
            # Not waited for: whoever waits here may be cancelled, and then nobody would hear of it.
            in_background(self._say_changed(), self._ending)

    def is_quiet(self) -> bool:
        """Whether every place waits for an execution and none is being replaced."""
        return not self._starting and not self._ending and all(place.free for place in self._places)

    def facts(self) -> dict[str, Any]:
        """The places as `/health` shows them."""
        workers = [
            {
                "blender": place.blender.version,
                "state": worker.state.value,
                "forks": place.forks,
                "jobs": worker.jobs,
                "threads": worker.threads,
                "memory_bytes": worker.memory_bytes,
            }
            for place in self._places
            for worker in dict.fromkeys(place.workers.values())
        ]
        now = time.monotonic()
        cold = {str(path): why for path, (until, why) in self._cold_until.items() if until > now}
        return {"workers": workers, "cold": cold}

    async def close(self) -> None:
        """End every worker."""
        self._closing = True
        for task in self._starting:
            task.cancel()
        for place in list(self._places):
            self._discard(place)
        await asyncio.gather(*self._starting, *self._ending, return_exceptions=True)
        await self._say_changed()

    async def _lend(self, blender: Blender) -> WarmPlace | None:
        """A warm place that is free, once there is one; None where this Blender does not get warm."""
        async with self._changed:
            while not self._closing and self._may_start(blender):
                own = [place for place in self._places if place.blender == blender]
                free = next((place for place in own if place.free), None)
                if free:
                    free.lent = True
                    return free
                self._make_room(blender)
                await self._changed.wait()
        return None

    def _make_room(self, blender: Blender) -> None:
        """Start another place, in the stead of an idle one of another Blender where all are taken."""
        if len(self._places) >= self.size:
            other = next((place for place in self._places if place.free and place.blender != blender), None)
            if other is None:
                return
            self._discard(other)
        self._begin(blender)

    def _may_start(self, blender: Blender) -> bool:
        until, _ = self._cold_until.get(blender.path, (0.0, ""))
        return time.monotonic() >= until

    def _begin(self, blender: Blender) -> None:
        """Start a place; whoever waits is told when it is warm."""
        forks = blender.path not in self._unforkable
        run = Worker(forks, self._on_death)
        workers: dict[Phase, Worker] = {"run": run, "examine": run if forks else Worker(forks, self._on_death)}
        place = WarmPlace(blender, self.sandbox, self._folder / secrets.token_hex(6), workers)
        self._places.append(place)
        in_background(self._start(place), self._starting)

    async def _start(self, place: WarmPlace) -> None:
        blender = place.blender
        try:
            await place.start()
        except (HarnessFault, OSError) as fault:
            failures = self._failures[blender.path] = self._failures.get(blender.path, 0) + 1
            if failures >= STARTS_TRIED:
                self._cold_until[blender.path] = (time.monotonic() + RETRY_S, str(fault))
                self._failures.pop(blender.path)
            self._replace(place)
        else:
            self._failures.pop(blender.path, None)
            if place.forks and place.workers["run"].threads > 1 + HARMLESS_THREADS.get(blender.series, 0):
                # A fork would leave a thread behind that something in the child may wait for.
                self._unforkable.add(blender.path)
                self._replace(place)
            else:
                place.accepted = True
        await self._say_changed()

    def _on_death(self) -> None:
        """Replace the idle places whose worker died; the others see to it themselves."""
        for place in [place for place in self._places if place.ended and not place.lent]:
            self._replace(place)
        in_background(self._say_changed(), self._ending)

    def _replace(self, place: WarmPlace) -> None:
        self._discard(place)
        if not self._closing and len(self._places) < self.size and self._may_start(place.blender):
            self._begin(place.blender)

    def _discard(self, place: WarmPlace) -> None:
        if place in self._places:
            self._places.remove(place)
            in_background(place.end(), self._ending)

    async def _say_changed(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def in_background(work: Coroutine[Any, Any, None], kept: set[asyncio.Task[None]]) -> None:
    """Do it while others go on; the set keeps it until it is done."""
    task = asyncio.create_task(work)
    kept.add(task)
    task.add_done_callback(kept.discard)
