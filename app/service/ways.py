"""The way in which jobs of a group are carried out, and their ends."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import structlog

from app.errors import (
    BlendproofError,
    ErrorBody,
    ModelNotAvailable,
    RequestNotUnderstood,
    RunFailed,
    StorageFailed,
    fault_of,
)
from app.jobs.budget import Budget, BudgetSpent
from app.jobs.job import JobSummary
from app.jobs.run import JobStatus, ModelCall
from app.jobs.spending import Spending
from app.jobs.storing import UNWRITABLE
from app.llm.message import ModelUnavailable
from app.pipeline.state import Tools
from harness.launcher import HarnessFault
from harness.readers import ReadingFailed

log = structlog.get_logger()

End = tuple[JobStatus, str | None, ErrorBody | None]
"""The last status of a job, its artifact, and its error."""
FAULT_HINT: Final = "A fault of the service, met twice, says nothing about what was sent; its log says more."
STORAGE_RETRY_S: Final = 5.0
FAULT: Final = "This is a fault of the service, and says nothing about the request; its log says more."


class JobWay:
    """Carries out the jobs of a group."""

    async def take_through(self, job: JobSummary, anew: bool) -> End:
        """Take a job to its end; `anew` if what it had made is on another machine.

        Raises BlendproofError, ModelUnavailable, BudgetSpent, ReadingFailed and HarnessFault.
        """
        raise NotImplementedError

    async def keep(self, job_id: str, status: JobStatus) -> None:
        """Keep what a finished job is to show, before its end is written; most have it in their record."""

    async def forget(self, job_id: str) -> None:
        """Forget what only the work on a job needed."""


async def spending_of(tools: Tools, job: JobSummary) -> Spending:
    """The models of a job within the budget of one; its earlier questions are not asked again."""
    settings = tools.settings
    budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
    earlier = await tools.runs.records(job.id, ModelCall)
    return Spending(tools.models, budget, job.kind, partial(tools.runs.add_call, job.id), earlier)


async def until_written(write: Callable[[], Awaitable[None]]) -> None:
    """Have something written; a full disk is waited for."""
    while True:
        try:
            return await write()
        except UNWRITABLE as failure:
            log.error("not written", problem=str(failure))
        await asyncio.sleep(STORAGE_RETRY_S)


async def failing(take: Callable[[], Awaitable[End]]) -> End:
    """The end of a job that is carried out so, also if that raises an error."""
    try:
        return await take()
    except RequestNotUnderstood as refusal:
        return JobStatus.REFUSED, None, refusal.body()
    except BlendproofError as error:
        return JobStatus.FAILED, None, error.body()
    except sqlite3.OperationalError as error:
        log.error("job ended by the disk", problem=str(error))
        return JobStatus.FAILED, None, StorageFailed(f"The work cannot be written down: {error}.").body()
    except (ModelUnavailable, BudgetSpent) as error:
        return JobStatus.FAILED, None, ModelNotAvailable(f"No model answered: {error}.").body()
    except ReadingFailed as error:
        return JobStatus.FAILED, None, RunFailed(f"A file is too much to be read: {error}.").body()
    except HarnessFault as fault:
        log.error("job ended by a fault of the harness", problem=str(fault))
        return JobStatus.FAILED, None, RunFailed(f"What was sent could not be judged: {fault}", FAULT_HINT).body()
    except Exception as error:
        log.exception("job failed")
        return JobStatus.FAILED, None, fault_of(error).body()
