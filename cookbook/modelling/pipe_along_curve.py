"""Make a pipe from a Bezier curve with a round bevel.

Asked as: create a curve with bezier points and give it thickness; add a tube along a path; draw a wire through points
"""

from typing import Any

import bpy

NAME = "Pipe"
POINTS = ((-1.5, -1.0, 0.0), (-1.5, 0.8, 0.2), (0.0, 1.0, 1.0), (1.2, 0.0, 1.6), (0.0, -1.0, 2.2), (-1.0, 0.0, 2.8))
RADIUS = 0.15


def build(curve: bpy.types.Curve) -> None:
    """Run the curve smoothly through the points, in place of whatever it holds."""
    curve.dimensions = "3D"
    curve.splines.clear()
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(len(POINTS) - 1)  # a new spline has one point already
    for point, place in zip(spline.bezier_points, POINTS, strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve.resolution_u = 24
    curve.bevel_depth = RADIUS
    curve.bevel_resolution = 6
    curve.use_fill_caps = True


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
    build(curve)
    placed(NAME, curve).active_material = coloured("Copper", (0.72, 0.3, 0.15, 1.0))


main()
