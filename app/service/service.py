"""The service without HTTP: takes requests, works on runs one after another or side by side, takes them up again.

queued ─> running ─┬─> proven | not_proven | refused     the run's own end
                   ├─> cancelled                         a caller's DELETE
                   ├─> failed                            a fault of ours
                   └─> (service stopped or killed) ─> taken up at the next start, or interrupted
                                                       when that has happened too often
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import importlib
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Generator
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog

from app.artifacts.exemplars import WithheldRequests, load_withheld
from app.artifacts.gallery import Gallery
from app.artifacts.replay import Replay, replay
from app.artifacts.search.clip import Clip
from app.artifacts.store.store import ArtifactStore, sighting_of
from app.blenders.blenders import blenders_of
from app.blenders.manifests import Manifests
from app.checks.errors import CheckerFailed
from app.checks.rules import load_rules
from app.checks.types.warm.keep import WarmCheckers
from app.checks.verdict import Author
from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from app.errors import (
    BlenderMissing,
    BlendproofError,
    ErrorBody,
    InvalidRequest,
    RunFailed,
    RunFinished,
    SandboxBroken,
    SandboxMissing,
    ServiceBusy,
    ServiceStopping,
    SettingsInvalid,
    StorageFailed,
)
from app.llm.client import Models
from app.observing.metrics import Metrics
from app.pipeline.judges import judge_types
from app.pipeline.loop import Loop
from app.pipeline.state import State, Tools
from app.retrieval.retriever import open_retriever
from app.runs.matrix_pictures import MatrixPictures
from app.runs.progress import Progress
from app.runs.request import GenerateRequest, ValidateRequest, without_contents
from app.runs.run import UNFINISHED, Event, Run, RunStatus
from app.runs.store import RunStore
from app.runs.unproven import UnprovenPictures
from app.service.locks import locked
from app.settings import Settings
from harness.blenders import Blender, BlenderNotAvailable, choose
from harness.engine import WORKER_STATES, Engine
from harness.engines.local import LocalEngine
from harness.folders import remove_tree
from harness.launcher import ProcessLimits
from harness.pool.pool import Pool
from harness.sandbox import selftest
from harness.sandbox.ladder import Sandbox, strongest
from harness.wheels import in_use
from ingest.store import IndexUnusable
from search.exporting import ModelUnusable

log = structlog.get_logger()

MAX_RESUMES = 2
INSTALL = "GET /health lists the Blenders there are; `blendproof blenders install SERIES` adds one."
STORAGE_RETRY_S = 5.0
FORGET_EVERY_S = 3600.0


class Service:
    """The running service; `open_service` makes one."""

    def __init__(self, tools: Tools, loop: Loop, blender_problem: str | None) -> None:
        self.tools = tools
        self.blender_problem = blender_problem
        self._loop = loop
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(tools.settings.parallel_runs)
        self._cancelled: set[str] = set()
        self._ended: set[str] = set()
        self._replays = 0
        self.working = 0
        self._stopping = asyncio.Event()

    def submit(self, request: GenerateRequest | ValidateRequest) -> str:
        """Accept a request and answer the id of its run.

        Raises BlenderMissing, SandboxMissing, InvalidRequest or ServiceBusy; the run is then not written.
        """
        settings = self.tools.settings
        if request.time_limit is not None and request.time_limit > settings.max_run_s:
            raise InvalidRequest(f"body.time_limit: at most {settings.max_run_s:g} s, not {request.time_limit:g}")
        if self.full:
            raise ServiceBusy(f"{self.unfinished} runs are under way or waiting.")
        if isinstance(request, GenerateRequest) and request.drafter == "model" and not self.tools.models:
            raise InvalidRequest("body.drafter: no model is configured", "docs/models.md says how one is.")
        blender = self.choose_blender(request.blender)
        others = self.other_blenders(blender, request.verify_on)
        self.check_sandbox()
        run_id = self.tools.runs.add(
            kind="generate" if isinstance(request, GenerateRequest) else "validate",
            title=request.request if isinstance(request, GenerateRequest) else first_line(request.snippet),
            blender=blender.name,
            request=request.model_dump(mode="json") | {"verify_on": [other.name for other in others]},
        )
        self._begin(run_id)
        return run_id

    def other_blenders(self, target: Blender, wanted: list[str]) -> list[Blender]:
        """The Blenders of these names, each once and without the target; raises InvalidRequest."""
        named = dict.fromkeys(self.choose_blender(name, "body.verify_on") for name in wanted)
        return [blender for blender in named if blender != target]

    def watch(self) -> None:
        """Have the metrics ask for what is under way."""
        ask, tools = self.tools.metrics.ask_for, self.tools
        ask("blendproof_runs_waiting", "Runs that wait for a place.", lambda: self.waiting)
        ask("blendproof_runs_working", "Runs that are worked on.", lambda: self.working)
        ask("blendproof_runs_places", "Runs that may be worked on at once.", lambda: tools.settings.parallel_runs)
        ask("blendproof_artifacts", "Artifacts that are kept.", tools.artifacts.count)
        ask("blendproof_disk_free_bytes", "Room on the disk of the data folder.", self.free_bytes)
        for state in WORKER_STATES:
            ask("blendproof_workers", "Warm Blenders.", functools.partial(self._workers, state), state=state)

    def check_sandbox(self) -> None:
        """Raises SandboxMissing where snippets would reach files and network and nobody said that they may."""
        sandbox = self.tools.sandbox
        if not sandbox.serves:
            raise SandboxMissing(f"Snippets cannot be isolated on this machine: {'; '.join(sandbox.why_not)}.")

    def choose_blender(self, wanted: str | None, place: str = "body.blender") -> Blender:
        """The default Blender, or the one that is wanted at a place of the request; raises BlenderMissing or
        InvalidRequest.
        """
        if self.blender_problem:
            raise BlenderMissing(self.blender_problem)
        try:
            return choose(self.tools.blenders, wanted)
        except BlenderNotAvailable as error:
            raise InvalidRequest(f"{place}: {error}", INSTALL) from error

    def reference(self, wanted: str | None) -> str | None:
        """The reference to search for a Blender: the build of that version, or of the default Blender.

        None, which means the newest there is, where nothing is wanted and the default Blender is not indexed.
        """
        if wanted or not self.tools.blenders:
            return wanted
        default = self.tools.blenders[0]
        indexed = self.tools.retriever.catalogue().references
        return next((name for name in (default.version, f"{default.series}-published") if name in indexed), None)

    async def warm(self) -> None:
        """Load what the first request would otherwise wait for: the graph of the runs, the index, the manifest of the
        default Blender and what the command language takes from it. A service that stops waits for the part it is at.
        """
        for part in (self._warm_retriever, self._warm_manifest, self._warm_drafter):
            if not self.stopping:
                await asyncio.to_thread(part)
        if not self.stopping:
            await self._loop.load()

    def _warm_retriever(self) -> None:
        with contextlib.suppress(IndexUnusable, ModelUnusable):
            self.tools.retriever.search("warm", self.reference(None), limit=1)

    def _warm_manifest(self) -> None:
        with contextlib.suppress(BlenderNotAvailable):
            for blender in self.tools.blenders[:1]:
                self.tools.manifests.of(blender)

    def _warm_drafter(self) -> None:
        with contextlib.suppress(BlenderNotAvailable, NotUnderstood):
            for blender in self.tools.blenders[:1]:
                self.tools.drafter.draft("add a cube", self.tools.manifests.of(blender))

    def warm_workers(self) -> None:
        """Start the warm Blenders of the default kind, while others go on."""
        if self.tools.blenders:
            self.tools.engine.keep_warm(self.tools.blenders[0])

    async def warm_checkers(self) -> None:
        """Have the type checkers read the stubs of the default Blender, which the first snippet would else wait for."""
        authors: tuple[Author, ...] = ("commands", "caller") if self.tools.checkers else ()
        for blender in self.tools.blenders[:1]:
            for author in authors:
                try:
                    await judge_types(self.tools, blender, "import bpy\n", author)
                except CheckerFailed as error:
                    log.warning("checker not warmed", problem=str(error))

    async def finished(self, run_id: str) -> Run:
        """Wait for the end of a run and answer it; raises ServiceStopping when the service stops before."""
        task = self._tasks.get(run_id)
        if task:
            stopping = asyncio.create_task(self._stopping.wait())
            await asyncio.wait([task, stopping], return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
        run = self.tools.runs.run(run_id)
        if run.status in UNFINISHED:
            raise ServiceStopping("The service stops; the run has not ended.", details={"run": run_id})
        return run

    async def cancel(self, run_id: str) -> Run:
        """End a run now, with every process it started; raises RunNotFound or RunFinished."""
        summary = self.tools.runs.summary(run_id)
        task = self._tasks.get(run_id)
        if summary.status not in UNFINISHED or task is None:
            raise RunFinished(f"Run {run_id} has ended: {summary.status}.")
        if run_id in self._ended:
            raise RunFinished(f"Run {run_id} has ended, which is being written down.")
        self._cancelled.add(run_id)
        task.cancel()
        return await self.finished(run_id)

    def follow(self, run_id: str, after: int) -> AsyncGenerator[Event, None]:
        """What happened in a run after that event, and what happens until it ends; raises RunNotFound."""
        self.tools.runs.summary(run_id)
        return self.tools.progress.follow(run_id, after, self._stopping)

    async def replay(self, artifact_id: str, blender: str | None) -> Replay:
        """Make an artifact again on a Blender, the default one unless named, when a place is free.

        Raises ArtifactNotFound, BlenderMissing, SandboxMissing, InvalidRequest, ServiceBusy or RunFailed.
        """
        tools = self.tools
        await asyncio.to_thread(tools.artifacts.read, artifact_id)
        chosen = self.choose_blender(blender)
        self.check_sandbox()
        if self.unfinished + self._replays >= tools.settings.parallel_runs + tools.settings.waiting_runs:
            raise ServiceBusy(f"{self.unfinished} runs and {self._replays} replays are under way or waiting.")
        self._replays += 1
        try:
            return await self._replay(artifact_id, chosen)
        finally:
            self._replays -= 1

    async def _replay(self, artifact_id: str, chosen: Blender) -> Replay:
        tools = self.tools
        async with self._places:
            most = ProcessLimits(wall_s=tools.settings.max_run_s, memory_bytes=tools.settings.memory_mib << 20)
            made = await replay(tools.artifacts, artifact_id, chosen, tools.engine, tools.rules, most)
        if made.same:
            await asyncio.to_thread(self._see_replayed, artifact_id)
        return made

    def _see_replayed(self, artifact_id: str) -> None:
        self.tools.gallery.see(artifact_id, sighting_of("replay", self.tools.artifacts.read(artifact_id)))

    @property
    def unfinished(self) -> int:
        """How many runs are under way or waiting."""
        return len(self._tasks)

    @property
    def waiting(self) -> int:
        """How many runs wait for a place."""
        return self.unfinished - self.working

    @property
    def full(self) -> bool:
        """Whether one more run would be refused."""
        return self.unfinished >= self.tools.settings.parallel_runs + self.tools.settings.waiting_runs

    @property
    def stopping(self) -> bool:
        """Whether the service is about to stop."""
        return self._stopping.is_set()

    def free_bytes(self) -> int:
        """Room on the disk of the data folder."""
        return shutil.disk_usage(self.tools.settings.data_folder).free

    def _workers(self, state: str) -> int:
        return sum(worker["state"] == state for worker in self.tools.engine.facts().workers)

    async def resume_all(self) -> None:
        """Take up what the last service left; give up a run that was taken up too often."""
        for run_id in self.tools.runs.unfinished():
            begun = self.tools.runs.summary(run_id).status is RunStatus.RUNNING
            if begun and self.tools.runs.count_resume(run_id) > MAX_RESUMES:
                message = f"The service ended {MAX_RESUMES + 1} times while it worked on this run."
                hint = "Send the request again; if the service ends again, its log says why."
                error = ErrorBody(code="run_interrupted", message=message, hint=hint, details={})
                self.tools.runs.finish(run_id, RunStatus.INTERRUPTED, error=error)
                await self._loop.forget(run_id)
                log.warning("run given up", run_id=run_id)
            else:
                log.info("run taken up again", run_id=run_id)
                self._begin(run_id)

    async def forget_failed(self) -> None:
        """Forget old runs that proved nothing, now and every hour."""
        while True:
            try:
                gone = self.tools.runs.forget_failed(self.tools.settings.failed_run_days)
            except sqlite3.OperationalError as failure:
                log.error("old runs not forgotten", problem=str(failure))
            else:
                # Of runs that begin from here on there are no pictures in these.
                unproven = await asyncio.to_thread(self.tools.unproven.ids)
                matrix = await asyncio.to_thread(self.tools.matrix.ids)
                known = set(self.tools.runs.ids())
                await asyncio.to_thread(self.tools.unproven.forget, unproven - known)
                await asyncio.to_thread(self.tools.matrix.forget, matrix - known)
                if gone:
                    log.info("old runs that proved nothing forgotten", runs=gone)
            await asyncio.sleep(FORGET_EVERY_S)

    async def stop(self) -> None:
        """Leave every run as it is, to be taken up at the next start."""
        self.say_stopping()
        tasks = dict(self._tasks)
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        for run_id in tasks:
            try:
                self.tools.runs.wait_again(run_id)
            except sqlite3.OperationalError as failure:
                # It is taken up all the same, but counts as one that the service ended on.
                log.error("run not written as waiting", run=run_id, problem=str(failure))

    def say_stopping(self) -> None:
        """Let those who wait for a run go, because the service is about to stop."""
        self._stopping.set()

    def _begin(self, run_id: str) -> None:
        task = asyncio.create_task(self._work(run_id), name=run_id)
        self._tasks[run_id] = task
        task.add_done_callback(lambda _: self._let_go(run_id))

    def _let_go(self, run_id: str) -> None:
        self._tasks.pop(run_id, None)
        self._ended.discard(run_id)

    async def _work(self, run_id: str) -> None:
        with structlog.contextvars.bound_contextvars(run_id=run_id):
            try:
                async with self._at_work():
                    status, artifact, error = await self._take_through(run_id)
                if status is RunStatus.NOT_PROVEN:
                    # A picture that cannot be kept is no reason not to say how the run ended.
                    with contextlib.suppress(OSError):
                        await asyncio.to_thread(self.tools.unproven.keep, run_id, self.tools.work_folder(run_id))
            except asyncio.CancelledError:
                if run_id not in self._cancelled:
                    raise
                self._cancelled.discard(run_id)
                status, artifact, error = RunStatus.CANCELLED, None, None
            # From here on it has ended, and only the disk may keep that from being written.
            self._ended.add(run_id)
            await self._write_end(run_id, status, artifact, error)
            self._count_end(run_id)
            await self._loop.forget(run_id)
            await asyncio.to_thread(remove_tree, self.tools.work_folder(run_id))

    def _count_end(self, run_id: str) -> None:
        run = self.tools.runs.summary(run_id)
        end = run.finished_at or run.created_at
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(run.created_at)).total_seconds()
        self.tools.metrics.run_ended(run.kind, run.status, run.blender, seconds)
        log.info("run ended", status=run.status, seconds=round(seconds, 3))

    @contextlib.asynccontextmanager
    async def _at_work(self) -> AsyncGenerator[None, None]:
        async with self._places:
            self.working += 1
            try:
                yield
            finally:
                self.working -= 1

    async def _write_end(self, run_id: str, status: RunStatus, artifact: str | None, error: ErrorBody | None) -> None:
        """Write how the run ended; a full disk is waited for, since a run must not stay under way for ever."""
        while True:
            try:
                self.tools.runs.finish(run_id, status, artifact, error)
                self.tools.progress.say(run_id, "ended", status=status)
                return
            except sqlite3.OperationalError as failure:
                log.error("end of run not written", problem=str(failure))
                await asyncio.sleep(STORAGE_RETRY_S)

    async def _take_through(self, run_id: str) -> tuple[RunStatus, str | None, ErrorBody | None]:
        runs = self.tools.runs
        try:
            runs.start(run_id)
            summary = runs.summary(run_id)
            start = State(
                run_id=run_id,
                kind=summary.kind,
                request=without_contents(runs.request(run_id)),
                blender=summary.blender,
                drafts=[],
                stages=[],
                reports=[],
                passed=False,
                refusal=None,
                artifact=None,
            )
            self.choose_blender(summary.blender)
            # A run that was accepted by an earlier start may be taken up by one that must not run it.
            self.check_sandbox()
            end = await self._loop.run(start, self.tools)
        except BlendproofError as error:
            return RunStatus.FAILED, None, error.body()
        except Exception as error:
            log.exception("run failed")
            # Where a file could not be used, its path is the operator's business and stands in the log.
            said = error.strerror if isinstance(error, OSError) else str(error)
            return RunStatus.FAILED, None, RunFailed(f"{type(error).__name__}: {said}").body()
        if end["refusal"]:
            return RunStatus.REFUSED, None, ErrorBody.model_validate(end["refusal"])
        status = RunStatus.PROVEN if end["passed"] else RunStatus.NOT_PROVEN
        return status, end["artifact"], None


@contextlib.asynccontextmanager
async def open_service(settings: Settings) -> AsyncGenerator[Service, None]:
    """The service over its data folder.

    Raises SettingsInvalid where a file of the settings cannot be read, DataFolderInUse where another one works on it,
    StorageFailed where it cannot be used, SandboxBroken where something gets out of the sandbox.
    """
    folder = settings.data_folder
    withheld = read_withheld(settings)
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        close_to_others(folder / "work")
    async with contextlib.AsyncExitStack() as held:
        # What is open is closed also where a later step fails: some of it has threads, which keep a process alive.
        held.enter_context(locked(folder / "lock"))
        leave_cores_free()
        blenders, problem = look_for_blenders(settings)
        held.enter_context(in_use(blenders))
        sandbox = await asyncio.to_thread(prove_sandbox, settings)
        with storage_errors(folder / "runs.sqlite"):
            runs = RunStore(folder / "runs.sqlite")
        held.callback(runs.close)
        with storage_errors(folder / "checkpoints.sqlite"):
            loop = await Loop.open(folder / "checkpoints.sqlite")
        held.push_async_callback(loop.close)
        metrics = Metrics()
        models = Models(settings.model_providers(), metrics)
        held.push_async_callback(models.close)
        retriever = open_retriever(settings)
        with storage_errors(folder / "artifacts"):
            artifacts = ArtifactStore(folder / "artifacts")
        with storage_errors(folder / "unproven"):
            unproven = UnprovenPictures(folder / "unproven")
        with storage_errors(folder / "matrix"):
            matrix = MatrixPictures(folder / "matrix")
        checkers = WarmCheckers(settings.warm_checkers) if settings.warm_checkers else None
        if checkers:
            held.push_async_callback(checkers.close)
        clip = Clip(settings.clip_model, settings.clip_weights, settings.home)
        gallery = Gallery(artifacts, settings.gallery_folder, clip, retriever.embedder, withheld)
        held.push_async_callback(asyncio.to_thread, gallery.close)
        gallery.start()
        engine = open_engine(settings, sandbox)
        held.push_async_callback(engine.close)
        tools = Tools(
            settings=settings,
            blenders=blenders,
            sandbox=sandbox,
            engine=engine,
            rules=load_rules(),
            checkers=checkers,
            drafter=Commands(),
            models=models,
            retriever=retriever,
            manifests=Manifests(settings.home),
            runs=runs,
            progress=Progress(runs),
            gallery=gallery,
            unproven=unproven,
            matrix=matrix,
            metrics=metrics,
        )
        service = Service(tools, loop, problem)
        held.push_async_callback(service.stop)
        service.watch()
        held.callback(asyncio.create_task(service.forget_failed()).cancel)
        await service.resume_all()
        sweep(folder / "work", set(runs.unfinished()))
        yield service


def leave_cores_free() -> None:
    """Have NumPy multiply in one thread, in this process.

    Its library keeps a team of threads that go on turning for a while when they have done their product, and for
    vectors of these sizes takes longer than one thread would. A picture that CLIP looked at meanwhile took 116 ms, and
    takes 64.
    """
    # It says nothing of its types.
    library: Any = importlib.import_module("threadpoolctl")
    library.threadpool_limits(1, user_api="blas")


def read_withheld(settings: Settings) -> WithheldRequests:
    """The requests whose artifacts the drafter is not shown; raises SettingsInvalid."""
    try:
        return load_withheld(settings.withheld)
    except (OSError, ValueError, KeyError, TypeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it holds no requests, one a line"
        raise SettingsInvalid(f"BLENDPROOF_WITHHELD={settings.withheld}: {said}") from None


def open_engine(settings: Settings, sandbox: Sandbox) -> Engine:
    """The engine of this machine. It keeps Blenders warm if that is wanted and their jobs can be kept apart.

    Raises StorageFailed if its folders cannot be used.
    """
    warm, executions = settings.data_folder / "warm", settings.data_folder / "executions"
    for folder in (warm, executions):
        with storage_errors(folder):
            # Left by a service that was killed.
            remove_tree(folder)
            close_to_others(folder)
    wanted = settings.warm_workers > 0 and sandbox.keeps_forks_apart
    pool = Pool(warm, sandbox, settings.warm_workers) if wanted else None
    return LocalEngine(sandbox, pool, executions)


def close_to_others(folder: Path) -> None:
    """Have a folder that no other user of the machine looks into: the files of jobs have what modes jobs give them."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700)


def prove_sandbox(settings: Settings) -> Sandbox:
    """The sandbox that snippets run in, after it was attacked; raises SandboxBroken where an attack worked."""
    sandbox = selftest.examine(strongest(), [settings.home, settings.data_folder])
    if sandbox.escapes and settings.sandbox != "unsafe":
        raise SandboxBroken(f"The sandbox `{sandbox.rung}` does not hold: {', '.join(sandbox.escapes)}.")
    return dataclasses.replace(sandbox, unsafe=settings.sandbox == "unsafe")


def look_for_blenders(settings: Settings) -> tuple[list[Blender], str | None]:
    """The Blenders there are, or what is wrong; the service starts without one and says so in /health."""
    try:
        blenders = blenders_of(settings)
    except BlenderNotAvailable as error:
        return [], str(error)
    return blenders, None if blenders else "No Blender is installed. Run `blendproof blenders install`."


@contextlib.contextmanager
def storage_errors(path: Path) -> Generator[None, None, None]:
    """Say which part of the data folder cannot be used."""
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise StorageFailed(
            f"{path} cannot be used: {error}.", "Move away the file that is where a folder is to be."
        ) from error
    except (OSError, sqlite3.Error) as error:
        raise StorageFailed(f"{path} cannot be used: {error}.") from error


def sweep(work: Path, unfinished: set[str]) -> None:
    """Remove what runs that have ended left behind when the service was killed."""
    for folder in work.glob("*"):
        if folder.name not in unfinished:
            remove_tree(folder)


def first_line(snippet: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in snippet.splitlines() if line.strip()), "(empty snippet)")
