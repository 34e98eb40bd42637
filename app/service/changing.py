"""Carries out one change of a repository with what the service has: each kind by its own way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.addons.evidence import registering
from app.errors import InvalidRequest, ModelNotAvailable
from app.pipeline.state import Tools
from app.repositories.changing.change import Bench, change
from app.repositories.changing.record import Change, ChangeRequest
from app.repositories.service import RepositoryService
from app.runs.budget import Budget
from harness.blenders import Blender, BlenderNotAvailable, choose

MOST_BYTES: Final = 32 << 20
"""Of the files of a commit, which come from a worker in one answer."""
INSTALL: Final = "GET /health lists the Blenders there are; `blendproof blenders install SERIES` adds one."


@dataclass(frozen=True)
class Changer:
    """Carries out changes with these tools."""

    tools: Tools
    repositories: RepositoryService

    def check(self, request: ChangeRequest) -> None:
        """Raises ModelNotAvailable or InvalidRequest if the request cannot be worked on."""
        if request.kind != "port" and not self.tools.models:
            raise ModelNotAvailable(
                f"A repository is changed by a model, and none is set up for the kind `{request.kind}`.",
                "docs/models.md says how one is set up; `port` works by rules.",
            )
        self.blenders(request)

    def blenders(self, request: ChangeRequest) -> list[Blender]:
        """The Blenders that are asked for. Raises InvalidRequest."""
        try:
            return list(dict.fromkeys(choose(self.tools.blenders, one) for one in request.blenders))
        except BlenderNotAvailable as error:
            raise InvalidRequest(f"body.blenders: {error}", INSTALL) from error

    async def carry_out(self, made: Change, say: Callable[[str], None]) -> None:
        """Take a change to its end, which is written into its record.

        Raises BlendproofError, ModelUnavailable and HarnessFault.
        """
        desk = await self.repositories.desk(made.repository)
        tools, settings = self.tools, self.tools.settings
        bench = Bench(
            tools.models,
            tools.sandbox,
            Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost),
            tools.blenders,
            registering(made.repository, self.blenders(made), tools.sandbox),
            tools.readers,
            desk.ask,
            desk.write,
            say,
            most_bytes=MOST_BYTES,
        )
        await change(made, desk.project, bench)
