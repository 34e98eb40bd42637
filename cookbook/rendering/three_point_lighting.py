"""Light a subject with three area lights: key, fill and rim.

Asked as: three point lighting; studio lighting setup; add area lights that point at an object; key light fill light
back light
"""

from typing import Any

import bpy
import bmesh
from mathutils import Vector

SUBJECT, FLOOR = "Studio Subject", "Studio Floor"
TARGET = Vector((0.0, 0.0, 1.0))
# Name, place, power in watts, side length in metres, colour.
LIGHTS = (
    ("Key Light", (3.0, -3.0, 3.5), 110.0, 1.5, (1.0, 0.93, 0.85)),
    ("Fill Light", (-3.5, -2.5, 2.0), 30.0, 3.0, (0.8, 0.9, 1.0)),
    ("Rim Light", (-1.5, 3.5, 3.5), 140.0, 1.0, (1.0, 1.0, 1.0)),
)


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
    for name, place, power, size, colour in LIGHTS:
        light = bpy.data.lights.get(name) or bpy.data.lights.new(name, "AREA")
        assert isinstance(light, bpy.types.AreaLight)
        light.energy, light.size, light.color = power, size, colour
        lamp = placed(name, light)
        lamp.location = place
        # A light shines along its own -Z axis.
        lamp.rotation_euler = (TARGET - lamp.location).to_track_quat("-Z", "Y").to_euler()
    mesh = bpy.data.meshes.get(SUBJECT) or bpy.data.meshes.new(SUBJECT)
    bm = bmesh.new()
    bmesh.ops.create_monkey(bm)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    subject = placed(SUBJECT, mesh)
    subject.location = TARGET
    subject.active_material = coloured("Grey Clay", (0.45, 0.4, 0.35, 1.0))
    ground = bpy.data.meshes.get(FLOOR) or bpy.data.meshes.new(FLOOR)
    ground.clear_geometry()
    ground.from_pydata([(-6.0, -6.0, 0.0), (6.0, -6.0, 0.0), (6.0, 6.0, 0.0), (-6.0, 6.0, 0.0)], [], [(0, 1, 2, 3)])
    placed(FLOOR, ground).active_material = coloured("Studio Grey", (0.12, 0.12, 0.12, 1.0))


main()
