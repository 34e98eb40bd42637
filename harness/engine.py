"""The place of executions, as the service sees it: plain data goes in, and plain data comes out.

    service ── Order, Blender ──> Engine ──> this machine (`engines/local.py`), or others (`engines/cluster.py`)
            <── report, files ───

No path, open file or setting crosses this line, so that an engine may be on a machine of its own.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final, Protocol

from harness.blenders import Blender
from harness.order import Order

WORKER_STATES: Final = ("starting", "idle", "busy")
"""The states of a warm Blender."""


@dataclasses.dataclass(frozen=True)
class ExecutionResult:
    """The result of an execution: its report, a JSON object, and its files.

    `files` are the pictures that the report names, by their names and in the order in which they were rendered, and the
    scene (`harness.order.SCENE`) if the order wants it kept. Missing files could not be had: they were no plain
    files, or too large.
    """

    report: dict[str, Any]
    files: dict[str, bytes]


@dataclasses.dataclass(frozen=True)
class EngineFacts:
    """The facts about an engine in `/health`.

    `workers` are its warm Blenders, and `cold` has, by Blender, the reason why none could be made warm. An engine
    without warm ones has neither. `nodes` are the machines of a cluster, with their facts.
    """

    keeps_warm: bool
    workers: list[dict[str, Any]]
    cold: dict[str, str]
    nodes: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])


class Engine(Protocol):
    """Executes orders. Its user knows nothing of pools, places or processes."""

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> ExecutionResult:
        """Execute the order on this Blender, in a warm one if `warm` and one is available.

        Waits until one is free. If a part of ours fails, the outcome of the report is `harness_fault`, which says
        nothing of the snippet. Nothing of the execution remains when this returns or is cancelled.
        """
        ...

    def refusal(self, blender: Blender) -> str | None:
        """The reason why a further order for this Blender should not be sent now; None if it may be."""
        ...

    def keep_warm(self, blender: Blender) -> None:
        """Start warm Blenders of this kind, as many as there is room for, in the background."""
        ...

    def is_quiet(self) -> bool:
        """True if nothing is being executed, and no warm Blender is being started or replaced."""
        ...

    def facts(self) -> EngineFacts:
        """The states of its warm Blenders."""
        ...

    async def close(self) -> None:
        """End every process and remove every folder of its own."""
        ...
