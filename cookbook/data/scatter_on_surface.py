"""Scatter copies of an object over a terrain, upright on the surface, by casting rays down.

Asked as: place objects on a surface with raycast; drop objects onto the ground; BVH tree nearest point; random
distribution on a mesh aligned to its normals
"""

import random
from typing import Any

import bpy
import bmesh
from mathutils import Vector, noise
from mathutils.bvhtree import BVHTree

GROUND, STONE = "Hilly Ground", "Standing Stone"
COUNT, REACH = 40, 3.5  # metres from the middle
DOWN = Vector((0.0, 0.0, -1.0))


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


def ground_shape() -> bmesh.types.BMesh:
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=60, y_segments=60, size=4.0)
    for vertex in bm.verts:
        vertex.co.z = 1.2 * noise.noise(vertex.co * 0.45)
        vertex.co.z += 0.1 * noise.noise(vertex.co * 2.0)
    bm.normal_update()
    return bm


def stone_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(STONE) or bpy.data.meshes.new(STONE)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=6, radius1=0.12, radius2=0.05, depth=0.6)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def main() -> None:
    mesh = bpy.data.meshes.get(GROUND) or bpy.data.meshes.new(GROUND)
    bm = ground_shape()
    tree: Any = BVHTree.FromBMesh(bm)  # the stubs say that this returns nothing
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    placed(GROUND, mesh).active_material = coloured("Meadow", (0.1, 0.25, 0.05, 1.0))
    stone = stone_mesh()
    stone.materials.clear()
    stone.materials.append(coloured("Granite", (0.4, 0.4, 0.42, 1.0)))
    dice = random.Random(7)  # the same places at every run
    for number in range(1, COUNT + 1):
        above = Vector((dice.uniform(-REACH, REACH), dice.uniform(-REACH, REACH), 10.0))
        point, normal, _, _ = tree.ray_cast(above, DOWN)
        if point is None or normal is None:
            continue
        obj = placed(f"{STONE} {number}", stone)
        obj.location = point
        obj.rotation_euler = normal.to_track_quat("Z", "Y").to_euler()
        obj.scale = Vector((1.0, 1.0, 1.0)) * dice.uniform(0.6, 1.6)


main()
