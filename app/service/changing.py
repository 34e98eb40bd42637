"""Carries out one change of a repository with what the service has: each kind by its own way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.errors import InvalidRequest, ModelNotAvailable
from app.pipeline.state import Tools
from app.repositories.changing.record import Change, ChangeRequest
from app.repositories.repository_service import RepositoryService
from harness.blenders import Blender, BlenderNotAvailable, choose

if TYPE_CHECKING:
    from app.service.change_work import ChangeWork

INSTALL: Final = "GET /health lists the Blenders there are; `blendproof blenders install SERIES` adds one."


@dataclass(frozen=True)
class Changer:
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
            return list(dict.fromkeys(choose(self.tools.blenders, one) for one in request.blenders))
        except BlenderNotAvailable as error:
            raise InvalidRequest(f"body.blenders: {error}", INSTALL) from error

    async def carry_out(self, made: Change, say: Callable[[str], None]) -> None:
        """Take a change to its end, which is written into its record.

        Raises BlendproofError, ModelUnavailable, HarnessFault and ReadingFailed.
        """
        kind = await asyncio.to_thread(import_work)
        desk = await self.repositories.desk(made.repository)
        await kind(self.tools, self.blenders(made), made, desk, say).carry_out()


def import_work() -> type[ChangeWork]:
    """The work on changes: the libraries of its graph and of the healer take a second, which no start waits for."""
    from app.service.change_work import ChangeWork

    return ChangeWork
