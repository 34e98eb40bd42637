"""The values of the ask form, which are shown again if it is refused; and the scene that it begins from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from app.jobs.tables import JobStore


REST_BYTES: Final = 2 << 20
"""The bytes of the largest body that are reserved for the words and the snippet sent with a scene."""


@dataclass(frozen=True)
class AskValues:
    """The values of the ask form. `run` is the run to go on from; `size` is in pixels, and None for the usual one."""

    words: str = ""
    snippet: str = ""
    run: str = ""
    blender: str = ""
    size: int | None = None
    sides: bool = False
    frames: bool = False
    heal: bool = False


async def scene_is_gone(runs: JobStore, run_id: str) -> bool:
    """True if a run began from a .blend file, which is not kept when a run has ended. Raises RunNotFound."""
    return lacks_scene(json.loads(await runs.request_text(run_id)))


def lacks_scene(request: dict[str, Any]) -> bool:
    """The same for a stored request."""
    setup = request.get("setup")
    return bool(setup is not None and setup.get("snippet") is None and setup.get("blend") is None)


def scene_bytes(most_of_a_body: int) -> int:
    """The bytes that a start scene may have."""
    return max(most_of_a_body - REST_BYTES, 0)
