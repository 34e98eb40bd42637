"""Model a chair with a seat, a back and four legs.

Asked as: make a wooden chair; build a simple chair; kitchen chair with a backrest
"""

from collections.abc import Iterable
from typing import Any

import bpy
import bmesh
from mathutils import Vector

NAME = "Chair"
WIDTH, DEPTH, SEAT, HEIGHT = 0.45, 0.45, 0.46, 0.9
THICKNESS, LEG = 0.04, 0.045
COLOUR = (0.35, 0.18, 0.08, 1.0)


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


def build_boxes(mesh: bpy.types.Mesh, boxes: Iterable[tuple[Vector, Vector]]) -> None:
    """Fill the mesh with boxes, each given by its centre and its edges."""
    bm = bmesh.new()
    for centre, edges in boxes:
        made = bmesh.ops.create_cube(bm, size=1.0)
        corners = [each for each in made["verts"] if isinstance(each, bmesh.types.BMVert)]
        bmesh.ops.scale(bm, vec=edges, verts=corners)
        bmesh.ops.translate(bm, vec=centre, verts=corners)
    bm.to_mesh(mesh)
    bm.free()


def main() -> None:
    boxes = [(Vector((0.0, 0.0, SEAT - THICKNESS / 2)), Vector((WIDTH, DEPTH, THICKNESS)))]
    side, front = (WIDTH - LEG) / 2, (DEPTH - LEG) / 2
    for x in (-side, side):
        # The rear legs go on as the posts of the back.
        for y, tall in ((-front, SEAT - THICKNESS), (front, HEIGHT)):
            boxes.append((Vector((x, y, tall / 2)), Vector((LEG, LEG, tall))))
    for height in (0.6, 0.8):
        rail = SEAT + (HEIGHT - SEAT) * height
        boxes.append((Vector((0.0, front, rail)), Vector((WIDTH - LEG, LEG / 2, 0.07))))
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    build_boxes(mesh, boxes)
    placed(NAME, mesh).active_material = coloured("Chair Wood", COLOUR)


main()
