"""The context of one run for its steps: the parts of the service, and the request.

Past events are read from the record of the run; its progress is in its `State`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.accept import CHECK, Check
from app.healing.encodings import bytes_of_module
from app.jobs.budget import Budget
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import AcceptanceRecord, RunSummary
from app.jobs.talks import Talks
from app.pipeline.showing import shown_how
from app.pipeline.state import Tools
from app.prompting.target import Target
from harness.blenders import Blender
from harness.order import Order
from harness.versions import series_of


@dataclass(frozen=True)
class RunContext:
    """One run while it is worked on. It is never part of a checkpoint, so the request may hold large files."""

    tools: Tools
    run_id: str
    target: str
    """Name of the Blender that the run was accepted for."""
    request: GenerateRequest | ValidateRequest

    @classmethod
    async def read(cls, tools: Tools, run: RunSummary) -> RunContext:
        """Read the context of a run from its record."""
        kind = GenerateRequest if run.kind == "generate" else ValidateRequest
        text = await tools.runs.request_text(run.id)
        # The request may bring many megabytes, which takes a while to read.
        return cls(tools, run.id, run.blender, await asyncio.to_thread(kind.model_validate_json, text))

    @property
    def blender(self) -> Blender:
        """The Blender that the run was accepted for; raises BlenderNotAvailable if it is not here any more."""
        return self.tools.blender(self.target)

    def blenders(self) -> list[Blender]:
        """The target of the run, and the Blenders that the snippet is judged on too."""
        return [self.tools.blender(name) for name in (self.target, *self.request.verify_on)]

    @property
    def work_folder(self) -> Path:
        """Folder in which the run's executions take place; removed when the run ends."""
        return self.tools.work_folder(self.run_id)

    def attempt_folder(self, number: int) -> Path:
        """Folder with the pictures of an attempt."""
        return self.work_folder / f"attempt-{number}"

    def order(self, snippet: str, accept: Sequence[Check], healed: Mapping[str, str] | None = None) -> Order:
        """The order to execute this snippet with all that the request brought, its healed modules in the places of
        those that came, and to look at its scene.
        """
        settings = self.tools.settings
        whole = self.request.whole_order(snippet, accept, settings.max_run_s, settings.memory_mib << 20)
        return replace(whole, files=with_modules(whole.files, healed)) if healed else whole

    async def accept(self) -> list[Check]:
        """The acceptance checks that were written down."""
        return checks_of(await self.tools.runs.record(self.run_id, AcceptanceRecord))

    def talks(self) -> Talks:
        """The conversations of this run with models, within its budget."""
        tools, settings = self.tools, self.tools.settings
        budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
        return Talks(self.run_id, tools.models, tools.runs, tools.progress, tools.readers, budget)

    def target_shown(self, start: str) -> Target:
        """The Blenders that the snippet is to run on, in words for a model; `start` is the scene before in words."""
        others = self.blenders()[1:] if self.request.portable else []
        python, shown = series_of(self.blender.python), shown_how(self.order("", []))
        return Target(self.blender.version, python, start, shown, tuple(other.version for other in others))


def checks_of(accepted: AcceptanceRecord | None) -> list[Check]:
    """Acceptance checks as they were written down."""
    return [CHECK.validate_python(check) for check in accepted.checks] if accepted else []


def unread_of(accepted: AcceptanceRecord | None) -> list[str]:
    """The acceptance checks that could not be read, as they were written."""
    return accepted.unread if accepted else []


def with_modules(files: Iterable[tuple[str, bytes]], healed: Mapping[str, str]) -> tuple[tuple[str, bytes], ...]:
    """The files with the healed texts in the places of those that came."""
    return tuple(
        (name, bytes_of_module(healed[name], content) if name in healed else content) for name, content in files
    )
