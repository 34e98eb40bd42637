"""The places of `repo search --by-model`."""

from __future__ import annotations

from app.llm.models import Models
from app.observing.logs import log_for_people
from app.repositories.hands import here as in_this_process
from app.repositories.ordering import OrderBody, Orderer
from app.repositories.project import Project
from app.settings import Settings
from codebase.ask.finding import RepositoryHits


async def places_by_model(
    settings: Settings, project: Project, question: str, most: int, wanted: list[str]
) -> tuple[RepositoryHits, OrderBody]:
    """The places of a search in the order of the model that is set up."""
    log_for_people("error")
    async with Models(settings.model_providers()) as models:
        return await Orderer(models, settings.model_run_s).find(project, question, most, wanted, in_this_process)
