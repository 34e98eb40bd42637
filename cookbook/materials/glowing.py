"""Make a material that glows, as a neon tube does.

Asked as: emission material; set emission colour and strength; make an object emit light; neon sign
"""

from math import radians
from typing import Any

import bpy

RING, WALL = "Neon Ring", "Neon Wall"
GLOW = (1.0, 0.1, 0.4, 1.0)


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def glowing(name: str, colour: tuple[float, float, float, float], strength: float) -> bpy.types.Material:
    """Return the material of this name, which gives light."""
    tree = with_nodes(name)
    surface: Any = tree.nodes.new("ShaderNodeBsdfPrincipled")
    surface.inputs["Base Color"].default_value = colour
    emission = "Emission Color" if "Emission Color" in surface.inputs else "Emission"  # before Blender 4.0
    surface.inputs[emission].default_value = colour
    surface.inputs["Emission Strength"].default_value = strength  # 0 unless it is set
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials[name]


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def main() -> None:
    circle = bpy.data.curves.get(RING) or bpy.data.curves.new(RING, "CURVE")
    circle.dimensions = "3D"
    circle.splines.clear()
    spline = circle.splines.new("NURBS")
    corners = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
    spline.points.add(len(corners) - 1)
    for point, (x, z) in zip(spline.points, corners, strict=True):
        point.co = (x, 0.0, z, 1.0)
    spline.use_cyclic_u = True
    circle.bevel_depth = 0.06
    placed(RING, circle).active_material = glowing("Neon Pink", GLOW, 12.0)
    mesh = bpy.data.meshes.get(WALL) or bpy.data.meshes.new(WALL)
    mesh.clear_geometry()
    mesh.from_pydata([(-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)], [], [(0, 1, 2, 3)])
    wall = placed(WALL, mesh)
    wall.location = (0.0, 0.3, 0.0)
    wall.rotation_euler = (radians(90.0), 0.0, 0.0)


main()
