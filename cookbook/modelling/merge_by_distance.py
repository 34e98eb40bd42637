"""Merge vertices that lie closer than a distance.

Asked as: remove doubles; weld overlapping points of a mesh; merge by distance; clean up duplicate vertices
"""

from typing import Any

import bpy
import bmesh

NAME = "Welded"


def merge_by_distance(mesh: bpy.types.Mesh, distance: float) -> int:
    """Merge vertices of the mesh that are at most this far apart; return how many are gone."""
    bm = bmesh.new()
    bm.from_mesh(mesh)
    before = len(bm.verts)
    bmesh.ops.remove_doubles(bm, verts=list(bm.verts), dist=distance)
    merged = before - len(bm.verts)
    bm.to_mesh(mesh)
    bm.free()
    mesh.update()
    return merged


def make_torn(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with a cube whose six faces share no vertices, as some importers leave them."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=2.0)
    bmesh.ops.split_edges(bm, edges=list(bm.edges))
    bm.to_mesh(mesh)
    bm.free()


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
    make_torn(mesh)
    print(f"merged {merge_by_distance(mesh, 0.0001)} vertices")
    obj = placed(NAME, mesh)
    # Only a welded mesh stays closed when it is subdivided.
    subdivision = obj.modifiers.get("Subdivision") or obj.modifiers.new("Subdivision", "SUBSURF")
    assert isinstance(subdivision, bpy.types.SubsurfModifier)
    subdivision.levels = subdivision.render_levels = 2
    obj.active_material = coloured("Clay", (0.6, 0.2, 0.1, 1.0))


main()
