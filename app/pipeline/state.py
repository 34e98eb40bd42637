"""The state of a run between two steps, and the parts of the service that the steps use.

The state is JSON throughout, because a checkpoint of it is written after every step and read after a crash.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, TypedDict

from app.artifacts.gallery import Gallery
from app.artifacts.store.store import ArtifactStore
from app.blenders.manifests import Manifests
from app.checks.types.warm.keep import WarmCheckers
from app.drafting.draft import Drafter
from app.healing.tried import HealingRecord
from app.jobs.pictures import RunPictures
from app.jobs.progress import Progress
from app.llm.models import Models
from app.observing.metrics import Metrics
from app.retrieval.retriever import Retriever
from app.settings import Settings
from app.verdict.rules import Rules
from app.verdict.verdict import Author
from harness.blenders import Blender, choose
from harness.engine import Engine
from harness.readers import Readers
from harness.sandbox.ladder import Sandbox

if TYPE_CHECKING:
    from app.jobs.tables import JobStore

Json = dict[str, Any]


class DraftState(TypedDict):
    """A version of the snippet that is no attempt yet: its author, and the reading of the request or the
    reasons of its healing.
    """

    author: Author
    notes: list[str]
    snippet: str
    files: NotRequired[dict[str, str]]
    """The modules of the request that were healed, by name."""
    variant: NotRequired[int]
    """The number of the variant among several, from 1."""


class State(TypedDict):
    """The progress of a run. Facts of its record are read there, and nowhere else.

    The material of an attempt goes when the attempt is written down. `tried` only grows.
    """

    number: int
    """The attempt that is under way, from 1, or the last one. A run that was interrupted may have written the next."""
    draft: DraftState | None
    """The snippet of the attempt that is under way; None when the attempt is written down."""
    screened: list[Json]
    """The stages of that attempt so far, by `screen`."""
    checked: list[Json]
    """The stages by `check`, which runs at the same time as `execute`."""
    symbols: NotRequired[list[str]]
    """The addresses of the API that the snippet of the attempt uses, as `check` read it."""
    report: Json | None
    """The report of the execution of that attempt."""
    start: NotRequired[str]
    """The scene before the snippet in words for models, once one was asked."""
    tried: Annotated[list[HealingRecord], operator.add]
    """The healings so far."""
    artifact: str | None
    variant: NotRequired[int]
    """The number of the variant of the first snippet that was drafted last, from 1."""


def first_state() -> State:
    """The state of a run at its beginning."""
    return State(number=1, draft=None, screened=[], checked=[], symbols=[], report=None, tried=[], artifact=None)


def after_attempt(number: int) -> Json:
    """The update of the state when the attempt of that number is in the record of the run."""
    return {"number": number, "draft": None, "screened": [], "checked": [], "symbols": [], "report": None}


def draft_of(state: State) -> DraftState:
    """The snippet of the attempt that is under way."""
    draft = state["draft"]
    assert draft is not None, "the attempt is written down"
    return draft


@dataclass(frozen=True)
class Tools:
    """The parts of the service that the nodes use; one for the whole service."""

    settings: Settings
    blenders: list[Blender]
    sandbox: Sandbox
    readers: Readers
    engine: Engine
    rules: Rules
    checkers: WarmCheckers | None
    drafter: Drafter
    models: Models
    retriever: Retriever
    manifests: Manifests
    runs: JobStore
    progress: Progress
    gallery: Gallery
    pictures: RunPictures
    metrics: Metrics

    @property
    def artifacts(self) -> ArtifactStore:
        """The artifacts on disk."""
        return self.gallery.store

    def blender(self, name: str) -> Blender:
        """The Blender that a run was accepted for; raises BlenderNotAvailable if it is not here any more."""
        return choose(self.blenders, name)

    @property
    def quick(self) -> bool:
        """False: every type checker is asked."""
        return False

    def mypy_cache(self, series: str) -> Path:
        """Folder of the cache of mypy for a series of Blender."""
        return self.settings.mypy_cache(series)

    def stubs(self, blender: Blender) -> Path:
        """Folder of the stubs of this Blender's series; it may be missing."""
        return self.settings.home / "stubs" / blender.series

    def work_folder(self, run_id: str) -> Path:
        """Folder in which the run keeps what its executions made; removed when the run ends."""
        return self.settings.data_folder / "work" / run_id
