"""Model a gear wheel with teeth and a hole.

Asked as: make a gear with teeth; build a cogwheel; mechanical gear from python
"""

from math import cos, sin, tau
from typing import Any

import bpy
import bmesh

NAME = "Gear"
TEETH, RADIUS, HOLE = 16, 1.0, 0.25
THICKNESS, TOOTH = 0.2, 0.15
COLOUR = (0.5, 0.5, 0.55, 1.0)


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


def outline() -> list[tuple[float, float]]:
    """Return the radius and the angle of every corner around the rim: four for each tooth."""
    pitch = tau / TEETH
    shape = ((RADIUS - TOOTH, -0.32), (RADIUS, -0.18), (RADIUS, 0.18), (RADIUS - TOOTH, 0.32))
    return [(radius, (tooth + share) * pitch) for tooth in range(TEETH) for radius, share in shape]


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    rim = outline()
    rings: list[list[bmesh.types.BMVert]] = []
    for z in (-THICKNESS / 2, THICKNESS / 2):
        rings.append([bm.verts.new((r * cos(a), r * sin(a), z)) for r, a in rim])
        rings.append([bm.verts.new((HOLE * cos(a), HOLE * sin(a), z)) for _, a in rim])
    low, low_hole, high, high_hole = rings
    for i in range(len(rim)):
        j = (i + 1) % len(rim)
        bm.faces.new((low[i], low[j], high[j], high[i]))
        bm.faces.new((low_hole[j], low_hole[i], high_hole[i], high_hole[j]))
        bm.faces.new((high[i], high[j], high_hole[j], high_hole[i]))
        bm.faces.new((low[j], low[i], low_hole[i], low_hole[j]))
    bm.to_mesh(mesh)
    bm.free()
    placed(NAME, mesh).active_material = coloured("Gear Steel", COLOUR)


main()
