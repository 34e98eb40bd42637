"""Drop a stack of boxes onto the ground with rigid body physics.

Asked as: rigid body simulation; make objects fall and collide; add active and passive rigid bodies from python; physics
of falling cubes
"""

from math import radians
from typing import Any, Literal

import bpy
import bmesh

COUNT, SIZE = 6, 0.6
LAST_FRAME = 60


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


def box_mesh(name: str, size: tuple[float, float, float]) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.scale(bm, vec=size, verts=list(bm.verts))
    bm.to_mesh(mesh)
    bm.free()
    return mesh


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
    body.type = kind
    body.collision_shape = "BOX"


def bake(scene: bpy.types.Scene) -> None:
    """Compute the simulation anew and keep it in the file."""
    cache = scene.rigidbody_world.point_cache if scene.rigidbody_world else None
    assert cache is not None
    cache.frame_end = LAST_FRAME
    with bpy.context.temp_override(scene=scene, point_cache=cache):
        bpy.ops.ptcache.free_bake()
        bpy.ops.ptcache.bake(bake=True)


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    ground = placed("Drop Ground", box_mesh("Drop Ground", (4.0, 4.0, 0.2)))
    ground.location = (0.0, 0.0, -0.1)
    ground.active_material = coloured("Concrete", (0.3, 0.3, 0.3, 1.0))
    make_rigid(scene, ground, "PASSIVE")
    mesh = box_mesh("Drop Box", (SIZE, SIZE, SIZE))
    mesh.materials.clear()
    mesh.materials.append(coloured("Cardboard", (0.6, 0.35, 0.15, 1.0)))
    for index in range(COUNT):
        box = placed(f"Drop Box {index + 1}", mesh)
        box.location = (0.22 * (index % 2), 0.0, 1.0 + 0.8 * index)
        box.rotation_euler = (0.0, radians(7.0 * index), radians(20.0 * index))
        make_rigid(scene, box, "ACTIVE")
    bake(scene)
    scene.frame_set(LAST_FRAME)


main()
