"""Loads and starts ahead what the first request would otherwise wait for."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

import structlog

from app.checks.failures import CheckerFailed
from app.checks.static_stages import judge_types
from app.drafting.draft import NotUnderstood
from app.pipeline.loop import RunLoop
from app.pipeline.state import Tools
from app.service.search import reference_of
from app.verdict.verdict import Author
from harness.blenders import BlenderNotAvailable
from ingest.reference_store import ReferenceIndexUnusable
from search.exporting import ModelUnusable

log = structlog.get_logger()


@dataclass(frozen=True)
class Warmup:
    """All of it is for the default Blender. `stopping` is set when the service is about to stop."""

    tools: Tools
    loop: RunLoop
    stopping: asyncio.Event

    async def load(self) -> None:
        """Load the graph of the runs, the manifest, what the command language takes from it, and the index.

        In this order, because every verdict needs the first, and only a generation the last, which takes longest. A
        service that stops waits for the part it is at.
        """
        if not self.stopping.is_set():
            await self.loop.load()
        for part in (self._load_manifest, self._load_commands, self._load_index):
            if not self.stopping.is_set():
                await asyncio.to_thread(part)

    def start_workers(self) -> None:
        """Start the warm Blenders of the default kind, while others go on."""
        if self.tools.blenders:
            self.tools.engine.keep_warm(self.tools.blenders[0])

    async def start_checkers(self) -> None:
        """Have the type checkers read the stubs."""
        authors: tuple[Author, ...] = ("commands", "caller") if self.tools.checkers else ()
        for blender in self.tools.blenders[:1]:
            for author in authors:
                try:
                    await judge_types(self.tools, blender, "import bpy\n", author)
                except CheckerFailed as error:
                    log.warning("checker not warmed", problem=str(error))

    def _load_index(self) -> None:
        with contextlib.suppress(ReferenceIndexUnusable, ModelUnusable):
            reference = reference_of(self.tools.blenders, self.tools.retriever, None)
            self.tools.retriever.search("warm", reference, limit=1)

    def _load_manifest(self) -> None:
        with contextlib.suppress(BlenderNotAvailable):
            for blender in self.tools.blenders[:1]:
                self.tools.manifests.of(blender)

    def _load_commands(self) -> None:
        with contextlib.suppress(BlenderNotAvailable, NotUnderstood):
            for blender in self.tools.blenders[:1]:
                self.tools.drafter.draft("add a cube", self.tools.manifests.of(blender))
