"""Make an image from computed pixels and use it as a texture.

Asked as: create an image in python and set its pixels; image texture without a file; generated texture on a plane;
write pixel data with foreach_set
"""

from math import atan2, hypot, pi, sin
from typing import Any

import bpy

NAME = "Swirl"
SIDE = 256  # pixels


def pixel(column: int, row: int) -> tuple[float, float, float, float]:
    """Red, green, blue and alpha of one pixel; row 0 is the lowest."""
    x, y = 2.0 * column / SIDE - 1.0, 2.0 * row / SIDE - 1.0
    wave = 0.5 + 0.5 * sin(6.0 * atan2(y, x) + 4.0 * pi * hypot(x, y))
    return (wave, 0.25 + 0.5 * (1.0 - wave), 1.0 - 0.7 * wave, 1.0)


def painted() -> bpy.types.Image:
    image = bpy.data.images.get(NAME) or bpy.data.images.new(NAME, SIDE, SIDE)
    # One call for all pixels: setting them one by one takes minutes.
    values = [value for row in range(SIDE) for column in range(SIDE) for value in pixel(column, row)]
    image.pixels.foreach_set(values)
    image.update()
    image.pack()  # pixels that are in no file are lost when the .blend is saved
    return image


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def textured(image: bpy.types.Image) -> bpy.types.Material:
    tree = with_nodes(NAME)
    texture: Any = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    surface = tree.nodes.new("ShaderNodeBsdfPrincipled")
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials[NAME]


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    mesh.clear_geometry()
    mesh.from_pydata([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 2.0), (-1.0, 0.0, 2.0)], [], [(0, 1, 2, 3)])
    places = mesh.uv_layers.get("UVMap") or mesh.uv_layers.new(name="UVMap")
    for corner, place in enumerate(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))):
        places.data[corner].uv = place
    placed(NAME, mesh).active_material = textured(painted())


main()
