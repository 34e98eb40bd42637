"""What a run carries from node to node, and the parts of the service that the nodes use.

The state is JSON throughout, because a checkpoint of it is written after every step and read after a crash.
"""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from app.artifacts.gallery import Gallery
from app.artifacts.store.store import ArtifactStore
from app.blenders.manifests import Manifests
from app.checks.accept import CHECK, Check
from app.checks.rules import Rules
from app.checks.types.warm.keep import WarmCheckers
from app.checks.verdict import Author
from app.drafting.draft import Drafter
from app.drafting.model import BLEND_START, OWN_START, START, Target
from app.healing.tried import Tried
from app.llm.client import Models
from app.observing.metrics import Metrics
from app.retrieval.retriever import Retriever
from app.runs.budget import Budget
from app.runs.matrix_pictures import MatrixPictures
from app.runs.progress import Progress
from app.runs.request import GenerateRequest, ValidateRequest
from app.runs.store import RunStore
from app.runs.talks import Talks
from app.runs.unproven import UnprovenPictures
from app.settings import Settings
from harness.blenders import Blender, choose
from harness.order import Order
from harness.pool import Pool
from harness.sandbox.ladder import Sandbox
from harness.versions import series_of

Json = dict[str, Any]

SETUP_SHOWN = 4000
"""Characters of a setup snippet that a model is shown."""


class DraftState(TypedDict):
    """One version of the snippet: who wrote it, and how the request was read or why it was repaired."""

    author: Author
    notes: list[str]
    snippet: str


class State(TypedDict):
    """One run. `drafts` and `stages` only grow; the latest is computed from them, never stored beside them."""

    run_id: str
    kind: Literal["generate", "validate"]
    request: Json
    blender: str
    drafts: Annotated[list[DraftState], operator.add]
    stages: Annotated[list[Json], operator.add]
    reports: Annotated[list[Json], operator.add]
    passed: bool
    refusal: Json | None
    artifact: str | None
    tried: NotRequired[Annotated[list[Tried], operator.add]]
    """The healings so far."""
    accept: NotRequired[list[Json]]
    """The acceptance checks, from the request or whoever read it; they stay the same for the whole run."""


@dataclass(frozen=True)
class Tools:
    """What the nodes work with; one for the whole service."""

    settings: Settings
    blenders: list[Blender]
    sandbox: Sandbox
    pool: Pool | None
    rules: Rules
    checkers: WarmCheckers | None
    drafter: Drafter
    models: Models
    retriever: Retriever
    manifests: Manifests
    runs: RunStore
    progress: Progress
    gallery: Gallery
    unproven: UnprovenPictures
    matrix: MatrixPictures
    metrics: Metrics

    @property
    def artifacts(self) -> ArtifactStore:
        """The artifacts on disk."""
        return self.gallery.store

    def blender(self, name: str) -> Blender:
        """The Blender that a run was accepted for; raises BlenderNotAvailable where it is not here any more."""
        return choose(self.blenders, name)

    def stubs(self, blender: Blender) -> Path:
        """Folder of the stubs of this Blender's series; it may be missing."""
        return self.settings.home / "stubs" / blender.series

    def work_folder(self, run_id: str) -> Path:
        """Folder in which the run's executions take place; removed when the run ends."""
        return self.settings.data_folder / "work" / run_id


def request_of(state: State) -> GenerateRequest | ValidateRequest:
    """The request as it was accepted, but for what its files hold: a checkpoint is written after every step."""
    return model_of(state).model_validate(state["request"])


async def order_of(state: State, tools: Tools, snippet: str, accept: Sequence[Check]) -> Order:
    """The order to execute this snippet with all that the request brought, and to look at its scene."""
    text, model = await tools.runs.request_text(state["run_id"]), model_of(state)
    # It may bring many megabytes, which takes a while to read.
    request = await asyncio.to_thread(model.model_validate_json, text)
    return request.whole_order(snippet, tools.settings, accept)


def model_of(state: State) -> type[GenerateRequest] | type[ValidateRequest]:
    return GenerateRequest if state["kind"] == "generate" else ValidateRequest


def checks_of(raw: list[Json]) -> list[Check]:
    """Acceptance checks as they were written down."""
    return [CHECK.validate_python(check) for check in raw]


def blenders_of(state: State, tools: Tools) -> list[Blender]:
    """The Blenders of the run: its target, and those that the snippet is judged on too."""
    return [tools.blender(version) for version in (state["blender"], *request_of(state).verify_on)]


def talks_of(state: State, tools: Tools) -> Talks:
    """What this run says to models."""
    settings = tools.settings
    budget = Budget(settings.model_run_tokens, settings.model_run_s, settings.model_run_cost)
    return Talks(state["run_id"], tools.models, tools.runs, tools.progress, budget)


def target_of(state: State, tools: Tools) -> Target:
    """What the snippet is to run on."""
    setup = request_of(state).setup
    start = START
    if setup:
        start = OWN_START.format(setup.snippet[:SETUP_SHOWN]) if setup.snippet else BLEND_START
    blender = tools.blender(state["blender"])
    others = blenders_of(state, tools)[1:] if request_of(state).portable else []
    return Target(blender.version, series_of(blender.python), start, tuple(other.version for other in others))


def attempt_number(state: State) -> int:
    """Number of the attempt that is under way, from 1."""
    return len(state["drafts"])


def attempt_folder(state: State, tools: Tools) -> Path:
    """Folder in which the attempt that is under way is executed."""
    return tools.work_folder(state["run_id"]) / f"attempt-{attempt_number(state)}"
