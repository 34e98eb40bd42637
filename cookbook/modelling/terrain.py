"""Model a hilly terrain from noise.

Asked as: make a landscape with hills; generate a bumpy terrain; mountains from a noise function
"""

from typing import Any

import bpy
import bmesh
from mathutils import Vector, noise

NAME = "Terrain"
SIZE, HEIGHT, CUTS = 10.0, 1.5, 96
SCALE, SEED = 0.35, 3.0
COLOUR = (0.15, 0.25, 0.08, 1.0)


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
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=CUTS, y_segments=CUTS, size=SIZE / 2)
    for vertex in bm.verts:
        # Large hills, and smaller ones on them.
        place = Vector((vertex.co.x * SCALE + SEED, vertex.co.y * SCALE - SEED, SEED))
        vertex.co.z = HEIGHT * (noise.noise(place) + 0.4 * noise.noise(place * 2.7) + 0.15 * noise.noise(place * 7.0))
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    placed(NAME, mesh).active_material = coloured("Grass Green", COLOUR)


main()
