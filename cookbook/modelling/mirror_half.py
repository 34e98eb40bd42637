"""Model one half of a mesh and mirror it, with vertex groups for left and right.

Asked as: mirror modifier with clipping; make a symmetrical object; add a vertex group and limit a modifier to it;
assign vertex weights
"""

from typing import Any

import bpy

NAME = "Butterfly"
# The outline of the right wings from above; the first and the last point lie on the mirror plane.
OUTLINE = (
    (0.0, 0.8),
    (0.7, 1.6),
    (1.7, 1.8),
    (1.9, 1.1),
    (1.1, 0.2),
    (1.4, -0.7),
    (0.9, -1.4),
    (0.3, -1.0),
    (0.0, -0.5),
)
LIFT = 0.2  # metres up for each metre from the body


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh with the right half, in place of whatever it holds."""
    mesh.clear_geometry()
    points = [(x, y, LIFT * x) for x, y in OUTLINE]
    centre = len(points)
    mesh.from_pydata([*points, (0.0, 0.2, 0.0)], [], [(i, centre, i + 1) for i in range(centre - 1)])
    mesh.update()


def weigh(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> None:
    """Put the wing into the group "Wing.R", the more the farther from the body; the mirror makes "Wing.L" of it."""
    for name in ("Wing.L", "Wing.R"):
        if name not in obj.vertex_groups:
            obj.vertex_groups.new(name=name)
    for vertex in mesh.vertices:
        obj.vertex_groups["Wing.R"].add([vertex.index], min(1.0, vertex.co.x), "REPLACE")


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
    build(mesh)
    butterfly = placed(NAME, mesh)
    weigh(butterfly, mesh)
    mirror = butterfly.modifiers.get("Mirror") or butterfly.modifiers.new("Mirror", "MIRROR")
    assert isinstance(mirror, bpy.types.MirrorModifier)
    mirror.use_clip = True
    mirror.use_mirror_vertex_groups = True
    solid = butterfly.modifiers.get("Thickness") or butterfly.modifiers.new("Thickness", "SOLIDIFY")
    assert isinstance(solid, bpy.types.SolidifyModifier)
    solid.thickness = 0.12
    solid.offset = 0.0
    solid.vertex_group = "Wing.R"  # so the right wing thickens outwards
    solid.thickness_vertex_group = 0.3  # the share of the thickness where the weight is 0
    butterfly.active_material = coloured("Butterfly Blue", (0.05, 0.15, 0.7, 1.0))


main()
