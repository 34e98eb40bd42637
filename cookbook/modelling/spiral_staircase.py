"""Model a spiral staircase around a central pole.

Asked as: make a spiral staircase with steps; winding stairs around a column; helical stairs
"""

from math import cos, radians, sin
from typing import Any

import bpy
import bmesh

NAME = "Spiral Staircase"
STEPS, HEIGHT, RADIUS = 16, 3.0, 1.2
POLE, THICKNESS = 0.12, 0.05
TURN = radians(360.0)
COLOUR = (0.4, 0.38, 0.35, 1.0)


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


def add_step(bm: bmesh.types.BMesh, start: float, angle: float, top: float) -> None:
    """Add a step in the form of a slice, from the pole outwards."""
    ring = [
        (r * cos(a), r * sin(a))
        for r, a in (
            (POLE / 2, start),
            (RADIUS, start),
            (RADIUS, start + angle / 2),
            (RADIUS, start + angle),
            (POLE / 2, start + angle),
        )
    ]
    below = [bm.verts.new((x, y, top - THICKNESS)) for x, y in ring]
    above = [bm.verts.new((x, y, top)) for x, y in ring]
    bm.faces.new(above)
    bm.faces.new(below[::-1])
    for i in range(len(ring)):
        j = (i + 1) % len(ring)
        bm.faces.new((below[i], below[j], above[j], above[i]))


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    rise, angle = HEIGHT / STEPS, TURN / STEPS
    for step in range(STEPS):
        add_step(bm, step * angle, angle * 1.1, (step + 1) * rise)
    pole = bmesh.ops.create_cone(bm, cap_ends=True, segments=24, radius1=POLE, radius2=POLE, depth=HEIGHT)
    corners = [each for each in pole["verts"] if isinstance(each, bmesh.types.BMVert)]
    bmesh.ops.translate(bm, vec=(0.0, 0.0, HEIGHT / 2), verts=corners)
    bm.to_mesh(mesh)
    bm.free()
    placed(NAME, mesh).active_material = coloured("Stone", COLOUR)


main()
