"""needs_scene: poses an armature called Rig that the scene lacks."""

import math

import bpy

rig = bpy.data.objects["Rig"]
for side, angle in (("L", 35), ("R", -35)):
    bone = rig.pose.bones[f"upper_arm.{side}"]
    bone.rotation_mode = "XYZ"
    bone.rotation_euler.z = math.radians(angle)
    bone.keyframe_insert("rotation_euler", frame=1)
