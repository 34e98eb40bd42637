"""Answers questions about repositories: as a job if a model is asked, otherwise at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, TypeAdapter

from app.errors import RunFinished, error_of
from app.jobs.job import JobSummary
from app.jobs.kinds import QuestionKind
from app.jobs.run import JobStatus
from app.jobs.sending import Sending
from app.pipeline.state import Tools
from app.repositories.explaining import ExplainedDiagnosis
from app.repositories.questions import RepositoryAnswer
from app.repositories.repository_service import FoundPlaces, RepositoryService
from app.service.spendings import spending_of
from app.service.ways import End, PlainWay
from app.service.work import Work

FORMS: Final[dict[str, TypeAdapter[Any]]] = {}
"""By way of a question, the form of its answer; made when it is needed first, because that takes a while."""


class RepositoryQuestion(BaseModel):
    """A question about a repository: `ask` for an answer, `search` for places in the order of a model, `explain` for an
    explanation of the log that is its text."""

    way: Literal["ask", "search", "explain"]
    text: str
    most: int = 0
    sources: Sequence[str] = ()
    show_sources: bool = False
    by_model: bool = True

    @property
    def kind(self) -> QuestionKind:
        """The kind of its job."""
        return "explain" if self.way == "explain" else "ask"


@dataclass(frozen=True)
class QuestionWay(PlainWay):
    """Answers questions with these tools."""

    tools: Tools
    repositories: RepositoryService

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Answer a question."""
        asked = RepositoryQuestion.model_validate_json(await self.tools.runs.request_text(job.id))
        answer = await self.answer(job.repository or "", asked, job)
        await self.tools.runs.set_result(job.id, form_of(asked.way).dump_json(answer).decode())
        return JobStatus.ANSWERED, None, None

    async def answer(self, name: str, asked: RepositoryQuestion, job: JobSummary | None = None) -> Any:
        """The answer of the models of a job, or without one. Raises what the calls of `RepositoryService` raise."""
        asker = self.repositories.asker_over(await spending_of(self.tools, job)) if job else None
        if asked.way == "ask":
            more = (asked.most, asked.sources, asked.show_sources, asked.by_model)
            return await self.repositories.ask(name, asked.text, *more, asker=asker)
        if asked.way == "search":
            more_places = (asked.most, asked.sources, asked.by_model)
            return await self.repositories.search(name, asked.text, *more_places, asker=asker)
        return await self.repositories.diagnose(name, asked.text, asked.by_model, asker=asker)


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
            return await self.way.answer(name, asked)
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
