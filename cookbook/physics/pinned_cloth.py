"""Hang a cloth from pinned corners and let it swing.

Asked as: cloth simulation with a pin group; make a flag or curtain; drape fabric with physics; cloth modifier settings
"""

from typing import Any

import bpy
import bmesh

NAME = "Hanging Cloth"
SIDE = 20  # quads along each side
LAST_FRAME = 30


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


def cloth_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=SIDE, y_segments=SIDE, size=1.0)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def pin_corners(cloth: bpy.types.Object, mesh: bpy.types.Mesh) -> None:
    """Vertices with full weight in the group do not move."""
    pins = cloth.vertex_groups.get("Pins") or cloth.vertex_groups.new(name="Pins")
    corners = [vertex.index for vertex in mesh.vertices if min(abs(vertex.co.x), vertex.co.y) > 0.99]
    pins.add(corners, 1.0, "REPLACE")


def simulate_as_cloth(cloth: bpy.types.Object) -> None:
    modifier = cloth.modifiers.get("Cloth") or cloth.modifiers.new("Cloth", "CLOTH")
    assert isinstance(modifier, bpy.types.ClothModifier)
    settings = modifier.settings
    assert settings is not None
    settings.vertex_group_mass = "Pins"  # the pin group, in spite of its name
    settings.quality = 6
    settings.mass = 0.3
    settings.tension_stiffness = settings.compression_stiffness = 15.0
    settings.bending_stiffness = 0.5


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    mesh = cloth_mesh()
    cloth = placed(NAME, mesh)
    cloth.location = (0.0, 0.0, 2.0)
    pin_corners(cloth, mesh)
    simulate_as_cloth(cloth)
    solid = cloth.modifiers.get("Thickness") or cloth.modifiers.new("Thickness", "SOLIDIFY")
    assert isinstance(solid, bpy.types.SolidifyModifier)
    solid.thickness = 0.02
    cloth.active_material = coloured("Crimson Fabric", (0.5, 0.02, 0.05, 1.0))
    for frame in range(1, LAST_FRAME + 1):  # each frame is computed from the one before
        scene.frame_set(frame)


main()
