"""Animate a ball that bounces lower each time.

Asked as: bouncing ball animation; make a ball fall and bounce; keyframe a bounce with decreasing height
"""

from math import sqrt
from typing import Any

import bpy
import bmesh

BALL, GROUND = "Bouncing Ball", "Bounce Ground"
HEIGHT, RADIUS, BOUNCES = 4.0, 0.5, 4
KEPT = 0.6  # the share of its height that it keeps
FALL = 15  # frames of the first fall
COLOUR = (0.8, 0.1, 0.05, 1.0)


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
    ball_mesh = bpy.data.meshes.get(BALL) or bpy.data.meshes.new(BALL)
    ground_mesh = bpy.data.meshes.get(GROUND) or bpy.data.meshes.new(GROUND)
    for mesh, round_ in ((ball_mesh, True), (ground_mesh, False)):
        bm = bmesh.new()
        if round_:
            bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=RADIUS)
        else:
            bmesh.ops.create_grid(bm, x_segments=1, y_segments=1, size=5.0)
        bm.to_mesh(mesh)
        bm.free()
    ball_mesh.polygons.foreach_set("use_smooth", [True] * len(ball_mesh.polygons))
    placed(GROUND, ground_mesh).active_material = coloured("Ground Grey", (0.3, 0.3, 0.3, 1.0))
    ball = placed(BALL, ball_mesh)
    ball.active_material = coloured("Ball Red", COLOUR)
    old = ball.animation_data.action if ball.animation_data else None
    if old is not None:
        bpy.data.actions.remove(old)
    frame, height = 1.0, HEIGHT
    for bounce in range(BOUNCES + 1):
        ball.location.z = height if bounce == 0 else height * KEPT
        ball.keyframe_insert("location", index=2, frame=round(frame))
        height = ball.location.z
        half = FALL * sqrt((height - RADIUS) / (HEIGHT - RADIUS)) if height > RADIUS else 1.0
        frame += half
        ball.location.z = RADIUS
        ball.keyframe_insert("location", index=2, frame=round(frame))
        height = RADIUS + (height - RADIUS) * KEPT if bounce else HEIGHT
        frame += FALL * sqrt(max(0.0, height * KEPT - RADIUS) / (HEIGHT - RADIUS))
    for point in curves_of(ball)[0].keyframe_points:
        # Fast at the ground, slow at the top.
        ground = abs(point.co.y - RADIUS) < 1e-4
        point.interpolation, point.easing = "QUAD", "EASE_OUT" if ground else "EASE_IN"
    if bpy.context.scene is not None:
        bpy.context.scene.frame_end = round(frame)


main()
