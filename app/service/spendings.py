"""The models of a job, on its record."""

from __future__ import annotations

from functools import partial

from app.jobs.budget import Budget
from app.jobs.job import JobSummary
from app.jobs.spending import Spending
from app.pipeline.state import Tools


async def spending_of(tools: Tools, job: JobSummary) -> Spending:
    """The models of a job within the budget of one; its earlier questions are not asked again."""
    settings = tools.settings
    budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
    earlier = await tools.runs.calls(job.id)
    return Spending(tools.models, budget, job.kind, partial(tools.runs.add_call, job.id), earlier)
