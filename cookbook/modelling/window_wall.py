"""Model a wall with an array of windows.

Asked as: make a facade with windows; array of windows in a wall; house front with rows of windows
"""

from collections.abc import Iterable
from typing import Any

import bpy
import bmesh
from mathutils import Vector

WALL, GLASS = "Facade", "Facade Glass"
COLUMNS, ROWS = 5, 3
PITCH, WINDOW, DEPTH = (2.0, 2.8), (1.1, 1.6), 0.3
COLOURS = ((0.6, 0.55, 0.45, 1.0), (0.05, 0.1, 0.15, 1.0))


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
    width, height = COLUMNS * PITCH[0], ROWS * PITCH[1]
    pier, band = PITCH[0] - WINDOW[0], PITCH[1] - WINDOW[1]
    boxes: list[tuple[Vector, Vector]] = []
    for column in range(COLUMNS + 1):
        # The piers at both ends are half as wide.
        wide = pier if 0 < column < COLUMNS else pier / 2
        x = min(max(column * PITCH[0], wide / 2), width - wide / 2) - width / 2
        boxes.append((Vector((x, 0.0, height / 2)), Vector((wide, DEPTH, height))))
    for row in range(ROWS + 1):
        tall = band if 0 < row < ROWS else band / 2
        z = min(max(row * PITCH[1], tall / 2), height - tall / 2)
        boxes.append((Vector((0.0, 0.0, z)), Vector((width, DEPTH * 0.98, tall))))
    glass = [(Vector((0.0, 0.0, height / 2)), Vector((width * 0.99, 0.02, height * 0.99)))]
    for name, parts, colour in ((WALL, boxes, COLOURS[0]), (GLASS, glass, COLOURS[1])):
        mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
        build_boxes(mesh, parts)
        placed(name, mesh).active_material = coloured(name, colour)


main()
