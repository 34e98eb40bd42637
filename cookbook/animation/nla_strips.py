"""Blend two actions with NLA strips.

Asked as: put an action into the NLA editor; push down an action as a strip; combine animations on tracks; repeat an
action with the NLA
"""

from math import tau
from typing import Any

import bpy
import bmesh

NAME = "Juggled Cone"


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


def recorded(obj: bpy.types.Object, name: str, path: str, axis: int, keys: dict[int, float]) -> bpy.types.Action:
    """Return the action of this name, which moves one channel of the object through the keys."""
    action = bpy.data.actions.get(name) or bpy.data.actions.new(name)
    animation = obj.animation_data or obj.animation_data_create()
    assert animation is not None
    animation.action = action
    for frame, value in keys.items():
        getattr(obj, path)[axis] = value
        obj.keyframe_insert(path, index=axis, frame=frame)
    animation.action = None  # from now on the strip plays it
    return action


def add_strip(obj: bpy.types.Object, action: bpy.types.Action, repeat: float) -> None:
    """Give the action a track of its own, once."""
    animation = obj.animation_data
    assert animation is not None
    if action.name in animation.nla_tracks:
        return
    track = animation.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, 1, action)
    strip.repeat = repeat
    strip.blend_type = "COMBINE"
    strip.extrapolation = "HOLD"


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, segments=48, radius1=0.7, radius2=0.0, depth=1.6)
    bm.to_mesh(mesh)
    bm.free()
    cone = placed(NAME, mesh)
    cone.active_material = coloured("Orange Plastic", (0.8, 0.2, 0.02, 1.0))
    add_strip(cone, recorded(cone, "Hop", "location", 2, {1: 0.0, 13: 2.0, 25: 0.0}), repeat=4.0)
    add_strip(cone, recorded(cone, "Tumble", "rotation_euler", 0, {1: 0.0, 97: tau}), repeat=1.0)


main()
