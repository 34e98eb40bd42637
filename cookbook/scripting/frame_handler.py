"""Run a function at every change of frame, also after the file was opened again.

Asked as: add a persistent app handler; frame change callback; show the frame number as text in the scene; call python
on every frame
"""

from math import radians
from typing import Any

import bpy
from bpy.app.handlers import persistent

NAME = "Frame Counter"


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def coloured(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """Return the material of this name, in this colour."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return material


def show_frame(scene: bpy.types.Scene) -> None:
    """Write the number of the frame into the text, if it is still there."""
    text = bpy.data.curves.get(NAME)
    if isinstance(text, bpy.types.TextCurve):
        text.body = f"Frame {scene.frame_current:03}"


def register() -> None:
    """Add the handler, in place of that of an earlier run."""
    handlers = bpy.app.handlers.frame_change_pre
    for handler in [each for each in handlers if getattr(each, "__name__", "") == show_frame.__name__]:
        handlers.remove(handler)
    handlers.append(persistent(show_frame))  # persistent: stays when another file is opened


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    text = bpy.data.curves.get(NAME) or bpy.data.curves.new(NAME, "FONT")
    assert isinstance(text, bpy.types.TextCurve)
    text.align_x = "CENTER"
    text.extrude = 0.05
    counter = placed(NAME, text)
    counter.rotation_euler = (radians(90.0), 0.0, 0.0)
    counter.active_material = coloured("Counter Green", (0.05, 0.6, 0.1, 1.0))
    register()
    show_frame(scene)


main()
