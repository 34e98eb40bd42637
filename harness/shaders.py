"""The shaders of Blender's window, compiled once: without a graphics card they take most of the time of its start.

    a window with an add-on of ours ── what the OpenGL library keeps ──> <home>/cache/shaders/ ── copied to ──> each job

Nothing of a job's comes back, so none can prepare what another one draws with.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

from filelock import AsyncFileLock

from harness.blenders import Blender
from harness.display import SHADERS, open_display
from harness.folders import passing_place, write_new, write_text
from harness.launcher import HarnessFault, ProcessLimits
from harness.place import cold_place
from harness.protocol import AddonJob, EventName, to_json
from harness.sandbox.ladder import Sandbox

MODULE: Final = "every_editor"
EVERY_EDITOR: Final = """
import bpy
bl_info = {"name": "Every editor", "blender": (2, 80, 0), "category": "Interface"}
EDITORS = ("NODE", "IMAGE", "SEQUENCE", "DOPESHEET", "GRAPH", "TEXT")

def draw(self, context):
    self.layout.prop(context.scene, "frame_current", icon="TIME")
    self.layout.prop(context.scene.render, "engine", expand=True)

class EVERY_OT_dialog(bpy.types.Operator):
    bl_idname, bl_label, draw = "every.dialog", "Dialog", draw
    def invoke(self, context, event):
        return context.window_manager.invoke_props_dialog(self)
    def execute(self, context):
        return {"FINISHED"}

place = {"bl_label": "Every editor", "bl_region_type": "UI", "bl_category": "Every", "draw": draw}
spaces = ("VIEW_3D", *(each + "_EDITOR" for each in EDITORS))
panels = [type("EVERY_PT_" + space.lower(), (bpy.types.Panel,), {**place, "bl_space_type": space}) for space in spaces]
register, unregister = bpy.utils.register_classes_factory([*panels, EVERY_OT_dialog])
"""
"""An add-on that has Blender draw its editors, with panels and a dialog."""
LIMITS: Final = ProcessLimits(wall_s=240.0, files=20_000, events=10_000)
POLL_S: Final = 0.2
KEPT_S: Final = 7 * 86400.0
"""After this many seconds they are made anew: a graphics library that is updated meanwhile needs others."""
FAILED_S: Final = 3600.0
"""After this many seconds it is tried again to make some that could not be made."""


async def shaders_of(blender: Blender, sandbox: Sandbox) -> Path | None:
    """The folder with the shaders of a Blender's window, made if they are not there; None if they cannot be had."""
    kept = blender.shaders
    if kept is None or are_new(kept):
        return kept
    failed = kept.with_name(f".{kept.name}.failed")
    if are_new(failed, FAILED_S):
        return None
    with contextlib.suppress(HarnessFault, OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        # The lock of a killed process must not hold the folder, as a file alone would.
        lock = kept.with_name(f".{kept.name}.lock")
        async with AsyncFileLock(lock, LIMITS.wall_s, poll_interval=POLL_S, fallback_to_soft=False):
            if not are_new(kept) and not are_new(failed, FAILED_S):
                try:
                    await make_shaders(blender, sandbox, kept)
                except (HarnessFault, OSError):
                    failed.touch()
    return kept if are_new(kept) else None


def are_new(kept: Path, kept_s: float = KEPT_S) -> bool:
    """True if there are some that need not be made anew."""
    with contextlib.suppress(OSError):
        return time.time() - kept.stat().st_mtime < kept_s
    return False


async def make_shaders(blender: Blender, sandbox: Sandbox, kept: Path) -> None:
    """Open a window, show every editor, and keep the shaders of that. Raises HarnessFault, OSError."""
    async with passing_place() as place, open_display(sandbox, place / "display") as display:
        with cold_place(blender, sandbox, place / "window", display) as window:
            folders = window.folders
            there = folders.work / "addons"
            write_new(there / f"{MODULE}.py", EVERY_EDITOR.encode())

            def write_job(channel: int, stdout: int, stderr: int) -> Path:
                job = AddonJob(
                    folder=str(folders.inside(there)),
                    module=MODULE,
                    extension=False,
                    skip=[],
                    thorough=True,
                    pictures=True,
                    packages="",
                    call_filter=sandbox.job_filter(),
                    channel_fd=channel,
                    stdout_fd=stdout,
                    stderr_fd=stderr,
                )
                return write_text(folders.run / "job.json", to_json(job))

            end = await window.launch("run", write_job, LIMITS, lambda _name, _events: None)
        if not end.event(EventName.COVERED):
            raise HarnessFault("Blender ended before it had shown every editor")
        await asyncio.to_thread(replace, folders.run / SHADERS, kept)


def replace(folder: Path, kept: Path) -> None:
    """Put a copy of a folder in the place of another one. Raises OSError."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".") as name:
        new, old = Path(name) / "new", Path(name) / "old"
        shutil.copytree(folder, new, symlinks=True)
        with contextlib.suppress(FileNotFoundError):
            kept.rename(old)
        new.rename(kept)
