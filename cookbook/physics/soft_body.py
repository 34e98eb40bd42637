"""Let a soft body fall onto the floor and wobble.

Asked as: soft body simulation; jelly cube; make an object squishy when it collides; collision modifier on the floor
"""

from typing import Any

import bpy
import bmesh

JELLY, FLOOR = "Jelly", "Jelly Plate"
LAST_FRAME = 22


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


def jelly_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(JELLY) or bpy.data.meshes.new(JELLY)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.0)
    bmesh.ops.subdivide_edges(bm, edges=list(bm.edges), cuts=4, use_grid_fill=True)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def soften(jelly: bpy.types.Object) -> None:
    modifier = jelly.modifiers.get("Softbody") or jelly.modifiers.new("Softbody", "SOFT_BODY")
    assert isinstance(modifier, bpy.types.SoftBodyModifier)
    settings = modifier.settings
    assert settings is not None
    settings.use_goal = False  # nothing holds it where it is
    settings.use_edges = settings.use_stiff_quads = True
    settings.pull = settings.push = 0.8
    settings.bend = 0.3
    settings.damping = 4.0
    settings.mass = 0.5


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    plate = bpy.data.meshes.get(FLOOR) or bpy.data.meshes.new(FLOOR)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=64, radius1=1.2, radius2=1.2, depth=0.1)
    bm.to_mesh(plate)
    bm.free()
    floor = placed(FLOOR, plate)
    floor.active_material = coloured("Porcelain", (0.8, 0.8, 0.78, 1.0))
    if "Collision" not in floor.modifiers:
        floor.modifiers.new("Collision", "COLLISION")
    jelly = placed(JELLY, jelly_mesh())
    jelly.location = (0.0, 0.0, 1.6)
    jelly.rotation_euler = (0.3, 0.2, 0.0)
    jelly.active_material = coloured("Raspberry", (0.6, 0.02, 0.12, 1.0))
    soften(jelly)
    for frame in range(1, LAST_FRAME + 1):  # each frame is computed from the one before
        scene.frame_set(frame)


main()
