"""The loop waits for checkpoints that are away, as long as they come back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.errors import StorageFailed
from app.pipeline import loop
from app.pipeline.loop import RunLoop

CONTEXT: Any = SimpleNamespace(run_id="r-1")


class Away:
    """Checkpoints that cannot be reached now and then."""

    away = (ConnectionError,)

    async def saver(self) -> None:
        """The graph of the test needs none."""

    async def close(self) -> None:
        """Nothing is open."""


class Interrupted:
    """A graph that gets to each of these checkpoints before the store goes away, and then to its end."""

    reached: list[str]
    tries = 0

    def __init__(self, _saver: None) -> None:
        self._last = "0"

    async def last_checkpoint(self, _run_id: str) -> str:
        return self._last

    async def run(self, _context: object) -> str:
        Interrupted.tries += 1
        if not self.reached:
            return "the end"
        self._last = self.reached.pop(0)
        raise ConnectionError("the store is away")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for twice at the same checkpoint."""
    monkeypatch.setattr(loop, "PATIENCE_S", 0.0)
    monkeypatch.setattr(loop, "AGAIN_S", 0.001)
    monkeypatch.setattr(loop, "import_graph", lambda: Interrupted)
    Interrupted.tries = 0


async def test_each_time_that_checkpoints_are_away_is_waited_for_anew() -> None:
    Interrupted.reached = list("abcde")
    checkpoints: Any = Away()
    end: Any = await RunLoop(checkpoints).run(CONTEXT)
    assert (end, Interrupted.tries) == ("the end", 6)


async def test_a_run_that_gets_no_further_ends() -> None:
    Interrupted.reached = list("abbbb")
    checkpoints: Any = Away()
    with pytest.raises(StorageFailed, match="checkpoints"):
        await RunLoop(checkpoints).run(CONTEXT)
    assert Interrupted.tries == 4
