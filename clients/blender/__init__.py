"""Blendproof in Blender: ask for Blender Python, prove and heal texts, and take in what was proven.

panels ─> operators ─> asking ─> jobs: a thread with `client`, then a timer ─> texts, scene, state ─> panels
"""

from __future__ import annotations

from typing import Any

import bpy

from . import operators, panels
from .preferences import BlendproofPreferences
from .state import jobs, picture, shown

bl_info = {
    "name": "Blendproof",
    "author": "Blendproof",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "Sidebar of the Text Editor and of the 3D View",
    "description": "Ask for Blender Python, and prove and heal your scripts",
    "category": "Development",
}
"""For Blenders before 4.2; later ones read blender_manifest.toml."""

CLASSES = (BlendproofPreferences, *operators.CLASSES, *panels.CLASSES)


@bpy.app.handlers.persistent
def another_file(_file: Any) -> None:
    """Wait no more for a run of the file that was closed; its result is in the history."""
    if jobs.current:
        jobs.forget()
        shown.note = "Another file was opened; find the run in the history."
    shown.text = shown.asked = ""


def register() -> None:
    """Add the panels, the buttons and the preferences to Blender."""
    for one in CLASSES:
        bpy.utils.register_class(one)
    manager = bpy.types.WindowManager
    manager.blendproof_request = bpy.props.StringProperty(
        name="Request", description="What the snippet is to do, in the command language or in plain words"
    )
    manager.blendproof_on_scene = bpy.props.BoolProperty(
        name="On my scene", description="Send a copy of the open file, and work on it instead of Blender's own scene"
    )
    bpy.app.handlers.load_post.append(another_file)


def unregister() -> None:
    """Take all of it out again; a run that is under way is cancelled."""
    jobs.close()
    picture.close()
    bpy.app.handlers.load_post.remove(another_file)
    del bpy.types.WindowManager.blendproof_request
    del bpy.types.WindowManager.blendproof_on_scene
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
