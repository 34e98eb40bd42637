"""Drop a cloth over a sphere, so that it drapes.

Asked as: cloth falls over a sphere; drape a cloth over an object; cloth simulation with a collision object
"""

from typing import Any

import bpy
import bmesh

CLOTH, SPHERE = "Dropped Cloth", "Cloth Sphere"
SIZE, HEIGHT, CUTS = 3.0, 1.6, 28
LAST_FRAME = 40
COLOUR = (0.1, 0.15, 0.5, 1.0)


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
    scene = bpy.context.scene
    assert scene is not None
    sphere_mesh = bpy.data.meshes.get(SPHERE) or bpy.data.meshes.new(SPHERE)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=1.0)
    bm.to_mesh(sphere_mesh)
    bm.free()
    sphere_mesh.polygons.foreach_set("use_smooth", [True] * len(sphere_mesh.polygons))
    sphere = placed(SPHERE, sphere_mesh)
    sphere.active_material = coloured("Sphere Grey", (0.4, 0.4, 0.4, 1.0))
    if "Collision" not in sphere.modifiers:
        sphere.modifiers.new("Collision", "COLLISION")
    cloth_mesh = bpy.data.meshes.get(CLOTH) or bpy.data.meshes.new(CLOTH)
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=CUTS, y_segments=CUTS, size=SIZE / 2)
    bm.to_mesh(cloth_mesh)
    bm.free()
    cloth_mesh.polygons.foreach_set("use_smooth", [True] * len(cloth_mesh.polygons))
    cloth = placed(CLOTH, cloth_mesh)
    cloth.location = (0.0, 0.0, HEIGHT)
    cloth.active_material = coloured("Cloth Blue", COLOUR)
    simulation = cloth.modifiers.get("Cloth") or cloth.modifiers.new("Cloth", "CLOTH")
    assert isinstance(simulation, bpy.types.ClothModifier)
    simulation.settings.quality = 6
    simulation.collision_settings.distance_min = 0.02
    simulation.point_cache.frame_end = LAST_FRAME
    if scene.frame_current == LAST_FRAME:
        return  # an earlier run let it fall already
    for frame in range(1, LAST_FRAME + 1):
        # Each frame builds on the one before, so none may be left out.
        scene.frame_set(frame)


main()
