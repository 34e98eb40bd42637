"""Uses the extension in Blender's own window: blender --python use_in_window.py -- ARCHIVE ADDRESS FOLDER.

A picture is asked for by a file `<name>.wanted` in the folder, which is removed when it was taken. The last file is
`ended`; it is empty if all holds.
"""

from __future__ import annotations

import importlib
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

PATIENCE_S = 120
Steps = Iterator[None]


class UseInWindow:
    """The extension, used by what a user presses; Blender draws its window at each step."""

    def __init__(self, archive: str, address: str, folder: Path) -> None:
        self.folder = folder
        if bpy.app.version < (4, 2):
            bpy.ops.preferences.addon_install(filepath=archive)
            bpy.ops.preferences.addon_enable(module="blendproof")
            self.name = "blendproof"
        else:
            bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
            self.name = "bl_ext.user_default.blendproof"
        self.state: Any = importlib.import_module(f"{self.name}.state")
        own: Any = bpy.context.preferences.addons[self.name].preferences
        own.address, own.blender = address, ".".join(map(str, bpy.app.version[:2]))

    def view(self) -> Any:
        """The 3D View of the window, as the context of what is pressed."""
        window = bpy.context.window_manager.windows[0]
        area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
        region = next(region for region in area.regions if region.type == "WINDOW")
        return bpy.context.temp_override(window=window, area=area, region=region)

    def shows_its_tab(self) -> Steps:
        """The sidebar at the tab of the extension: the mouse wheel over the tabs goes to the last one."""
        with self.view():
            area, window = bpy.context.area, bpy.context.window
            area.spaces.active.show_region_ui = True
        for _ in range(20):
            yield
        sidebar = next(region for region in area.regions if region.type == "UI")
        assert sidebar.width > 100, "the sidebar is not open"
        place = {"x": sidebar.x + sidebar.width - 10, "y": sidebar.y + sidebar.height - 40}
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", **place)
        for _ in range(6):
            window.event_simulate(type="WHEELDOWNMOUSE", value="PRESS", **place)
            yield
        yield from self.picture("tab")

    def asks_on_its_scene(self) -> Steps:
        """A request on the open scene is proven; its objects are appended, and undone, as by a user."""
        manager = bpy.context.window_manager
        manager.blendproof_request, manager.blendproof_on_scene = "Duplicate Cube called Second at (4, 0, 0)", True
        with self.view():
            assert bpy.ops.blendproof.ask("INVOKE_DEFAULT") == {"FINISHED"}
        yield from self.until(lambda: self.state.jobs.current is None)
        assert self.state.shown.problem is None, self.state.shown.problem.message
        assert self.state.shown.run["status"] == "proven", self.state.shown.findings
        assert "Second" not in bpy.data.objects, "a snippet is never executed here"
        yield from self.picture("proven")
        with self.view():
            bpy.ops.ed.undo_push(message="Before")
            assert bpy.ops.blendproof.append("EXEC_DEFAULT") == {"FINISHED"}
        yield from self.until(lambda: self.state.jobs.current is None)
        assert "Second" in bpy.context.scene.objects, (self.state.shown.note, self.state.shown.problem)
        yield from self.picture("appended")
        with self.view():
            bpy.ops.ed.undo()
        assert "Second" not in bpy.context.scene.objects, "Undo takes it back"
        with self.view():
            bpy.ops.ed.redo()
        assert "Second" in bpy.context.scene.objects, "Redo brings it again"

    def until(self, holds: Any) -> Steps:
        """Wait for the end of the job, of which the extension's own timer hears."""
        until = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < until, "it takes too long"
            yield

    def picture(self, name: str) -> Steps:
        """Have a picture taken when the window has been drawn."""
        for area in bpy.context.window_manager.windows[0].screen.areas:
            area.tag_redraw()
        for _ in range(6):
            yield
        wanted = self.folder / f"{name}.wanted"
        wanted.touch()
        yield from self.until(lambda: not wanted.exists())

    def all(self) -> Steps:
        yield from self.shows_its_tab()
        yield from self.asks_on_its_scene()


def main(archive: str, address: str, folder: Path) -> None:
    bpy.context.preferences.view.show_splash = False
    steps: list[Steps] = []

    def take() -> float | None:
        said = ""
        try:
            if not steps:
                steps.append(UseInWindow(archive, address, folder).all())
            next(steps[0])
            return 0.05
        except StopIteration:
            pass
        except BaseException:
            said = traceback.format_exc()
        (folder / "ended").write_text(said)
        return None

    bpy.app.timers.register(take, first_interval=0.5, persistent=True)


main(sys.argv[-3], sys.argv[-2], Path(sys.argv[-1]))
