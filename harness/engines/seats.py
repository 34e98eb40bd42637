"""An engine's knowledge of each node: its state at the last look, and the orders since."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable
from typing import Any, Final

from harness.engine import EngineFacts
from harness.engines.node import NodeLook
from harness.engines.remote import RemoteNode

MISSES: Final = 3
"""A node that did not answer this many looks in turn is lost."""


@dataclasses.dataclass
class Seat:
    """One node. `mine` counts what this engine has there; `lost` is the reason why it is not used, empty if it is.

    `gone` is set when it is lost, and is a new one when it is there again.
    """

    name: str
    node: RemoteNode
    look: NodeLook
    mine: int = 0
    lost: str = ""
    missed: int = 0
    warmed: set[str] = dataclasses.field(default_factory=set[str])
    gone: asyncio.Event = dataclasses.field(default_factory=asyncio.Event)

    @property
    def usable(self) -> bool:
        """True if orders may be sent there."""
        return not (self.lost or self.look.draining or self.look.problem)

    @property
    def places(self) -> int:
        """The number of executions it takes at once."""
        return self.look.places

    @property
    def free(self) -> int:
        """The number of further executions it would take, as far as is known here."""
        others = max(0, self.look.busy - self.look.yours)
        return self.places - others - self.mine

    def see(self, node: RemoteNode, look: NodeLook) -> None:
        """Take in its present state."""
        self.node, self.look, self.missed = node, look, 0
        if self.lost:
            self.lost, self.gone = "", asyncio.Event()
            self.warmed.clear()

    def miss(self) -> None:
        """Count a missing answer: a machine that has much to do may be slow once."""
        self.missed += 1
        if self.missed >= MISSES:
            self.lose("it does not answer")

    def lose(self, why: str) -> None:
        """Send nothing there, and wait for nothing from there, until it is seen again."""
        self.lost = why
        self.gone.set()

    def facts(self) -> dict[str, Any]:
        """The node as `/health` shows it."""
        look = self.look
        state = "lost" if self.lost else "draining" if look.draining else "refuses" if look.problem else "ok"
        return {
            "node": self.name,
            "state": state,
            "problem": self.lost or look.problem,
            "blenders": look.builds,
            "places": look.places,
            "busy": look.busy,
            "sandbox": look.rung,
        }


def facts_of(seats: Iterable[Seat]) -> EngineFacts:
    """The facts of all nodes, each with the name of its node."""
    looks = [seat.look for seat in seats if seat.usable]
    return EngineFacts(
        keeps_warm=any(look.facts.keeps_warm for look in looks),
        workers=[{**worker, "node": look.name} for look in looks for worker in look.facts.workers],
        cold={f"{blender} on {look.name}": why for look in looks for blender, why in look.facts.cold.items()},
        nodes=[seat.facts() for seat in seats],
    )
