"""Carries out changes of repositories; the record of each follows its work."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from app.errors import BlendproofError, InvalidRequest, ModelNotAvailable, RunFailed
from app.jobs.budget import BudgetSpent
from app.jobs.job import JobSummary
from app.jobs.run import JobStatus
from app.jobs.spending import Spending
from app.jobs.storing import UNWRITABLE
from app.llm.message import ModelUnavailable
from app.pipeline.state import Tools
from app.repositories.changing.record import SAID_ONCE, Change, ChangeRequest
from app.repositories.repository_service import RepositoryService
from app.service.ways import FAULT, End, JobWay, failing, spending_of, until_written
from harness.blenders import Blender, BlenderNotAvailable, choose
from harness.launcher import HarnessFault
from harness.readers import ReadingFailed

if TYPE_CHECKING:
    from app.service.change_work import ChangeWork

log = structlog.get_logger()

INSTALL: Final = "GET /health lists the Blenders there are; `blendproof blenders install SERIES` adds one."


@dataclass(frozen=True)
class ChangeWay(JobWay):
    """Carries out changes with these tools."""

    tools: Tools
    repositories: RepositoryService

    def check(self, request: ChangeRequest) -> None:
        """Raises ModelNotAvailable or InvalidRequest if the request cannot be worked on."""
        if (request.kind != "port" or request.with_model) and not self.tools.models:
            raise ModelNotAvailable(
                f"A model is asked for this `{request.kind}`, and none is set up.",
                "docs/models.md says how one is set up; `port` works by rules without `with_model`.",
            )
        self.blenders(request)

    def blenders(self, request: ChangeRequest) -> list[Blender]:
        """The Blenders that are asked for. Raises InvalidRequest."""
        try:
            return list(dict.fromkeys(choose(self.tools.blenders, wanted) for wanted in request.blenders))
        except BlenderNotAvailable as error:
            raise InvalidRequest(f"body.blenders: {error}", INSTALL) from error

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Take a change to its end. It begins anew if it was interrupted; models are not paid again."""
        asked = ChangeRequest.model_validate_json(await self.tools.runs.request_text(job.id))
        made = Change(id=job.id, repository=job.repository or "", created_at=job.created_at, **asked.model_dump())
        spending = await spending_of(self.tools, job)
        writing = ChangeWriting(self.tools, made, spending)

        async def take() -> End:
            try:
                await self.carry_out(made, writing, spending)
            except (BlendproofError, ModelUnavailable, BudgetSpent, ReadingFailed):
                raise
            except Exception as error:
                # The caller of a change is told nothing of our inside.
                log.exception("change failed")
                said = f": {error}" if isinstance(error, HarnessFault) else ""
                raise RunFailed(f"{type(error).__name__}{said}.", FAULT) from error
            return JobStatus(made.status), made.branch, None

        try:
            end = await failing(take)
            if problem := end[2]:
                made.note = f"{problem.message.rstrip('.')}. {problem.hint}"
        except asyncio.CancelledError:
            # The service may be about to stop, which no full disk may hold up.
            with contextlib.suppress(*UNWRITABLE):
                await writing.done()
            raise
        await until_written(writing.done)
        return end

    async def carry_out(self, made: Change, writing: ChangeWriting, spending: Spending) -> None:
        """Take a change to its end, which is written into its record.

        Raises BlendproofError, ModelUnavailable, HarnessFault and ReadingFailed.
        """
        kind = await asyncio.to_thread(import_work)
        desk = await self.repositories.desk(made.repository)
        await kind(self.tools, self.blenders(made), made, desk, writing.say, spending).carry_out()


class ChangeWriting:
    """Writes the record of one change, off the event loop and in the order of its stages."""

    def __init__(self, tools: Tools, made: Change, spending: Spending) -> None:
        self._tools = tools
        self._made = made
        self._spending = spending
        self._begun = time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []

    def say(self, what: str) -> None:
        """A stage of the change begins; it is written, so that whoever follows it later misses nothing."""
        self._tasks.append(asyncio.create_task(self._stage(self._result(), what)))

    async def _stage(self, result: str, what: str) -> None:
        await self._tools.runs.set_result(self._made.id, result)
        await self._tools.progress.begin_stage(self._made.id, what)

    def _result(self) -> str:
        # Made here, because a change goes on while a thread writes.
        self._made.count(self._spending.calls)
        self._made.seconds = round(time.monotonic() - self._begun, 2)
        return self._made.model_dump_json(exclude=SAID_ONCE)

    async def done(self) -> None:
        """Write the record as it is, after all stages."""
        for failed in await asyncio.gather(*self._tasks, return_exceptions=True):
            if failed:
                log.error("stage of a change not written", change=self._made.id, problem=str(failed))
        await self._tools.runs.set_result(self._made.id, self._result())


def import_work() -> type[ChangeWork]:
    """The work on changes: the libraries of its graph and of the healer take a second, which no start waits for."""
    from app.service.change_work import ChangeWork

    return ChangeWork
