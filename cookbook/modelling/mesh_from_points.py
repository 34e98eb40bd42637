"""Make a mesh from lists of vertices and faces.

Asked as: create a custom mesh with from_pydata; build a surface from a height function; plot a math function as a
mesh; ripple grid from coordinates
"""

from math import cos, exp, hypot
from typing import Any

import bpy

NAME = "Ripple"
SIDE = 60  # quads along each side
SIZE = 6.0  # metres along each side


def height(x: float, y: float) -> float:
    """A wave that runs out from the middle and fades."""
    radius = hypot(x, y)
    return 0.6 * cos(4.0 * radius) * exp(-0.5 * radius)


def coordinate(index: int) -> float:
    return (index / SIDE - 0.5) * SIZE


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh, in place of whatever it holds."""
    row = SIDE + 1
    places = [(coordinate(i), coordinate(j)) for j in range(row) for i in range(row)]
    corners = [j * row + i for j in range(SIDE) for i in range(SIDE)]
    mesh.clear_geometry()
    mesh.from_pydata(
        vertices=[(x, y, height(x, y)) for x, y in places],
        edges=[],
        faces=[(corner, corner + 1, corner + row + 1, corner + row) for corner in corners],
    )
    mesh.validate()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))


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
    build(mesh)
    placed(NAME, mesh).active_material = coloured("Water", (0.02, 0.2, 0.45, 1.0))


main()
