"""Turn an outline into an extruded logo with a bevel.

Asked as: extrude a logo; make a 3d logo from a curve; thick star shape with bevelled edges
"""

from math import cos, sin, tau
from typing import Any

import bpy

NAME = "Logo"
POINTS, RADIUS, INNER = 5, 1.0, 0.45
DEPTH, BEVEL = 0.15, 0.03
COLOUR = (0.8, 0.3, 0.02, 1.0)


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
    curve = bpy.data.curves.get(NAME) or bpy.data.curves.new(NAME, "CURVE")
    curve.dimensions = "2D"
    flat: Any = curve  # a flat curve has other ways to be filled than one in space
    flat.fill_mode = "BOTH"
    curve.extrude, curve.bevel_depth, curve.bevel_resolution = DEPTH, BEVEL, 2
    curve.splines.clear()
    spline = curve.splines.new("POLY")
    spline.points.add(2 * POINTS - 1)
    spline.use_cyclic_u = True
    for number, point in enumerate(spline.points):
        angle = tau * (number / (2 * POINTS) + 0.25)
        radius = RADIUS if number % 2 == 0 else INNER
        point.co = (radius * cos(angle), radius * sin(angle), 0.0, 1.0)
    logo = placed(NAME, curve)
    logo.rotation_euler = (tau / 4, 0.0, 0.0)
    logo.active_material = coloured("Logo Orange", COLOUR)


main()
