"""Model a bookshelf with books on its boards.

Asked as: make a bookcase; build shelves filled with books; bookshelf with several boards
"""

from collections.abc import Iterable
from random import Random
from typing import Any

import bpy
import bmesh
from mathutils import Vector

NAME, BOOKS = "Bookshelf", "Bookshelf Books"
WIDTH, DEPTH, HEIGHT = 0.8, 0.3, 1.8
BOARDS, THICKNESS, SEED = 5, 0.02, 7
COLOURS = ((0.35, 0.18, 0.08, 1.0), (0.4, 0.08, 0.06, 1.0))


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
    space = (HEIGHT - THICKNESS) / (BOARDS - 1)
    boxes = [(Vector((0.0, (DEPTH - 0.01) / 2, HEIGHT / 2)), Vector((WIDTH, 0.01, HEIGHT)))]
    for x in (-1, 1):
        side = Vector((x * (WIDTH - THICKNESS) / 2, 0.0, HEIGHT / 2))
        boxes.append((side, Vector((THICKNESS, DEPTH, HEIGHT))))
    for board in range(BOARDS):
        centre = Vector((0.0, 0.0, THICKNESS / 2 + board * space))
        boxes.append((centre, Vector((WIDTH - 2 * THICKNESS, DEPTH, THICKNESS))))
    books: list[tuple[Vector, Vector]] = []
    random = Random(SEED)
    for board in range(BOARDS - 1):
        floor = THICKNESS + board * space
        left = -WIDTH / 2 + THICKNESS
        while (thick := random.uniform(0.02, 0.05)) < WIDTH / 2 - THICKNESS - left:
            tall, deep = random.uniform(0.55, 0.85) * (space - THICKNESS), random.uniform(0.6, 0.8) * DEPTH
            books.append((Vector((left + thick / 2, 0.0, floor + tall / 2)), Vector((thick * 0.96, deep, tall))))
            left += thick
    for name, parts, colour in ((NAME, boxes, COLOURS[0]), (BOOKS, books, COLOURS[1])):
        mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
        build_boxes(mesh, parts)
        placed(name, mesh).active_material = coloured(name, colour)


main()
