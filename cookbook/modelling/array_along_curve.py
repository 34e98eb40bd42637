"""Repeat an object along a curve.

Asked as: array modifier that follows a path; place planks along a curve; fit a curve with copies; array and curve
modifier together
"""

from typing import Any

import bpy
import bmesh

PATH, PLANK = "Walkway Path", "Walkway"
POINTS = ((-3.0, -1.0, 0.0), (-1.0, 1.0, 0.2), (1.0, -1.0, 0.4), (3.0, 1.0, 0.6))


def build_path(curve: bpy.types.Curve) -> None:
    """Wind the curve through the points, in place of whatever it holds."""
    curve.dimensions = "3D"
    curve.splines.clear()
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(len(POINTS) - 1)
    for point, place in zip(spline.bezier_points, POINTS, strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "AUTO"


def build_plank(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with one plank across the X axis, which the curve bends."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.scale(bm, vec=(0.22, 1.2, 0.08), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()


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
    curve = bpy.data.curves.get(PATH) or bpy.data.curves.new(PATH, "CURVE")
    build_path(curve)
    path = placed(PATH, curve)
    mesh = bpy.data.meshes.get(PLANK) or bpy.data.meshes.new(PLANK)
    build_plank(mesh)
    plank = placed(PLANK, mesh)
    array = plank.modifiers.get("Array") or plank.modifiers.new("Array", "ARRAY")
    assert isinstance(array, bpy.types.ArrayModifier)
    array.fit_type = "FIT_CURVE"
    array.curve = path
    array.relative_offset_displace = (1.25, 0.0, 0.0)
    bend = plank.modifiers.get("Curve") or plank.modifiers.new("Curve", "CURVE")
    assert isinstance(bend, bpy.types.CurveModifier)
    bend.object = path
    bend.deform_axis = "POS_X"
    plank.active_material = coloured("Plank Wood", (0.35, 0.18, 0.08, 1.0))


main()
