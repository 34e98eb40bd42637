"""Model a table with four legs.

Asked as: make a wooden table; build a dining table with legs; table with a top and four legs from boxes
"""

from collections.abc import Iterable
from typing import Any

import bpy
import bmesh
from mathutils import Vector

NAME = "Table"
LENGTH, WIDTH, HEIGHT = 1.6, 0.8, 0.75
THICKNESS, LEG, INSET = 0.04, 0.07, 0.05
COLOUR = (0.3, 0.15, 0.06, 1.0)


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
    boxes = [(Vector((0.0, 0.0, HEIGHT - THICKNESS / 2)), Vector((LENGTH, WIDTH, THICKNESS)))]
    tall = HEIGHT - THICKNESS
    across, along = LENGTH / 2 - INSET - LEG / 2, WIDTH / 2 - INSET - LEG / 2
    for x in (-across, across):
        for y in (-along, along):
            boxes.append((Vector((x, y, tall / 2)), Vector((LEG, LEG, tall))))
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    build_boxes(mesh, boxes)
    placed(NAME, mesh).active_material = coloured("Table Wood", COLOUR)


main()
