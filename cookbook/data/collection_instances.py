"""Make a collection once and place many instances of it.

Asked as: create a collection and link objects to it; instance a collection with empties; duplicate a group of objects
without copying data; organise objects in collections
"""

from typing import Any

import bpy
import bmesh

TREE = "Tree"
SPOTS = ((-2.4, 0.5), (-0.8, -0.6), (0.9, 0.7), (2.5, -0.4), (0.2, 2.2))


def coloured(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """Return the material of this name, in this colour."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return material


def part(name: str, bottom: float, top: float, height: float, base: float) -> bpy.types.Object:
    """Return the round part of the tree that has this name."""
    mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=24, radius1=bottom, radius2=top, depth=height)
    bmesh.ops.translate(bm, vec=(0.0, 0.0, base + height / 2), verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()
    return bpy.data.objects.get(name) or bpy.data.objects.new(name, mesh)


def tree() -> bpy.types.Collection:
    """The collection that is instanced; it is in no scene itself, so only its instances are seen."""
    collection = bpy.data.collections.get(TREE) or bpy.data.collections.new(TREE)
    trunk, crown = part("Trunk", 0.12, 0.1, 0.8, 0.0), part("Crown", 0.7, 0.0, 1.8, 0.6)
    trunk.active_material = coloured("Bark", (0.2, 0.1, 0.04, 1.0))
    crown.active_material = coloured("Needles", (0.03, 0.2, 0.06, 1.0))
    for obj in (trunk, crown):
        if obj.name not in collection.objects:
            collection.objects.link(obj)
    return collection


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    forest = bpy.data.collections.get("Forest") or bpy.data.collections.new("Forest")
    if forest.name not in scene.collection.children:
        scene.collection.children.link(forest)
    for number, (x, y) in enumerate(SPOTS, start=1):
        name = f"{TREE} {number}"
        instance = bpy.data.objects.get(name) or bpy.data.objects.new(name, None)
        if instance.name not in forest.objects:
            forest.objects.link(instance)
        instance.instance_type = "COLLECTION"
        instance.instance_collection = tree()
        instance.location = (x, y, 0.0)
        instance.rotation_euler.z = 1.3 * number
        instance.scale = (1.0, 1.0, 0.8 + 0.1 * number)


main()
