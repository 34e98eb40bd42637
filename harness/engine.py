"""Where executions take place, as the service sees it: plain data goes in, and plain data comes out.

    service ── Order, Blender ──> Engine ──> this machine (`engines/local.py`), or others (`engines/cluster.py`)
            <── report, files ───

No path, open file or setting crosses this line, so that what answers may be on a machine of its own.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final, Protocol

from harness.blenders import Blender
from harness.order import Order

WORKER_STATES: Final = ("starting", "idle", "busy")
"""What a warm Blender may be doing."""


@dataclasses.dataclass(frozen=True)
class Executed:
    """What an execution came to: its report, a JSON object, and what it made.

    `files` are the pictures that the report names, by their names and in the order in which they were rendered, and the
    scene (`harness.order.SCENE`) if the order wants it kept. What is missing there could not be had: it was no plain
    file, or too large.
    """

    report: dict[str, Any]
    files: dict[str, bytes]


@dataclasses.dataclass(frozen=True)
class EngineFacts:
    """What `/health` shows of an engine.

    `workers` are its warm Blenders, and `cold` says by Blender why one could not be made warm. An engine that does not
    keep any warm has neither. `nodes` are the machines of a cluster, with what each has and does.
    """

    keeps_warm: bool
    workers: list[dict[str, Any]]
    cold: dict[str, str]
    nodes: list[dict[str, Any]] = dataclasses.field(default_factory=list[dict[str, Any]])


class Engine(Protocol):
    """Executes orders. Its user knows nothing of pools, places or processes."""

    async def execute(self, order: Order, blender: Blender, *, warm: bool = True) -> Executed:
        """Execute the order on this Blender, in a warm one if `warm` and there is one to be had.

        Waits until one is free. If a part of ours fails, the outcome of the report is `harness_fault` and it says
        nothing of the snippet. Nothing of the execution is left when this returns or is cancelled.
        """
        ...

    def refusal(self, blender: Blender) -> str | None:
        """Why a further order for this Blender should not be sent now; None if it may be."""
        ...

    def keep_warm(self, blender: Blender) -> None:
        """Start warm Blenders of this kind, as many as there is room for, while others go on."""
        ...

    def is_quiet(self) -> bool:
        """Whether nothing is being executed, and no warm Blender is being started or replaced."""
        ...

    def facts(self) -> EngineFacts:
        """How its warm Blenders are."""
        ...

    async def close(self) -> None:
        """End every process and remove every folder of its own."""
        ...
