"""Mark an object as an asset, with tags and a description.

Asked as: add an object to the asset browser from python; asset mark and tags; set asset metadata; make a material an
asset
"""

from typing import Any

import bpy
import bmesh

NAME, MATERIAL = "Traffic Cone", "Cone Orange"
TAGS = ("street", "safety", "prop")


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


def cone_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=48, radius1=0.18, radius2=0.03, depth=0.7)
    bmesh.ops.translate(bm, vec=(0.0, 0.0, 0.38), verts=list(bm.verts))
    base = bmesh.ops.create_cube(bm, size=1.0)["verts"]
    bmesh.ops.scale(bm, vec=(0.46, 0.46, 0.04), verts=base)
    bmesh.ops.translate(bm, vec=(0.0, 0.0, 0.02), verts=base)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def mark(asset: bpy.types.ID, description: str) -> None:
    """Offer the data block in the Asset Browser, once this file lies in an asset library."""
    if asset.asset_data is None:
        asset.asset_mark()
    facts = asset.asset_data
    assert facts is not None
    facts.description = description
    facts.author = "Blendproof"
    for tag in TAGS:
        facts.tags.new(tag, skip_if_exists=True)


def main() -> None:
    cone = placed(NAME, cone_mesh())
    orange = coloured(MATERIAL, (0.9, 0.2, 0.01, 1.0))
    cone.active_material = orange
    mark(cone, "A cone to close a street with, 73 cm high")
    mark(orange, "The orange of traffic cones")


main()
