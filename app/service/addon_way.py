"""Carries out checks of add-ons: a job whose result is the report."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.addons.checked import AddonCheck, AddonReport, AddonRequest
from app.errors import AddonNotFound
from app.jobs.job import JobSummary
from app.jobs.kinds import ADDONS
from app.jobs.run import JobStatus
from app.jobs.sending import Sending
from app.pipeline.state import Tools
from app.repositories.repository_service import RepositoryService
from app.service.admission import Admission
from app.service.seen_jobs import SeenJobs
from app.service.ways import End, JobWay
from app.service.work import Work
from harness.blenders import Blender

if TYPE_CHECKING:
    from app.addons.discovery import Contents

PLACE: Final = "body.blenders"


@dataclass(frozen=True)
class AddonWay(JobWay):
    """Checks add-ons with these tools."""

    tools: Tools
    admission: Admission
    repositories: RepositoryService

    def blenders(self, request: AddonRequest) -> list[Blender]:
        """The Blenders that are asked for, or the default one. Raises BlenderMissing and InvalidRequest."""
        default = self.admission.choose_blender(None)
        named = [self.admission.choose_blender(name, PLACE) for name in request.blenders]
        return list(dict.fromkeys(named)) or [default]

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Check the add-ons of a request. It begins anew if it was interrupted."""
        # Imported here: the check has the healer read the files, whose libraries take a second.
        from app.addons.checking import Checking, check_addons

        self.admission.check_sandbox()
        tools = self.tools
        asked = AddonRequest.model_validate_json(await tools.runs.request_text(job.id))
        tasks: set[asyncio.Task[None]] = set()

        def say(stage: str) -> None:
            task = asyncio.create_task(tools.progress.begin_stage(job.id, stage))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        blenders = self.blenders(asked)
        contents = await self.contents(asked)
        numbers = itertools.count(1)

        def keep_picture(blender: str, content: bytes) -> str:
            name = tools.pictures.keep_numbered(job.id, next(numbers), blender, content)
            return f"/addons/{job.id}/pictures/{name}.png"

        checking = Checking(blenders, tools.manifests.of, tools.sandbox, say, tools.readers, keep_picture)
        report = await check_addons(contents, checking, asked.at)
        await tools.runs.set_result(job.id, report.model_dump_json())
        await asyncio.gather(*tasks)
        return JobStatus.PROVEN if report.passed else JobStatus.NOT_PROVEN, None, None

    async def contents(self, asked: AddonRequest) -> Contents:
        """The files of a request. Raises AddonsRefused and what reading a repository raises."""
        from app.addons.discovery import contents_in_zip, port_material
        from harness.readers.unpacking import MOST_BYTES

        if asked.repository is not None:
            desk = await self.repositories.desk(asked.repository)
            return (await desk.ask(port_material, desk.project.root, MOST_BYTES)).contents
        return await asyncio.to_thread(contents_in_zip, asked.archive or b"", asked.name, self.tools.readers)


@dataclass(frozen=True)
class AddonChecks:
    """The checks of add-ons of a service, as views of their jobs."""

    way: AddonWay
    work: Work
    jobs: SeenJobs

    async def submit(self, request: AddonRequest, sent: Sending) -> AddonCheck:
        """Accept a check.

        Raises InvalidRequest, RepositoryNotFound, BlenderMissing, SandboxMissing, QuotaSpent and ServiceBusy.
        """
        self.way.admission.check_sandbox()
        self.way.blenders(request)
        repository = await self.way.repositories.get(request.repository) if request.repository else None
        place = (repository.name, repository.origin) if repository else None
        title = request.repository or request.name
        job = await self.work.take("addon", title, "", request.model_dump(mode="json"), sent, place)
        return await self.get(job.id)

    async def get(self, id: str) -> AddonCheck:
        """A check as it stands. Raises AddonNotFound."""
        job = await self.jobs.of_group(id, ADDONS, AddonNotFound, "check of an add-on")
        result = await self.way.tools.runs.result(id)
        return AddonCheck(**job.model_dump(), report=AddonReport.model_validate_json(result) if result else None)
