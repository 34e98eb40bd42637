"""Unwrap a mesh by box projection, so that a texture has the same scale on every side.

Asked as: set uv coordinates from python; cube projection without edit mode; unwrap with bmesh loops; create a UV map
"""

from typing import Any

import bpy
import bmesh

NAME = "Crate"
TILE = 1.0  # metres of surface for one width of the texture


def project(mesh: bpy.types.Mesh) -> None:
    """Give each corner of a face its place, seen along the axis that the face looks along most."""
    layer = mesh.uv_layers.get("UVMap") or mesh.uv_layers.new(name="UVMap")
    for face in mesh.polygons:
        along = max(range(3), key=lambda axis: abs(face.normal[axis]))
        across, up = ((1, 2), (0, 2), (0, 1))[along]
        for loop, vertex in zip(face.loop_indices, face.vertices, strict=True):
            corner = mesh.vertices[vertex].co
            layer.data[loop].uv = (corner[across] / TILE, corner[up] / TILE)


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with a long box, in place of whatever it holds."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.scale(bm, vec=(3.0, 1.5, 2.0), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def checkered(name: str) -> bpy.types.Material:
    """Return the material of this name: a chequer that follows the UV map."""
    tree = with_nodes(name)
    place = tree.nodes.new("ShaderNodeTexCoord")
    checker = tree.nodes.new("ShaderNodeTexChecker")
    scale: Any = checker.inputs["Scale"]
    scale.default_value = 4.0
    surface = tree.nodes.new("ShaderNodeBsdfPrincipled")
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(place.outputs["UV"], checker.inputs["Vector"])
    tree.links.new(checker.outputs["Color"], surface.inputs["Base Color"])
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials[name]


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
    project(mesh)
    placed(NAME, mesh).active_material = checkered("UV Checker")


main()
