"""Cut a round hole into an object with a Boolean modifier.

Asked as: boolean difference; subtract a cylinder from a cube; drill a hole through a mesh; cut one object out of
another
"""

from typing import Any

import bpy
import bmesh

BLOCK, DRILL = "Drilled Block", "Drill"


def block_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(BLOCK) or bpy.data.meshes.new(BLOCK)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=2.0)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def drill_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(DRILL) or bpy.data.meshes.new(DRILL)
    bm = bmesh.new()
    # Longer than the block, as faces that lie on one another make an untidy cut.
    bmesh.ops.create_cone(bm, cap_ends=True, segments=64, radius1=0.6, radius2=0.6, depth=3.0)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


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
    block, drill = placed(BLOCK, block_mesh()), placed(DRILL, drill_mesh())
    drill.display_type = "WIRE"
    drill.hide_render = True
    boolean = block.modifiers.get("Hole") or block.modifiers.new("Hole", "BOOLEAN")
    assert isinstance(boolean, bpy.types.BooleanModifier)
    boolean.operation = "DIFFERENCE"
    boolean.solver = "EXACT"
    boolean.object = drill
    block.active_material = coloured("Machined Blue", (0.05, 0.2, 0.5, 1.0))


main()
