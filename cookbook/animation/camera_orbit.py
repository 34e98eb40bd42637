"""Let the camera circle around an object, as on a turntable.

Asked as: camera orbit animation; turntable render; rotate the camera around the origin over time; track to constraint
"""

from math import tau
from typing import Any

import bpy
import bmesh

SUBJECT, PIVOT, CAMERA = "Turntable Subject", "Orbit Pivot", "Orbit Camera"
FRAMES = 120  # for one round


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


def curves_of(animation: Any) -> Any:
    """The curves; from Blender 4.4 on, those of each animated thing are in a bag of their own."""
    action = animation.action
    if not hasattr(action, "layers"):
        return action.fcurves
    return action.layers[0].strips[0].channelbag(animation.action_slot).fcurves


def spin(pivot: bpy.types.Object) -> None:
    """One round at an even speed; the frame after the last one is the first again."""
    for frame, angle in ((1, 0.0), (1 + FRAMES, tau)):
        pivot.rotation_euler.z = angle
        pivot.keyframe_insert("rotation_euler", index=2, frame=frame)
    animation = pivot.animation_data
    assert animation is not None
    for curve in curves_of(animation):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    mesh = bpy.data.meshes.get(SUBJECT) or bpy.data.meshes.new(SUBJECT)
    bm = bmesh.new()
    bmesh.ops.create_monkey(bm)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    subject = placed(SUBJECT, mesh)
    subject.active_material = coloured("Turquoise", (0.03, 0.45, 0.4, 1.0))

    pivot = placed(PIVOT, None)
    camera = placed(CAMERA, bpy.data.cameras.get(CAMERA) or bpy.data.cameras.new(CAMERA))
    camera.parent = pivot  # turns with it
    camera.location = (0.0, -6.0, 2.0)
    track = camera.constraints.get("Track To") or camera.constraints.new("TRACK_TO")
    assert isinstance(track, bpy.types.TrackToConstraint)
    track.target = subject
    track.track_axis = "TRACK_NEGATIVE_Z"
    track.up_axis = "UP_Y"
    spin(pivot)
    scene.camera = camera
    scene.frame_start, scene.frame_end = 1, FRAMES


main()
