"""Point the camera at an object and blur what is in front of it and behind it.

Asked as: make the camera look at an object; depth of field with focus on an object; rotate the camera towards a point;
camera track to quaternion
"""

from typing import Any

import bpy
import bmesh
from mathutils import Vector

ROW = 5  # balls, of which the middle one is in focus


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


def ball_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get("Focus Ball") or bpy.data.meshes.new("Focus Ball")
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=0.1)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return mesh


def aim(camera: bpy.types.Object, point: Vector) -> None:
    """Turn the camera to the point, with its top up; it looks along its own -Z axis."""
    camera.rotation_euler = (point - camera.location).to_track_quat("-Z", "Y").to_euler()


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    mesh = ball_mesh()
    mesh.materials.clear()
    mesh.materials.append(coloured("Orange Ball", (0.8, 0.25, 0.03, 1.0)))
    balls = [placed(f"Focus Ball {number}", mesh) for number in range(1, ROW + 1)]
    for number, ball in enumerate(balls):
        ball.location = (0.1 * number, 0.3 * number, 0.1)
    subject = balls[ROW // 2]

    lens = bpy.data.cameras.get("Focus Camera") or bpy.data.cameras.new("Focus Camera")
    camera = placed("Focus Camera", lens)
    camera.location = (0.75, -0.75, 0.5)
    aim(camera, subject.location)
    lens.lens = 40.0  # millimetres
    blur = lens.dof
    assert blur is not None
    blur.use_dof = True
    blur.focus_object = subject
    blur.aperture_fstop = 0.2
    scene.camera = camera


main()
