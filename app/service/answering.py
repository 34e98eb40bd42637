"""Answers questions about repositories: as a job if a model is asked, otherwise at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter

from app.errors import RunFinished, error_of
from app.jobs.job import JobSummary
from app.jobs.run import JobStatus
from app.jobs.sending import Sending
from app.pipeline.state import Tools
from app.repositories.explaining import ExplainedDiagnosis
from app.repositories.questions import RepositoryAnswer, RepositoryQuestion
from app.repositories.repository_service import FoundPlaces, RepositoryService
from app.service.ways import End, JobWay, spending_of
from app.service.work import Work

FORMS: Final[dict[str, TypeAdapter[Any]]] = {}
"""By way of a question, the form of its answer; made when it is needed first, because that takes a while."""


@dataclass(frozen=True)
class QuestionWay(JobWay):
    """Answers questions with these tools."""

    tools: Tools
    repositories: RepositoryService

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Answer a question."""
        asked = RepositoryQuestion.model_validate_json(await self.tools.runs.request_text(job.id))
        answer = await self.repositories.answer(job.repository or "", asked, await spending_of(self.tools, job))
        await self.tools.runs.set_result(job.id, form_of(asked.way).dump_json(answer).decode())
        return JobStatus.ANSWERED, None, None


@dataclass(frozen=True)
class Questions:
    """The questions to a service. `until_ended` waits for the end of a job."""

    way: QuestionWay
    work: Work
    until_ended: Callable[[str], Awaitable[JobSummary]]

    async def answer(self, name: str, asked: RepositoryQuestion, sent: Sending) -> Any:
        """The answer to a question in the form of its way; a job if a model is asked.

        Raises what reading a repository raises, QuotaSpent and ServiceBusy.
        """
        if not self.way.tools.models or not (asked.by_model or asked.way == "ask"):
            return await self.way.repositories.answer(name, asked)
        place = (name, (await self.way.repositories.get(name)).origin)
        taken = await self.work.take(asked.kind, asked.text, "", asked.model_dump(mode="json"), sent, place)
        job = await self.until_ended(taken.id)
        if job.error:
            raise error_of(job.error)
        result = await self.way.tools.runs.result(job.id)
        if result is None:
            raise RunFinished(f"Job {job.id} has ended: {job.status}.", "Ask again.")
        return form_of(asked.way).validate_json(result)


def form_of(way: str) -> TypeAdapter[Any]:
    """The form of the answer to a question."""
    if not FORMS:
        FORMS["ask"] = TypeAdapter(RepositoryAnswer)
        FORMS["search"] = TypeAdapter(FoundPlaces)
        FORMS["explain"] = TypeAdapter(ExplainedDiagnosis)
    return FORMS[way]
