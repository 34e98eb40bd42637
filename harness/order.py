"""The order for one execution."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from harness.launcher import ProcessLimits
from harness.protocol import RenderSettings

SNIPPET: Final = "snippet.py"
SCENE: Final = "scene.blend"
"""Name of the kept scene among the results of an execution."""
MODEL: Final = "scene.glb"
"""Name of the same scene as glTF."""
DEFAULT_RENDER: Final = RenderSettings()
DEFAULT_LIMITS: Final = ProcessLimits()


@dataclasses.dataclass(frozen=True)
class Order:
    """An order to execute a snippet. `files` are written to the work folder, by path below it, before it runs."""

    snippet: str
    arguments: tuple[str, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    setup_snippet: str | None = None
    setup_blend: bytes | None = None
    render: RenderSettings = DEFAULT_RENDER
    run_limits: ProcessLimits = DEFAULT_LIMITS
    examine_limits: ProcessLimits = DEFAULT_LIMITS
    accept: tuple[dict[str, Any], ...] = ()
    """Acceptance checks, as JSON; see `app/accept`."""
    keep_scene: bool = False
    """True if the scene that the snippet left is wanted too, as .blend and as .glb."""
    asks: bool = False
    """True if the snippet asks where it runs: its second execution is answered as by a user's own Blender."""
    framed: tuple[float, ...] | None = None
    """The box that each picture shows instead of the subject; see `harness.protocol.ExamineJob`."""
    trace: str | None = None
    """The `traceparent` of the sender, if it goes to another machine; see `harness.tracing`."""

    @property
    def has_setup(self) -> bool:
        """True if the caller sent a scene of their own."""
        return self.setup_snippet is not None or self.setup_blend is not None

    @property
    def blend_name(self) -> str:
        """Name of the caller's .blend in the work folder; no other file of the caller has it."""
        name = "setup.blend"
        while name in (taken.partition("/")[0] for taken, _ in self.files):
            name = f"_{name}"
        return name

    def brought_files(self) -> set[str]:
        """Names of the files in the work folder before the snippet runs."""
        blend = {self.blend_name} if self.setup_blend is not None else set[str]()
        return {SNIPPET, *(name for name, _ in self.files)} | blend
