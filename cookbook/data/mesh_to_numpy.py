"""Read all vertices of a mesh into NumPy, change them, and write them back.

Asked as: foreach_get with numpy; fast access to vertex coordinates; get mesh data as an array; deform thousands of
vertices quickly
"""

from typing import Any

import bpy
import bmesh
import numpy as np

NAME = "Twisted Column"
TWIST = 1.2  # radians for each metre of height


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


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with a straight column of many vertices, in place of whatever it holds."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    sides = [edge for edge in bm.edges if abs(edge.verts[0].co.z - edge.verts[1].co.z) > 0.5]
    bmesh.ops.subdivide_edges(bm, edges=sides, cuts=120)
    bmesh.ops.scale(bm, vec=(1.0, 1.0, 3.0), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()


def twist(mesh: bpy.types.Mesh) -> None:
    """Turn every vertex around Z, the farther the higher it is."""
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)  # as Blender stores them: one call copies them all
    mesh.vertices.foreach_get("co", flat)
    points = flat.reshape(-1, 3)
    angle = TWIST * points[:, 2]
    x, y = points[:, 0].copy(), points[:, 1].copy()
    points[:, 0] = x * np.cos(angle) - y * np.sin(angle)
    points[:, 1] = x * np.sin(angle) + y * np.cos(angle)
    mesh.vertices.foreach_set("co", flat)
    mesh.update()


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    build(mesh)
    twist(mesh)
    placed(NAME, mesh).active_material = coloured("Marble White", (0.75, 0.72, 0.68, 1.0))


main()
