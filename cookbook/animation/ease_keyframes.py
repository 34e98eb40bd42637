"""Animate a bouncing ball with keyframes and easing.

Asked as: insert keyframes from python; set the interpolation of f-curves; ease in and out; make an animation loop with
a cycles modifier
"""

from typing import Any

import bpy
import bmesh

NAME = "Bouncing Ball"
RADIUS = 0.5
TOP, GROUND = 3.0, RADIUS  # heights of its centre, in metres
HALF = 12  # frames down, and as many up again


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


def keyframe_fall(ball: bpy.types.Object) -> None:
    """Down and up once; a key on a frame that has one replaces it."""
    for frame, height in ((1, TOP), (1 + HALF, GROUND), (1 + 2 * HALF, TOP)):
        ball.location.z = height
        ball.keyframe_insert("location", index=2, frame=frame)


def curves_of(animation: Any) -> Any:
    """The curves; from Blender 4.4 on, those of each animated thing are in a bag of their own."""
    action = animation.action
    if not hasattr(action, "layers"):
        return action.fcurves
    return action.layers[0].strips[0].channelbag(animation.action_slot).fcurves


def ease(ball: bpy.types.Object) -> None:
    """Fall ever faster, rise ever slower, and do it for ever."""
    animation = ball.animation_data
    assert animation is not None
    for curve in curves_of(animation):
        for key, easing in zip(curve.keyframe_points, ("EASE_IN", "EASE_OUT", "AUTO"), strict=True):
            key.interpolation = "QUAD"
            key.easing = easing
        if not curve.modifiers:
            curve.modifiers.new("CYCLES")
        curve.update()


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=RADIUS)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    ball = placed(NAME, mesh)
    ball.active_material = coloured("Rubber Red", (0.7, 0.03, 0.03, 1.0))
    keyframe_fall(ball)
    ease(ball)


main()
