"""The limits of requests to the service as it is set up: its Blenders, its parts, the seconds of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.errors import BlenderMissing, InvalidRequest, SandboxMissing, ServiceBusy
from app.jobs.request import GenerateRequest, ValidateRequest
from app.pipeline.state import Tools
from harness.blenders import Blender, BlenderNotAvailable, choose

INSTALL: Final = "GET /health lists the Blenders there are; `blendproof blenders install SERIES` adds one."


@dataclass(frozen=True)
class Admission:
    """Refuses what cannot be worked on. `blender_problem` says why there is no Blender, if there is none."""

    tools: Tools
    blender_problem: str | None

    def check_options(self, request: GenerateRequest | ValidateRequest) -> None:
        """Raises InvalidRequest if the request asks for what this service does not give."""
        most = self.tools.settings.max_run_s
        if request.time_limit is not None and request.time_limit > most:
            raise InvalidRequest(
                f"body.time_limit: at most {most:g} s, not {request.time_limit:g}",
                f"Send at most {most:g}, or leave it out.",
            )

    def check_drafter(self, request: GenerateRequest | ValidateRequest) -> None:
        """Raises InvalidRequest if the request asks for a model and there is none."""
        if isinstance(request, GenerateRequest) and request.drafter == "model" and not self.tools.models:
            raise InvalidRequest("body.drafter: no model is configured", "docs/models.md says how one is.")

    def check_sandbox(self) -> None:
        """Raises SandboxMissing if snippets would reach files and network without permission of the operator."""
        sandbox = self.tools.sandbox
        if not sandbox.serves:
            raise SandboxMissing(f"Snippets cannot be isolated on this machine: {'; '.join(sandbox.why_not)}.")

    def check_engine(self, *blenders: Blender) -> None:
        """Raises ServiceBusy if the engine should not be sent more orders for one of these Blenders."""
        for blender in blenders:
            if refusal := self.tools.engine.refusal(blender):
                raise ServiceBusy(f"{refusal[0].upper()}{refusal[1:]}.")

    def choose_blender(self, wanted: str | None, place: str = "body.blender") -> Blender:
        """The default Blender, or the one that is wanted at a place of the request.

        Raises BlenderMissing or InvalidRequest.
        """
        if self.blender_problem:
            raise BlenderMissing(self.blender_problem)
        try:
            return choose(self.tools.blenders, wanted)
        except BlenderNotAvailable as error:
            raise InvalidRequest(f"{place}: {error}", INSTALL) from error

    def other_blenders(self, target: Blender, wanted: list[str]) -> list[Blender]:
        """The Blenders of these names, each once and without the target; raises InvalidRequest."""
        named = dict.fromkeys(self.choose_blender(name, "body.verify_on") for name in wanted)
        return [blender for blender in named if blender != target]
