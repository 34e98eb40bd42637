"""Colour a mesh by the height of its vertices with a colour attribute.

Asked as: paint vertex colours from python; add a color attribute and show it in the material; colour terrain by
altitude; vertex color gradient
"""

from typing import Any

import bpy
import bmesh
from mathutils import Vector, noise

NAME, ATTRIBUTE = "Terrain", "Altitude"
BANDS = ((-1.0, (0.02, 0.1, 0.35)), (0.0, (0.45, 0.38, 0.2)), (0.25, (0.08, 0.25, 0.05)), (0.7, (0.9, 0.9, 0.95)))
"""From each height on, in metres, a colour: water, sand, grass, snow."""


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with hills, in place of whatever it holds."""
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=90, y_segments=90, size=3.0)
    for vertex in bm.verts:
        vertex.co.z = max(0.0, 1.6 * noise.fractal(Vector((vertex.co.x, vertex.co.y, 7.0)) * 0.5, 1.0, 2.0, 5))
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))


def colour_by_height(mesh: bpy.types.Mesh) -> None:
    old = mesh.color_attributes.get(ATTRIBUTE)
    if old is not None:
        mesh.color_attributes.remove(old)
    attribute: Any = mesh.color_attributes.new(ATTRIBUTE, "FLOAT_COLOR", "POINT")
    values: list[float] = []
    for vertex in mesh.vertices:
        band = max((each for each in BANDS if each[0] < vertex.co.z), default=BANDS[0])
        values.extend((*band[1], 1.0))
    attribute.data.foreach_set("color", values)


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def shown() -> bpy.types.Material:
    tree = with_nodes(NAME)
    colour: Any = tree.nodes.new("ShaderNodeVertexColor")
    colour.layer_name = ATTRIBUTE
    surface = tree.nodes.new("ShaderNodeBsdfPrincipled")
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(colour.outputs["Color"], surface.inputs["Base Color"])
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
    build(mesh)
    colour_by_height(mesh)
    placed(NAME, mesh).active_material = shown()


main()
