"""Turn the camera once around the middle of the scene in a seamless loop.

Asked as: turntable animation; camera goes around the object; rotate the camera 360 degrees around a model
"""

from math import radians, tau
from typing import Any

import bpy
import bmesh
from mathutils import Vector

PIVOT, CAMERA, SUBJECT = "Turntable Pivot", "Turntable Camera", "Turntable Subject"
FRAMES, DISTANCE, HEIGHT = 120, 7.0, 2.5
COLOUR = (0.1, 0.3, 0.6, 1.0)


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


def curves_of(owner: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Return the animation curves of an object; Blender 4.4 put them into slots."""
    data: Any = owner.animation_data
    if bpy.app.version < (4, 4, 0):
        return list(data.action.fcurves)
    bags = [bag for layer in data.action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags if bag.slot == data.action_slot for curve in bag.fcurves]


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    if not any(obj.type == "MESH" for obj in scene.objects):
        mesh = bpy.data.meshes.get(SUBJECT) or bpy.data.meshes.new(SUBJECT)
        bm = bmesh.new()
        bmesh.ops.create_monkey(bm)
        bm.to_mesh(mesh)
        bm.free()
        placed(SUBJECT, mesh).active_material = coloured("Subject Blue", COLOUR)
    pivot = placed(PIVOT, None)
    camera = placed(CAMERA, bpy.data.cameras.get(CAMERA) or bpy.data.cameras.new(CAMERA))
    camera.parent = pivot
    camera.location = (0.0, -DISTANCE, HEIGHT)
    look = Vector((0.0, DISTANCE, -HEIGHT))
    camera.rotation_euler = look.to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    # The last frame is the one before the first, so that the loop has no stop.
    scene.frame_start, scene.frame_end = 1, FRAMES
    for frame, angle in ((1, 0.0), (FRAMES + 1, tau)):
        pivot.rotation_euler = (0.0, 0.0, angle)
        pivot.keyframe_insert("rotation_euler", index=2, frame=frame)
    for point in curves_of(pivot)[0].keyframe_points:
        point.interpolation = "LINEAR"
    scene.frame_set(1)
    pivot.rotation_euler.z = radians(0.0)


main()
