"""Set up a row of dominoes that knock each other down.

Asked as: domino run with rigid bodies; falling dominoes; dominoes that tip over one after another
"""

from math import radians
from typing import Any, Literal

import bpy
import bmesh
from mathutils import Matrix

COUNT, SPACING = 20, 0.5
SIZE = (0.1, 0.5, 1.0)
TILT = radians(18.0)  # of the first, which falls by itself
COLOUR = (0.7, 0.1, 0.1, 1.0)


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


def make_rigid(scene: bpy.types.Scene, obj: bpy.types.Object, kind: Literal["ACTIVE", "PASSIVE"]) -> None:
    """Let the object take part in the simulation: to be in the world's collection is all it takes."""
    if scene.rigidbody_world is None:
        bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    assert world is not None
    world.collection = world.collection or bpy.data.collections.new("Rigid Bodies")
    if obj.name not in world.collection.objects:
        world.collection.objects.link(obj)
    body = obj.rigid_body
    assert body is not None
    body.type, body.collision_shape = kind, "BOX"


def box_mesh(name: str, size: tuple[float, float, float]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.scale(bm, vec=size, verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    long = COUNT * SPACING
    floor = placed("Domino Floor", box_mesh("Domino Floor", (long + 4.0, 4.0, 0.2)))
    floor.location = (0.0, 0.0, -0.1)
    floor.active_material = coloured("Floor Grey", (0.25, 0.25, 0.25, 1.0))
    make_rigid(scene, floor, "PASSIVE")
    mesh = box_mesh("Domino", SIZE)
    mesh.materials.clear()
    mesh.materials.append(coloured("Domino Red", COLOUR))
    for number in range(COUNT):
        domino = placed(f"Domino {number + 1}", mesh)
        domino.location = (number * SPACING - long / 2, 0.0, SIZE[2] / 2)
        make_rigid(scene, domino, "ACTIVE")
    first = placed("Domino 1", mesh)
    # It stands on the edge that it falls over.
    tilted = Matrix.Translation((SIZE[0] / 2, 0.0, 0.0)) @ Matrix.Rotation(TILT, 4, "Y")
    corner = Matrix.Translation((-long / 2, 0.0, 0.0)) @ tilted @ Matrix.Translation((-SIZE[0] / 2, 0.0, SIZE[2] / 2))
    first.matrix_world = corner
    scene.frame_end = max(scene.frame_end, 250)


main()
