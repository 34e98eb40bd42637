"""The state of the panels: the last run with its findings and picture, the history, and what went wrong.

It is kept in memory alone, so that nothing of it is saved with a file.
"""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any, Final

import bpy
from bpy.utils import previews

from .client import ExtensionProblem, Json
from .jobs import Jobs
from .scene import temporary

RANKS: Final = {"error": 0, "warning": 1}


@dataclasses.dataclass
class ShownState:
    """The state of the panels. Texts are known by name, because Blender may move or remove them."""

    run: Json | None = None
    findings: list[Json] = dataclasses.field(default_factory=list[Json])
    text: str = ""
    """The text that has the judged snippet; empty if none has."""
    asked: str = ""
    """The text that was sent to be healed."""
    history: list[Json] = dataclasses.field(default_factory=list[Json])
    problem: ExtensionProblem | None = None
    note: str = ""

    def show(self, run: Json) -> None:
        """Show a run that has ended."""
        self.run, self.findings = run, findings_of(run)
        self.text = self.asked = self.note = ""
        self.problem = ExtensionProblem(run["error"]["message"], run["error"]["hint"]) if run["error"] else None

    def judged_text(self) -> Any:
        """The text that has the judged snippet, or None."""
        return bpy.data.texts.get(self.text) if self.text else None

    def replaceable(self) -> Any:
        """The text that was sent and that the healed snippet may replace, or None."""
        text = bpy.data.texts.get(self.asked) if self.asked else None
        differs = text is not None and self.run is not None and self.run["snippet"] not in (None, text.as_string())
        return text if differs else None


shown: Final = ShownState()
jobs: Final = Jobs()


def findings_of(run: Json) -> list[Json]:
    """The findings that the last attempt must heed, errors first, then by line."""
    stages: list[Json] = [stage for attempt in run["attempts"][-1:] for stage in attempt["verdict"]["stages"]]
    found: list[Json] = [finding for stage in stages for finding in stage["findings"] if finding["severity"] in RANKS]
    return sorted(found, key=lambda finding: (RANKS[finding["severity"]], finding["line"] or 0))


class Picture:
    """The picture of the shown run, as an icon."""

    def __init__(self) -> None:
        self._previews: Any = None
        self.icon = 0
        self.there = False

    def show(self, png: bytes | None) -> None:
        """Show this picture, or none."""
        self.close()
        if png is None:
            return
        path = temporary(".png")
        path.write_bytes(png)
        self._previews = previews.new()
        preview = self._previews.load(path.stem, str(path), "IMAGE")
        # It is read when it is looked at, and then the file is not needed any more.
        self.there = preview.image_size[0] > 0
        self.icon = preview.icon_id
        with contextlib.suppress(OSError):
            path.unlink()

    def close(self) -> None:
        """Free the picture."""
        if self._previews is not None:
            previews.remove(self._previews)
        self._previews, self.icon, self.there = None, 0, False


picture: Final = Picture()


def redraw() -> None:
    """Draw the sidebars anew, and nothing else."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            for region in area.regions:
                if area.type in ("TEXT_EDITOR", "VIEW_3D") and region.type == "UI":
                    region.tag_redraw()


def remember(message: str) -> None:
    """Make what was done a step that can be undone; operators do so themselves."""
    windows = bpy.context.window_manager.windows
    if windows and not bpy.app.background:
        with bpy.context.temp_override(window=windows[0]):
            bpy.ops.ed.undo_push(message=message)
