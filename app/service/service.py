"""The service without HTTP: takes requests, follows and cancels runs, makes artifacts again."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel

from app.artifacts.replay import Replay
from app.artifacts.store.artifact import is_imported, is_same_build
from app.artifacts.store.store import sighting_of
from app.errors import InvalidRequest, NotFound, RunFinished, ServiceBusy, ServiceStopping
from app.jobs.job import JobSummary, begun
from app.jobs.kinds import ADDONS, CHANGES, QUESTIONS, RUNS, JobKind, group_of
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import UNFINISHED, Event, Run
from app.jobs.sending import CallerLimits, Sending, SentBefore
from app.pipeline.beside import through_one_camera
from app.pipeline.loop import RunLoop
from app.pipeline.proving import keep_remade, prove_here
from app.pipeline.replaying import replay
from app.pipeline.state import Tools
from app.repositories.register import Repository
from app.repositories.repository_service import RepositoryService
from app.service.addon_way import AddonChecks, AddonWay
from app.service.admission import Admission
from app.service.answering import Questions, QuestionWay
from app.service.change_way import ChangeWay
from app.service.changes import Changes
from app.service.continuing import HINT, title_of, with_earlier
from app.service.run_way import RunWay
from app.service.seen_jobs import SeenJobs
from app.service.turns import Turns
from app.service.warmup import Warmup
from app.service.ways import JobWay
from app.service.work import Work
from harness import tracing
from harness.blenders import Blender
from harness.launcher import ProcessLimits

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs

QUICK_CHECKS: Final = 4
"""Checks without an execution, and looks at a place, that are worked on at once."""
MOST_QUICK_CHECKS: Final = 12
"""Those of a caller that may be under way or waiting."""
NO_EVENT: Final = 2**62
"""A number that no event has."""


class Service:
    """The running service; `open_service` makes one."""

    def __init__(
        self,
        tools: Tools,
        loop: RunLoop,
        blender_problem: str | None,
        repositories: RepositoryService,
        shared: PostgresJobs | None = None,
    ) -> None:
        self.tools = tools
        self.repositories = repositories
        self.admission = Admission(tools, blender_problem)
        self._replays = Counter[str]()
        self.quick_checks = Turns(QUICK_CHECKS, MOST_QUICK_CHECKS)
        self._stopping = asyncio.Event()
        self._shared = shared is not None
        by_change, by_question = ChangeWay(tools, repositories), QuestionWay(tools, repositories)
        by_check = AddonWay(tools, self.admission, repositories)
        ways: dict[str, JobWay] = {
            RUNS.name: RunWay(tools, loop, self.admission),
            CHANGES.name: by_change,
            ADDONS.name: by_check,
            QUESTIONS.name: by_question,
        }
        self.work = Work(tools, ways, self._stopping, shared)
        self.jobs = SeenJobs(tools, repositories)
        self.changes = Changes(by_change, self.work, self.jobs)
        self.addons = AddonChecks(by_check, self.work, self.jobs)
        self.questions = Questions(by_question, self.work, self.until_ended)
        self.warmup = Warmup(tools, loop, self._stopping)

    async def submit(self, request: GenerateRequest | ValidateRequest, caller: str = "", key: str | None = None) -> Run:
        """Accept a request and answer its run as it is written down, which is queued.

        A request that the caller sent before with the same `key` has its run already. Raises BlenderMissing,
        SandboxMissing, InvalidRequest, KeyReused, QuotaSpent or ServiceBusy; the run is then not written.
        """
        kind: JobKind = "generate" if isinstance(request, GenerateRequest) else "validate"
        sent = self.sending(kind, request, caller, key)
        if known := await self.tools.runs.sent_before(sent):
            return await self.tools.runs.run(known)
        self.admission.check_options(request)
        if request.continues is not None and not await self.sees(request.continues, caller):
            raise InvalidRequest(f"body.continues: There is no run {request.continues}.", HINT)
        if isinstance(request, GenerateRequest):
            request = await with_earlier(request, self.tools.runs)
        if self.work.is_full_for(caller):
            raise ServiceBusy(f"{self.work.unfinished()} runs are under way or waiting.")
        self.admission.check_drafter(request)
        blender = self.admission.choose_blender(request.blender)
        others = self.admission.other_blenders(blender, request.verify_on)
        self.admission.check_sandbox()
        self.admission.check_engine(blender, *others)
        title = await title_of(request, self.tools.runs)
        written = request.model_dump(mode="json") | {"verify_on": [other.name for other in others]}
        try:
            return begun(await self.work.take(kind, title, blender.name, written, sent))
        except SentBefore as before:
            return await self.tools.runs.run(before.run_id)

    def sending(self, kind: JobKind, request: BaseModel, caller: str, key: str | None = None) -> Sending:
        """The sender of a request with his limits, for a job of this kind."""
        settings = self.tools.settings
        # In one process the work itself counts them, those too that are being written down.
        most = self.work.most(group_of(kind)) if self._shared else None
        limits = CallerLimits(settings.runs_per_minute, settings.cost_per_day, most)
        trace = tracing.traceparent()
        if key is None:
            return Sending(caller, limits=limits, trace=trace)
        said = f"{type(request).__name__} {request.model_dump_json()}"
        return Sending(caller, key, hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(), limits, trace)

    async def sees(self, job_id: str, caller: str) -> bool:
        """False if a job is another caller's; the token of the service sees all."""
        try:
            return not caller or (await self.tools.runs.job(job_id)).caller == caller
        except NotFound:
            # Whoever looks for it says so.
            return True

    async def repositories_here(self) -> list[str]:
        """The repositories of this process, each with its origin."""
        return [f"{repository.name} {repository.origin}" for repository in await self.repositories.all()]

    async def finished(self, run_id: str) -> Run:
        """Wait for the end of a run and answer it; raises ServiceStopping when the service stops before."""
        await self.until_ended(run_id)
        return await self.tools.runs.run(run_id)

    async def until_ended(self, job_id: str) -> JobSummary:
        """Wait for the end of a job of any kind; raises ServiceStopping when the service stops before."""
        await self.work.ended(job_id)
        if self._shared:
            # Another process may work on it.
            async for _ in self.tools.progress.follow(job_id, NO_EVENT, self._stopping):
                pass
        job = await self.tools.runs.job(job_id)
        if job.status in UNFINISHED:
            what = "run" if job.kind in RUNS.kinds else "job"
            raise ServiceStopping(f"The service stops; the {what} has not ended.", details={"run": job_id})
        return job

    async def cancel(self, run_id: str) -> Run:
        """End a run now, with every process it started; raises RunNotFound or RunFinished."""
        await self.tools.runs.summary(run_id)
        await self.cancel_job(run_id)
        return await self.tools.runs.run(run_id)

    async def cancel_job(self, job_id: str) -> JobSummary:
        """End a job of any kind now; raises JobNotFound or RunFinished."""
        await self.work.cancel(job_id)
        return await self.until_ended(job_id)

    async def remove_repository(self, name: str) -> Repository:
        """End the jobs of a repository, forget them, and remove it. Raises RepositoryNotFound and StorageFailed."""
        origin = (await self.repositories.get(name)).origin
        for job_id in await self.tools.runs.unfinished_of(name, origin):
            with contextlib.suppress(RunFinished):
                await self.cancel_job(job_id)
        removed = await self.repositories.remove(name)
        await self.tools.runs.forget_of(name, origin)
        return removed

    def follow(self, job_id: str, after: int) -> AsyncGenerator[Event, None]:
        """The events of a job after that one, until it ends or the service stops."""
        return self.tools.progress.follow(job_id, after, self._stopping)

    async def replay(self, artifact_id: str, blender: str | None, caller: str = "", keep_scene: bool = False) -> Replay:
        """Make an artifact again on a Blender, the default one unless named, when a place is free.

        An import that comes out the same is judged anew, and kept as proven here if its verdict allows it. With
        `keep_scene`, what is proven here keeps its scene if it came out the same on the build that it is proven on.
        Raises ArtifactNotFound, ArtifactDamaged, BlenderMissing, SandboxMissing, InvalidRequest, ServiceBusy,
        RunFailed.
        """
        await asyncio.to_thread(self.tools.artifacts.read, artifact_id)
        with self._one_more_replay(blender, caller) as chosen:
            return await self._replay(artifact_id, chosen, caller, keep_scene)

    @contextlib.contextmanager
    def _one_more_replay(self, blender: str | None, caller: str) -> Generator[Blender, None, None]:
        chosen = self.admission.choose_blender(blender)
        self.admission.check_sandbox()
        self.admission.check_engine(chosen)
        runs, replays = self.work.unfinished_of(caller), self._replays[caller]
        if runs + replays >= self.work.most():
            raise ServiceBusy(f"{runs} runs and {replays} replays are under way or waiting.")
        self._replays[caller] += 1
        try:
            yield chosen
        finally:
            self._replays[caller] -= 1

    async def set_beside(self, run: Run, before: Run, caller: str = "") -> None:
        """Take pictures of two proven runs through one camera, and keep them with the first. Raises as `replay`."""
        shown = [one.artifact.id for one in (before, run) if one.artifact]
        if len(shown) < 2:
            raise InvalidRequest("One of the two runs has no artifact, so there is nothing to set beside the other.")
        with self._one_more_replay(run.blender, caller) as chosen:
            async with self.work.place(caller):
                pictures = await through_one_camera(self.tools, chosen, shown)
        await asyncio.to_thread(self.tools.pictures.keep_beside, run.id, *pictures)

    async def _replay(self, artifact_id: str, chosen: Blender, caller: str, keep_scene: bool) -> Replay:
        tools = self.tools
        async with self.work.place(caller):
            most = ProcessLimits(wall_s=tools.settings.max_run_s, memory_bytes=tools.settings.memory_mib << 20)
            remade = await replay(
                tools.artifacts, artifact_id, chosen, tools.engine, tools.rules, tools.readers, most, keep_scene
            )
            made = remade.comparison
            if made.same and is_imported(artifact_id):
                made = await prove_here(tools, chosen, remade)
            elif made.same and keep_scene and is_same_build(made.blender, made.was_blender):
                await keep_remade(tools, remade)
        if made.same:
            await asyncio.to_thread(self._see_replayed, artifact_id)
        return made

    def _see_replayed(self, artifact_id: str) -> None:
        self.tools.gallery.see(artifact_id, sighting_of("replay", self.tools.artifacts.read(artifact_id)))

    @property
    def stopping(self) -> bool:
        """True if the service is about to stop."""
        return self._stopping.is_set()

    async def until_stopping(self) -> None:
        """Wait until the service is about to stop."""
        await self._stopping.wait()

    def say_stopping(self) -> None:
        """Let those who wait for a run go, because the service is about to stop."""
        self._stopping.set()

    async def stop(self) -> None:
        """Leave every run as it is, to be taken up at the next start."""
        self.say_stopping()
        await self.work.stop()
