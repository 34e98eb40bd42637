"""The service without HTTP: takes requests, follows and cancels runs, makes artifacts again."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Final

from app.artifacts.replay import Replay
from app.artifacts.store.artifact import is_imported
from app.artifacts.store.store import sighting_of
from app.errors import ServiceBusy, ServiceStopping
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import UNFINISHED, Event, Run
from app.jobs.sending import CallerLimits, Sending, SentBefore
from app.pipeline.loop import RunLoop
from app.pipeline.proving import prove_here
from app.pipeline.replaying import replay
from app.pipeline.state import Tools
from app.repositories.changing.change_files import ChangeStore
from app.repositories.repository_service import RepositoryService
from app.service.admission import Admission
from app.service.changes import Changes
from app.service.changing import Changer
from app.service.continuing import with_earlier
from app.service.warmup import Warmup
from app.service.work import Work
from harness import tracing
from harness.blenders import Blender
from harness.launcher import ProcessLimits

if TYPE_CHECKING:
    from app.jobs.postgres import PostgresJobs

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
        changes: ChangeStore,
        shared: PostgresJobs | None = None,
    ) -> None:
        self.tools = tools
        self.repositories = repositories
        self.admission = Admission(tools, blender_problem)
        self._replays = 0
        self._stopping = asyncio.Event()
        self.changes = Changes(Changer(tools, repositories), changes, self._stopping)
        self._shared = shared is not None
        self.work = Work(tools, loop, self.admission, self._stopping, shared)
        self.warmup = Warmup(tools, loop, self._stopping)

    async def submit(self, request: GenerateRequest | ValidateRequest, caller: str = "", key: str | None = None) -> Run:
        """Accept a request and answer its run as it is written down, which is queued.

        A request that the caller sent before with the same `key` has its run already. Raises BlenderMissing,
        SandboxMissing, InvalidRequest, KeyReused, QuotaSpent or ServiceBusy; the run is then not written.
        """
        sent = self._sending(request, caller, key)
        if known := await self.tools.runs.sent_before(sent):
            return await self.tools.runs.run(known)
        self.admission.check_options(request)
        if isinstance(request, GenerateRequest):
            request = await with_earlier(request, self.tools.runs)
        if self.work.is_full_for(caller):
            raise ServiceBusy(f"{self.work.unfinished} runs are under way or waiting.")
        self.admission.check_drafter(request)
        blender = self.admission.choose_blender(request.blender)
        others = self.admission.other_blenders(blender, request.verify_on)
        self.admission.check_sandbox()
        self.admission.check_engine(blender, *others)
        try:
            return await self.work.accept(self._write(request, blender, others, sent), caller)
        except SentBefore as before:
            return await self.tools.runs.run(before.run_id)

    def _sending(self, request: GenerateRequest | ValidateRequest, caller: str, key: str | None) -> Sending:
        settings = self.tools.settings
        # In one process the work itself counts them, those too that are being written down.
        most = self.work.most if self._shared else None
        limits = CallerLimits(settings.runs_per_minute, settings.cost_per_day, most)
        trace = tracing.traceparent()
        if key is None:
            return Sending(caller, limits=limits, trace=trace)
        said = f"{type(request).__name__} {request.model_dump_json()}"
        return Sending(caller, key, hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest(), limits, trace)

    async def _write(
        self, request: GenerateRequest | ValidateRequest, blender: Blender, others: Sequence[Blender], sent: Sending
    ) -> Run:
        run_id = await self.tools.runs.add(
            kind="generate" if isinstance(request, GenerateRequest) else "validate",
            title=request.request if isinstance(request, GenerateRequest) else first_line(request.snippet),
            blender=blender.name,
            request=request.model_dump(mode="json") | {"verify_on": [other.name for other in others]},
            sent=sent,
        )
        return await self.tools.runs.run(run_id)

    async def finished(self, run_id: str) -> Run:
        """Wait for the end of a run and answer it; raises ServiceStopping when the service stops before."""
        task = self.work.task_of(run_id)
        if task:
            stopping = asyncio.create_task(self._stopping.wait())
            await asyncio.wait([task, stopping], return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
        if self._shared:
            # Another process may work on it.
            async for _ in self.tools.progress.follow(run_id, NO_EVENT, self._stopping):
                pass
        run = await self.tools.runs.run(run_id)
        if run.status in UNFINISHED:
            raise ServiceStopping("The service stops; the run has not ended.", details={"run": run_id})
        return run

    async def cancel(self, run_id: str) -> Run:
        """End a run now, with every process it started; raises RunNotFound or RunFinished."""
        await self.tools.runs.summary(run_id)
        await self.work.cancel(run_id)
        return await self.finished(run_id)

    async def follow(self, run_id: str, after: int) -> AsyncGenerator[Event, None]:
        """The events of a run after that one, until it ends; raises RunNotFound."""
        await self.tools.runs.summary(run_id)
        return self.tools.progress.follow(run_id, after, self._stopping)

    async def replay(self, artifact_id: str, blender: str | None, caller: str = "") -> Replay:
        """Make an artifact again on a Blender, the default one unless named, when a place is free.

        An import that comes out the same is judged anew, and kept as proven here if its verdict allows it.
        Raises ArtifactNotFound, ArtifactDamaged, BlenderMissing, SandboxMissing, InvalidRequest, ServiceBusy,
        RunFailed.
        """
        await asyncio.to_thread(self.tools.artifacts.read, artifact_id)
        chosen = self.admission.choose_blender(blender)
        self.admission.check_sandbox()
        self.admission.check_engine(chosen)
        if self.work.unfinished + self._replays >= self.work.most:
            raise ServiceBusy(f"{self.work.unfinished} runs and {self._replays} replays are under way or waiting.")
        self._replays += 1
        try:
            return await self._replay(artifact_id, chosen, caller)
        finally:
            self._replays -= 1

    async def _replay(self, artifact_id: str, chosen: Blender, caller: str) -> Replay:
        tools = self.tools
        async with self.work.place(caller):
            most = ProcessLimits(wall_s=tools.settings.max_run_s, memory_bytes=tools.settings.memory_mib << 20)
            remade = await replay(tools.artifacts, artifact_id, chosen, tools.engine, tools.rules, tools.readers, most)
            made = remade.comparison
            if made.same and is_imported(artifact_id):
                made = await prove_here(tools, chosen, remade)
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
        await self.changes.stop()
        await self.work.stop()


def first_line(snippet: str) -> str:
    """The first line that says something."""
    return next((line.strip() for line in snippet.splitlines() if line.strip()), "(empty snippet)")
