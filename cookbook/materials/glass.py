"""Make a clear glass material.

Asked as: transparent glass shader; transmission on the Principled BSDF; glass ball with refraction; set the IOR of a
material
"""

from typing import Any

import bpy
import bmesh

BALL, FLOOR = "Glass Ball", "Chequered Floor"


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def glass() -> bpy.types.Material:
    """Light goes through it, bent as by window glass."""
    tree = with_nodes("Clear Glass")
    surface: Any = tree.nodes.new("ShaderNodeBsdfPrincipled")
    surface.inputs["Base Color"].default_value = (0.9, 0.97, 1.0, 1.0)
    through = "Transmission Weight" if "Transmission Weight" in surface.inputs else "Transmission"  # before Blender 4.0
    surface.inputs[through].default_value = 1.0
    surface.inputs["Roughness"].default_value = 0.0
    surface.inputs["IOR"].default_value = 1.45
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials["Clear Glass"]


def chequer() -> bpy.types.Material:
    """Something to see through the glass."""
    tree = with_nodes("Chequer")
    squares: Any = tree.nodes.new("ShaderNodeTexChecker")
    squares.inputs["Scale"].default_value = 10.0
    squares.inputs["Color2"].default_value = (0.05, 0.1, 0.2, 1.0)
    surface = tree.nodes.new("ShaderNodeBsdfPrincipled")
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(squares.outputs["Color"], surface.inputs["Base Color"])
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials["Chequer"]


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def main() -> None:
    ball_mesh = bpy.data.meshes.get(BALL) or bpy.data.meshes.new(BALL)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=64, v_segments=32, radius=1.0)
    bm.to_mesh(ball_mesh)
    bm.free()
    ball_mesh.polygons.foreach_set("use_smooth", [True] * len(ball_mesh.polygons))
    ball = placed(BALL, ball_mesh)
    ball.location = (0.0, 0.0, 1.0)
    ball.active_material = glass()
    floor_mesh = bpy.data.meshes.get(FLOOR) or bpy.data.meshes.new(FLOOR)
    floor_mesh.clear_geometry()
    floor_mesh.from_pydata([(-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)], [], [(0, 1, 2, 3)])
    placed(FLOOR, floor_mesh).active_material = chequer()


main()
