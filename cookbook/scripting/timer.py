"""Do something step by step with a timer, without blocking Blender.

Asked as: run a function every second; app timer; delayed execution; schedule python code in the background
"""

from typing import Any

import bpy
import bmesh

NAME = "Growing Stack"
BLOCKS, SIZE = 8, 0.5
INTERVAL = 0.5  # seconds


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


def block_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=SIZE)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def grow() -> float | None:
    """Make the stack one block higher; return when to be called again, or None at the end."""
    array = bpy.data.objects[NAME].modifiers.get("Stack") if NAME in bpy.data.objects else None
    if not isinstance(array, bpy.types.ArrayModifier) or array.count >= BLOCKS:
        return None
    array.count += 1
    return INTERVAL


def main() -> None:
    stack = placed(NAME, block_mesh())
    stack.active_material = coloured("Brick", (0.5, 0.12, 0.05, 1.0))
    array = stack.modifiers.get("Stack") or stack.modifiers.new("Stack", "ARRAY")
    assert isinstance(array, bpy.types.ArrayModifier)
    array.relative_offset_displace = (0.0, 0.0, 1.1)
    array.count = 1
    # A timer of an earlier run is another function; it would end by itself, but both together would hurry.
    earlier = bpy.app.driver_namespace.get("grow_stack")
    if earlier is not None and bpy.app.timers.is_registered(earlier):
        bpy.app.timers.unregister(earlier)
    bpy.app.driver_namespace["grow_stack"] = grow
    bpy.app.timers.register(grow, first_interval=INTERVAL)


main()
