"""Animate planets that circle a sun at different speeds.

Asked as: solar system animation; planets orbiting a sun; simple solar system with three planets
"""

from math import radians, tau
from typing import Any

import bpy
import bmesh

SUN, SUN_RADIUS = "Sun Sphere", 1.0
# Name, radius, distance, frames of one orbit, colour.
PLANETS = (
    ("Mercury", 0.2, 2.0, 60, (0.4, 0.35, 0.3, 1.0)),
    ("Earth", 0.35, 3.4, 120, (0.05, 0.2, 0.6, 1.0)),
    ("Mars", 0.28, 4.8, 200, (0.6, 0.15, 0.05, 1.0)),
)
FRAMES = 240


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


def ball(name: str, radius: float) -> bpy.types.Object:
    """Return a smooth ball of this name."""
    mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=radius)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return placed(name, mesh)


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    scene.frame_start, scene.frame_end = 1, FRAMES
    sun = coloured("Sun Glow", (1.0, 0.6, 0.1, 1.0))
    tree: Any = sun.node_tree
    shader = tree.nodes["Principled BSDF"]
    emission = "Emission Color" if "Emission Color" in shader.inputs else "Emission"  # before Blender 4.0
    shader.inputs[emission].default_value = (1.0, 0.6, 0.1, 1.0)
    shader.inputs["Emission Strength"].default_value = 4.0
    ball(SUN, SUN_RADIUS).active_material = sun
    for number, (name, radius, distance, orbit, colour) in enumerate(PLANETS):
        planet = ball(name, radius)
        planet.active_material = coloured(name, colour)
        pivot = placed(f"{name} Orbit", None)
        planet.parent = pivot
        planet.location = (distance, 0.0, 0.0)
        start = radians(110.0 * number)
        pivot.driver_remove("rotation_euler", 2)
        curve: Any = pivot.driver_add("rotation_euler", 2)
        curve.driver.expression = f"{start:.4f} + (frame - 1) * {tau / orbit:.6f}"


main()
