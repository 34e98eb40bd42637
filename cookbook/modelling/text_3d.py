"""Write text in 3D, extruded, with rounded edges.

Asked as: add a text object with extrude and bevel; make 3D letters; create a text that stands upright and is centred
"""

from math import radians
from typing import Any

import bpy

NAME = "Title"
WORDS = "Hello\nBlender"


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


def main() -> None:
    text = bpy.data.curves.get(NAME) or bpy.data.curves.new(NAME, "FONT")
    assert isinstance(text, bpy.types.TextCurve)
    text.body = WORDS
    text.size = 1.0
    text.align_x = "CENTER"
    text.align_y = "CENTER"
    text.space_line = 0.9
    text.extrude = 0.12
    text.bevel_depth = 0.02
    text.bevel_resolution = 3
    title = placed(NAME, text)
    title.rotation_euler = (radians(90.0), 0.0, 0.0)  # text lies flat unless it is turned up
    title.active_material = coloured("Red Paint", (0.7, 0.04, 0.03, 1.0))


main()
